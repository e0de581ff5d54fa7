"""Guests, pods, and hosts that serve them."""

from dataclasses import replace

from catalogue.parts import (A100, CX7_ETHERNET, CX7_MEZZ, DOWN_POLLING, EDR, H100, HDR, NDR, SDR, VIRTUAL, bus,
                             dgx_rail, roce_bond, root_port, switch_ports)
from tree_writer import Machine, address_to_gid, infiniband, roce


def b300_roce_ipv6():
    m = Machine("b300-roce-ipv6", 9, [
        "a guest with 16 virtual functions: no physfn links, PCI link Unknown, numa_node -1",
        "no IPv4 on the fabric: rows 2 and 3 hold a unique local IPv6 address",
        "each fabric interface belongs to a VRF, so its routes are not in the main table",
        "the mezz ports mlx5_16 to mlx5_19 are down",
        "enp1s0 is a virtio interface: its device link names virtio0, not the PCI function"],
        "enp1s0", kernel="6.12.94+deb13-amd64")
    return b300_guest(m, list(range(16)), range(16, 20))


def b300_rail15_dead():
    m = Machine("b300-rail15-dead", 34, [
        "the same shape as b300-roce-ipv6 with one virtual function dead: there is no fabric15",
        "the mezz ports are mlx5_3 to mlx5_6 here, so all numbers from rail 3 on differ from the other node's"],
        "enp1s0", kernel="6.12.94+deb13-amd64")
    m.profile, m.faults = "b300-roce-ipv6", ["device-count node", "device-missing 0000:be:00.1"]
    return b300_guest(m, [0, 1, 2, *range(7, 19)], range(3, 7))


def b300_guest(m, numbers, mezz_numbers):
    """Two virtual functions beside each GPU; numbers[rail] is the rail's mlx5 number."""
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
        for rail in range(2 * pair, min(2 * pair + 2, len(numbers))):
            m.roce_hca(f"mlx5_{numbers[rail]}", nic_parent, bus(root, 6, function=rail % 2), virtual, roce(NDR),
                       f"fabric{rail}", numa=-1, mtu=4200, addresses=[f"fd00:0:0:{rail:x}::{m.host_part}/64"])
    mezz = m.bridges("pci0000:c0", "c0:01.0", numa=-1)
    system_guid = None
    for function, number in enumerate(mezz_numbers):
        guid = m.ib_hca(f"mlx5_{number}", mezz, bus(0xc3, function=function), CX7_MEZZ,
                        infiniband(SDR, 0xffff, 0, **DOWN_POLLING), f"ibp195s0f{function}", numa=-1,
                        system_guid=system_guid)
        system_guid = system_guid or guid
    for rail in range(len(numbers)):
        name = f"vrf-fabric{rail}"
        path = m.netdev(name, mac=m.mac(0x80 + rail, "6a:31:0b"), mtu=65575, devtype="vrf")
        m.file(f"{path}/flags", "0x481")
        m.netdevs[name].link_local = None
        m.stack(name, f"fabric{rail}")
        m.netdevs[f"fabric{rail}"].table = name
    return m


def vf_one_subnet():
    m = Machine("vf-one-subnet", 35, [
        "a pod with four virtual functions; the physical ones belong to the host and have no RDMA device here",
        "the four addresses are in one IPv6 subnet, and the functions cannot reach each other (nccl#1405)"], "eth0")
    m.netdev("eth0", mac=m.mac(m.new_unit(), "ee:2c:11"), speed=10000, addresses=[m.management_address])
    for rail, root in enumerate((0x15, 0x3d, 0x9a, 0xc0)):
        numa = root // 0x80
        ports = switch_ports(m, root, numa, 2)
        m.gpu(ports[0], bus(root, 3), *H100, numa)
        physical = m.hca_function(ports[1], bus(root, 4), CX7_ETHERNET, numa, "0x020000")
        m.roce_hca(f"mlx5_{4 + rail}", ports[1], bus(root, 4, function=2), VIRTUAL, roce(HDR, gid_rows=16),
                   f"net{rail + 1}", numa=numa, mtu=4200,
                   addresses=[f"fd00:1148:9000:5000:4:200:3:ff{0x20 + rail:02x}/120"])
        m.virtual_function(f"{ports[1]}/0000:{bus(root, 4, function=2)}", physical, 0)
    return m


