#!/usr/bin/env bats
# ferrule-env on a live node with Soft-RoCE: what it reads is what the kernel says, in files and over
# netlink, now and after a change.

load vm.bash

setup_file() {
    export out=$BATS_FILE_TMPDIR/out
    mkdir "$out"
    in_vm --limit 240 --nics 2 --out "$out" -- "$FERRULE_ENV" <<'END'
ferrule_env() { env -i "$1" --config /run/none.conf "${@:2}"; }
touch /run/none.conf
netdev eth0 10.77.0.11/24 1500
ip route add default via 10.77.0.1
netdev eth1 192.168.100.11/24 4200
soft_roce rxe0 eth1

for format in explain json snapshot; do
    ferrule_env "$1" "--$format" >"$OUT/up.$format"
done
gids rxe0 >"$OUT/up.gids"
# A packet's way needs no neighbour to be chosen.
ferrule_env "$1" --explain --peers 192.168.100.12 >"$OUT/peer.explain"

ip address add 2001:db8::11/64 dev eth1 nodad
ip address del 192.168.100.11/24 dev eth1
ip address add 192.168.101.11/24 dev eth1
ip link set eth1 mtu 1500
settled() {
    local now
    now=$(gids rxe0)
    [[ $now == *2001:0db8:* && $now == *c0a8:650b* && $now != *c0a8:640b* ]]
}
eventually settled
ferrule_env "$1" --snapshot >"$OUT/changed.snapshot"
gids rxe0 >"$OUT/changed.gids"

ip link set eth1 down
eventually port_is rxe0 DOWN
ferrule_env "$1" --explain >"$OUT/down.explain"
ferrule_env "$1" --json >"$OUT/down.json"

ip link set eth1 up
eventually port_is rxe0 ACTIVE
rdma link delete rxe0
ferrule_env "$1" --explain >"$OUT/deleted.explain"
END
}

# Prints what the Python expression $2 makes of the JSON file $1, which it calls node.
of() { python3 -c 'import json, sys; node = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$out/$1" "$2"; }

# The GIDs of port 1 of rxe0 in snapshot $1, as gids prints them.
read_gids() { of "$1" '"\n".join("{index} {gid}".format(**row) for row in node["hcas"][0]["ports"][0]["gids"])'; }

@test "the device, its port, netdev and MTU are those of the kernel" {
    equal "$(of up.snapshot '[(hca["name"], len(hca["ports"])) for hca in node["hcas"]]')" "[('rxe0', 1)]"
    equal "$(of up.snapshot '[node["hcas"][0]["ports"][0][key] for key in ("number", "state", "link_layer", "netdev")]')" \
        "[1, 'ACTIVE', 'Ethernet', 'eth1']"
    equal "$(of up.snapshot '{dev["name"]: dev["mtu"] for dev in node["netdevs"]}')" "{'eth0': 1500, 'eth1': 4200, 'lo': 65536}"
}

@test "the GID table is the kernel's, before and after a change of addresses" {
    [[ $(<"$out/up.gids") == *"0000:0000:0000:0000:0000:ffff:c0a8:640b"* ]]
    equal "$(read_gids up.snapshot)" "$(<"$out/up.gids")"
    equal "$(read_gids changed.snapshot)" "$(<"$out/changed.gids")"
    equal "$(of changed.snapshot '{row["type"] + row["netdev"] for row in node["hcas"][0]["ports"][0]["gids"]}')" "{'RoCE v2eth1'}"
    equal "$(of changed.snapshot '[dev["mtu"] for dev in node["netdevs"] if dev["name"] == "eth1"]')" "[1500]"
}

@test "the Soft-RoCE port is the rail, and the interface is the one with the route" {
    equal "$(of up.json 'node["fabric"], [(port["hca"], port["netdev"], port["used"]) for port in node["ports"]]')" \
        "('RoCE', [('rxe0', 'eth1', True)])"
    equal "$(of up.json '[node["environment"]["set"][name] for name in ("NCCL_IB_HCA", "NCCL_SOCKET_IFNAME", "UCX_NET_DEVICES")]')" \
        "['=rxe0:1', '=eth0', 'rxe0:1,eth0']"
    grep -E '^  rxe0:1 eth1 +used' "$out/up.explain"
    grep -E '^  eth0 +used +default route' "$out/up.explain"
}

@test "a peer on the fabric's subnet moves the interface there" {
    grep -E '^  eth1 +used' "$out/peer.explain"
    grep -E '^  eth0 +left out' "$out/peer.explain"
}

@test "a fabric link that is down leaves the device out, with the reason" {
    grep -E '^  rxe0:1 eth1 +left out +not ACTIVE: DOWN' "$out/down.explain"
    equal "$(of down.json 'node["fabric"], node["environment"]["set"]')" \
        "('none', {'GLOO_SOCKET_IFNAME': 'eth0', 'NCCL_SOCKET_IFNAME': '=eth0', 'NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME': '=eth0', 'TP_SOCKET_IFNAME': 'eth0'})"
}

@test "a device that is gone is not mentioned" {
    run ! grep rxe0 "$out/deleted.explain"
}
