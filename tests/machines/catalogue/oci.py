"""Oracle's shapes: RoCE, with the front-end adapters between the others."""

from catalogue.parts import (A100, BLUEFIELD3, CX5_EX, CX6_DX, CX7_ETHERNET, CX8, EDR, H100, HDR, NDR, NDR_2X, bus,
                             dgx_rail, grace_gpus, nvswitch_card, root_port, switch_ports)
from tree_writer import Machine, roce, roce_down

GRACE_KERNEL = "6.8.0-1018-nvidia-64k"


def front_end(m, name, parent, bdf, netdev, numa, *, active, card=CX7_ETHERNET, rate=EDR):
    m.roce_hca(name, parent, bdf, card, roce(rate) if active else roce_down(), netdev, numa=numa, mtu=1500,
               addresses=[m.management_address] if active else [])


def rail_pair(m, names, parent, nic_bus, card, rate, first_rail, numa, domain=0):
    """Both ports of a dual-port adapter, each with its own subnet."""
    system_guid = None
    for function, name in enumerate(names):
        rail = first_rail + function
        guid = m.roce_hca(name, parent, f"{domain:04x}:{bus(nic_bus, function=function)}", card, roce(rate),
                          f"rdma{rail}", numa=numa, system_guid=system_guid,
                          addresses=[f"10.{100 + rail}.0.{m.host_part}/24"])
        system_guid = system_guid or guid


def oci_h100_roce():
    m = Machine("oci-h100-roce", 2, [
        "eight dual-port adapters give 16 compute ports, each with its own IPv4 subnet",
        "mlx5_2 and mlx5_11 are front-end adapters; mlx5_2 is ACTIVE and carries the management address",
        "upstream switch ports show 5.0 GT/s because they idle, above adapters too: they share them with GPUs"], "eth0")
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


def a100_shape(m, card, gpu, nics, front_ends):
    """Four switches, each with two GPUs and two dual-port adapters of 100 Gb/s."""
    for quad, root in enumerate((0x08, 0x44, 0x84, 0xc4)):
        numa = (3, 1, 7, 5)[quad]
        ports = switch_ports(m, root, numa, 4, speed="16.0", root_port=("0x1022", "0x1483"),
                             switch=("0x1000", "0xc010"))
        for half in (0, 1):
            nic_bus, numbers = root + 4 + 4 * half, nics[2 * quad + half]
            rail_pair(m, [f"mlx5_{number}" for number in numbers], ports[half], nic_bus, card, EDR,
                      2 * (2 * quad + half), numa)
            m.gpu(ports[2 + half], bus(root, 0x10 + 2 * half), *gpu, numa, speed="16.0")
    for number, nic_bus, function, netdev, active in front_ends:
        numa = nic_bus // 0x80
        front_end(m, f"mlx5_{number}", root_port(m, nic_bus, numa, speed="16.0"), bus(nic_bus, function=function),
                  netdev, numa, active=active, card=card)
    return m


def oci_a100_roce():
    m = Machine("oci-a100-roce", 15, [
        "shape BM.GPU4.8: 16 ports of 100 Gb/s, which are all but mlx5_4 and mlx5_5",
        "the front-end ports have the rate of the others, and mlx5_4 carries the management address",
        "the NUMA nodes are 3, 1, 7 and 5"], "eth0")
    pairs = [(0, 1), (2, 3), (6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 17)]
    return a100_shape(m, CX5_EX, ("NVIDIA A100-SXM4-40GB", "0x20b0"), pairs,
                      [(4, 0x31, 0, "eth0", True), (5, 0x31, 1, "eth1", False)])


def oci_a100_v2_roce():
    m = Machine("oci-a100-v2-roce", 16, [
        "shape BM.GPU.A100-v2.8: 16 ports of 100 Gb/s, which are all but mlx5_0 and mlx5_13",
        "the front-end ports have the rate of the others, and mlx5_0 carries the management address"], "eth0")
    pairs = [(number, number + 1) for number in (1, 3, 5, 7, 9, 11, 14, 16)]
    return a100_shape(m, CX6_DX, A100, pairs, [(0, 0x05, 0, "eth0", True), (13, 0xbf, 0, "eth1", False)])


def oci_h200_roce():
    m = Machine("oci-h200-roce", 17, [
        "shapes BM.GPU.H200.8 and BM.GPU.B200.8: eight ports of 400 Gb/s, mlx5_0, 3, 4, 5, 6, 9, 10 and 11",
        "mlx5_1, 2, 7 and 8 are the two front-end adapters; mlx5_1 carries the management address"], "eth0")
    for rail, (number, nic_bus) in enumerate([(0, 0x18), (3, 0x40), (4, 0x4f), (5, 0x5e), (6, 0x9a), (9, 0xc0),
                                              (10, 0xce), (11, 0xdc)]):
        numa = nic_bus // 0x80
        parent = dgx_rail(m, nic_bus, numa, ("NVIDIA H200", "0x2335"))
        m.roce_hca(f"mlx5_{number}", parent, bus(nic_bus), CX7_ETHERNET, roce(NDR), f"rdma{rail}", numa=numa,
                   addresses=[f"10.{100 + rail}.0.27/24"])
    for number, nic_bus in ((1, 0x29), (7, 0xaa)):
        numa = nic_bus // 0x80
        parent = root_port(m, nic_bus, numa)
        for function in (0, 1):
            front_end(m, f"mlx5_{number + function}", parent, bus(nic_bus, function=function),
                      f"eth{2 * numa + function}", numa, active=(number, function) == (1, 0), card=BLUEFIELD3,
                      rate=NDR_2X)
    return m


