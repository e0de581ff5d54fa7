"""What a health check reads beside the files of sysfs that say which devices there are.

Runs when a machine is complete: counters, PCI errors and configuration space, Data Center Bridging, link settings,
the switch's own description, verbs, and the node's settings.
"""

import re
from dataclasses import replace

import counters
import dcb
import ethtool
import host
import lldp
import pci_config
from netlink import hex_lines

VIRTUAL_ETHERNET, VIRTUAL_FUNCTION = {"0x101e", "0x101c", "0x1016"}, "Unknown"
# Rails that the general rule below misses: these run with MTU 1500.  gb10-spark is lossy by design.
RAILS = {"broadcom-roce": {"enp194s0f0np0"}}
LOSSY = {"gb10-spark"}
# Node-local InfiniBand for the NVSwitches is no sign of an InfiniBand fabric; nor are these cards rails of a RoCE one.
NVSWITCH_BOARDS, STORAGE_TYPES = {"NVD0000000079", "MT_0000000892"}, {"MT41692"}
LOSSLESS_MTU = 4200

CONFIG_MACHINES = {"dgx-h100-ib", "h100-roce-flat-169", "cx7-and-cx6dx-roce", "oci-h100-roce", "thor2-roce-ipv6"}
LLDP_MACHINES = {"h100-roce-flat-169", "cx7-and-cx6dx-roce", "oci-h100-roce", "h20-roce-bond"}

DCB_OF_DRIVER = {"mlx5_core": (dcb.MLX5_DEFAULT, dcb.MLX5_RAIL), "bnxt_en": (dcb.BNXT_DEFAULT, dcb.BNXT_RAIL),
                 "ice": (dcb.ICE_DEFAULT, dcb.ICE_RAIL)}
FEC_DRIVERS, FEC_COUNTING = {"mlx5_core", "bnxt_en", "ice", "ionic"}, {"mlx5_core", "bnxt_en"}
PAUSE_DRIVERS = FEC_DRIVERS | {"igb", "ixgbe", "r8127"}
LEAST_FEC_SPEED = 25000

CORRECTABLE = ("RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr", "CorrIntErr", "HeaderOF")
UNCORRECTABLE = ("Undefined", "DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt", "RxOF", "MalfTLP",
                 "ECRC", "UnsupReq", "ACSViol", "UncorrIntErr", "BlockedTLP", "AtomicOpBlocked", "TLPBlockedErr",
                 "PoisonTLPBlocked")


def is_new(m):
    """A kernel of 6.8 or later."""
    return tuple(int(part) for part in m.kernel.split(".")[:2]) >= (6, 8)


def text_at(m, path):
    return m.entries[path][1]


def driver_of(m, function):
    link = m.entries.get(f"{function}/driver")
    return link[1].rsplit("/", 1)[1] if link else None


def is_physical(m, function):
    return text_at(m, f"{function}/max_link_speed") != VIRTUAL_FUNCTION and \
        text_at(m, f"{function}/device") not in VIRTUAL_ETHERNET


def busy_of(m, netdev):
    """Differs by interface and by machine; 0 without a link."""
    return 6133 * (netdev.index + 2) * m.host_part if netdev.link == "up" else 0


# --- counters --------------------------------------------------------------------------------

def add(m, directory, values):
    """Leaves alone what a machine says of itself."""
    for name, value in values.items():
        if f"{directory}/{name}" not in m.entries:
            m.file(f"{directory}/{name}", value)


def port_counters(m):
    for port in m.rdma_ports:
        card, roce = port.card, port.port.link_layer == "Ethernet"
        physical = card.speed != VIRTUAL_FUNCTION
        if card.counters:
            add(m, f"{port.path}/counters", counters.port_counters(port.busy, extended=card.driver == "mlx5_core"))
        add(m, f"{port.path}/hw_counters", counters.hw_counters(card.driver, port.busy, roce=roce, physical=physical,
                                                                new=is_new(m)))
    for number, device in enumerate(m.rdma_devices):
        if device.card.driver == "efa":
            add(m, f"{device.path}/hw_counters", counters.efa_device(7919 * (number + 1) * m.host_part)
                | {"lifespan": 12})


def carrier_counts(m):
    """An interface of an adapter comes up without a link, and has it once."""
    for netdev in m.netdevs.values():
        real = not netdev.path.startswith("sys/devices/virtual/")
        down = int(real)
        up = int(real and netdev.link == "up")
        m.files(netdev.path, carrier_down_count=down, carrier_up_count=up, carrier_changes=down + up)


