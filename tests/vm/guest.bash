# What scripts in the guest share: source it first. The script then ends at the first command that fails.

set -eu -o pipefail

# Waits until the command $@ succeeds, twenty seconds at most.
eventually() {
    local deadline=$((SECONDS + 20))
    until "$@"; do
        ((SECONDS < deadline)) || { echo "not within 20 s: $*" && return 1; }
        sleep 0.1
    done
}

# netdev NAME ADDRESS/LENGTH MTU: sets it up, and waits until it carries.
netdev() {
    modprobe virtio_net
    eventually test -e "/sys/class/net/$1"
    ip link set "$1" mtu "$3" up
    ip address add "$2" dev "$1"
    eventually grep -qx up "/sys/class/net/$1/operstate"
}

# port_is HCA STATE, such as ACTIVE.
port_is() { grep -qx "[0-9]*: $2" "/sys/class/infiniband/$1/ports/1/state"; }

# Prints the GIDs of HCA $1 that are not empty, as the kernel has them: INDEX GID, one a line.
gids() {
    (cd "/sys/class/infiniband/$1/ports/1/gids" && grep -v '^0000\(:0000\)*$' -- *) | sed 's/:/ /' | sort -n
}

# soft_roce HCA NETDEV: makes it, and waits until the port is ACTIVE and has the netdev's IPv4 address.
soft_roce() {
    modprobe -a rdma_rxe ib_uverbs
    rdma link add "$1" type rxe netdev "$2"
    eventually port_is "$1" ACTIVE
    eventually has_ipv4_gid "$1"
}
has_ipv4_gid() { gids "$1" | grep ' 0000:0000:0000:0000:0000:ffff:' >/dev/null; }
