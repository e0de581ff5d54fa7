export NCCL_SOCKET_IFNAME='=ipogif0'
export NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME='=ipogif0'
export GLOO_SOCKET_IFNAME='ipogif0'
export TP_SOCKET_IFNAME='ipogif0'
export FERRULE_SET='GLOO_SOCKET_IFNAME=ipogif0;NCCL_SOCKET_IFNAME==ipogif0;NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==ipogif0;TP_SOCKET_IFNAME=ipogif0'
# note: no RDMA devices: /sys/class/infiniband is absent