def pod_macvlan():
    m = Machine("pod-macvlan", 36, [
        "a pod with a macvlan interface on each of eight ports; the ports' own interfaces are on the host",
        "rows 0 to 3 belong to the host: their GIDs show, their type and interface do not (nccl#1573)",
        "rows 4 to 7 are the pod's, so the IPv4 address of version 2 is in row 7"], "eth0")
    m.netdev("eth0", mac=m.mac(m.new_unit(), "ee:2c:12"), speed=10000, addresses=[m.management_address])
    for rail, nic_bus in enumerate((0x18, 0x40, 0x4f, 0x5e, 0x9a, 0xc0, 0xce, 0xdc)):
        numa, unit = nic_bus // 0x80, m.new_unit()
        parent = dgx_rail(m, nic_bus, numa, H100)
        path = m.hca_function(parent, bus(nic_bus), CX7_ETHERNET, numa, "0x020000")
        netdev = f"net{rail + 1}"
        m.netdev(netdev, mac=m.mac(unit, "f2:5a:3e"), mtu=9000, speed=400000, devtype="macvlan",
                 addresses=[f"10.{100 + rail}.4.46/24"])
        guid, host_address = m.guid(unit), address_to_gid(f"10.{100 + rail}.0.46/24")
        hosts = [(gid, None, None) for gid in (f"fe80:0000:0000:0000:{guid}", host_address) for _ in (0, 1)]
        m.rdma(f"mlx5_{rail}", path, CX7_ETHERNET, roce(NDR), guid, guid, hosts + m.roce_gids(netdev))
    return m


def vm_nic_near_gpu():
    m = Machine("vm-nic-near-gpu", 37, [
        "mlx5_11 is the guest's own Ethernet function, the only RDMA device behind a GPU's switch, without any GID",
        "the fabric's adapters sit on root ports of their own"], "eth0")
    ports = switch_ports(m, 0x20, 0, 3)
    m.roce_hca("mlx5_11", ports[2], "25:00.0", replace(VIRTUAL, fw_ver="16.30.1284"), roce(EDR, gid_rows=0), "eth0",
               numa=0, mtu=1500, addresses=[m.management_address])
    for slot in range(4):
        numa = slot // 2
        parent = ports[slot] if slot < 2 else root_port(m, 0x90 + 0x10 * slot, numa)
        m.gpu(parent, bus(0x23 + slot if slot < 2 else 0x90 + 0x10 * slot), *A100, numa)
        nic_bus = 0x41 + 0x10 * slot
        m.ib_hca(f"mlx5_{slot}", root_port(m, nic_bus, numa), bus(nic_bus), VIRTUAL, infiniband(NDR, 71 + slot, 1),
                 f"ib{slot}", numa=numa, link="up")
    return m


def vf32_bond8():
    m = Machine("vf32-bond8", 38, [
        "42 RDMA devices: eight bonds, 32 virtual functions for guests, two management ports (sglang#3685)",
        "the second function of each adapter has no RDMA device, but two of the virtual functions belong to it"],
        "eth0")
    parent = root_port(m, 0x05, 0)
    for function in (0, 1):
        m.roce_hca(f"mlx5_{function}", parent, bus(0x05, function=function), CX7_ETHERNET, roce(EDR), f"eth{function}",
                   numa=0, mtu=1500, addresses=[m.management_address] if function == 0 else [])
    number = iter(range(2, 34))
    for rail, root in enumerate((0x15, 0x2d, 0x3d, 0x55, 0x95, 0xad, 0xbd, 0xd5)):
        numa = root // 0x80
        ports = switch_ports(m, root, numa, 2)
        m.gpu(ports[0], bus(root, 3), *H100, numa)
        first = roce_bond(m, f"mlx5_bond_{rail + 1}", f"bond{rail + 1}", root + 4, CX7_ETHERNET, HDR, numa,
                          [f"10.{100 + rail}.0.48/24"], parent=ports[1])
        for function in range(2, 6):
            m.roce_hca(f"mlx5_{next(number)}", ports[1], bus(root, 4, function=function), VIRTUAL,
                       roce(HDR, gid_rows=8), f"enp{root + 4}s0f{function % 2}v{function // 2 - 1}", numa=numa)
            virtual = f"{ports[1]}/0000:{bus(root, 4, function=function)}"
            m.virtual_function(virtual, first[:-1] + str(function % 2), function // 2 - 1)
    return m


MACHINES = [b300_roce_ipv6, b300_rail15_dead, vf_one_subnet, pod_macvlan, vm_nic_near_gpu, vf32_bond8]
