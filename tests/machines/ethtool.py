"""What the kernel answers to requests of ethtool's generic netlink family.

Source: linux/ethtool_netlink.h, linux/ethtool.h, Documentation/networking/ethtool-netlink.rst.
"""

import struct

from netlink import NESTED, attribute, hex_lines, message, nest, text, u8, u32

# The family's number differs from boot to boot; this is a usual one.
FAMILY, VERSION = 0x15, 1
LINKMODES_REPLY, LINKSTATE_REPLY, PAUSE_REPLY, FEC_REPLY = 4, 6, 22, 30
HEADER, DEV_INDEX, DEV_NAME = 1, 1, 2
PAUSE_AUTONEG, PAUSE_RX, PAUSE_TX = 2, 3, 4
LINKMODES_AUTONEG, LINKMODES_OURS, LINKMODES_SPEED, LINKMODES_DUPLEX, LINKMODES_LANES = 2, 3, 5, 6, 9
LINKSTATE_LINK, LINKSTATE_EXT_STATE = 2, 5
FEC_MODES, FEC_AUTO, FEC_ACTIVE, FEC_STATS, FEC_CORRECTED, FEC_UNCORRECTABLE = 2, 3, 4, 5, 2, 3
BITSET_NOMASK, BITSET_SIZE, BITSET_BITS, BITSET_VALUE, BITSET_MASK, BIT, BIT_INDEX, BIT_NAME = 1, 2, 3, 4, 5, 1, 1, 2

MODE_BITS, MODE_AUTONEG, MODE_FIBRE, MODE_FEC_NONE, MODE_FEC_RS = 93, 6, 10, 49, 50
FEC_NAMES = {MODE_FEC_NONE: "None", MODE_FEC_RS: "RS"}
FULL_DUPLEX, UNKNOWN_DUPLEX, UNKNOWN_SPEED = 1, 0xff, 0xffffffff
NO_CABLE = 4


def reply(command, index, netdev, *attributes):
    header = nest(HEADER | NESTED, u32(DEV_INDEX, index), text(DEV_NAME, netdev))
    return message(FAMILY, 0, struct.pack("<BBH", command, VERSION, 0) + header + b"".join(attributes))


def pause(index, netdev, autonegotiated, receive, transmit):
    return reply(PAUSE_REPLY, index, netdev, u8(PAUSE_AUTONEG, autonegotiated), u8(PAUSE_RX, receive),
                 u8(PAUSE_TX, transmit))


def linkmodes(index, netdev, speed, lanes=None):
    """speed is in Mb/s, None where it is not known; lanes where the kernel tells them."""
    ours = sum(1 << bit for bit in (MODE_AUTONEG, MODE_FIBRE)).to_bytes(12, "little")
    bitset = nest(LINKMODES_OURS | NESTED, u32(BITSET_SIZE, MODE_BITS), attribute(BITSET_VALUE, ours),
                  attribute(BITSET_MASK, ours))
    known = speed is not None
    return reply(LINKMODES_REPLY, index, netdev, u8(LINKMODES_AUTONEG, 1), bitset,
                 u32(LINKMODES_SPEED, speed if known else UNKNOWN_SPEED),
                 u8(LINKMODES_DUPLEX, FULL_DUPLEX if known else UNKNOWN_DUPLEX),
                 *([u32(LINKMODES_LANES, lanes)] if known and lanes else []))


def linkstate(index, netdev, up, reason=None):
    return reply(LINKSTATE_REPLY, index, netdev, u8(LINKSTATE_LINK, up),
                 *([] if reason is None else [u8(LINKSTATE_EXT_STATE, reason)]))


def fec(index, netdev, active, corrected=None, uncorrectable=0):
    """active is a number of a link mode, None while the link is down; blocks where the driver counts them."""
    configured = MODE_FEC_RS if active is None else active
    bits = nest(BITSET_BITS | NESTED, nest(BIT | NESTED, u32(BIT_INDEX, configured),
                                           text(BIT_NAME, FEC_NAMES[configured])))
    modes = nest(FEC_MODES | NESTED, attribute(BITSET_NOMASK, b""), u32(BITSET_SIZE, MODE_BITS), bits)
    rest = [] if active is None else [u32(FEC_ACTIVE, active)]
    if corrected is not None:
        rest.append(nest(FEC_STATS | NESTED, attribute(FEC_CORRECTED, struct.pack("<Q", corrected)),
                         attribute(FEC_UNCORRECTABLE, struct.pack("<Q", uncorrectable))))
    return reply(FEC_REPLY, index, netdev, modes, u8(FEC_AUTO, 0), *rest)


def lines(data):
    return hex_lines(data)
