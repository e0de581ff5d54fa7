"""Nodes whose question is the interface, not the rails."""

from catalogue.parts import CX6, CX7_NDR, H100, HDR, NDR, bus, dgx_rail, docker, onboard_nic, root_port
from tree_writer import TUNNEL, TUNNEL6, Machine, infiniband


def no_hca():
    m = Machine("no-hca", 6, ["no RDMA device and no sys/class/infiniband"], "enp5s0")
    m.plain_nic(m.bridges("pci0000:00", "00:1c.4", numa=0), "05:00.0", "enp5s0", 0, "igb",
                ids=("0x8086", "0x1533"), speed=1000, addresses=[m.management_address])
    two_gpus(m)
    docker(m, "no-carrier")
    return m


def two_gpus(m):
    for root in (0x40, 0x80):
        parent = m.bridges(f"pci0000:{root:02x}", bus(root, slot=1), numa=root // 0x80)
        m.gpu(parent, bus(root, 1), "NVIDIA L40S", "0x26b9", root // 0x80, speed="16.0")


def bridge(m, name, address, link="up", ends=()):
    """A container bridge and the host's ends of the veth pairs in it."""
    unit = 0xd0 + len(m.netdevs)
    m.netdev(name, mac=m.mac(unit, "02:42:5e"), devtype="bridge", link=link, addresses=[address])
    for number, end in enumerate(ends):
        m.netdev(end, mac=m.mac(unit + number, "b2:4f:11"), speed=10000)
        m.stack(name, end)


def bgp_unnumbered():
    m = Machine("bgp-unnumbered", 52, [
        "lan0 and lan1 have no address; the routable one is a /32 on lo (nccl#1053)",
        "the default route has two next hops, which are link-local IPv6 addresses"], "lan0")
    m.netdevs["lo"].addresses.append(f"10.77.0.{m.host_part}/32")
    for slot, nic_bus in enumerate((0x21, 0xa1)):
        m.plain_nic(root_port(m, nic_bus, slot, speed="16.0"), bus(nic_bus), f"lan{slot}", slot, "mlx5_core",
                    ids=("0x15b3", "0x101d"), speed=100000, mtu=9000)
    m.default_route = [f"default proto bgp src 10.77.0.{m.host_part} metric 20 "] + [
        f"\tnexthop via inet6 fe80::5a:{slot + 1} dev lan{slot} weight 1 " for slot in (0, 1)]
    two_gpus(m)
    return m


def cilium_slash31():
    m = Machine("cilium-slash31", 53, [
        "enp90s0np0 has a /31 and the default route; its virtual functions and enp220s0f0 and f1 have no address",
        "cilium_host has an address, the lxc interfaces have none (marin#6940)",
        "the RDMA devices are called ibp0 to ibp7, their interfaces ibs0 to ibs7"], "enp90s0np0")
    own = f"10.77.{m.host_part}"
    parent = root_port(m, 0x5a, 0)
    physical = m.plain_nic(parent, "5a:00.0", "enp90s0np0", 0, "mlx5_core", ids=("0x15b3", "0xa2dc"), speed=100000,
                           mtu=9000, addresses=[f"{own}.89/31"]).partition("/net/")[0]
    for number in range(8):
        netdev = m.plain_nic(parent, bus(0x5a, slot=(number + 2) // 8, function=(number + 2) % 8), f"enp90s0v{number}",
                             0, "mlx5_core", ids=("0x15b3", "0x101e"), link="off")
        m.virtual_function(netdev.partition("/net/")[0], physical, number)
    parent = root_port(m, 0xdc, 1, speed="16.0")
    for function in (0, 1):
        m.plain_nic(parent, bus(0xdc, function=function), f"enp220s0f{function}", 1, "ixgbe", link="no-carrier")
    m.default_route = [f"default via {own}.88 dev enp90s0np0 proto static"]
    for rail, nic_bus in enumerate((0x18, 0x40, 0x4c, 0x66, 0x9a, 0xb6, 0xce, 0xea)):
        numa = nic_bus // 0x80
        m.ib_hca(f"ibp{rail}", dgx_rail(m, nic_bus, numa, H100), bus(nic_bus), CX7_NDR, infiniband(NDR, 611 + rail, 5),
                 f"ibs{rail}", numa=numa)
    for number, (name, addresses) in enumerate([("cilium_net", []), ("cilium_host", ["10.0.21.95/32"]),
                                                ("lxc_health", []), ("lxc3f9a27d10b5c", [])]):
        m.netdev(name, mac=m.mac(0xc0 + number, "4a:11:9d"), speed=10000, addresses=addresses)
    return m


def docker_bridges():
    m = Machine("docker-bridges", 54, [
        "three container bridges, a libvirt bridge and veth ends beside the only way out, enp161s0f0 (ray#26663)",
        "no RDMA device"], "enp161s0f0")
    two_gpus(m)
    parent = root_port(m, 0xa1, 1, speed="16.0")
    for function in (0, 1):
        m.plain_nic(parent, bus(0xa1, function=function), f"enp161s0f{function}", 1, "ice", ids=("0x8086", "0x1592"),
                    speed=100000, link="off" if function else "up",
                    addresses=[] if function else [m.management_address])
    docker(m, "no-carrier")
    bridge(m, "br-3f1c70a9be52", "172.18.0.1/16", ends=["veth5c1d2e9", "vethb08f4a1"])
    bridge(m, "br-9d02e6c4417f", "172.19.0.1/16", "no-carrier")
    bridge(m, "br-e8a35b1f6d20", "192.168.176.1/20", ends=["veth77aa013"])
    bridge(m, "virbr0", "192.168.122.1/24", "no-carrier")
    return m


def kube_tunnels():
    m = Machine("kube-tunnels", 55, [
        "a Kubernetes node: flannel.1, cni0, lxc and veth interfaces, idle tunl0 and ip6tnl0",
        "two InfiniBand ports, whose IPoIB addresses other nodes have too"], "eno1")
    two_gpus(m)
    for rail, nic_bus in enumerate((0x61, 0xa1)):
        m.ib_hca(f"mlx5_{rail}", root_port(m, nic_bus, rail, speed="16.0"), bus(nic_bus), CX6,
                 infiniband(HDR, 71 + rail, 2), f"ib{rail}", numa=rail, link="up",
                 addresses=[f"10.{120 + rail}.0.65/24"])
    onboard_nic(m, "eno1")
    m.netdev("tunl0", mac="0.0.0.0", kind=TUNNEL, mtu=1480, link="off")
    m.netdev("ip6tnl0", mac="::", kind=TUNNEL6, mtu=1452, link="off")
    m.netdev("flannel.1", mac=m.mac(0xc0, "ce:71:03"), mtu=1450, devtype="vxlan", addresses=["10.244.3.0/32"])
    m.stack("flannel.1", "eno1", master=False)
    bridge(m, "cni0", "10.244.3.1/24", ends=["veth1f03ab2c", "veth9b7e44d0"])
    m.netdev("lxc8e21f0c6a4d3", mac=m.mac(0xc1, "4a:11:9d"), speed=10000)
    return m


def gemini_ipog():
    m = Machine("gemini-ipog", 56, [
        "the other nodes are reached over ipogif0, an IP emulation with MTU 65520 and a /14",
        "rsip has the default route, through a translating gateway only (determined#4297)",
        "no RDMA class at all"], "rsip", kernel="3.12.28-4.6-default")
    m.hosts("10.128.0.0")
    parent = root_port(m, 0x02, 0, speed="5.0")
    m.gpu(parent, "02:00.0", "Tesla K20X", "0x1020", 0, speed="5.0")
    m.netdev("ipogif0", mac=m.mac(0x01, "00:01:01"), mtu=65520, addresses=["10.128.0.154/14"])
    m.netdev("rsip", mac=m.mac(0x02, "00:01:01"), addresses=["172.30.50.115/16"])
    m.default_route = ["default via 172.30.0.1 dev rsip"]
    return m


MACHINES = [no_hca, bgp_unnumbered, cilium_slash31, docker_bridges, kube_tunnels, gemini_ipog]
