"""The frame in which a switch port describes itself.

Source: IEEE 802.1AB-2016; IEEE 802.1Q-2018 annex D; IEEE 802.3-2018 clause 79.
"""

import struct
from dataclasses import dataclass

from netlink import hex_lines

NEAREST_BRIDGE, ETHERTYPE = bytes.fromhex("0180c200000e"), 0x88cc
END, CHASSIS, PORT, TTL, PORT_DESCRIPTION, SYSTEM_NAME, ORGANISATION = 0, 1, 2, 3, 4, 5, 127
CHASSIS_MAC, PORT_INTERFACE_NAME = 4, 5
OUI_8021, OUI_8023 = bytes.fromhex("0080c2"), bytes.fromhex("00120f")
PVID, ETS_CONFIGURATION, PFC, APPLICATION, MAX_FRAME_SIZE = 1, 9, 11, 12, 4
SELECTOR_DSCP, STRICT, ETS = 5, 0, 2


@dataclass(frozen=True)
class Neighbour:
    port: str
    system: str = "leaf1"
    chassis: str = "98:5d:82:00:01:00"
    ttl: int = 120
    vlan: int = 1
    max_frame_size: int = 9216
    pfc: tuple | None = (3,)
    ets: bool = True
    dscp: tuple | None = ((26, 3),)


def tlv(kind, value):
    """Seven bits of type, nine of length."""
    return struct.pack(">H", kind << 9 | len(value)) + value


def organisation(oui, subtype, value):
    return tlv(ORGANISATION, oui + bytes([subtype]) + value)


def mac(text):
    return bytes(int(octet, 16) for octet in text.split(":"))


def ets_configuration():
    """Not willing, eight classes; class of each priority in half a byte; percents; algorithms.

    Priority 3 is class 3, priority 6 class 6 and strict; the others are class 0.
    """
    class_of_priority = (0, 0, 0, 3, 0, 0, 6, 0)
    nibbles = bytes(class_of_priority[i] << 4 | class_of_priority[i + 1] for i in range(0, 8, 2))
    bandwidth = bytes((50, 0, 0, 50, 0, 0, 0, 0))
    algorithms = bytes((ETS, STRICT, STRICT, ETS, STRICT, STRICT, STRICT, STRICT))
    return bytes([0]) + nibbles + bandwidth + algorithms


def frame(neighbour):
    tlvs = [
        tlv(CHASSIS, bytes([CHASSIS_MAC]) + mac(neighbour.chassis)),
        tlv(PORT, bytes([PORT_INTERFACE_NAME]) + neighbour.port.encode()),
        tlv(TTL, struct.pack(">H", neighbour.ttl)),
        tlv(PORT_DESCRIPTION, b"rail"),
        tlv(SYSTEM_NAME, neighbour.system.encode()),
        organisation(OUI_8021, PVID, struct.pack(">H", neighbour.vlan)),
        organisation(OUI_8023, MAX_FRAME_SIZE, struct.pack(">H", neighbour.max_frame_size))]
    if neighbour.ets:
        tlvs.append(organisation(OUI_8021, ETS_CONFIGURATION, ets_configuration()))
    if neighbour.pfc is not None:
        enabled = sum(1 << priority for priority in neighbour.pfc)
        tlvs.append(organisation(OUI_8021, PFC, bytes([8, enabled])))
    if neighbour.dscp is not None:
        entries = b"".join(struct.pack(">BH", priority << 5 | SELECTOR_DSCP, dscp) for dscp, priority in neighbour.dscp)
        tlvs.append(organisation(OUI_8021, APPLICATION, b"\0" + entries))
    source = mac(neighbour.chassis)
    return NEAREST_BRIDGE + source + struct.pack(">H", ETHERTYPE) + b"".join(tlvs) + tlv(END, b"")


def lines(neighbour):
    return hex_lines(frame(neighbour))
