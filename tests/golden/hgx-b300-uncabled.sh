export NCCL_IB_DISABLE='1'
export NCCL_IBEXT_DISABLE='1'
export NCCL_SOCKET_IFNAME='=eno1'
export NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME='=eno1'
export GLOO_SOCKET_IFNAME='eno1'
export TP_SOCKET_IFNAME='eno1'
export FERRULE_SET='GLOO_SOCKET_IFNAME=eno1;NCCL_IBEXT_DISABLE=1;NCCL_IB_DISABLE=1;NCCL_SOCKET_IFNAME==eno1;NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==eno1;TP_SOCKET_IFNAME=eno1'
# note: no port of this node can be a rail, and each port's line says why; data goes over TCP
