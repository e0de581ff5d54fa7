"""Shapes of the other clouds."""

from dataclasses import replace

from catalogue.parts import (ACPI, CX7_MEZZ, CX7_NDR, CX8, EDR, EFA, H100, HDR, HDR_2X, NDR, VIRTUAL, bus, dgx_rail,
                             docker, grace_gpus, root_port, switch_ports)
from tree_writer import Machine, Port, infiniband, mac_to_interface_id, roce

EFA_V2 = replace(EFA, device="0xefa2", subsystem_device="0xefa2", speed="32.0", description="efa")


def efa_function(m, parent, bdf, name, numa, card=EFA):
    path = m.hca_function(parent, bdf, card, numa, "0x020000")
    guid = mac_to_interface_id(m.mac(m.new_unit(), "06:c4:1f"))
    port = Port("Unknown", "4: ACTIVE", "5: LinkUp", EDR, cap_mask="0x00000000", lid_mask_count=1, gid_rows=1)
    m.rdma(name, path, card, port, guid, guid, [(f"fe80:0000:0000:0000:{guid}", "IB/RoCE v1", None)])


def ena(m, netdev):
    m.plain_nic("pci0000:00", "00:05.0", netdev, 0, "ena", ids=("0x1d0f", "0xec20"), speed=100000,
                addresses=[m.management_address])


def p4d_efa():
    m = Machine("p4d-efa", 5, [
        "EFA devices have no interface, link layer Unknown, an empty firmware version and a constant state",
        "GPUs and EFA functions sit straight on the host bridge: no switch is visible"], "ens32")
    ena(m, "ens32")
    for root in (0x10, 0x20, 0x90, 0xa0):
        numa, host = root // 0x80, f"pci0000:{root:02x}"
        for slot in (0x1c, 0x1d):
            m.gpu(host, bus(root, slot=slot), "NVIDIA A100-SXM4-40GB", "0x20b0", numa, speed="16.0")
        efa_function(m, host, bus(root, slot=0x1b), f"rdmap{root}s27", numa)
    return m


def hyper_v_nic(m):
    """The hypervisor's own adapter, eth0."""
    path = f"{ACPI}/6045bd14-0a01-6045-bd14-0a016045bd14"
    m.netdev("eth0", path, mac=m.mac(0xe0, "60:45:bd"), speed=100000, addresses=[m.management_address])
    m.link(f"{path}/driver", "sys/bus/vmbus/drivers/hv_netvsc")
    m.empty_directory("sys/bus/vmbus/drivers/hv_netvsc")


def accelerated_nic(m):
    """The Ethernet function behind eth0, with RoCE switched off."""
    m.roce_hca("mlx5_an0", synthetic_bus(0x7a1c), "7a1c:00:02.0", replace(VIRTUAL, fw_ver="16.30.1284"),
               roce(EDR, gid_rows=0), "enP31260s1", numa=0, mtu=1500, mac=m.mac(0xe0, "60:45:bd"))
    m.netdevs["enP31260s1"].link_local = None
    m.file(f"{m.netdevs['enP31260s1'].path}/flags", "0x1803")
    m.stack("eth0", "enP31260s1")


def synthetic_bus(domain):
    """The PCI host bridge that the hypervisor makes up for one function."""
    return f"{ACPI}/47505500-{domain:04x}-0000-3130-444531323334/pci{domain:04x}:00"


def azure_ndv5_ib():
    m = Machine("azure-ndv5-ib", 10, [
        "every GPU and adapter has a PCI domain of its own: no common bridge, and the path starts with ACPI devices",
        "the InfiniBand functions are virtual ones; their PCI link is Unknown",
        "mlx5_an0 is Ethernet with RoCE switched off: its GID directories are empty",
        "its interface shares the address of eth0 and has eth0 as master without being in a bond"], "eth0")
    hyper_v_nic(m)
    virtual = replace(VIRTUAL, fw_ver="28.41.1000")
    gpu_domains = (0x1, 0x2, 0x3, 0x8, 0x9, 0xa, 0xb, 0xc)
    for rail, gpu_domain in enumerate(gpu_domains):
        nic_domain, numa = 0x101 + rail, rail // 4
        m.gpu(synthetic_bus(gpu_domain), f"{gpu_domain:04x}:00:00.0", *H100, numa)
        m.ib_hca(f"mlx5_ib{rail}", synthetic_bus(nic_domain), f"{nic_domain:04x}:00:00.0", virtual,
                 infiniband(NDR, 1201 + 7 * rail, 1), f"ib{rail}", numa=numa, link="up")
    accelerated_nic(m)
    docker(m, "no-carrier")
    return m


