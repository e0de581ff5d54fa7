"""Adapters of other makers."""

from dataclasses import replace

from catalogue.parts import (A100, BNXT_PORT, BROADCOM, CX7_ETHERNET, EDR, ERDMA, HDR, IONIC, IRDMA, NDR, bus,
                             onboard_nic, root_port, switch_ports)
from tree_writer import Machine, mac_to_interface_id, roce, roce_down

THOR2 = replace(BROADCOM, device="0x1760", speed="32.0", fw_ver="233.2.115.0", subsystem_device="0xd125")
IRDMA_ROCE = replace(IRDMA, device="0x1592", node_type="1: CA")


def broadcom_roce():
    m = Machine("broadcom-roce", 11, [
        "no GPU, no board_id, no counters directory",
        "the rate file says 100 although the interface runs at 200: the driver's limit on this kernel",
        "the only ACTIVE port is also the management interface, with MTU 1500"], "enp194s0f0np0")
    parent = m.bridges("pci0000:c1", "c1:01.1", numa=1, root_port=("0x1022", "0x14ab"), speed="16.0")
    macs = [m.mac(m.new_unit(), "bc:97:e1") for _ in range(2)]
    system_guid = mac_to_interface_id(macs[0])
    m.roce_hca("bnxt_re0", parent, "c2:00.0", BROADCOM, roce(EDR, **BNXT_PORT), "enp194s0f0np0", numa=1, mac=macs[0],
               mtu=1500, speed=200000, addresses=[m.management_address])
    m.roce_hca("bnxt_re1", parent, "c2:00.1", BROADCOM, roce_down("2.5 Gb/sec (1X SDR)", **BNXT_PORT), "enp194s0f1np1",
               numa=1, mac=macs[1], mtu=1500, system_guid=system_guid)
    return m


def thor2_roce_ipv6():
    m = Machine("thor2-roce-ipv6", 39, [
        "eight Broadcom ports of 400 Gb/s with link-local and unique local IPv6 addresses only (uccl#799)",
        "no board_id, no counters directory"], "eno1", kernel="6.12.63+deb13-amd64")
    for rail, root in enumerate((0x15, 0x2d, 0x3d, 0x55, 0x95, 0xad, 0xbd, 0xd5)):
        numa = root // 0x80
        ports = switch_ports(m, root, numa, 2)
        m.amd_gpu(ports[0], bus(root, 3), "0x74a1", numa)
        m.roce_hca(f"bnxt_re{rail}", ports[1], bus(root, 4), THOR2, roce(NDR, **BNXT_PORT), f"enp{root + 4}s0np0",
                   numa=numa, mac=m.mac(m.new_unit(), "bc:97:e1"), addresses=[f"fd93:0:0:{rail:x}::49/64"])
    onboard_nic(m, "eno1")
    return m


def bnxt_active_backup():
    m = Machine("bnxt-active-backup", 57, [
        "two ports in an active-backup bond keep an RDMA device each",
        "both are ACTIVE, but only the active member's table has the rows of the bond's address"], "eno1",
        kernel="6.12.63+deb13-amd64")
    ports, macs = switch_ports(m, 0x3d, 0, 2), [m.mac(m.new_unit(), "bc:97:e1") for _ in range(2)]
    m.gpu(ports[0], "40:00.0", *A100, 0)
    paths = [m.hca_function(ports[1], bus(0x41, function=function), THOR2, 0, "0x020000") for function in (0, 1)]
    members = [f"enp65s0f{function}np{function}" for function in (0, 1)]
    for path, member, mac in zip(paths, members, macs):
        m.netdev(member, path, mac=mac, mtu=9000, speed=200000)
    own_gids = [m.roce_gids(member) for member in members]
    m.bond("bond0", members, "active-backup 1", active_member=members[0], mtu=9000, speed=200000,
           addresses=["10.100.0.67/24"])
    for number, gids in enumerate((m.roce_gids("bond0"), own_gids[1])):
        guid = mac_to_interface_id(macs[number])
        m.rdma(f"bnxt_re{number}", paths[number], THOR2, roce(HDR, **BNXT_PORT), guid, mac_to_interface_id(macs[0]),
               gids)
    onboard_nic(m, "eno1")
    return m


