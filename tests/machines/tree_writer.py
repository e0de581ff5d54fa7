"""Builds the file tree of one machine.

The builder knows how the kernel lays out PCI functions, RDMA devices and network
interfaces in sysfs.  It knows nothing about particular machines: those are in
catalogue.
"""

import ipaddress
import os
import uuid
from dataclasses import dataclass, field

import details
from archive import Archive

EMPTY_GID = ":".join(["0000"] * 8)

# Interface flags of <linux/if.h>.
FLAG_UP, FLAG_BROADCAST, FLAG_MASTER, FLAG_SLAVE, FLAG_MULTICAST = 0x1, 0x2, 0x400, 0x800, 0x1000
FLAG_NOARP = 0x80
# Hardware types of <linux/if_arp.h>, and how long their addresses are.
ETHERNET, IPOIB, TUNNEL, TUNNEL6, LOOPBACK = 1, 32, 768, 769, 772
ADDRESS_LENGTHS = {IPOIB: 20, TUNNEL: 4, TUNNEL6: 16}


@dataclass(frozen=True)
class Card:
    """An adapter model; None where the driver has no such file."""
    device: str
    hca_type: str | None
    board_id: str | None
    fw_ver: str
    speed: str = "32.0"
    vendor: str = "0x15b3"
    subsystem_device: str = "0x0041"
    driver: str = "mlx5_core"
    hw_rev: str | None = "0"
    node_type: str = "1: CA"
    description: str | None = None
    counters: bool = True
    current_speed: str | None = None


@dataclass(frozen=True)
class Port:
    """What the port directory of an RDMA device says."""
    link_layer: str
    state: str
    phys_state: str
    rate: str
    lid: int = 0
    sm_lid: int = 0
    cap_mask: str = "0x00010000"
    lid_mask_count: int = 0
    gid_rows: int = 256
    pkeys: tuple = ("0xffff",)
    pkey_rows: int = 1


def infiniband(rate, lid, sm_lid, state="4: ACTIVE", phys_state="5: LinkUp", cap_mask="0xa751e848",
               pkeys=("0xffff",)):
    return Port("InfiniBand", state, phys_state, rate, lid, sm_lid, cap_mask, gid_rows=8,
                pkeys=pkeys, pkey_rows=128)


def roce(rate, **changes):
    return Port("Ethernet", "4: ACTIVE", "5: LinkUp", rate, **changes)


def roce_down(rate="40 Gb/sec (4X QDR)", **changes):
    return Port("Ethernet", "1: DOWN", "3: Disabled", rate, **changes)


@dataclass
class Netdev:
    """link is "up", "no-carrier" (switched on, nothing at the other end) or "off"."""
    name: str
    path: str
    index: int
    link: str
    mac: str
    link_local: str | None
    addresses: list = field(default_factory=list)
    table: str = "main"
    parent: str | None = None
    kind: int = ETHERNET
    mtu: int = 1500
    speed: int | None = None


@dataclass(frozen=True)
class RdmaDevice:
    name: str
    path: str
    card: Card
    uverbs: str


@dataclass(frozen=True)
class RdmaPort:
    """netdev is that of the GID rows, or the function's own; busy is 0 where nothing ever went over the port."""
    path: str
    card: Card
    port: Port
    netdev: str | None
    busy: int


