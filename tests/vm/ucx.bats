#!/usr/bin/env bats
# The real UCX between two processes on a node with two like Soft-RoCE devices, one of them a decoy. The
# judges are UCX's own word and the devices' packet counters.

load vm.bash

setup_file() {
    export out=$BATS_FILE_TMPDIR/out
    mkdir "$out"
    in_vm --limit 240 --nics 3 --out "$out" -- "$FERRULE_ENV" <<'END'
netdev eth0 10.77.0.11/24 1500
ip route add default via 10.77.0.1
netdev eth1 192.168.101.11/24 4200
netdev eth2 192.168.102.11/24 4200
soft_roce decoy eth1
soft_roce planned eth2
printf '[profile planned]\nrails = planned\n' >/run/ferrule.conf

# UCX 1.13 never ends its handshake on Soft-RoCE when both ends are one IPv4 GID; the first GID is IPv6.
export UCX_IB_GID_INDEX=0 UCX_TLS=rc_v UCX_LOG_LEVEL=info
sent() { cat "/sys/class/infiniband/$1/ports/1/hw_counters/sent_pkts"; }
listens() { ss -Hltn 'sport = :13337' | grep . >/dev/null; }

# exchange NAME: ten messages there and back.
exchange() {
    local planned decoy
    planned=$(sent planned) decoy=$(sent decoy)
    timeout 30 ucx_perftest -t tag_lat -n 10 -w 1 -s 4096 >"$OUT/$1.server" 2>&1 &
    eventually listens
    timeout 30 ucx_perftest -t tag_lat -n 10 -w 1 -s 4096 127.0.0.1 >"$OUT/$1.client" 2>&1
    wait "$!"
    echo "planned $(($(sent planned) - planned)) decoy $(($(sent decoy) - decoy))" >"$OUT/$1.sent"
}

exchange alone
ucx_info -e -u t -D net >"$OUT/alone.endpoint" 2>&1
eval "$("$1" --config /run/ferrule.conf)"
exchange led
ucx_info -e -u t -D net >"$OUT/led.endpoint" 2>&1
UCX_TLS=ud_v exchange led_ud
END
}

# The devices that UCX says it uses, in file $1.
devices() { grep -oE '(rc|ud)_verbs/[a-z0-9]+:1' "$out/$1" | sort -u | xargs; }

@test "by itself UCX takes the decoy" {
    [[ $(devices alone.client) == *rc_verbs/decoy:1* ]]
    [[ $(devices alone.endpoint) == *rc_verbs/decoy:1* ]]
    run ! grep -E 'decoy 0$' "$out/alone.sent"
}

@test "led by ferrule-env it uses the planned device and no other" {
    equal "$(devices led.client)" rc_verbs/planned:1
    equal "$(devices led.server)" rc_verbs/planned:1
    equal "$(devices led.endpoint)" rc_verbs/planned:1
    grep -E '^planned [1-9][0-9]* decoy 0$' "$out/led.sent"
}

@test "and so do its datagrams" {
    equal "$(devices led_ud.client)" ud_verbs/planned:1
    grep -E '^planned [1-9][0-9]* decoy 0$' "$out/led_ud.sent"
}
