export NCCL_SOCKET_IFNAME='=enp5s0'
export GLOO_SOCKET_IFNAME='enp5s0'
export FERRULE_SET='GLOO_SOCKET_IFNAME=enp5s0;NCCL_SOCKET_IFNAME==enp5s0'
# note: no RDMA devices: /sys/class/infiniband is absent
