#!/usr/bin/env python3
"""Writes the machine archives of this directory.

  build_archives.py           rewrites every archive
  build_archives.py --check   exits 1 if a committed archive differs from what would be written

README.md describes the format; tree_writer.py knows the layout of sysfs.
"""

import pathlib
import sys
from dataclasses import replace

sys.dont_write_bytecode = True

from tree_writer import Card, Machine, Port, infiniband, mac_to_interface_id, roce, roce_down

HERE = pathlib.Path(__file__).resolve().parent

NDR, HDR, HDR_2X = "400 Gb/sec (4X NDR)", "200 Gb/sec (4X HDR)", "100 Gb/sec (2X HDR)"
NDR_2X, EDR, SDR = "200 Gb/sec (2X NDR)", "100 Gb/sec (4X EDR)", "10 Gb/sec (4X SDR)"
DOWN_POLLING = {"state": "1: DOWN", "phys_state": "2: Polling"}

CX7_NDR = Card("0x1021", "MT4129", "MT_0000000838", "28.39.3004")
CX7_DUAL = Card("0x1021", "MT4129", "MT_0000000834", "28.39.3004", subsystem_device="0x0038")
CX7_ETHERNET = Card("0x1021", "MT4129", "MT_0000001120", "28.41.1000")
CX7_MEZZ = Card("0x1021", "MT4129", "NVD0000000079", "28.47.2526", speed="16.0")
CX6 = Card("0x101b", "MT4123", "MT_0000000223", "20.39.3004", speed="16.0", subsystem_device="0x0007")
CX6_DX = Card("0x101d", "MT4125", "MT_0000000359", "22.39.2048", speed="16.0", subsystem_device="0x0016")
BLUEFIELD3 = Card("0xa2dc", "MT41692", "MT_0000000884", "32.38.3056", subsystem_device="0x0009")
VIRTUAL = Card("0x101e", "MT4126", "MT_0000000838", "28.39.3004", speed="Unknown")
EFA = Card("0xefa0", None, None, "", speed="8.0", vendor="0x1d0f", subsystem_device="0xefa0", driver="efa",
           hw_rev=None, node_type="7: unspecified", counters=False, description="n5 efa",
           hw_counter_names=("rx_bytes", "tx_bytes", "rx_drops"))
IRDMA = Card("0x159b", None, None, "1.71", speed="16.0", vendor="0x8086", subsystem_device="0x0001",
             driver="ice", hw_rev=None, node_type="4: RNIC", counters=False,
             hw_counter_names=("cnpHandled", "tcpRetransSegs"))
BROADCOM = Card("0x1750", "Broadcom NetXtreme-C/E RoCE Driver HCA", None, "231.0.154.0", speed="16.0",
                vendor="0x14e4", subsystem_device="0x5208", driver="bnxt_en", hw_rev="0x14e4",
                description="Broadcom NetXtreme-C/E RoCE Driver HCA", counters=False,
                hw_counter_names=("seq_err_naks_rcvd", "oos_drop_count"))

H100 = ("NVIDIA H100 80GB HBM3", "0x2330")
ACPI = "sys/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/MSFT1000:00"


def bus(first, offset=0, slot=0, function=0):
    return f"{first + offset:02x}:{slot:02x}.{function}"


def dgx_rail(machine, nic_bus, numa, gpu_model):
    """NIC right below the upper switch, GPU three buses on behind a second one.  Returns the NIC's parent."""
    root = nic_bus - 3
    host, first, second = f"pci0000:{root:02x}", bus(root, slot=1), bus(root, 1)
    nic_parent = machine.bridges(host, first, second, bus(root, 2), numa=numa)
    gpu_parent = machine.bridges(host, first, second, bus(root, 2, slot=2), bus(root, 4), bus(root, 5), numa=numa)
    machine.gpu(gpu_parent, bus(nic_bus, 3), *gpu_model, numa)
    return nic_parent


def docker(machine, link, veth=None):
    machine.netdev("docker0", mac=machine.mac(0xd0, "02:42:ac"), devtype="bridge", link=link,
                   addresses=["172.17.0.1/16"])
    if veth:
        machine.netdev(veth, mac=machine.mac(0xd1, "b2:4f:11"), speed=10000)
        machine.stack("docker0", veth)