# --- PCI -------------------------------------------------------------------------------------

def pci_links(m):
    """Both ends of a link run alike: a port above an adapter or a GPU shows that one's speed and width.

    The port further up is left alone where it idles, as in dumps.
    """
    for path in list(m.functions):
        parent = path.rsplit("/", 1)[0]
        speed = text_at(m, f"{path}/current_link_speed")
        if parent in m.functions and not text_at(m, f"{path}/class").startswith("0x0604") and \
                speed != VIRTUAL_FUNCTION:
            m.files(parent, current_link_speed=speed, current_link_width=text_at(m, f"{path}/current_link_width"))


def pci_errors(m):
    if m.name in host.GUESTS:
        return
    for number, path in enumerate(m.hca_functions):
        if not is_physical(m, path):
            continue
        replays = (number * 5 + m.number) % 4
        values = [(name, replays if name == "BadDLLP" else 0) for name in CORRECTABLE]
        m.lines(f"{path}/aer_dev_correctable",
                [f"{name} {value}" for name, value in values] + [f"TOTAL_ERR_COR {replays}"])
        for kind, total in (("nonfatal", "TOTAL_ERR_NONFATAL"), ("fatal", "TOTAL_ERR_FATAL")):
            m.lines(f"{path}/aer_dev_{kind}", [f"{name} 0" for name in UNCORRECTABLE] + [f"{total} 0"])


def config_of(m, path, kind, **changes):
    number = lambda name: int(text_at(m, f"{path}/{name}"), 16)
    speed = lambda name: text_at(m, f"{path}/{name}").split()[0]
    return pci_config.space(number("vendor"), number("device"), number("class"), kind, speed("current_link_speed"),
                            speed("max_link_speed"), int(text_at(m, f"{path}/current_link_width")),
                            multifunction=path.endswith(".1") or path[:-1] + "1" in m.functions, **changes)


def pci_configs(m):
    """Of adapters and the bridges above them; only root can read them on a real node."""
    if m.name not in CONFIG_MACHINES:
        return
    for path in m.hca_functions:
        if not is_physical(m, path):
            continue
        kinds, chain = {path: pci_config.ENDPOINT}, []
        parent = path.rsplit("/", 1)[0]
        while parent in m.functions:
            chain.insert(0, parent)
            parent = parent.rsplit("/", 1)[0]
        for depth, bridge in enumerate(chain):
            kinds[bridge] = pci_config.ROOT_PORT if depth == 0 else \
                pci_config.UPSTREAM if depth % 2 else pci_config.DOWNSTREAM
        for function, kind in kinds.items():
            m.lines(f"ferrule/pci-config/{function.rsplit('/', 1)[1]}", hex_lines(config_of(m, function, kind)))


# --- Ethernet --------------------------------------------------------------------------------

def has_infiniband(m):
    return any(port.port.link_layer == "InfiniBand" and port.port.state == "4: ACTIVE"
               and port.card.board_id not in NVSWITCH_BOARDS for port in m.rdma_ports)


def rails_of(m):
    """Interfaces of the compute fabric, members of its bonds included."""
    rails = set(RAILS.get(m.name, ()))
    for port in m.rdma_ports:
        netdev = m.netdevs.get(port.netdev)
        if netdev and port.port.link_layer == "Ethernet" and netdev.mtu >= LOSSLESS_MTU and not has_infiniband(m) \
                and netdev.link == "up" and port.card.hca_type not in STORAGE_TYPES and m.name not in LOSSY:
            rails.add(netdev.name)
    for name in list(rails):
        members = m.entries.get(f"{m.netdevs[name].path}/bonding/slaves")
        rails |= set(members[1].split()) if members else set()
    return rails


def lanes_of(m, netdev):
    """Of the RDMA port behind an interface, or behind the bond that it is in."""
    for port in m.rdma_ports:
        upper = f"{netdev.path}/upper_{port.netdev}"
        if port.netdev and (port.netdev == netdev.name or upper in m.entries):
            return int(re.search(r"\((\d+)X", port.port.rate)[1])
    return None


def data_center_bridging(m, netdev, driver, rail):
    state, busy = DCB_OF_DRIVER[driver][rail], busy_of(m, netdev)
    if rail:
        figures = lambda modulus: (0, 0, 0, busy % modulus, 0, 0, 0, 0)
        state = replace(state, sent=figures(887), received=figures(1009))
    m.lines(f"ferrule/dcb/{netdev.name}", dcb.lines(netdev.name, state))


