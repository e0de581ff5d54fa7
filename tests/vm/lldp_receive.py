#!/usr/bin/python3
"""lldp_receive.py INTERFACE SECONDS: prints the next LLDP frame that arrives there, as hex."""

import socket
import sys
import time

ETHERTYPE = 0x88CC


def receive(interface, seconds):
    deadline = time.monotonic() + seconds
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE)) as wire:
        wire.bind((interface, ETHERTYPE))
        while (left := deadline - time.monotonic()) > 0:
            wire.settimeout(left)
            data, (_, _, direction, *_) = wire.recvfrom(65536)
            if direction != socket.PACKET_OUTGOING:
                return data
    raise TimeoutError


try:
    print(receive(sys.argv[1], float(sys.argv[2])).hex())
except TimeoutError:
    sys.exit(f"no LLDP frame on {sys.argv[1]} within {sys.argv[2]} s")
