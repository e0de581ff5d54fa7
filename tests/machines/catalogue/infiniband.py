"""Servers on InfiniBand."""

from dataclasses import replace

from catalogue.parts import (A100, BLUEFIELD3, CX3, CX6, CX6_DX, CX7_DUAL, CX7_MEZZ, CX7_NDR, CX8, DOWN_POLLING, EDR,
                             EDR_1X, H100, HDR, HDR_2X, NDR, NDR_2X, OMNI_PATH, QDR, SDR, VIRTUAL, XDR, bus, dgx_rail,
                             grace_gpus, iwarp, nvswitch_card, onboard_nic, roce_bond, root_port, switch_ports)
from tree_writer import IPOIB, Machine, infiniband, roce, roce_down


def dgx_h100_ib():
    m = Machine("dgx-h100-ib", 1, [
        "storage cards mlx5_1 and mlx5_7 are ACTIVE InfiniBand too, but on no GPU's switch",
        "mlx5_2, mlx5_8 and irdma1 are down and that is healthy",
        "P_Key 0x8001 stands at index 1 of the compute ports only",
        "irdma0 is iWARP: no P_Key table, its GID is the MAC address; it carries the management address"], "eno1")
    onboard = m.bridges("pci0000:0a", "0a:01.0", numa=0)
    iwarp(m, "irdma0", onboard, "0b:00.0", "eno1", 0, True, addresses=[m.management_address])
    iwarp(m, "irdma1", onboard, "0b:00.1", "eno2", 0, False)
    compute = [(0, 0x18, 23), (3, 0x40, 25), (4, 0x4f, 24), (5, 0x5e, 22), (6, 0x9a, 19), (9, 0xc0, 21),
               (10, 0xce, 20), (11, 0xdc, 18)]
    storage = [(1, 0x29, 41, "10.150.0.11/24"), (7, 0xaa, 42, "10.151.0.11/24")]
    for number, nic_bus, lid in compute:
        numa = nic_bus // 0x80
        parent = dgx_rail(m, nic_bus, numa, H100)
        m.ib_hca(f"mlx5_{number}", parent, bus(nic_bus), CX7_NDR, infiniband(NDR, lid, 2, pkeys=("0xffff", "0x8001")),
                 f"ibp{nic_bus}s0", numa=numa, link="up")
    for number, nic_bus, lid, address in storage:
        numa = nic_bus // 0x80
        parent = m.bridges(f"pci0000:{nic_bus - 1:02x}", bus(nic_bus, -1, slot=1), numa=numa)
        guid = m.ib_hca(f"mlx5_{number}", parent, bus(nic_bus), CX7_DUAL, infiniband(HDR, lid, 40),
                        f"ibp{nic_bus}s0f0", numa=numa, link="up", addresses=[address])
        m.roce_hca(f"mlx5_{number + 1}", parent, bus(nic_bus, function=1), CX7_DUAL, roce_down(),
                   f"enp{nic_bus}s0f1np1", numa=numa, link="off", system_guid=guid, mtu=1500)
    return m


def mixed_down():
    m = Machine("mixed-down", 4, [
        "mlx5_4 is DOWN and Polling with its last LIDs, mlx5_5 is INIT because no subnet manager reached it",
        "the IPoIB interfaces are switched off, which is healthy",
        "mlx5_1 and mlx5_2 are Ethernet, on another root port of the host bridge of GPU 0"], "enp27s0f0np0")
    m.faults = ["port-state mlx5_4/1", "port-state mlx5_5/1"]
    ports = {0: infiniband(NDR, 31, 334), 3: infiniband(NDR, 33, 334), 4: infiniband(SDR, 868, 334, **DOWN_POLLING),
             5: infiniband(NDR, 0xffff, 0, state="2: INIT")}
    for number, nic_bus in ((0, 0x1a), (3, 0x3c), (4, 0x4d), (5, 0x5e)):
        root, numa = nic_bus - 4, nic_bus // 0x40
        switch_port = lambda slot: m.bridges(f"pci0000:{root:02x}", bus(root, slot=1), bus(root, 1),
                                             bus(root, 2, slot=slot), numa=numa)
        m.gpu(switch_port(0), bus(root, 3), *H100, numa)
        m.ib_hca(f"mlx5_{number}", switch_port(1), bus(nic_bus), CX7_NDR, ports[number], f"ibp{nic_bus}s0", numa=numa)
        if number == 0:
            parent = m.bridges("pci0000:16", "16:05.0", numa=0)
            guid = m.roce_hca("mlx5_1", parent, "1b:00.0", CX6_DX, roce(EDR), "enp27s0f0np0", numa=0, mtu=1500,
                              addresses=[m.management_address])
            m.roce_hca("mlx5_2", parent, "1b:00.1", CX6_DX, roce_down(), "enp27s0f1np1", numa=0, mtu=1500,
                       system_guid=guid)
    return m


