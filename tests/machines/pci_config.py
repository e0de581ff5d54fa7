"""The first 512 bytes of a PCI function's configuration space.

Source: linux/pci_regs.h; PCI Express Base Specification 5.0, 7.5 (headers, PCI Express capability) and 7.7.8 (access
control services).
"""

import struct

from netlink import hex_lines

SIZE = 512
COMMAND_MEMORY_MASTER_SERR, STATUS_CAPABILITIES = 0x0506, 0x0010
HEADER_ENDPOINT, HEADER_BRIDGE, MULTIFUNCTION = 0, 1, 0x80
EXPRESS_AT, EXPRESS, NO_CLASS = 0x60, 0x10, 0
ENDPOINT, ROOT_PORT, UPSTREAM, DOWNSTREAM = 0, 4, 5, 6
ERROR_REPORTING, RELAXED_ORDERING, EXTENDED_TAG, NO_SNOOP = 0x000f, 0x0010, 0x0100, 0x0800
PAYLOAD_256, READ_512, READ_4096 = 1 << 5, 2 << 12, 5 << 12
AER, ACS, DEVICE_SERIAL = 0x0001, 0x000d, 0x0003
ACS_CAPABLE = 0x005f
SPEEDS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5, "64.0": 6}


def express(kind, current, top, width, read_request, relaxed):
    """PCI Express capability, version 2: device and link registers."""
    control = ERROR_REPORTING | PAYLOAD_256 | EXTENDED_TAG | NO_SNOOP | read_request
    control |= RELAXED_ORDERING if relaxed else 0
    link = SPEEDS[top] | width << 4
    status = SPEEDS[current] | width << 4
    return struct.pack("<BBHIHHIHH", EXPRESS, 0, 2 | kind << 4, 0x8fe2, control, 0, link, 0x0040, status)


def extended(capability, version, following):
    return struct.pack("<I", capability | version << 16 | following << 20)


def space(vendor, device, class_code, kind, current, top, width, *, multifunction=False, read_request=READ_4096,
          relaxed=True, acs_control=0):
    """Root ports have their access control behind the error reporting, switch ports in front of it."""
    data = bytearray(SIZE)
    bridge = kind != ENDPOINT
    struct.pack_into("<HHHH", data, 0, vendor, device, COMMAND_MEMORY_MASTER_SERR, STATUS_CAPABILITIES)
    data[9:12] = (class_code & 0xffffff).to_bytes(3, "little")
    data[12] = 0x10
    data[14] = (HEADER_BRIDGE if bridge else HEADER_ENDPOINT) | (MULTIFUNCTION if multifunction else 0)
    data[0x34] = EXPRESS_AT
    registers = express(kind, current, top, width, READ_512 if bridge else read_request, relaxed)
    data[EXPRESS_AT:EXPRESS_AT + len(registers)] = registers
    acs = struct.pack("<HH", ACS_CAPABLE, acs_control)
    if kind == DOWNSTREAM:
        data[0x100:0x108] = extended(ACS, 1, 0x148) + acs
        data[0x148:0x14c] = extended(AER, 2, 0)
    elif kind == ROOT_PORT:
        data[0x100:0x104] = extended(AER, 2, 0x150)
        data[0x150:0x158] = extended(ACS, 1, 0) + acs
    else:
        data[0x100:0x104] = extended(AER, 2, 0x150)
        data[0x150:0x154] = extended(DEVICE_SERIAL, 1, 0)
    return bytes(data)


def lines(data):
    return hex_lines(data)
