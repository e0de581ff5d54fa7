"""Messages of netlink as the kernel puts them together, and the hexadecimal lines that hold them.

Source: linux/netlink.h and linux/genetlink.h.  All machines of the catalogue are little-endian.
"""

import struct

NESTED = 0x8000
BYTES_A_LINE = 32


def padded(data):
    """Up to the next multiple of four bytes."""
    return data + bytes(-len(data) % 4)


def attribute(kind, payload):
    """struct nlattr: length without padding, type, payload."""
    return padded(struct.pack("<HH", 4 + len(payload), kind) + payload)


def nest(kind, *attributes):
    return attribute(kind, b"".join(attributes))


def text(kind, value):
    return attribute(kind, value.encode() + b"\0")


def u8(kind, value):
    return attribute(kind, struct.pack("<B", value))


def u32(kind, value):
    return attribute(kind, struct.pack("<I", value))


def message(kind, flags, body, sequence=1, port=0):
    """struct nlmsghdr: length, type, flags, sequence number, port of the receiver."""
    return struct.pack("<IHHII", 16 + len(body), kind, flags, sequence, port) + body


def hex_lines(data):
    return [data[start:start + BYTES_A_LINE].hex() for start in range(0, len(data), BYTES_A_LINE)]