class Machine(Archive):
    def __init__(self, name, number, odd, management, kernel="6.1.0-28-amd64"):
        super().__init__(name, odd)
        self.number, self.host_part, self.management, self.kernel = number, 10 + number, management, kernel
        self.netdevs, self.units, self.gpus, self.uverbs = {}, 0, 0, 0
        self.functions, self.hca_functions, self.rdma_devices, self.rdma_ports = [], [], [], []
        self.file("proc/sys/kernel/hostname", f"n{number}")
        self.file("proc/sys/kernel/osrelease", kernel)
        self.hosts("10.77.0.0")
        self.limits("unlimited")
        self.default_route = [f"default via 10.77.0.1 dev {management} proto static"]
        self.netdev("lo", mac="00:00:00:00:00:00", mtu=65536, kind=LOOPBACK, addresses=["127.0.0.1/8", "::1/128"])

    @property
    def management_address(self):
        return f"10.77.0.{self.host_part}/24"

    def hosts(self, network):
        """Where the other nodes are; n1 has host number 11."""
        first = ipaddress.ip_address(network) + 10
        self.lines("etc/hosts", ["127.0.0.1 localhost"] + [f"{first + other} n{other}" for other in range(1, 10)])

    def limits(self, memlock):
        self.lines("proc/self/limits", [
            f"{name:<25} {soft:<20} {hard:<20} {unit:<10}" for name, soft, hard, unit in [
                ("Limit", "Soft Limit", "Hard Limit", "Units"), ("Max open files", 1048576, 1048576, "files"),
                ("Max locked memory", memlock, memlock, "bytes")]])

    def new_unit(self):
        self.units += 1
        return self.units

    # GUIDs and addresses: maker's prefix, then the machine, then a running number.
    def guid(self, unit):
        return f"0c42:a103:0000:{self.host_part:02x}{unit:02x}"

    def mac(self, unit, maker="0c:42:a1"):
        return f"{maker}:00:{self.host_part:02x}:{unit:02x}"

    # --- PCI -----------------------------------------------------------------------------

    def function(self, parent, bdf, *, kind, vendor, device, numa, driver, speed="32.0", width="16",
                 current_speed=None, subsystem=("0x15b3", "0x0041")):
        """A PCI function below parent ("pci0000:15", a bridge's path); returns its path."""
        bdf = bdf if bdf.count(":") == 2 else f"0000:{bdf}"
        parent = parent if parent.startswith("sys/") else f"sys/devices/{parent}"
        path = f"{parent}/{bdf}"
        gts = lambda value: value if value == "Unknown" else f"{value} GT/s PCIe"
        self.files(path, **{"class": kind}, vendor=vendor, device=device,
                   subsystem_vendor=subsystem[0], subsystem_device=subsystem[1], numa_node=numa,
                   current_link_speed=gts(current_speed or speed), max_link_speed=gts(speed),
                   current_link_width=width, max_link_width=width)
        self.empty_directory(f"sys/bus/pci/drivers/{driver}")
        self.link(f"{path}/driver", f"sys/bus/pci/drivers/{driver}")
        self.link(f"sys/bus/pci/devices/{bdf}", path)
        if path not in self.functions:
            self.functions.append(path)
        return path

    def bridges(self, host_bridge, *bdfs, numa, speed="32.0", root_port=("0x8086", "0x352a"),
                switch=("0x1000", "0xc030"), idle_upstream=None):
        """A root port and the switch ports below it, outermost first; returns the last path."""
        path = host_bridge
        for depth, bdf in enumerate(bdfs):
            vendor, device = root_port if depth == 0 else switch
            path = self.function(path, bdf, kind="0x060400", vendor=vendor, device=device, numa=numa,
                                 driver="pcieport", speed=speed, subsystem=(vendor, "0x0000"),
                                 current_speed=idle_upstream if depth == 1 else None)
        return path

    def gpu(self, parent, bdf, model, device, numa, speed="32.0"):
        path = self.function(parent, bdf, kind="0x030200", vendor="0x10de", device=device, numa=numa,
                             driver="nvidia", speed=speed, subsystem=("0x10de", "0x16c1"))
        address = os.path.basename(path)
        self.lines(f"proc/driver/nvidia/gpus/{address}/information", [
            f"Model: \t\t {model}", f"IRQ:   \t\t {100 + self.gpus}",
            f"GPU UUID: \t GPU-{uuid.uuid5(uuid.NAMESPACE_DNS, f'{self.name} {address}')}",
            "Bus Type: \t PCIe", f"Bus Location: \t {address}", f"Device Minor: \t {self.gpus}",
            "GPU Excluded:\t No"])
        self.gpus += 1
        return path

    def amd_gpu(self, parent, bdf, device, numa, speed="32.0"):
        """An accelerator of AMD: its driver keeps nothing in proc, the PCI class tells."""
        return self.function(parent, bdf, kind="0x120000", vendor="0x1002", device=device, numa=numa,
                             driver="amdgpu", speed=speed, subsystem=("0x1002", device))

    def plain_nic(self, parent, bdf, name, numa, driver, ids=("0x8086", "0x1563"), speed=10000, **options):
        """An Ethernet adapter without RDMA."""
        path = self.function(parent, bdf, kind="0x020000", vendor=ids[0], device=ids[1], numa=numa,
                             driver=driver, speed="8.0", width="8", subsystem=(ids[0], "0x0001"))
        options.setdefault("mac", self.mac(self.new_unit(), "b4:96:91"))
        return self.netdev(name, path, speed=speed, **options)

    # --- network interfaces ----------------------------------------------------------------

    def netdev(self, name, parent=None, *, mac, mtu=1500, link="up", speed=None, kind=ETHERNET,
               devtype=None, addresses=(), guid=None, duplex="full", dev_port=0):
        """parent is the device directory; None gives a virtual interface."""
        path = f"{parent}/net/{name}" if parent else f"sys/devices/virtual/net/{name}"
        index = len(self.netdevs) + 1
        on = link != "off"
        tunnel = kind in (TUNNEL, TUNNEL6)
        flags = (FLAG_NOARP if tunnel else FLAG_BROADCAST | FLAG_MULTICAST) | (FLAG_UP if on else 0)
        flags = 0x9 if kind == LOOPBACK else flags
        operstate = "unknown" if kind == LOOPBACK or tunnel and on else "up" if link == "up" else "down"
        self.files(path, address=mac, addr_len=ADDRESS_LENGTHS.get(kind, 6), type=kind, flags=hex(flags),
                   ifindex=index, mtu=mtu, operstate=operstate, dev_port=dev_port, dev_id="0x0",
                   carrier={"up": 1, "no-carrier": 0, "off": None}[link],
                   speed=speed if link == "up" else None,
                   duplex=duplex if link == "up" and speed is not None else None)
        self.lines(f"{path}/uevent", ([f"DEVTYPE={devtype}"] if devtype else [])
                   + [f"INTERFACE={name}", f"IFINDEX={index}"])
        self.link(f"sys/class/net/{name}", path)
        if parent:
            self.link(f"{path}/device", parent)
        link_local = None
        if kind in (ETHERNET, IPOIB):
            identifier = guid_to_interface_id(guid) if guid else mac_to_interface_id(mac)
            link_local = f"fe80:0000:0000:0000:{identifier}"
        self.netdevs[name] = Netdev(name, path, index, link, mac, link_local, list(addresses), parent=parent, kind=kind,
                                    mtu=mtu, speed=speed)
        return path

    def stack(self, upper, lower, master=True):
        """Records that upper is built on lower, as the kernel's adjacency links do."""
        upper_path, lower_path = self.netdevs[upper].path, self.netdevs[lower].path
        self.link(f"{upper_path}/lower_{lower}", lower_path)
        self.link(f"{lower_path}/upper_{upper}", upper_path)
        if master:
            self.link(f"{lower_path}/master", upper_path)

    def bond(self, name, members, mode, active_member=None, **options):
        """Joins existing interfaces; they take the address of the first one."""
        first = self.netdevs[members[0]]
        path = self.netdev(name, mac=first.mac, devtype="bond", **options)
        self.file(f"{path}/flags", hex(FLAG_UP | FLAG_BROADCAST | FLAG_MASTER | FLAG_MULTICAST))
        self.files(f"{path}/bonding", mode=mode, slaves=" ".join(members))
        if active_member:
            self.file(f"{path}/bonding/active_slave", active_member)
        else:
            self.empty_file(f"{path}/bonding/active_slave")
        for member in members:
            netdev = self.netdevs[member]
            netdev.link_local = None
            self.file(f"{netdev.path}/address", first.mac)
            self.file(f"{netdev.path}/flags", hex(FLAG_UP | FLAG_BROADCAST | FLAG_SLAVE | FLAG_MULTICAST))
            self.stack(name, member)
        bonds = [other for other in self.netdevs if f"{self.netdevs[other].path}/bonding/mode" in self.entries]
        self.file("sys/class/net/bonding_masters", " ".join(bonds))

    def vlan(self, name, lower, vlan_id, **options):
        path = self.netdev(name, mac=self.netdevs[lower].mac, devtype="vlan", **options)
        self.stack(name, lower, master=False)
        self.lines(f"proc/net/vlan/{name}", [
            f"{name}  VID: {vlan_id}\t REORDER_HDR: 1  dev->priv_flags: 1021",
            "         total frames received            0", f"Device: {lower}",
            "INGRESS priority mappings: 0:0  1:0  2:0  3:0  4:0  5:0  6:0 7:0",
            " EGRESS priority mappings: "])
        return path

    # --- RDMA devices ------------------------------------------------------------------------

    def hca_function(self, parent, bdf, card, numa, kind):
        width = "0" if card.speed == "Unknown" else "16"
        path = self.function(parent, bdf, kind=kind, vendor=card.vendor, device=card.device, numa=numa,
                             driver=card.driver, speed=card.speed, width=width, current_speed=card.current_speed,
                             subsystem=(card.vendor, card.subsystem_device))
        self.hca_functions.append(path)
        return path

    def ib_hca(self, name, parent, bdf, card, port, netdev, *, numa, link="off", system_guid=None,
               addresses=()):
        """An InfiniBand function with its RDMA device and IPoIB interface."""
        path = self.hca_function(parent, bdf, card, numa, "0x020700")
        guid = self.guid(self.new_unit())
        self.rdma(name, path, card, port, guid, system_guid or guid,
                  [(f"fe80:0000:0000:0000:{guid}", "IB/RoCE v1", None)])
        octets = guid.replace(":", "")
        mac = "00:00:10:29:fe:80" + ":00" * 6 + "".join(f":{octets[i:i + 2]}" for i in range(0, 16, 2))
        self.netdev(netdev, path, mac=mac, kind=IPOIB, mtu=2044, link=link, guid=guid, addresses=addresses,
                    speed=int(port.rate.split()[0]) * 1000)
        return guid

    def roce_hca(self, name, parent, bdf, card, port, netdev, *, numa, link=None, system_guid=None,
                 mac=None, mtu=9000, speed=None, addresses=()):
        """An Ethernet function with its RDMA device and interface; the GIDs follow the addresses."""
        path = self.hca_function(parent, bdf, card, numa, "0x020000")
        unit = self.new_unit()
        mac = mac or self.mac(unit)
        guid = self.guid(unit) if card.vendor == "0x15b3" else mac_to_interface_id(mac)
        link = link or ("up" if port.state == "4: ACTIVE" else "no-carrier")
        self.netdev(netdev, path, mac=mac, mtu=mtu, link=link, addresses=addresses,
                    speed=speed or int(float(port.rate.split()[0]) * 1000))
        self.rdma(name, path, card, port, guid, system_guid or guid, self.roce_gids(netdev))
        return guid

    def roce_gids(self, netdev):
        """Two rows for each address: version 1 at the even index, version 2 at the odd one."""
        own = self.netdevs[netdev]
        gids = [own.link_local] + [address_to_gid(address) for address in own.addresses]
        return [(gid, kind, netdev) for gid in gids for kind in ("IB/RoCE v1", "RoCE v2")]

    def rdma(self, name, function_path, card, port, guid, system_guid, gids):
        """The RDMA device, its port 1 and its verbs node below a PCI function.  Returns the device's path."""
        path = f"{function_path}/infiniband/{name}"
        self.files(path, node_type=card.node_type, node_guid=guid, sys_image_guid=system_guid,
                   node_desc=card.description or f"n{self.number} {name}", hca_type=card.hca_type,
                   board_id=card.board_id, hw_rev=card.hw_rev)
        if card.fw_ver:
            self.file(f"{path}/fw_ver", card.fw_ver)
        else:
            self.lines(f"{path}/fw_ver", [""])
        self.link(f"{path}/device", function_path)
        self.link(f"sys/class/infiniband/{name}", path)
        self.port(f"{path}/ports/1", card, port, gids)

        verbs = f"uverbs{self.uverbs}"
        verbs_path = f"{function_path}/infiniband_verbs/{verbs}"
        self.files(verbs_path, ibdev=name, abi_version=1, dev=f"231:{192 + self.uverbs}")
        self.link(f"{verbs_path}/device", function_path)
        self.file("sys/class/infiniband_verbs/abi_version", 6)
        self.link(f"sys/class/infiniband_verbs/{verbs}", verbs_path)
        self.empty_file(f"dev/infiniband/{verbs}")
        self.rdma_devices.append(RdmaDevice(name, path, card, verbs))
        self.uverbs += 1
        return path

    def port(self, path, card, port, gids):
        self.files(path, state=port.state, phys_state=port.phys_state, rate=port.rate, lid=hex(port.lid),
                   sm_lid=hex(port.sm_lid), sm_sl=0, lid_mask_count=port.lid_mask_count,
                   cap_mask=port.cap_mask, link_layer=port.link_layer)
        if port.gid_rows == 0:
            gids = []
            for table in ("gids", "gid_attrs/types", "gid_attrs/ndevs"):
                self.empty_directory(f"{path}/{table}")
        elif not any(netdev for _, _, netdev in gids):
            self.empty_directory(f"{path}/gid_attrs/ndevs")
        for index, (gid, kind, netdev) in enumerate(gids):
            self.file(f"{path}/gids/{index}", gid)
            # The kernel answers for no row that is empty or of another network namespace.
            if kind:
                self.file(f"{path}/gid_attrs/types/{index}", kind)
            if netdev:
                self.file(f"{path}/gid_attrs/ndevs/{index}", netdev)
        self.rows(f"{path}/gids", len(gids), port.gid_rows - 1, EMPTY_GID)
        for index, pkey in enumerate(port.pkeys):
            self.file(f"{path}/pkeys/{index}", pkey)
        self.rows(f"{path}/pkeys", len(port.pkeys), port.pkey_rows - 1, "0x0000")
        # Every port counts differently, so that mixed-up devices show.
        function, _, number = path.replace("/infiniband/", "/ports/").split("/ports/")
        busy = 7919 * (self.uverbs + 1) * self.host_part * int(number) if port.state == "4: ACTIVE" else 0
        if card.counters:
            self.file(f"{path}/counters/link_downed", self.uverbs % 3)
        self.file(f"{path}/hw_counters/lifespan", 12)
        own = [netdev.name for netdev in self.netdevs.values()
               if netdev.parent == function and self.entries[f"{netdev.path}/dev_port"][1] == str(int(number) - 1)]
        netdev = next((netdev for _, _, netdev in gids if netdev), own[0] if own else None)
        self.rdma_ports.append(RdmaPort(path, card, port, netdev, busy))

    def virtual_function(self, virtual, physical, number):
        """Joins two PCI functions as the kernel does for SR-IOV."""
        self.link(f"{virtual}/physfn", physical)
        self.link(f"{physical}/virtfn{number}", virtual)
        self.files(physical, sriov_numvfs=number + 1, sriov_totalvfs=16)

    # --- address and route listings ------------------------------------------------------------

    def finish(self):
        """Writes what needs all devices and interfaces; returns the machine."""
        details.write(self)
        address_lines, routes, routes6 = [], [], []
        for netdev in self.netdevs.values():
            all_addresses = [ipaddress.ip_interface(text) for text in netdev.addresses]
            if netdev.link == "up" and netdev.link_local:
                all_addresses.append(ipaddress.ip_interface(f"{netdev.link_local}/64"))
            for address in all_addresses:
                address_lines.append(address_line(netdev, address))
                host_only = address.network.num_addresses == 1
                if netdev.name == "lo" or netdev.link == "off" or netdev.table != "main" or host_only:
                    continue
                down = " linkdown" if netdev.link == "no-carrier" else ""
                if address.version == 4:
                    routes.append((address.network, f"{address.network} dev {netdev.name} proto kernel "
                                                    f"scope link src {address.ip}{down}"))
                else:
                    routes6.append(f"{address.network} dev {netdev.name} proto kernel metric 256{down} pref medium")
        self.lines("ferrule/ip-address", address_lines)
        self.lines("ferrule/ip-route", self.default_route
                   + [text for _, text in sorted(routes, key=lambda route: route[0])]
                   + sorted(routes6, key=lambda text: text.startswith("fe80")))
        return self