def iwarp(machine, name, parent, bdf, netdev, numa, active, **options):
    """An iWARP function: one GID made of the MAC address, no P_Keys, no netdev in the GID attributes."""
    path = machine.hca_function(parent, bdf, IRDMA, numa, "0x020000")
    mac = machine.mac(machine.new_unit(), "b4:96:91")
    machine.netdev(netdev, path, mac=mac, link="up" if active else "no-carrier", speed=100000, **options)
    shape = {"lid": 1, "gid_rows": 1, "pkeys": (), "pkey_rows": 0}
    port = roce(EDR, **shape) if active else roce_down("2.5 Gb/sec (1X SDR)", **shape)
    octets = mac.replace(":", "")
    gid = ":".join([octets[0:4], octets[4:8], octets[8:12]] + ["0000"] * 5)
    guid = mac_to_interface_id(mac)
    machine.rdma(name, path, IRDMA, port, guid, guid, [(gid, "IB/RoCE v1", None)])


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


def oci_h100_roce():
    m = Machine("oci-h100-roce", 2, [
        "eight dual-port adapters give 16 compute ports, each with its own IPv4 subnet",
        "mlx5_2 and mlx5_11 are front-end adapters; mlx5_2 is ACTIVE and carries the management address",
        "upstream switch ports show 5.0 GT/s because they idle"], "eth0")
    # Upstream switch bus of each GPU; the adapter is 4 buses and the GPU 7 buses further on.
    numbers = iter([0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17])
    front_end = {0x08: (2, 0x1f, "eth0", True), 0x82: (11, 0x9a, "eth1", False)}
    rail = 0
    for upstream in (0x08, 0x26, 0x3d, 0x54, 0x82, 0xa1, 0xb9, 0xd1):
        numa, host = upstream // 0x80, f"pci0000:{upstream - 1:02x}"
        top = [bus(upstream, -1, slot=1), bus(upstream)]
        nic_parent = m.bridges(host, *top, bus(upstream, 1), bus(upstream, 2), bus(upstream, 3), numa=numa,
                               idle_upstream="5.0")
        gpu_parent = m.bridges(host, *top, bus(upstream, 1, slot=1), bus(upstream, 5), bus(upstream, 6), numa=numa,
                               idle_upstream="5.0")
        m.gpu(gpu_parent, bus(upstream, 7), *H100, numa)
        system_guid = None
        for function in (0, 1):
            guid = m.roce_hca(f"mlx5_{next(numbers)}", nic_parent, bus(upstream, 4, function=function), CX7_ETHERNET,
                              roce(HDR), f"rdma{rail}", numa=numa, system_guid=system_guid,
                              addresses=[f"10.{100 + rail}.0.12/24"])
            system_guid, rail = system_guid or guid, rail + 1
        if upstream in front_end:
            number, nic_bus, netdev, active = front_end[upstream]
            parent = m.bridges(f"pci0000:{nic_bus - 1:02x}", bus(nic_bus, -1, slot=1), numa=numa)
            m.roce_hca(f"mlx5_{number}", parent, bus(nic_bus), CX7_ETHERNET, roce(EDR) if active else roce_down(),
                       netdev, numa=numa, mtu=1500, addresses=[m.management_address] if active else [])
    return m


