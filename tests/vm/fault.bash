# A fabric NIC in the guest on which every fault can be made: source it after guest.bash, boot with
# `--module ferrule_dcb`, then ground_up. eth1 is the NIC, with rxe0 on it; its cable, a veth pair, ends in
# sw1, the port of the switch.
#
# fault_X makes one thing wrong, where the kernel shows it, and returns when it does; mend_X makes it right
# again. Counters do not go back. What they are called with is NETDEV first, eth1 if nothing is given, where
# a netdev has the setting.

ground_files=$(realpath "${BASH_SOURCE[0]%/*}")
readonly ground_address=192.168.100.11/24 moved_address=192.168.102.11/24 switch_address=192.168.100.1/24
switch_speaker=''

# A node as it should be: PFC on priority 3, trust in DSCP with 26 to 3 and 48 to 6, a receive buffer of its
# own and half of the bandwidth for priority 3, no global pause, MTU 9000; and a switch that says the same.
ground_up() {
    modprobe veth
    ip link add eth1 type veth peer name sw1
    echo 1 >/proc/sys/net/ipv6/conf/sw1/disable_ipv6
    ip link set sw1 mtu 9216 up
    insmod "$MODULE" netdev=eth1
    mend_pfc_priority eth1
    mend_trust_pcp eth1
    mend_receive_buffer eth1
    mend_ets eth1
    netdev eth1 "$ground_address" 9000
    soft_roce rxe0 eth1
    switch_says
}

# Its far end: sw1 of eth1.
far_of() { echo "sw${1#eth}"; }

# A parameter of the module, set while it is loaded.
set_nic() { echo "$2" >"/sys/module/ferrule_dcb/parameters/$1"; }

# It numbers its requests by the second, and stumbles over its own answer when one has passed.
dcb() { command dcb "$@" 2>/dev/null || command dcb "$@"; }

# What the NIC is set to.

fault_pfc_priority() { dcb pfc set dev "${1:-eth1}" prio-pfc all:off "${2:-4}:on"; }
mend_pfc_priority() { dcb pfc set dev "${1:-eth1}" prio-pfc all:off 3:on; }

# Without an entry for a DSCP, trust is in the priority of the VLAN tag.
fault_trust_pcp() { dcb app flush dev "${1:-eth1}"; }
mend_trust_pcp() {
    dcb app flush dev "${1:-eth1}"
    dcb app add dev "${1:-eth1}" dscp-prio 26:3 48:6
}

fault_dscp_map() { dcb app replace dev "${1:-eth1}" dscp-prio "${2:-26:4}"; }
mend_dscp_map() { mend_trust_pcp "$@"; }

# Priority 3 fills the buffer of all others; or has none of the bandwidth for itself.
fault_receive_buffer() { dcb buffer set dev "${1:-eth1}" prio-buffer all:0 buffer-size all:0 0:262016; }
mend_receive_buffer() { dcb buffer set dev "${1:-eth1}" prio-buffer all:0 3:1 buffer-size all:0 0:130944 1:130944; }

fault_ets() { dcb ets set dev "${1:-eth1}" prio-tc all:0 tc-tsa all:strict 0:ets tc-bw all:0 0:100; }
mend_ets() { dcb ets set dev "${1:-eth1}" prio-tc all:0 3:3 6:6 tc-tsa all:strict 0:ets 3:ets tc-bw all:0 0:50 3:50; }

# The firmware takes PFC and ETS from the switch.
fault_firmware_dcbx() { dcb dcbx set dev "${1:-eth1}" cee ieee; }
mend_firmware_dcbx() { dcb dcbx set dev "${1:-eth1}" host cee ieee; }

fault_global_pause() { ethtool -A "${1:-eth1}" rx on tx on; }
mend_global_pause() { ethtool -A "${1:-eth1}" rx off tx off; }

fault_mtu() { ip link set "${1:-eth1}" mtu "${2:-1500}"; }
mend_mtu() { ip link set "${1:-eth1}" mtu 9000; }

# Its link. The cable is pulled, or the port switched off by hand.

fault_link_down() {
    ip link set "$(far_of "${1:-eth1}")" down
    eventually port_is rxe0 DOWN
}
mend_link_down() {
    ip link set "$(far_of "${1:-eth1}")" up
    eventually port_is rxe0 ACTIVE
}

fault_port_disabled() {
    ip link set "${1:-eth1}" down
    eventually port_is rxe0 DOWN
}
mend_port_disabled() {
    ip link set "${1:-eth1}" up
    eventually port_is rxe0 ACTIVE
}

# NETDEV TIMES: the link goes and comes back.
fault_flap() {
    local left
    for ((left = ${2:-3}; left > 0; left--)); do
        fault_link_down "${1:-eth1}"
        mend_link_down "${1:-eth1}"
    done
}
mend_flap() { eventually port_is rxe0 ACTIVE; }

# Its GIDs. Another address takes the row of the right one, which gets the next that is free.

