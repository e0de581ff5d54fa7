"""What a driver answers to RTM_GETDCB: the Data Center Bridging state of one interface.

Source: linux/dcbnl.h, net/dcb/dcbnl.c.
"""

import struct
from dataclasses import dataclass

from netlink import attribute, hex_lines, message, nest, text, u8

RTM_GETDCB, REQUEST, COMMAND_IEEE_GET = 78, 0x1, 21
ATTR_IFNAME, ATTR_IEEE, ATTR_DCBX = 1, 13, 14
IEEE_ETS, IEEE_PFC, IEEE_APP_TABLE, IEEE_MAXRATE, IEEE_BUFFER = 1, 2, 3, 7, 10
APP, SELECTOR_DSCP = 1, 5
DCBX_HOST, DCBX_FIRMWARE, DCBX_CEE, DCBX_IEEE = 0x01, 0x02, 0x04, 0x08
STRICT, ETS, VENDOR = 0, 2, 255


@dataclass(frozen=True)
class Dcb:
    """None where the driver has no such attribute."""
    pfc: tuple = ()                     # priorities
    dscp: tuple = ()                    # (DSCP, priority) of each application entry
    dcbx: int = DCBX_HOST | DCBX_CEE | DCBX_IEEE
    classes: int = 8
    class_of_priority: tuple = (1, 0, 2, 3, 4, 5, 6, 7)
    bandwidth: tuple = (0,) * 8
    selection: tuple = (VENDOR,) * 8
    delay: int = 7
    sent: tuple = (0,) * 8              # PFC frames by priority
    received: tuple = (0,) * 8
    buffers: tuple | None = (262016,)
    buffer_of_priority: tuple = (0,) * 8
    buffer_total: int = 262016
    maxrate: bool = True


# mlx5 as the driver comes up, and as a script for lossless RoCE leaves it.
MLX5_DEFAULT = Dcb()
DSCP_UPPER_BITS = tuple((dscp, dscp >> 3) for dscp in range(64))
MLX5_RAIL = Dcb(pfc=(3,), dscp=DSCP_UPPER_BITS, buffers=(130944, 130944),
                buffer_of_priority=(0, 0, 0, 1, 0, 0, 0, 0))

# The others have neither buffers nor rate limits in their answer.
BNXT_DEFAULT = Dcb(dcbx=DCBX_HOST | DCBX_IEEE, class_of_priority=(0,) * 8, selection=(STRICT,) * 8, delay=0,
                   buffers=None, maxrate=False)
BNXT_RAIL = Dcb(pfc=(3,), dscp=((26, 3), (48, 7)), dcbx=DCBX_HOST | DCBX_IEEE, classes=8,
                class_of_priority=(0, 0, 0, 1, 0, 0, 0, 2), bandwidth=(50, 50, 0, 0, 0, 0, 0, 0),
                selection=(ETS, ETS, STRICT) + (STRICT,) * 5, delay=0, buffers=None, maxrate=False)
ICE_DEFAULT = Dcb(dcbx=DCBX_HOST | DCBX_IEEE, class_of_priority=(0,) * 8, bandwidth=(100,) + (0,) * 7,
                  selection=(ETS,) + (STRICT,) * 7, delay=0, buffers=None, maxrate=False)
ICE_RAIL = Dcb(pfc=(3,), dscp=DSCP_UPPER_BITS, dcbx=DCBX_HOST | DCBX_IEEE,
               class_of_priority=(0, 0, 0, 1, 0, 0, 0, 0), bandwidth=(50, 50, 0, 0, 0, 0, 0, 0),
               selection=(ETS, ETS) + (STRICT,) * 6, delay=0, buffers=None, maxrate=False)


def ets(state):
    """struct ieee_ets: willing, classes, credit shaper, bandwidth to send and to receive, selection,
    class of each priority; and what the peer is recommended."""
    recommended = bytes(state.bandwidth) + bytes(state.selection) + bytes(state.class_of_priority)
    return (bytes([0, state.classes, 0]) + bytes(state.bandwidth) * 2 + bytes(state.selection)
            + bytes(state.class_of_priority) + recommended)


def pfc(state):
    """struct ieee_pfc: capable, enabled, MACsec bypass, delay, frames sent and received."""
    enabled = sum(1 << priority for priority in state.pfc)
    return struct.pack("<BBBxHxx8Q8Q", 8, enabled, 0, state.delay, *state.sent, *state.received)


def applications(state):
    """struct dcb_app: selector, priority, protocol, which is in the host's order."""
    return [attribute(APP, struct.pack("<BBH", SELECTOR_DSCP, priority, dscp)) for dscp, priority in state.dscp]


def buffers(state):
    """struct dcbnl_buffer: buffer of each priority, sizes, total."""
    sizes = state.buffers + (0,) * (8 - len(state.buffers))
    return struct.pack("<8B8II", *state.buffer_of_priority, *sizes, state.buffer_total)


def reply(netdev, state, sequence=1):
    """In the order of dcbnl_ieee_fill."""
    ieee = [attribute(IEEE_ETS, ets(state))]
    if state.maxrate:
        ieee.append(attribute(IEEE_MAXRATE, bytes(64)))
    ieee.append(attribute(IEEE_PFC, pfc(state)))
    if state.buffers is not None:
        ieee.append(attribute(IEEE_BUFFER, buffers(state)))
    ieee.append(nest(IEEE_APP_TABLE, *applications(state)))
    body = bytes([0, COMMAND_IEEE_GET, 0, 0]) + text(ATTR_IFNAME, netdev) + nest(ATTR_IEEE, *ieee)
    return message(RTM_GETDCB, REQUEST, body + u8(ATTR_DCBX, state.dcbx), sequence)


def lines(netdev, state):
    return hex_lines(reply(netdev, state))