def h20_roce_bond():
    m = Machine("h20-roce-bond", 3, [
        "each RDMA device is a bond of two ports; its rate is that of one member",
        "the second function of each adapter has an interface but no RDMA device",
        "management is a bond of plain interfaces, with a VLAN on top; docker0 and a veth pair's end are there",
        "sys/class/net holds a regular file, bonding_masters"], "bond4")
    onboard = m.bridges("pci0000:00", "00:1c.0", numa=0)
    for function in (0, 1):
        m.plain_nic(onboard, f"02:00.{function}", f"eno{function + 1}", 0, "ixgbe")
    for rail, root in enumerate((0x15, 0x3d, 0x9a, 0xc0)):
        numa, host = root // 0x80, f"pci0000:{root:02x}"
        switch_port = lambda slot: m.bridges(host, bus(root, slot=1), bus(root, 1), bus(root, 2, slot=slot), numa=numa)
        members = [f"ens{rail + 1}f{function}np{function}" for function in (0, 1)]
        unit = m.new_unit()
        paths = [m.hca_function(switch_port(0), bus(root, 3, function=function), CX7_ETHERNET, numa, "0x020000")
                 for function in (0, 1)]
        for path, member in zip(paths, members):
            m.netdev(member, path, mac=m.mac(unit), mtu=9000, speed=200000)
        m.bond(f"bond{rail}", members, "802.3ad 4", mtu=9000, speed=400000, addresses=[f"10.{100 + rail}.0.13/24"])
        guid = m.guid(unit)
        m.rdma(f"mlx5_bond_{rail}", paths[0], CX7_ETHERNET, roce(HDR), guid, guid, m.roce_gids(f"bond{rail}"))
        for slot in (1, 2):
            m.gpu(switch_port(slot), bus(root, 3 + slot), "NVIDIA H20", "0x2329", numa)
    m.bond("bond4", ["eno1", "eno2"], "active-backup 1", active_member="eno1", speed=10000,
           addresses=[m.management_address])
    m.vlan("bond4.2093", "bond4", 2093, speed=10000, addresses=["10.93.0.13/24"])
    docker(m, "up", veth="veth0a1b")
    return m


def mixed_down():
    m = Machine("mixed-down", 4, [
        "mlx5_4 is DOWN and Polling with its last LIDs, mlx5_5 is INIT because no subnet manager reached it",
        "the IPoIB interfaces are switched off, which is healthy",
        "mlx5_1 and mlx5_2 are Ethernet, on another root port of the host bridge of GPU 0"], "enp27s0f0np0")
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


def p4d_efa():
    m = Machine("p4d-efa", 5, [
        "EFA devices have no interface, link layer Unknown, an empty firmware version and a constant state",
        "GPUs and EFA functions sit straight on the host bridge: no switch is visible"], "ens32")
    m.plain_nic("pci0000:00", "00:05.0", "ens32", 0, "ena", ids=("0x1d0f", "0xec20"), speed=100000,
                addresses=[m.management_address])
    for root in (0x10, 0x20, 0x90, 0xa0):
        numa, host = root // 0x80, f"pci0000:{root:02x}"
        for slot in (0x1c, 0x1d):
            m.gpu(host, bus(root, slot=slot), "NVIDIA A100-SXM4-40GB", "0x20b0", numa, speed="16.0")
        path = m.hca_function(host, bus(root, slot=0x1b), EFA, numa, "0x020000")
        guid = mac_to_interface_id(m.mac(m.new_unit(), "06:c4:1f"))
        port = Port("Unknown", "4: ACTIVE", "5: LinkUp", EDR, cap_mask="0x00000000", lid_mask_count=1, gid_rows=1)
        m.rdma(f"rdmap{root}s27", path, EFA, port, guid, guid, [(f"fe80:0000:0000:0000:{guid}", "IB/RoCE v1", None)])
    return m