def dgx_a100_ib():
    m = Machine("dgx-a100-ib", 7, [
        "two GPUs and two adapters share each switch, on NUMA nodes 3, 1, 7 and 5",
        "mlx5_4 and mlx5_10 are ACTIVE InfiniBand storage ports with the compute rate",
        "mlx5_5 is Ethernet 100 on the second function of mlx5_4's card, mlx5_11 is down"], "enp226s0")
    amd = {"root_port": ("0x1022", "0x1483"), "switch": ("0x1000", "0xc010"), "speed": "16.0"}
    number, rail = iter([0, 1, 2, 3, 6, 7, 8, 9]), 0
    quads = [(0x00, 3, (0x07, 0x0f), (0x0c, 0x12)), (0x40, 1, (0x47, 0x4e), (0x4b, 0x54)),
             (0x80, 7, (0x87, 0x90), (0x8d, 0x94)), (0xb0, 5, (0xb7, 0xbd), (0xba, 0xcc))]
    for root, numa, gpu_buses, nic_buses in quads:
        parents = {}
        for slot, end in enumerate(sorted(gpu_buses + nic_buses)):
            parents[end] = m.bridges(f"pci0000:{root:02x}", bus(root, slot=1, function=1), bus(root, 1),
                                     bus(root, 2, slot=4 * slot), bus(end, -2), bus(end, -1), numa=numa, **amd)
        for gpu_bus in gpu_buses:
            m.gpu(parents[gpu_bus], bus(gpu_bus), "NVIDIA A100-SXM4-40GB", "0x20b0", numa, speed="16.0")
        for nic_bus in nic_buses:
            m.ib_hca(f"mlx5_{next(number)}", parents[nic_bus], bus(nic_bus), CX6, infiniband(HDR, 60 + rail, 1),
                     f"ibp{nic_bus}s0", numa=numa, link="up", addresses=[f"10.{120 + rail}.0.17/24"])
            rail += 1
    for first, nic_bus, numa, lid in ((4, 0x61, 0, 81), (10, 0xe1, 4, 82)):
        parent = m.bridges(f"pci0000:{nic_bus - 1:02x}", bus(nic_bus, -1, slot=1, function=1), numa=numa, **amd)
        guid = m.ib_hca(f"mlx5_{first}", parent, bus(nic_bus), CX6, infiniband(HDR, lid, 80), f"ibp{nic_bus}s0f0",
                        numa=numa, link="up")
        m.roce_hca(f"mlx5_{first + 1}", parent, bus(nic_bus, function=1), CX6, roce(EDR) if first == 4 else roce_down(),
                   f"enp{nic_bus}s0f1", numa=numa, system_guid=guid, mtu=1500,
                   addresses=["10.150.0.17/24"] if first == 4 else [])
    m.plain_nic(m.bridges("pci0000:e0", "e0:01.2", numa=4, **amd), "e2:00.0", "enp226s0", 4, "igb",
                ids=("0x8086", "0x1533"), speed=1000, addresses=[m.management_address])
    return m


