"""Adapter models, link rates and arrangements that several machines share."""

from tree_writer import Card, infiniband, mac_to_interface_id, roce, roce_down

NDR, HDR, HDR_2X = "400 Gb/sec (4X NDR)", "200 Gb/sec (4X HDR)", "100 Gb/sec (2X HDR)"
NDR_2X, EDR, SDR = "200 Gb/sec (2X NDR)", "100 Gb/sec (4X EDR)", "10 Gb/sec (4X SDR)"
XDR, QDR, EDR_1X = "800 Gb/sec (4X XDR)", "40 Gb/sec (4X QDR)", "25 Gb/sec (1X EDR)"
DOWN_POLLING = {"state": "1: DOWN", "phys_state": "2: Polling"}

CX7_NDR = Card("0x1021", "MT4129", "MT_0000000838", "28.39.3004")
CX7_DUAL = Card("0x1021", "MT4129", "MT_0000000834", "28.39.3004", subsystem_device="0x0038")
CX7_ETHERNET = Card("0x1021", "MT4129", "MT_0000001120", "28.41.1000")
CX7_MEZZ = Card("0x1021", "MT4129", "NVD0000000079", "28.47.2526", speed="16.0")
CX8 = Card("0x1023", "MT4131", "NVD0000000072", "40.48.1000", speed="64.0", current_speed="32.0")
CX5_EX = Card("0x1019", "MT4121", "MT_0000000008", "16.35.2000", speed="16.0", subsystem_device="0x0006")
CX6 = Card("0x101b", "MT4123", "MT_0000000223", "20.39.3004", speed="16.0", subsystem_device="0x0007")
CX6_DX = Card("0x101d", "MT4125", "MT_0000000359", "22.39.2048", speed="16.0", subsystem_device="0x0016")
BLUEFIELD3 = Card("0xa2dc", "MT41692", "MT_0000000884", "32.38.3056", subsystem_device="0x0009")
VIRTUAL = Card("0x101e", "MT4126", "MT_0000000838", "28.39.3004", speed="Unknown")
EFA = Card("0xefa0", None, None, "", speed="8.0", vendor="0x1d0f", subsystem_device="0xefa0", driver="efa",
           hw_rev=None, node_type="7: unspecified", counters=False, description="n5 efa")
IRDMA = Card("0x159b", None, None, "1.71", speed="16.0", vendor="0x8086", subsystem_device="0x0001",
             driver="ice", hw_rev=None, node_type="4: RNIC", counters=False)
CX3 = Card("0x1003", "MT4099", "MT_1090120019", "2.42.5000", speed="8.0", driver="mlx4_core", hw_rev="1")
OMNI_PATH = Card("0x24f0", None, "Intel Omni-Path Host Fabric Interface Adapter 100 Series", "1.27.0", speed="8.0",
                 vendor="0x8086", driver="hfi1", hw_rev="11")
BROADCOM = Card("0x1750", "Broadcom NetXtreme-C/E RoCE Driver HCA", None, "231.0.154.0", speed="16.0",
                vendor="0x14e4", subsystem_device="0x5208", driver="bnxt_en", hw_rev="0x14e4",
                description="Broadcom NetXtreme-C/E RoCE Driver HCA", counters=False)

ERDMA = Card("0x107f", None, None, "0.2.0", speed="16.0", vendor="0x1ded", subsystem_device="0x107f", driver="erdma",
             hw_rev=None, node_type="4: RNIC", counters=False)
IONIC = Card("0x1002", None, None, "1.117.1-a-63", speed="32.0", vendor="0x1dd8", subsystem_device="0x5201",
             driver="ionic", hw_rev=None, counters=False)
BNXT_PORT = {"cap_mask": "0x001d0000"}

A100 = ("NVIDIA A100-SXM4-80GB", "0x20b2")
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


def switch_ports(machine, root, numa, count, domain=0, **options):
    """Downstream ports of one switch below host bridge root:00; the ends take bus root + 3 and later."""
    return [machine.bridges(f"pci{domain:04x}:{root:02x}", f"{domain:04x}:{bus(root, slot=1)}",
                            f"{domain:04x}:{bus(root, 1)}", f"{domain:04x}:{bus(root, 2, slot=slot)}",
                            numa=numa, **options) for slot in range(count)]


def root_port(machine, end, numa, domain=0, **options):
    """A root port of its own for an end on bus `end`."""
    return machine.bridges(f"pci{domain:04x}:{end - 1:02x}", f"{domain:04x}:{bus(end, -1, slot=1)}", numa=numa,
                           **options)


def grace_gpus(machine, model):
    """Two Grace processors with two GPUs each; a GPU has a PCI domain of its own."""
    for domain in (0x08, 0x09, 0x18, 0x19):
        parent = root_port(machine, 0x01, domain // 0x10, domain=domain, root_port=("0x10de", "0x22b8"))
        machine.gpu(parent, f"{domain:04x}:01:00.0", *model, domain // 0x10)


def nvswitch_card(machine, nic_bus, numa, names, netdevs):
    """The four functions of the NVSwitches' card: InfiniBand ports that are ACTIVE on a fabric of their own."""
    parent, system_guid = root_port(machine, nic_bus, numa, speed="16.0"), None
    identity = [(1, "0xa750e84a"), (4, "0xa750e848"), (5, "0xa740ec48"), (6, "0xa740ec48")]
    for function, ((lid, cap_mask), name, netdev) in enumerate(zip(identity, names, netdevs)):
        guid = machine.ib_hca(name, parent, bus(nic_bus, function=function), CX7_MEZZ,
                              infiniband(HDR_2X, lid, 1, cap_mask=cap_mask), netdev, numa=numa,
                              system_guid=system_guid)
        system_guid = system_guid or guid


def roce_bond(machine, name, bond, nic_bus, card, rate, numa, addresses, *, parent=None, mtu=9000):
    """A bond of both ports of an adapter, which leaves one RDMA device.  Returns the path of the first function."""
    parent = parent or root_port(machine, nic_bus, numa)
    unit, speed = machine.new_unit(), int(rate.split()[0]) * 1000
    paths = [machine.hca_function(parent, bus(nic_bus, function=function), card, numa, "0x020000")
             for function in (0, 1)]
    members = [f"enp{nic_bus}s0f{function}np{function}" for function in (0, 1)]
    for path, member in zip(paths, members):
        machine.netdev(member, path, mac=machine.mac(unit), mtu=mtu, speed=speed)
    machine.bond(bond, members, "802.3ad 4", mtu=mtu, speed=2 * speed, addresses=addresses)
    guid = machine.guid(unit)
    machine.rdma(name, paths[0], card, roce(rate), guid, guid, machine.roce_gids(bond))
    return paths[0]


def onboard_nic(machine, netdev, numa=0, nic_bus=0x05, **options):
    """A 10 Gb/s port of the mainboard that carries the management address."""
    options.setdefault("addresses", [machine.management_address])
    return machine.plain_nic(root_port(machine, nic_bus, numa, speed="8.0"), bus(nic_bus), netdev, numa, "ixgbe",
                             **options)


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