def no_hca():
    m = Machine("no-hca", 6, ["no RDMA device and no sys/class/infiniband"], "enp5s0")
    m.plain_nic(m.bridges("pci0000:00", "00:1c.4", numa=0), "05:00.0", "enp5s0", 0, "igb",
                ids=("0x8086", "0x1533"), speed=1000, addresses=[m.management_address])
    for root in (0x40, 0x80):
        parent = m.bridges(f"pci0000:{root:02x}", bus(root, slot=1), numa=root // 0x80)
        m.gpu(parent, bus(root, 1), "NVIDIA L40S", "0x26b9", root // 0x80, speed="16.0")
    docker(m, "no-carrier")
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


def b300_roce_ipv6():
    m = Machine("b300-roce-ipv6", 9, [
        "a guest with 16 virtual functions: no physfn links, PCI link Unknown, numa_node -1",
        "no IPv4 on the fabric: rows 2 and 3 hold a unique local IPv6 address",
        "each fabric interface belongs to a VRF, so its routes are not in the main table",
        "the mezz ports mlx5_16 to mlx5_19 are down",
        "enp1s0 is a virtio interface: its device link names virtio0, not the PCI function"],
        "enp1s0", kernel="6.12.94+deb13-amd64")
    parent = m.bridges("pci0000:00", "00:02.0", numa=-1, root_port=("0x1b36", "0x000c"))
    path = m.function(parent, "01:00.0", kind="0x020000", vendor="0x1af4", device="0x1041", numa=-1,
                      driver="virtio-pci", subsystem=("0x1af4", "0x1100"), speed="16.0", width="1")
    m.netdev("enp1s0", f"{path}/virtio0", mac=m.mac(m.new_unit(), "52:54:00"), speed=-1, duplex="unknown",
             addresses=[m.management_address])
    m.link(f"{path}/virtio0/driver", "sys/bus/virtio/drivers/virtio_net")
    m.empty_directory("sys/bus/virtio/drivers/virtio_net")
    virtual = replace(VIRTUAL, board_id="NVD0000000072", fw_ver="40.48.1000")
    for pair, root in enumerate(range(0x80, 0xc0, 8)):
        host, top = f"pci0000:{root:02x}", [bus(root, slot=1), bus(root, 1)]
        gpu_parent = m.bridges(host, *top, bus(root, 2), bus(root, 3), bus(root, 4), numa=-1)
        m.gpu(gpu_parent, bus(root, 5), "NVIDIA B300 SXM6 AC", "0x3182", -1)
        nic_parent = m.bridges(host, *top, bus(root, 2, slot=1), numa=-1)
        for function in (0, 1):
            rail = 2 * pair + function
            m.roce_hca(f"mlx5_{rail}", nic_parent, bus(root, 6, function=function), virtual, roce(NDR),
                       f"fabric{rail}", numa=-1, mtu=4200, addresses=[f"fd00:0:0:{rail:x}::19/64"])
    mezz = m.bridges("pci0000:c0", "c0:01.0", numa=-1)
    system_guid = None
    for function in range(4):
        guid = m.ib_hca(f"mlx5_{16 + function}", mezz, bus(0xc3, function=function), CX7_MEZZ,
                        infiniband(SDR, 0xffff, 0, **DOWN_POLLING), f"ibp195s0f{function}", numa=-1,
                        system_guid=system_guid)
        system_guid = system_guid or guid
    for rail in range(16):
        name = f"vrf-fabric{rail}"
        path = m.netdev(name, mac=m.mac(0x80 + rail, "6a:31:0b"), mtu=65575, devtype="vrf")
        m.file(f"{path}/flags", "0x481")
        m.netdevs[name].link_local = None
        m.stack(name, f"fabric{rail}")
        m.netdevs[f"fabric{rail}"].table = name
    return m


def azure_ndv5_ib():
    m = Machine("azure-ndv5-ib", 10, [
        "every GPU and adapter has a PCI domain of its own: no common bridge, and the path starts with ACPI devices",
        "the InfiniBand functions are virtual ones; their PCI link is Unknown",
        "mlx5_an0 is Ethernet with RoCE switched off: its GID directories are empty",
        "its interface shares the address of eth0 and has eth0 as master without being in a bond"], "eth0")
    hyper_v = f"{ACPI}/6045bd14-0a01-6045-bd14-0a016045bd14"
    m.netdev("eth0", hyper_v, mac=m.mac(0xe0, "60:45:bd"), speed=100000, addresses=[m.management_address])
    m.link(f"{hyper_v}/driver", "sys/bus/vmbus/drivers/hv_netvsc")
    m.empty_directory("sys/bus/vmbus/drivers/hv_netvsc")
    virtual = replace(VIRTUAL, fw_ver="28.41.1000")
    host = lambda domain: f"{ACPI}/47505500-{domain:04x}-0000-3130-444531323334/pci{domain:04x}:00"
    gpu_domains = (0x1, 0x2, 0x3, 0x8, 0x9, 0xa, 0xb, 0xc)
    for rail, gpu_domain in enumerate(gpu_domains):
        nic_domain, numa = 0x101 + rail, rail // 4
        m.gpu(host(gpu_domain), f"{gpu_domain:04x}:00:00.0", *H100, numa)
        m.ib_hca(f"mlx5_ib{rail}", host(nic_domain), f"{nic_domain:04x}:00:00.0", virtual,
                 infiniband(NDR, 1201 + 7 * rail, 1), f"ib{rail}", numa=numa, link="up")
    m.roce_hca("mlx5_an0", host(0x7a1c), "7a1c:00:02.0", replace(virtual, fw_ver="16.30.1284"), roce(EDR, gid_rows=0),
               "enP31260s1", numa=0, mtu=1500, mac=m.mac(0xe0, "60:45:bd"))
    m.netdevs["enP31260s1"].link_local = None
    m.file(f"{m.netdevs['enP31260s1'].path}/flags", "0x1803")
    m.stack("eth0", "enP31260s1")
    docker(m, "no-carrier")
    return m


def broadcom_roce():
    m = Machine("broadcom-roce", 11, [
        "no GPU, no board_id, no counters directory",
        "the rate file says 100 although the interface runs at 200: the driver's limit on this kernel",
        "the only ACTIVE port is also the management interface, with MTU 1500"], "enp194s0f0np0")
    parent = m.bridges("pci0000:c1", "c1:01.1", numa=1, root_port=("0x1022", "0x14ab"), speed="16.0")
    macs = [m.mac(m.new_unit(), "bc:97:e1") for _ in range(2)]
    system_guid = mac_to_interface_id(macs[0])
    bnxt = {"cap_mask": "0x001d0000"}
    m.roce_hca("bnxt_re0", parent, "c2:00.0", BROADCOM, roce(EDR, **bnxt), "enp194s0f0np0", numa=1, mac=macs[0],
               mtu=1500, speed=200000, addresses=[m.management_address])
    m.roce_hca("bnxt_re1", parent, "c2:00.1", BROADCOM, roce_down("2.5 Gb/sec (1X SDR)", **bnxt), "enp194s0f1np1",
               numa=1, mac=macs[1], mtu=1500, system_guid=system_guid)
    return m


def h100_roce_flat_169():
    m = Machine("h100-roce-flat-169", 12, [
        "an address of 169.254.0.0/16 takes GID rows 2 and 3, so the usable IPv4 address is in rows 4 and 5",
        "both adapters have the same 169.254 address",
        "mlx5_2 is a virtual function of mlx5_0's adapter, ACTIVE on the host (physfn link)",
        "interface numbers run against the device numbers: mlx5_0 is ens3np0, mlx5_1 is ens2np0"], "mgmt0")
    m.plain_nic(m.bridges("pci0000:00", "00:1c.4", numa=0), "05:00.0", "mgmt0", 0, "igb", ids=("0x8086", "0x1533"),
                speed=1000, addresses=[m.management_address])
    for number, (nic_bus, netdev) in enumerate([(0x18, "ens3np0"), (0x40, "ens2np0")]):
        parent = dgx_rail(m, nic_bus, 0, H100)
        system_guid = m.roce_hca(f"mlx5_{number}", parent, bus(nic_bus), CX7_ETHERNET, roce(NDR), netdev, numa=0,
                                 addresses=["169.254.3.1/16", f"10.1.{number}.22/24"])
        if number == 0:
            physical, virtual_system_guid = f"{parent}/0000:{bus(nic_bus)}", system_guid
            virtual_parent = parent
    m.roce_hca("mlx5_2", virtual_parent, "18:00.1", VIRTUAL, roce(NDR), "ens3v0", numa=0,
               system_guid=virtual_system_guid)
    virtual = f"{virtual_parent}/0000:18:00.1"
    m.link(f"{virtual}/physfn", physical)
    m.link(f"{physical}/virtfn0", virtual)
    m.files(physical, sriov_numvfs=1, sriov_totalvfs=16)
    return m


MACHINES = [dgx_h100_ib, oci_h100_roce, h20_roce_bond, mixed_down, p4d_efa, no_hca, dgx_a100_ib, b200_mezz_ib,
            b300_roce_ipv6, azure_ndv5_ib, broadcom_roce, h100_roce_flat_169]


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    wanted = {}
    for build in MACHINES:
        machine = build().finish()
        wanted[f"{machine.name}.machine"] = machine.render()
    stale = sorted(path.name for path in HERE.glob("*.machine") if path.name not in wanted)
    if not arguments:
        for name, text in wanted.items():
            (HERE / name).write_text(text, encoding="utf-8", newline="\n")
        for name in stale:
            print(f"not written by this program: {name}", file=sys.stderr)
        return 0
    differing = [name for name, text in wanted.items()
                 if not (HERE / name).is_file() or (HERE / name).read_bytes() != text.encode()]
    for name in differing + stale:
        print(f"differs: {name}", file=sys.stderr)
    return 1 if differing or stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