def link_settings(m, netdev, driver, physical, rail):
    directory, index, name, up = f"ferrule/ethtool/{netdev.name}", netdev.index, netdev.name, netdev.link == "up"
    speed = netdev.speed if up and (netdev.speed or -1) > 0 else None
    lanes = lanes_of(m, netdev) if is_new(m) and driver in FEC_DRIVERS else None
    m.lines(f"{directory}/linkmodes", hex_lines(ethtool.linkmodes(index, name, speed, lanes)))
    reason = ethtool.NO_CABLE if netdev.link == "no-carrier" and driver == "mlx5_core" else None
    m.lines(f"{directory}/linkstate", hex_lines(ethtool.linkstate(index, name, up, reason)))
    global_pause = physical and not rail
    if physical and driver in PAUSE_DRIVERS:
        copper = driver not in FEC_DRIVERS
        negotiated = global_pause and (up or not copper) and m.name not in LOSSY
        m.lines(f"{directory}/pause", hex_lines(ethtool.pause(index, name, copper, negotiated, negotiated)))
    if physical and driver in FEC_DRIVERS:
        active = None if not up else \
            ethtool.MODE_FEC_RS if (speed or 0) >= LEAST_FEC_SPEED else ethtool.MODE_FEC_NONE
        corrected = busy_of(m, netdev) * 3 if up and driver in FEC_COUNTING else None
        m.lines(f"{directory}/fec", hex_lines(ethtool.fec(index, name, active, corrected)))
    if driver in counters.STATISTICS:
        values = counters.STATISTICS[driver](busy_of(m, netdev), (3,) if rail and physical else (),
                                             global_pause and m.name not in LOSSY)
        m.lines(f"{directory}/statistics", [f"{key}: {value}" for key, value in values.items()])


def neighbour(leaf, port):
    return lldp.Neighbour(f"Ethernet1/{port}", f"leaf{leaf}", f"98:5d:82:00:{leaf:02x}:00")


def ethernet(m):
    rails, ports = rails_of(m), {}
    for netdev in m.netdevs.values():
        driver = driver_of(m, netdev.parent) if netdev.parent else None
        if f"{netdev.path}/bonding/mode" in m.entries:
            link_settings(m, netdev, "bonding", False, netdev.name in rails)
        if driver is None or netdev.kind != 1:
            continue
        function = netdev.parent
        physical = function not in m.functions or is_physical(m, function)
        rail = netdev.name in rails
        link_settings(m, netdev, driver, physical, rail)
        if physical and driver in DCB_OF_DRIVER:
            data_center_bridging(m, netdev, driver, rail)
        if rail and physical and m.name in LLDP_MACHINES:
            # Both ports of an adapter, and both members of a bond, lead to switches of their own.
            leaf = int(function[-1]) + 1
            ports[leaf] = ports.get(leaf, m.number - 1) + 1
            m.lines(f"ferrule/lldp/{netdev.name}", lldp.lines(neighbour(leaf, ports[leaf])))


# --- verbs -----------------------------------------------------------------------------------

def largest_roce_mtu(mtu):
    """The largest InfiniBand MTU that fits with the headers of RoCE, as in the kernel's rdma/ib_addr.h."""
    headers = 40 + 8 + 12 + 4 + 28 + 4
    return max((size for size in (256, 512, 1024, 2048, 4096) if size <= mtu - headers), default=0)


def verbs(m):
    for device in m.rdma_devices:
        lines = []
        if f"dev/infiniband/{device.uverbs}" not in m.entries:
            lines = ["open_error 2"]
        for port in m.rdma_ports if not lines else ():
            if port.path.rpartition("/ports/")[0] != device.path:
                continue
            mtu = 4096
            if port.port.link_layer == "Ethernet":
                netdev = m.netdevs.get(port.netdev)
                mtu = largest_roce_mtu(netdev.mtu) if netdev else 0 if port.card.driver == "mlx5_core" else 1024
            lines.append(f"port {port.path.rsplit('/', 1)[1]} active_mtu {mtu} max_mtu 4096")
        m.lines(f"ferrule/verbs/{device.name}", lines)


def write(m):
    port_counters(m)
    carrier_counts(m)
    pci_links(m)
    pci_errors(m)
    pci_configs(m)
    ethernet(m)
    verbs(m)
    host.write(m)