def b200_mezz_ib():
    m = Machine("b200-mezz-ib", 8, [
        "mlx5_0 to mlx5_3 are ACTIVE, but belong to a node-local fabric with its own subnet manager",
        "that shifts the numbers of the compute devices: mlx5_4, 7, 8, 9, 10, 13, 14 and 15",
        "the BlueField-3 ports are ACTIVE InfiniBand for storage"], "enp86s0f0")
    mezz = m.bridges("pci0000:0d", "0d:01.0", numa=0)
    system_guid = None
    for function, (lid, cap_mask) in enumerate([(1, "0xa750e84a"), (4, "0xa750e848"), (5, "0xa740ec48"),
                                                (6, "0xa740ec48")]):
        guid = m.ib_hca(f"mlx5_{function}", mezz, bus(0x0e, function=function), CX7_MEZZ,
                        infiniband(HDR_2X, lid, 1, cap_mask=cap_mask), f"ibs14f{function}", numa=0,
                        system_guid=system_guid)
        system_guid = system_guid or guid
    for rail, (number, nic_bus) in enumerate([(4, 0x18), (7, 0x40), (8, 0x4f), (9, 0x5e), (10, 0x9a), (13, 0xc0),
                                              (14, 0xce), (15, 0xdc)]):
        numa = nic_bus // 0x80
        parent = dgx_rail(m, nic_bus, numa, ("NVIDIA B200", "0x2901"))
        m.ib_hca(f"mlx5_{number}", parent, bus(nic_bus), replace(CX7_NDR, fw_ver="28.43.2566"),
                 infiniband(NDR, 201 + rail, 17), f"ibp{nic_bus}s0", numa=numa, link="up")
    for number, nic_bus in ((5, 0x29), (11, 0xaa)):
        numa, system_guid = nic_bus // 0x80, None
        parent = m.bridges(f"pci0000:{nic_bus - 1:02x}", bus(nic_bus, -1, slot=1), numa=numa)
        for function in (0, 1):
            guid = m.ib_hca(f"mlx5_{number + function}", parent, bus(nic_bus, function=function), BLUEFIELD3,
                            infiniband(NDR_2X, 300 + number + function, 290), f"ibp{nic_bus}s0f{function}", numa=numa,
                            link="up", system_guid=system_guid)
            system_guid = system_guid or guid
    m.plain_nic(m.bridges("pci0000:55", "55:01.0", numa=0), "56:00.0", "enp86s0f0", 0, "ixgbe",
                addresses=[m.management_address])
    return m


def hgx_h100_bf3_bond():
    m = Machine("hgx-h100-bf3-bond", 13, [
        "mlx5_2 and mlx5_3 do not exist: they became mlx5_bond_0, a BlueField-3 with Ethernet storage",
        "eno1 carries the management address"], "eno1")
    for number, nic_bus in ((0, 0x18), (1, 0x40), (4, 0x4f), (5, 0x5e), (6, 0x9a), (7, 0xc0), (8, 0xce), (9, 0xdc)):
        numa = nic_bus // 0x80
        parent = dgx_rail(m, nic_bus, numa, H100)
        m.ib_hca(f"mlx5_{number}", parent, bus(nic_bus), replace(CX7_NDR, fw_ver="28.41.1000"),
                 infiniband(NDR, 401 + number, 7), f"ibp{nic_bus}s0", numa=numa)
    roce_bond(m, "mlx5_bond_0", "bond0", 0x47, BLUEFIELD3, NDR_2X, 0, ["10.150.0.23/24"])
    onboard_nic(m, "eno1")
    return m


def hgx_b300_uncabled():
    m = Machine("hgx-b300-uncabled", 14, [
        "every compute port is down; the only ACTIVE ports are the four of the NVSwitches' card",
        "one GPU is missing, and so is the adapter beside it",
        "two PCI domains"], "eno1", kernel="6.12.63+deb13-amd64")
    m.faults = [f"port-state mlx5_{compute}/1" for compute in (0, 1, 6, 7, 8, 9, 10)]
    number = iter([0, 1, 6, 7, 8, 9, 10])
    ends = [(0, 0x1a), (0, 0x69), (0, 0xdb), (1, 0x1a), (1, 0x69), (1, 0xb5), (1, 0xdb)]
    for domain, gpu_bus in ends:
        ports = switch_ports(m, gpu_bus - 7, domain, 2, domain)
        nic_bus, place = gpu_bus - 3, f"P{domain}" if domain else ""
        m.gpu(ports[0], f"{domain:04x}:{bus(gpu_bus)}", "NVIDIA B300 SXM6 AC", "0x3182", domain)
        m.ib_hca(f"mlx5_{next(number)}", ports[1], f"{domain:04x}:{bus(nic_bus)}", replace(CX8, fw_ver="40.46.5500"),
                 infiniband(SDR, 0xffff, 0, state="1: DOWN", phys_state="3: Disabled", cap_mask="0xa750e848"),
                 f"ib{place}p{nic_bus}s0", numa=domain)
    nvswitch_card(m, 0x90, 0, [f"mlx5_{part}" for part in range(2, 6)], [f"ibp144s0f{part}" for part in range(4)])
    onboard_nic(m, "eno1")
    return m