gid_row() { gids rxe0 | awk -v gid="$(ipv4_gid "$1")" '$2 == gid { print $1 }'; }
ipv4_gid() {
    local bytes
    IFS=. read -ra bytes <<<"${1%/*}"
    printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x\n' "${bytes[@]}"
}
has_row() { [[ $(gid_row "$1") ]]; }
has_no_row() { ! has_row "$1"; }

fault_gid_moved() {
    ip address del "$ground_address" dev "${1:-eth1}"
    eventually has_no_row "$ground_address"
    ip address add "$moved_address" dev "${1:-eth1}"
    eventually has_row "$moved_address"
    ip address add "$ground_address" dev "${1:-eth1}"
    eventually has_row "$ground_address"
}
mend_gid_moved() {
    ip address del "$moved_address" dev "${1:-eth1}"
    ip address del "$ground_address" dev "${1:-eth1}"
    eventually has_no_row "$moved_address"
    eventually has_no_row "$ground_address"
    ip address add "$ground_address" dev "${1:-eth1}"
    eventually has_row "$ground_address"
}

# What it counts. NAME VALUE: a statistic of the NIC's, such as rx_crc_errors_phy.
fault_counter() { set_nic statistic "$1 $2"; }
mend_counter() { set_nic statistic "$1 0"; }

# NETDEV PERCENT ITERATIONS: so many of the packets that it sends are lost, and RDMA traffic meets that.
fault_packet_loss() {
    modprobe sch_netem
    tc qdisc add dev "${1:-eth1}" root netem loss "${2:-5}%"
    # What is lost may be the question for the other's address, without which there is no connection.
    traffic "${3:-100}" || traffic "${3:-100}" || traffic "${3:-100}"
}
mend_packet_loss() { tc qdisc del dev "${1:-eth1}" root; }

# ITERATIONS: RDMA over the cable, there and back, eight packets each. Both ends are in one kernel, which would
# rather not use a wire between two addresses of its own: for the time, an interface that is asked for
# comes before them.
traffic() {
    local server status=0
    far_up
    timeout 60 ibv_rc_pingpong -d rxe1 -g "$(first_ipv4 rxe1)" -s 8192 -n "$1" >/run/traffic 2>&1 &
    server=$!
    eventually is_listening
    timeout 60 ibv_rc_pingpong -d rxe0 -g "$(first_ipv4 rxe0)" -s 8192 -n "$1" 127.0.0.1 >>/run/traffic 2>&1 || status=$?
    # Without the last answer it would ask for ever, and nobody is there any more.
    kill "$server" 2>/dev/null || true
    wait "$server" || true
    far_down
    ((status == 0)) || { cat /run/traffic && return 1; }
}
is_listening() { ss -Hltn 'sport = :18515' | grep . >/dev/null; }
first_ipv4() { gids "$1" | awk '/ 0000:0000:0000:0000:0000:ffff:/ && !seen++ { print $1 }'; }

far_up() {
    local dev
    ip address add "$switch_address" dev sw1
    soft_roce rxe1 sw1
    for dev in eth1 sw1; do
        echo 1 >"/proc/sys/net/ipv4/conf/$dev/accept_local"
        echo 1 >"/proc/sys/net/ipv4/conf/$dev/arp_ignore"
    done
    ip rule add pref 10 oif eth1 lookup 101
    ip rule add pref 11 oif sw1 lookup 102
    ip rule add pref 100 lookup local
    ip rule del pref 0
    ip route replace 192.168.100.0/24 dev eth1 src "${ground_address%/*}" table 101
    ip route replace 192.168.100.0/24 dev sw1 src "${switch_address%/*}" table 102
}
far_down() {
    ip rule add pref 0 lookup local
    ip rule del pref 10
    ip rule del pref 11
    ip rule del pref 100
    rdma link delete rxe1
    ip address del "$switch_address" dev sw1
}

# What the switch says of its port, each second for ten minutes; options as of lldp_send.py, the later wins.
switch_says() {
    switch_is_silent
    "$ground_files/lldp_send.py" --count 600 --system-name leaf1 --port-id Ethernet1/7 --pvid 1 --mfs 9216 \
        --pfc 3 --app 26:3,48:6 --ets 0,0,0,3,0,0,6,0 50,0,0,50,0,0,0,0 \
        ets,strict,strict,ets,strict,strict,strict,strict "$@" sw1 </dev/null >/dev/null &
    switch_speaker=$!
}
switch_is_silent() {
    [[ $switch_speaker ]] || return 0
    kill "$switch_speaker"
    wait "$switch_speaker" || true
    switch_speaker=''
}

fault_lldp() { switch_says "$@"; }
mend_lldp() { switch_says; }
fault_lldp_silent() { switch_is_silent; }
mend_lldp_silent() { switch_says; }

# MS: a query of DCB or statistics takes so long, thirty seconds at most, and holds up what needs rtnl;
# or, with "alone", nothing else.
fault_hang() {
    set_nic hang_alone "$([[ ${2-} == alone ]] && echo 1 || echo 0)"
    set_nic hang_ms "${1:-5000}"
}
mend_hang() { set_nic hang_ms 0; }
