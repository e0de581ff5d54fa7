"""Servers on RoCE with adapters of NVIDIA."""

from dataclasses import replace

from catalogue.parts import (CX6_DX, CX7_ETHERNET, CX8, EDR_1X, H100, HDR, NDR, NDR_2X, VIRTUAL, bus, dgx_rail,
                             docker, nvswitch_card, onboard_nic, roce_bond, root_port, switch_ports)
from tree_writer import Machine, roce, roce_down


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
    m.virtual_function(virtual, physical, 0)
    return m


def bond_gid3():
    m = Machine("bond-gid3", 44, [
        "one bond is the whole fabric; its rate is that of one member (nccl#1015)",
        "the routable GID of version 2 is in row 3 (nccl#769)"], "eno1")
    ports = switch_ports(m, 0x3d, 0, 3)
    for slot in (0, 1):
        m.gpu(ports[slot], bus(0x40, slot), *H100, 0)
    roce_bond(m, "mlx5_bond_0", "bond0", 0x42, CX7_ETHERNET, HDR, 0, ["10.100.0.54/24"], parent=ports[2])
    onboard_nic(m, "eno1")
    return m


def cx7_and_cx6dx_roce():
    m = Machine("cx7-and-cx6dx-roce", 45, [
        "mlx5_0 and mlx5_1 are the two ports of one adapter, mlx5_2 and mlx5_3 are down (sglang#6823)",
        "two GPUs, no switch"], "eno1")
    for slot, gpu_bus in enumerate((0x31, 0xb1)):
        m.gpu(root_port(m, gpu_bus, slot), bus(gpu_bus), "NVIDIA L40S", "0x26b9", slot)
    for first, nic_bus, card in ((0, 0x4b, CX7_ETHERNET), (2, 0xca, CX6_DX)):
        parent, system_guid, numa = root_port(m, nic_bus, nic_bus // 0x80), None, nic_bus // 0x80
        for function in (0, 1):
            rail = first + function
            guid = m.roce_hca(f"mlx5_{rail}", parent, bus(nic_bus, function=function), card,
                              roce(HDR) if first == 0 else roce_down(), f"enp{nic_bus}s0f{function}np{function}",
                              numa=numa, system_guid=system_guid,
                              addresses=[f"10.{100 + rail}.0.55/24"] if first == 0 else [])
            system_guid = system_guid or guid
    onboard_nic(m, "eno1")
    return m


def h100_gpu_eth():
    m = Machine("h100-gpu-eth", 46, [
        "device numbers follow neither PCI order nor the interfaces' numbers",
        "rows 2 and 3 hold an IPv4 address, rows 4 and 5 a global IPv6 one (nccl#1131)"], "mgmt0")
    numbers = (4, 0, 7, 1, 5, 2, 6, 3)
    for rail, nic_bus in enumerate((0x18, 0x40, 0x4f, 0x5e, 0x9a, 0xc0, 0xce, 0xdc)):
        numa = nic_bus // 0x80
        m.roce_hca(f"mlx5_{numbers[rail]}", dgx_rail(m, nic_bus, numa, H100), bus(nic_bus), CX7_ETHERNET, roce(NDR),
                   f"gpu{rail}_eth", numa=numa,
                   addresses=[f"10.{100 + rail}.0.56/24", f"2001:db8:100:{rail:x}::56/64"])
    onboard_nic(m, "mgmt0")
    return m


def xgbe_slash25():
    m = Machine("xgbe-slash25", 47, [
        "eight rails xgbe2 to xgbe9, a /25 for each: two of them share the first three octets (nccl#1465)",
        "mlx5_0 and mlx5_1 are a management adapter of 25 Gb/s"], "xgbe0")
    parent = root_port(m, 0x05, 0, speed="16.0")
    for function in (0, 1):
        m.roce_hca(f"mlx5_{function}", parent, bus(0x05, function=function), CX6_DX, roce(EDR_1X), f"xgbe{function}",
                   numa=0, mtu=1500, addresses=[m.management_address] if function == 0 else [])
    for rail, nic_bus in enumerate((0x18, 0x40, 0x4f, 0x5e, 0x9a, 0xc0, 0xce, 0xdc)):
        numa = nic_bus // 0x80
        m.roce_hca(f"mlx5_{2 + rail}", dgx_rail(m, nic_bus, numa, H100), bus(nic_bus), CX7_ETHERNET, roce(NDR),
                   f"xgbe{2 + rail}", numa=numa,
                   addresses=[f"10.112.{12 + rail // 2}.{87 + 128 * (rail % 2)}/25"])
    return m


def four_of_nine(name, number, rails, others):
    """Four GPUs with 400 Gb/s each beside slower ports, under numbers that differ by node."""
    m = Machine(name, number, [
        f"the rails are {', '.join(f'mlx5_{rail}' for rail in rails)}; on the other node of the pair they are others",
        "one port of 200 Gb/s and four of 25 Gb/s are ACTIVE too (nccl#1277)",
        "enp25s0np0 is a rail and carries the management address"], "enp25s0np0")
    for rail, root in enumerate((0x15, 0x3d, 0x95, 0xbd)):
        numa, nic_bus = root // 0x80, root + 4
        ports = switch_ports(m, root, numa, 3)
        m.gpu(ports[0], bus(root, 3), *H100, numa)
        m.gpu(ports[2], bus(root, 5), *H100, numa)
        address = m.management_address if rail == 0 else f"10.{100 + rail}.0.{m.host_part}/24"
        m.roce_hca(f"mlx5_{rails[rail]}", ports[1], bus(nic_bus), CX7_ETHERNET, roce(NDR), f"enp{nic_bus}s0np0",
                   numa=numa, addresses=[address])
    for device, nic_bus, function, rate, address in others:
        numa = nic_bus // 0x80
        m.roce_hca(f"mlx5_{device}", root_port(m, nic_bus, numa, speed="16.0"), bus(nic_bus, function=function), CX6_DX,
                   roce(rate), f"enp{nic_bus}s0f{function}np{function}", numa=numa, mtu=1500, addresses=[address])
    return m


def h100_pair_a():
    others = [(1, 0x2a, 0, EDR_1X, "10.150.0.58/24"), (2, 0x2a, 1, EDR_1X, "10.151.0.58/24"),
              (4, 0x70, 0, HDR, "10.152.0.58/24"), (6, 0xaa, 0, EDR_1X, "10.153.0.58/24"),
              (7, 0xaa, 1, EDR_1X, "10.154.0.58/24")]
    return four_of_nine("h100-pair-a", 48, (0, 3, 5, 8), others)


def h100_pair_b():
    others = [(2, 0x50, 0, EDR_1X, "10.150.0.59/24"), (3, 0x50, 1, EDR_1X, "10.151.0.59/24"),
              (6, 0xd8, 0, HDR, "10.152.0.59/24"), (7, 0xe1, 0, EDR_1X, "10.153.0.59/24"),
              (8, 0xe1, 1, EDR_1X, "10.154.0.59/24")]
    return four_of_nine("h100-pair-b", 49, (0, 1, 4, 5), others)


def b300_four_plane():
    m = Machine("b300-four-plane", 50, [
        "each RDMA device has twelve ports; 3, 6, 9 and 12 carry data, the other eight are always down",
        "mezz_0 to mezz_3 are ACTIVE InfiniBand ports of the NVSwitches' card",
        "the cards could run at 64 GT/s, the switch above them cannot"], "eno1", kernel="6.12.63+deb13-amd64")
    idle, carrying = roce_down(gid_rows=16), roce(NDR_2X, gid_rows=16)
    for rail, nic_bus in enumerate((0x18, 0x40, 0x4f, 0x5e, 0x9a, 0xc0, 0xce, 0xdc)):
        numa, unit = nic_bus // 0x80, m.new_unit()
        parent = dgx_rail(m, nic_bus, numa, ("NVIDIA B300 SXM6 AC", "0x3182"))
        path = m.hca_function(parent, bus(nic_bus), CX8, numa, "0x020000")
        device = m.rdma(f"roce_r{rail}", path, CX8, idle, m.guid(unit), m.guid(unit), [])
        for number in range(2, 13):
            plane, gids = number // 3 - 1, []
            if number % 3 == 0:
                netdev = f"eth_r{rail}_p{plane}"
                m.netdev(netdev, path, mac=m.mac(m.new_unit()), mtu=9000, speed=200000, dev_port=number - 1,
                         addresses=[f"10.{100 + rail}.{plane}.60/24"])
                gids = m.roce_gids(netdev)
            m.port(f"{device}/ports/{number}", CX8, carrying if gids else idle, gids)
    nvswitch_card(m, 0x90, 1, [f"mezz_{part}" for part in range(4)], [f"ibp144s0f{part}" for part in range(4)])
    onboard_nic(m, "eno1")
    return m


def gb10_spark():
    m = Machine("gb10-spark", 51, [
        "one chip behind two PCI domains: rocep1s0f0 and roceP2p1s0f0 are one physical port",
        "the other physical port has no cable; MTU 1500 allows an RDMA MTU of 1024 only",
        "enP7s7 is for everything but RDMA"], "enP7s7", kernel="6.11.0-1016-nvidia")
    gpu_parent = root_port(m, 0x01, 0, domain=0x0f, root_port=("0x10de", "0x22ce"))
    m.gpu(gpu_parent, "000f:01:00.0", "NVIDIA GB10", "0x2e12", 0)
    card, system_guid = replace(CX7_ETHERNET, board_id="NVD0000000087", fw_ver="28.45.4028", speed="32.0"), None
    for domain, place in ((0, ""), (2, "P2")):
        parent = root_port(m, 0x01, 0, domain=domain, root_port=("0x10de", "0x22ce"))
        for function in (0, 1):
            active = function == 0
            guid = m.roce_hca(f"roce{place}p1s0f{function}", parent, f"{domain:04x}:01:00.{function}", card,
                              roce(HDR) if active else roce_down(), f"en{place}p1s0f{function}np{function}", numa=0,
                              mtu=1500, system_guid=system_guid,
                              addresses=[f"10.{100 + domain // 2}.0.61/24"] if active else [])
            system_guid = system_guid or guid
    m.plain_nic("pci0007:00", "0007:00:07.0", "enP7s7", 0, "r8127", ids=("0x10ec", "0x8127"), speed=10000,
                addresses=[m.management_address])
    return m


MACHINES = [h20_roce_bond, h100_roce_flat_169, bond_gid3, cx7_and_cx6dx_roce, h100_gpu_eth, xgbe_slash25, h100_pair_a,
            h100_pair_b, b300_four_plane, gb10_spark]