def gb300_bare_ib():
    m = Machine("gb300-bare-ib", 29, [
        "names carry the PCI domain: ibp3s0, ibP2p3s0, ibP16p3s0, ibP18p3s0",
        "no GPU shares a PCI domain with an adapter",
        "each adapter has a second function without an RDMA device",
        "roceP22p1s0f0 is a BlueField-3 with Ethernet storage; its other port is InfiniBand without a manager"],
        "enP5p9s0", kernel="6.12.63+deb13-arm64-64k")
    grace_gpus(m, ("NVIDIA GB300", "0x31c2"))
    for rail, (domain, place) in enumerate([(0x00, ""), (0x02, "P2"), (0x10, "P16"), (0x12, "P18")]):
        numa = domain // 0x10
        parent = root_port(m, 0x03, numa, domain=domain, root_port=("0x10de", "0x22b2"))
        m.ib_hca(f"ib{place}p3s0", parent, f"{domain:04x}:03:00.0", CX8, infiniband(XDR, 5001 + rail, 3),
                 f"ib{place}p3s0", numa=numa)
        m.hca_function(parent, f"{domain:04x}:03:00.1", CX8, numa, "0x020700")
    parent = root_port(m, 0x01, 1, domain=0x16, root_port=("0x10de", "0x22b2"))
    guid = m.roce_hca("roceP22p1s0f0", parent, "0016:01:00.0", BLUEFIELD3, roce(NDR), "enP22p1s0f0np0", numa=1,
                      addresses=["10.150.0.39/24"])
    m.ib_hca("ibP22p1s0f1", parent, "0016:01:00.1", BLUEFIELD3, infiniband(SDR, 0xffff, 0, state="1: DOWN"),
             "ibP22p1s0f1", numa=1, system_guid=guid)
    m.plain_nic(root_port(m, 0x09, 0, domain=0x05), "0005:09:00.0", "enP5p9s0", 0, "igb", ids=("0x8086", "0x1533"),
                speed=1000, addresses=[m.management_address])
    return m