def irdma_e810_roce():
    m = Machine("irdma-e810-roce", 40, [
        "both ports of an Intel E810 run RoCE; rocep216s0f0 is down, rocep216s0f1 is ACTIVE (nccl#622)",
        "LID 1, 32 GID rows, no counters directory; no GPU shares a switch with the adapter"], "eno1")
    for slot, gpu_bus in enumerate((0x3b, 0xaf)):
        m.gpu(root_port(m, gpu_bus, slot, speed="16.0"), bus(gpu_bus), "Tesla V100-PCIE-32GB", "0x1db6", slot,
              speed="16.0")
    parent = root_port(m, 0xd8, 1, speed="16.0")
    macs = [m.mac(m.new_unit(), "b4:96:91") for _ in range(2)]
    ports = [roce_down("2.5 Gb/sec (1X SDR)", lid=1, gid_rows=32), roce(EDR, lid=1, gid_rows=32)]
    for function, (port, addresses) in enumerate(zip(ports, ([], ["10.100.0.50/24"]))):
        m.roce_hca(f"rocep216s0f{function}", parent, bus(0xd8, function=function), IRDMA_ROCE, port,
                   f"ens7f{function}np{function}", numa=1, mac=macs[function], addresses=addresses,
                   system_guid=mac_to_interface_id(macs[0]))
    onboard_nic(m, "eno1")
    return m


def erdma_two():
    m = Machine("erdma-two", 41, [
        "two ERDMA devices of iWARP type with one GID each; the job cannot open erdma_1 (nccl#2428)",
        "the interfaces are virtio ones on other PCI functions"], "eth0")
    m.faults = ["device-open erdma_1"]
    for slot in range(2):
        m.gpu("pci0000:00", bus(0, slot=7 + slot), *A100, 0)
        path = m.function("pci0000:00", bus(0, slot=5 + slot), kind="0x020000", vendor="0x1af4", device="0x1041",
                          numa=0, driver="virtio-pci", subsystem=("0x1af4", "0x1100"), speed="16.0", width="1")
        address = m.management_address if slot == 0 else "10.100.0.51/24"
        m.netdev(f"eth{slot}", f"{path}/virtio{slot}", mac=m.mac(m.new_unit(), "00:16:3e"), addresses=[address],
                 speed=-1, duplex="unknown")
        path = m.hca_function("pci0000:00", bus(0, slot=0x0a + slot), ERDMA, 0, "0x020000")
        mac = m.netdevs[f"eth{slot}"].mac
        octets, guid = mac.replace(":", ""), mac_to_interface_id(mac)
        gid = ":".join([octets[0:4], octets[4:8], octets[8:12]] + ["0000"] * 5)
        port = roce(EDR, gid_rows=1)
        m.rdma(f"erdma_{slot}", path, ERDMA, port, guid, guid, [(gid, "IB/RoCE v1", None)])
    m.remove("dev/infiniband/uverbs1")
    return m


def mi300x_rdma_names():
    m = Machine("mi300x-rdma-names", 42, [
        "the RDMA devices are called rdma0 to rdma7; other nodes of the site say roce0 (rocm-systems#9083)",
        "GPUs of AMD, adapters of NVIDIA"], "eno1")
    for rail, root in enumerate((0x09, 0x25, 0x46, 0x65, 0x83, 0xa3, 0xc3, 0xe0)):
        numa = root // 0x80
        ports = switch_ports(m, root, numa, 2)
        m.amd_gpu(ports[0], bus(root, 3), "0x74a1", numa)
        m.roce_hca(f"rdma{rail}", ports[1], bus(root, 4), CX7_ETHERNET, roce(NDR), f"eth{rail}", numa=numa,
                   addresses=[f"10.{100 + rail}.0.52/24"])
    onboard_nic(m, "eno1", nic_bus=0x05)
    return m


def ionic_roce():
    m = Machine("ionic-roce", 43, [
        "eight ports of AMD Pensando; their names carry the PCI bus, their GID rows are all of version 2",
        "the IPv4 address is in row 1"], "eno1", kernel="6.12.63+deb13-amd64")
    for rail, root in enumerate((0x09, 0x25, 0x46, 0x65, 0x83, 0xa3, 0xc3, 0xe1)):
        numa, nic_bus = root // 0x80, root + 4
        ports = switch_ports(m, root, numa, 2)
        m.amd_gpu(ports[0], bus(root, 3), "0x75a0", numa)
        path = m.hca_function(ports[1], bus(nic_bus), IONIC, numa, "0x020000")
        mac, netdev = m.mac(m.new_unit(), "04:90:81"), f"enp{nic_bus}s0"
        m.netdev(netdev, path, mac=mac, mtu=9000, speed=400000, addresses=[f"10.{100 + rail}.0.53/24"])
        guid = mac_to_interface_id(mac)
        gids = [row for row in m.roce_gids(netdev) if row[1] == "RoCE v2"]
        m.rdma(f"rocep{nic_bus}s0", path, IONIC, roce(NDR, gid_rows=64), guid, guid, gids)
    onboard_nic(m, "eno1")
    return m


MACHINES = [broadcom_roce, thor2_roce_ipv6, bnxt_active_backup, irdma_e810_roce, erdma_two, mi300x_rdma_names,
            ionic_roce]