def oci_b300_roce():
    m = Machine("oci-b300-roce", 18, [
        "shape BM.GPU.B300.8: 16 ports of 400 Gb/s, mlx5_0, 1, 7 to 14 and 16 to 21",
        "mlx5_2 to mlx5_5 are ACTIVE InfiniBand ports of the NVSwitches' card",
        "mlx5_6 and mlx5_15 are front-end adapters; mlx5_6 carries the management address",
        "the cards could run at 64 GT/s, the switch above them cannot"], "eth0", kernel="6.12.63+deb13-amd64")
    pairs = [(0, 0x18), (7, 0x40), (9, 0x4f), (11, 0x5e), (13, 0x9a), (16, 0xc0), (18, 0xce), (20, 0xdc)]
    for index, (number, nic_bus) in enumerate(pairs):
        numa = nic_bus // 0x80
        parent = dgx_rail(m, nic_bus, numa, ("NVIDIA B300 SXM6 AC", "0x3182"))
        rail_pair(m, [f"mlx5_{number}", f"mlx5_{number + 1}"], parent, nic_bus, CX8, NDR, 2 * index, numa)
    nvswitch_card(m, 0x22, 0, [f"mlx5_{number}" for number in range(2, 6)], [f"ibs34f{part}" for part in range(4)])
    front_end(m, "mlx5_6", root_port(m, 0x29, 0), "29:00.0", "eth0", 0, active=True, card=BLUEFIELD3, rate=NDR_2X)
    front_end(m, "mlx5_15", root_port(m, 0xaa, 1), "aa:00.0", "eth1", 1, active=False, card=BLUEFIELD3)
    return m


def oci_gb200_roce():
    m = Machine("oci-gb200-roce", 19, [
        "shape BM.GPU.GB200.4: mlx5_0, 1, 3 and 4; every GPU and adapter has a PCI domain of its own",
        "mlx5_2 and mlx5_5 are front-end adapters; mlx5_2 carries the management address"], "eth0",
        kernel=GRACE_KERNEL)
    grace_gpus(m, ("NVIDIA GB200", "0x2941"))
    for rail, (number, domain) in enumerate([(0, 0x00), (1, 0x02), (3, 0x10), (4, 0x12)]):
        numa = domain // 0x10
        parent = root_port(m, 0x03, numa, domain=domain, root_port=("0x10de", "0x22b2"))
        m.roce_hca(f"mlx5_{number}", parent, f"{domain:04x}:03:00.0", CX7_ETHERNET, roce(NDR), f"rdma{rail}",
                   numa=numa, addresses=[f"10.{100 + rail}.0.29/24"])
    for number, domain in ((2, 0x06), (5, 0x16)):
        numa = domain // 0x10
        parent = root_port(m, 0x01, numa, domain=domain, root_port=("0x10de", "0x22b2"))
        front_end(m, f"mlx5_{number}", parent, f"{domain:04x}:01:00.0", f"eth{numa}", numa, active=number == 2,
                  card=BLUEFIELD3, rate=NDR_2X)
    return m


def oci_gb300_roce():
    m = Machine("oci-gb300-roce", 20, [
        "shapes BM.GPU.GB300.4 and GB200-v3.4: eight ports of 400 Gb/s, mlx5_0 to 3 and 5 to 8",
        "mlx5_4 and mlx5_9 are front-end adapters; mlx5_4 carries the management address"], "eth0",
        kernel=GRACE_KERNEL)
    grace_gpus(m, ("NVIDIA GB300", "0x31c2"))
    for index, (number, domain) in enumerate([(0, 0x00), (2, 0x02), (5, 0x10), (7, 0x12)]):
        numa = domain // 0x10
        parent = root_port(m, 0x03, numa, domain=domain, root_port=("0x10de", "0x22b2"))
        rail_pair(m, [f"mlx5_{number}", f"mlx5_{number + 1}"], parent, 0x03, CX8, NDR, 2 * index, numa, domain)
    for number, domain in ((4, 0x06), (9, 0x16)):
        numa = domain // 0x10
        parent = root_port(m, 0x01, numa, domain=domain, root_port=("0x10de", "0x22b2"))
        front_end(m, f"mlx5_{number}", parent, f"{domain:04x}:01:00.0", f"eth{numa}", numa, active=number == 4,
                  card=BLUEFIELD3, rate=NDR_2X)
    return m


def oci_mi300x_roce():
    m = Machine("oci-mi300x-roce", 21, [
        "shape BM.GPU.MI300X.8: GPUs of AMD, found by PCI class; there is no proc/driver/nvidia",
        "mlx5_1 and mlx5_6 are front-end adapters; mlx5_1 carries the management address"], "eth0")
    numbers = iter([0, 2, 3, 4, 5, 7, 8, 9])
    for rail, root in enumerate((0x08, 0x26, 0x3d, 0x54, 0x82, 0xa1, 0xb9, 0xd1)):
        numa = root // 0x80
        ports = switch_ports(m, root, numa, 2)
        m.roce_hca(f"mlx5_{next(numbers)}", ports[0], bus(root, 4), CX7_ETHERNET, roce(NDR), f"rdma{rail}", numa=numa,
                   addresses=[f"10.{100 + rail}.0.31/24"])
        m.amd_gpu(ports[1], bus(root, 7), "0x74a1", numa)
    front_end(m, "mlx5_1", root_port(m, 0x1f, 0), "1f:00.0", "eth0", 0, active=True)
    front_end(m, "mlx5_6", root_port(m, 0x9a, 1), "9a:00.0", "eth1", 1, active=False)
    return m


MACHINES = [oci_h100_roce, oci_a100_roce, oci_a100_v2_roce, oci_h200_roce, oci_b300_roce, oci_gb200_roce,
            oci_gb300_roce, oci_mi300x_roce]