def ib_and_40g():
    m = Machine("ib-and-40g", 30, [
        "mlx5_0 to mlx5_2 are InfiniBand, mlx5_3 and mlx5_4 are ACTIVE 40 Gb/s Ethernet with LID 0 (nccl#1412)",
        "no GPU shares a switch with an adapter"], "ens7f0")
    for slot, gpu_bus in enumerate((0x21, 0x41, 0x81, 0xa1)):
        m.gpu(root_port(m, gpu_bus, slot // 2, speed="16.0"), bus(gpu_bus), *A100, slot // 2, speed="16.0")
    for number, nic_bus in enumerate((0x2b, 0x61, 0xc1)):
        numa = nic_bus // 0x80
        m.ib_hca(f"mlx5_{number}", root_port(m, nic_bus, numa, speed="16.0"), bus(nic_bus), CX6,
                 infiniband(HDR, 51 + number, 4), f"ibs{number + 1}", numa=numa, link="up")
    parent, system_guid = root_port(m, 0xe1, 1, speed="16.0"), None
    for function, address in enumerate((m.management_address, "10.150.0.40/24")):
        guid = m.roce_hca(f"mlx5_{3 + function}", parent, bus(0xe1, function=function), CX6_DX, roce(QDR),
                          f"ens7f{function}", numa=1, mtu=1500, addresses=[address], system_guid=system_guid)
        system_guid = system_guid or guid
    return m


def master_and_worker(name, number, gpus, numbers, bond_first):
    """Two InfiniBand ports for the fabric, two Ethernet ports in a bond for everything else."""
    m = Machine(name, number, [
        f"{numbers[0]} and {numbers[1]} are InfiniBand; on the other kind of node the same fabric has other names",
        "mlx5_bond_0 is Ethernet and carries the management address (nccl#981)",
        "GPUs and adapters sit on root ports of their own"], "bond0")
    if bond_first:
        roce_bond(m, "mlx5_bond_0", "bond0", 0x17, CX6_DX, EDR_1X, 0, [m.management_address], mtu=1500)
    for slot, (gpu_bus, nic_bus) in enumerate(((0x31, 0x3a), (0xb1, 0xca))):
        m.gpu(root_port(m, gpu_bus, slot, speed="16.0"), bus(gpu_bus), *gpus, slot, speed="16.0")
        m.ib_hca(numbers[slot], root_port(m, nic_bus, slot, speed="16.0"), bus(nic_bus), CX6,
                 infiniband(EDR, 10 * number + slot, 1), f"ib{slot}", numa=slot, link="up",
                 addresses=[f"10.{120 + slot}.0.{m.host_part}/24"])
    if not bond_first:
        roce_bond(m, "mlx5_bond_0", "bond0", 0xe1, CX6_DX, EDR_1X, 1, [m.management_address], mtu=1500)
    return m


def ib_bond_master():
    return master_and_worker("ib-bond-master", 31, ("NVIDIA A100 80GB PCIe", "0x20b5"), ("mlx5_2", "mlx5_3"), True)


def ib_bond_worker():
    return master_and_worker("ib-bond-worker", 32, ("Tesla T4", "0x1eb8"), ("mlx5_0", "mlx5_1"), False)


def old_devices():
    m = Machine("old-devices", 33, [
        "hfi1_0 is Omni-Path, mlx4_0 has two ports in one device, mlx5_0 is a virtual function with 25 Gb/s Ethernet",
        "no GPU; two counters of hfi1_0 answer with a text"], "eno1", kernel="4.18.0-553.el8_10.x86_64")
    path = m.hca_function(root_port(m, 0x05, 0, speed="8.0"), "05:00.0", OMNI_PATH, 0, "0x020800")
    guid = "0011:7501:0109:6c60"
    port = replace(infiniband(EDR, 2, 1, cap_mask="0x00410022"), gid_rows=5, pkey_rows=16, pkeys=("0x8001", "0x7fff"))
    m.rdma("hfi1_0", path, OMNI_PATH, port, guid, guid, [(f"fe80:0000:0000:0000:{guid}", "IB/RoCE v1", None)])
    for name in ("port_rcv_errors", "VL15_dropped"):
        m.file(f"{path}/infiniband/hfi1_0/ports/1/counters/{name}", "N/A (no PMA)")
    card, port = CX3, replace(infiniband("40 Gb/sec (4X QDR)", 33, 1, cap_mask="0x02514868"), gid_rows=128)
    guid = m.ib_hca("mlx4_0", root_port(m, 0x0b, 0, speed="8.0"), "0b:00.0", card, port, "ib0", numa=0, link="up",
                    addresses=["10.120.0.43/24"])
    path = m.netdevs["ib0"].path.removesuffix("/net/ib0")
    down = replace(infiniband(SDR, 0, 0, cap_mask="0x02514868", **DOWN_POLLING), gid_rows=128)
    m.port(f"{path}/infiniband/mlx4_0/ports/2", card, down, [(f"fe80:0000:0000:0000:{guid[:-1]}f", "IB/RoCE v1", None)])
    octets = guid.replace(":", "")
    mac = "80:00:02:09:fe:80" + ":00" * 6 + "".join(f":{octets[i:i + 2]}" for i in range(0, 16, 2))
    m.netdev("ib1", path, mac=mac, kind=IPOIB, mtu=2044, link="off", guid=guid, dev_port=1)
    virtual = replace(VIRTUAL, device="0x1016", hca_type="MT4118", board_id="MT_2420110034", fw_ver="14.28.2006")
    m.roce_hca("mlx5_0", root_port(m, 0x81, 1, speed="8.0"), "81:00.2", virtual, roce(EDR_1X, gid_rows=16), "ens1f0v0",
               numa=1, mtu=1500, addresses=["10.150.0.43/24"])
    m.plain_nic(root_port(m, 0x01, 0, speed="8.0"), "01:00.0", "eno1", 0, "igb", ids=("0x8086", "0x1521"), speed=1000,
                addresses=[m.management_address])
    return m


MACHINES = [dgx_h100_ib, mixed_down, dgx_a100_ib, b200_mezz_ib, hgx_h100_bf3_bond, hgx_b300_uncabled, gb300_bare_ib,
            ib_and_40g, ib_bond_master, ib_bond_worker, old_devices]