def p5_efa():
    m = Machine("p5-efa", 22, ["32 EFA devices, four beside each GPU; the rate file says 100 for all of them"], "ens32")
    ena(m, "ens32")
    for gpu_bus in (0x53, 0x64, 0x75, 0x86, 0x97, 0xa8, 0xb9, 0xca):
        numa = int(gpu_bus > 0x86)
        ports = switch_ports(m, gpu_bus - 7, numa, 5)
        for card in range(4):
            nic_bus = gpu_bus - 4 + card
            efa_function(m, ports[card], bus(nic_bus), f"rdmap{nic_bus}s0", numa, EFA_V2)
        m.gpu(ports[4], bus(gpu_bus), *H100, numa)
    return m


def p6_b200_efa():
    m = Machine("p6-b200-efa", 23, [
        "eight EFA devices, one beside each GPU",
        "ibp13s0f0 and ibp13s0f1 are ACTIVE InfiniBand ports that manage the NVSwitches"], "ens32")
    ena(m, "ens32")
    parent, card = root_port(m, 0x0d, 0, speed="16.0"), replace(CX7_MEZZ, board_id="MT_0000000892")
    for function, lid in enumerate((1, 4)):
        m.ib_hca(f"ibp13s0f{function}", parent, bus(0x0d, function=function), card, infiniband(HDR_2X, lid, 1),
                 f"ibs13f{function}", numa=0)
    for gpu_bus in (0x53, 0x64, 0x75, 0x86, 0x97, 0xa8, 0xb9, 0xca):
        numa = int(gpu_bus > 0x86)
        ports = switch_ports(m, gpu_bus - 7, numa, 2)
        efa_function(m, ports[0], bus(gpu_bus, -1), f"rdmap{gpu_bus - 1}s0", numa, EFA_V2)
        m.gpu(ports[1], bus(gpu_bus), "NVIDIA B200", "0x2901", numa)
    return m


def azure_ndv4_ib():
    m = Machine("azure-ndv4-ib", 24, [
        "a PCI domain for each function: no common bridge with the GPU, only the NUMA node is shared",
        "the adapters' domains run 0101 to 0108 over the NUMA nodes 1, 0, 3, 2",
        "mlx5_an0 is Ethernet with RoCE switched off"], "eth0")
    hyper_v_nic(m)
    virtual = replace(VIRTUAL, device="0x101c", hca_type="MT4124", board_id="MT_0000000223", fw_ver="20.31.2006")
    for gpu_domain, numa in zip((0x1, 0x2, 0x3, 0x4, 0xb, 0xc, 0xd, 0xe), (1, 1, 0, 0, 3, 3, 2, 2)):
        m.gpu(synthetic_bus(gpu_domain), f"{gpu_domain:04x}:00:00.0", "NVIDIA A100-SXM4-40GB", "0x20b0", numa,
              speed="16.0")
    for rail, numa in enumerate((1, 1, 0, 0, 3, 3, 2, 2)):
        domain = 0x101 + rail
        m.ib_hca(f"mlx5_ib{rail}", synthetic_bus(domain), f"{domain:04x}:00:00.0", virtual,
                 infiniband(HDR, 801 + 5 * rail, 1), f"ib{rail}", numa=numa, link="up")
    accelerated_nic(m)
    return m


