#!/usr/bin/python3
"""Sends what a switch says of its port over LLDP, well-formed or not, out of an interface.

Only what is asked for is in the frame, besides chassis, port and time to live, which every frame has.
"""

import argparse
import errno
import pathlib
import socket
import struct
import time

ETHERTYPE = 0x88CC
NEAREST_BRIDGE = "01:80:c2:00:00:0e"
DOT1 = bytes.fromhex("0080c2")
DOT3 = bytes.fromhex("00120f")
SELECTORS = {"ethertype": 1, "tcp": 2, "udp": 3, "port": 4, "dscp": 5}
TSA = {"strict": 0, "shaper": 1, "ets": 2, "vendor": 255}

END, CHASSIS, PORT, TTL, SYSTEM_NAME, ORGANISATION = 0, 1, 2, 3, 5, 127


def tlv(kind, value):
    return struct.pack("!H", kind << 9 | len(value)) + value


def organisation(oui, subtype, value):
    return tlv(ORGANISATION, oui + bytes([subtype]) + value)


def mac_bytes(text):
    return bytes.fromhex(text.replace(":", ""))


def numbers(text):
    """Eight of them, for priorities or classes 0 to 7."""
    values = [TSA[item] if item in TSA else int(item) for item in text.split(",")]
    if len(values) != 8:
        raise ValueError(f"not eight values: {text}")
    return values


def ets(first_byte, prio_tc, bandwidth, tsa):
    tc = numbers(prio_tc)
    nibbles = bytes(tc[at] << 4 | tc[at + 1] for at in range(0, 8, 2))
    return bytes([first_byte]) + nibbles + bytes(numbers(bandwidth)) + bytes(numbers(tsa))


def pfc(priorities, capability, willing):
    enabled = 0 if priorities == "none" else sum(1 << int(priority) for priority in priorities.split(","))
    return bytes([willing << 7 | capability, enabled])


def app(entries):
    """26:3,udp/4791:3 is DSCP 26 and UDP port 4791, both to priority 3."""
    value = b"\0"
    for entry in entries.split(","):
        protocol, priority = entry.split(":")
        selector, _, number = protocol.rpartition("/")
        value += struct.pack("!BH", int(priority) << 5 | SELECTORS[selector or "dscp"], int(number, 0))
    return value


def tlvs(options, mac):
    yield tlv(CHASSIS, b"\x04" + mac)
    yield tlv(PORT, b"\x05" + options.port_id.encode())
    yield tlv(TTL, struct.pack("!H", options.ttl))
    if options.system_name:
        yield tlv(SYSTEM_NAME, options.system_name.encode())
    if options.pvid is not None:
        yield organisation(DOT1, 1, struct.pack("!H", options.pvid))
    if options.mfs is not None:
        yield organisation(DOT3, 4, struct.pack("!H", options.mfs))
    if options.ets:
        yield organisation(DOT1, 9, ets(options.ets_willing << 7, *options.ets))
    if options.ets_recommendation:
        yield organisation(DOT1, 10, ets(0, *options.ets_recommendation))
    if options.app:
        yield organisation(DOT1, 12, app(options.app))
    if options.pfc:
        yield organisation(DOT1, 11, pfc(options.pfc, options.pfc_capability, options.pfc_willing))


def spoil(parts, how):
    """What of the last TLV of the frame, End aside, is not as it says."""
    *before, last = parts
    length = struct.unpack("!H", last[:2])[0]
    if how == "cut":
        last = last[:-1]
    elif how == "long":
        last = struct.pack("!H", length | 0x1FF) + last[2:]
    elif how == "short":
        last = struct.pack("!H", length - 1) + last[2:-1]
    return b"".join(before) + last


def payload(options, mac):
    parts = list(tlvs(options, mac))
    end = tlv(END, b"")
    if not options.ill:
        return b"".join(parts) + end
    return spoil(parts, options.ill) + (end if options.ill in ("long", "short") else b"")


def frame(options, mac):
    data = mac_bytes(options.destination) + mac + struct.pack("!H", ETHERTYPE) + payload(options, mac)
    # As wires do; a frame that is cut is to end there.
    return data if options.ill == "cut" else data.ljust(60, b"\0")


def send(interface, data, count, interval):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
        wire.bind((interface, 0))
        for sent in range(count):
            if sent:
                time.sleep(interval)
            try:
                wire.send(data)
            except OSError as error:
                # A port that is down may come up again.
                if error.errno != errno.ENETDOWN:
                    raise


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("interface")
    parser.add_argument("--port-id", default="Ethernet1/1", metavar="NAME")
    parser.add_argument("--ttl", type=int, default=120, metavar="S")
    parser.add_argument("--system-name", metavar="NAME")
    parser.add_argument("--pvid", type=int, metavar="VLAN")
    parser.add_argument("--mfs", type=int, metavar="BYTES", help="maximum frame size")
    parser.add_argument("--pfc", metavar="PRIORITIES", help="such as 3,4, or none")
    parser.add_argument("--pfc-capability", type=int, default=8, metavar="N", help="how many there may be")
    parser.add_argument("--pfc-willing", action="store_true")
    lists = ("PRIO_TC", "BANDWIDTH", "TSA")
    parser.add_argument("--ets", nargs=3, metavar=lists, help="eight values each, with commas")
    parser.add_argument("--ets-willing", action="store_true")
    parser.add_argument("--ets-recommendation", nargs=3, metavar=lists)
    parser.add_argument("--app", metavar="ENTRIES", help="such as 26:3,udp/4791:3")
    parser.add_argument("--ill", choices=("cut", "long", "short", "endless"), help=(
        "the last TLV but End is cut by the end of the frame, claims more than there is, lacks a byte; "
        "or there is no End"))
    parser.add_argument("--destination", default=NEAREST_BRIDGE, metavar="MAC")
    parser.add_argument("--count", type=int, default=1, metavar="N")
    parser.add_argument("--interval", type=float, default=1, metavar="S")
    return parser.parse_args()


def main():
    options = parse_arguments()
    mac = mac_bytes(pathlib.Path(f"/sys/class/net/{options.interface}/address").read_text().strip())
    send(options.interface, frame(options, mac), options.count, options.interval)


if __name__ == "__main__":
    main()