def address_line(netdev, address):
    start = f"{netdev.index}: {netdev.name}    "
    link_local = address.ip.is_link_local
    scope = "host" if address.ip.is_loopback else "link" if link_local else "global"
    if address.version == 6:
        return f"{start}inet6 {address} scope {scope}"
    has_broadcast = not address.ip.is_loopback and address.network.num_addresses > 2
    broadcast = f"brd {address.network.broadcast_address} " if has_broadcast else ""
    return f"{start}inet {address} {broadcast}scope {scope} {netdev.name}"


def mac_to_interface_id(mac):
    octets = [int(octet, 16) for octet in mac.split(":")]
    octets = [octets[0] ^ 2, *octets[1:3], 0xff, 0xfe, *octets[3:6]]
    return ":".join(f"{octets[i]:02x}{octets[i + 1]:02x}" for i in range(0, 8, 2))


def guid_to_interface_id(guid):
    first, rest = guid.split(":", 1)
    return f"{int(first, 16) | 0x0200:04x}:{rest}"


def address_to_gid(text):
    address = ipaddress.ip_interface(text).ip
    if address.version == 4:
        high, low = divmod(int(address), 0x10000)
        return f"0000:0000:0000:0000:0000:ffff:{high:04x}:{low:04x}"
    return address.exploded