def azure_gb200_ib():
    m = Machine("azure-gb200-ib", 25, [
        "four GPUs and four adapters on two Grace processors, each with a PCI domain of its own",
        "the fabric wants service level 1, which no file of the node tells"], "eth0", kernel="6.8.0-1021-azure-nvidia")
    hyper_v_nic(m)
    virtual = replace(VIRTUAL, fw_ver="28.44.2506")
    for gpu_domain in (0x08, 0x09, 0x18, 0x19):
        m.gpu(synthetic_bus(gpu_domain), f"{gpu_domain:04x}:00:00.0", "NVIDIA GB200", "0x2941", gpu_domain // 0x10)
    for rail in range(4):
        domain = 0x101 + rail
        m.ib_hca(f"mlx5_ib{rail}", synthetic_bus(domain), f"{domain:04x}:00:00.0", virtual,
                 infiniband(NDR, 2101 + 3 * rail, 1), f"ib{rail}", numa=rail // 2, link="up")
    accelerated_nic(m)
    return m


def coreweave_h100_ib():
    m = Machine("coreweave-h100-ib", 26, [
        "the RDMA devices are called ibp0 to ibp7, their interfaces ibs0 to ibs7",
        "eth0 is one end of a pod's veth pair: no PCI device is behind it"], "eth0")
    m.netdev("eth0", mac=m.mac(m.new_unit(), "ee:1b:07"), speed=10000, addresses=[m.management_address])
    for rail, nic_bus in enumerate((0x18, 0x40, 0x4f, 0x5e, 0x9a, 0xc0, 0xce, 0xdc)):
        numa = nic_bus // 0x80
        parent = dgx_rail(m, nic_bus, numa, H100)
        m.ib_hca(f"ibp{rail}", parent, bus(nic_bus), CX7_NDR, infiniband(NDR, 3101 + rail, 12), f"ibs{rail}", numa=numa)
    return m


def coreweave_gb300_roce():
    m = Machine("coreweave-gb300-roce", 27, [
        "the RDMA devices are called ibp0 to ibp3 although they are RoCE",
        "no IPv4 on the fabric: rows 2 and 3 hold an address of fd02::/16"], "eth0", kernel="6.12.63+deb13-arm64-64k")
    m.netdev("eth0", mac=m.mac(m.new_unit(), "ee:1b:08"), speed=10000, addresses=[m.management_address])
    grace_gpus(m, ("NVIDIA GB300", "0x31c2"))
    for rail, domain in enumerate((0x00, 0x02, 0x10, 0x12)):
        numa = domain // 0x10
        parent = root_port(m, 0x03, numa, domain=domain, root_port=("0x10de", "0x22b2"))
        m.roce_hca(f"ibp{rail}", parent, f"{domain:04x}:03:00.0", CX8, roce("800 Gb/sec (8X NDR)"), f"rdma{rail}",
                   numa=numa, addresses=[f"fd02:0:0:{rail:x}::37/64"])
    return m


def gcp_a3u_roce():
    m = Machine("gcp-a3u-roce", 28, [
        "a guest with eight virtual functions of 400 Gb/s, interfaces gpu0rdma0 to gpu7rdma0 with MTU 8896",
        "two interfaces for everything else; enp0s19 has the default route"], "enp0s19")
    for netdev, host, bdf, numa, address in (("enp0s19", "pci0000:00", "00:13.0", 0, m.management_address),
                                             ("enp192s20", "pci0000:c0", "c0:14.0", 1, "10.78.0.38/24")):
        m.plain_nic(host, bdf, netdev, numa, "gve", ids=("0x1ae0", "0x0042"), speed=200000, mtu=8896,
                    addresses=[address])
    virtual = replace(VIRTUAL, board_id="MT_0000001120", fw_ver="28.42.1000")
    rail = 0
    for root in (0x80, 0x90, 0xa0, 0xb0):
        numa = root // 0xa0
        ports = switch_ports(m, root, numa, 4)
        for half in (0, 1):
            m.gpu(ports[2 * half], bus(root, 4 + 3 * half), "NVIDIA H200", "0x2335", numa)
            m.roce_hca(f"mlx5_{rail}", ports[2 * half + 1], bus(root, 5 + 3 * half), virtual, roce(NDR, gid_rows=16),
                       f"gpu{rail}rdma0", numa=numa, mtu=8896, addresses=[f"10.{100 + rail}.0.38/24"])
            rail += 1
    return m


MACHINES = [p4d_efa, azure_ndv5_ib, p5_efa, p6_b200_efa, azure_ndv4_ib, azure_gb200_ib, coreweave_h100_ib,
            coreweave_gb300_roce, gcp_a3u_roce]
