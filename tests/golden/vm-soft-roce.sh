export NCCL_IB_HCA='=rxe0:1'
export NCCL_SOCKET_IFNAME='=eth0'
export NCCL_IB_ADDR_FAMILY='AF_INET'
export NCCL_IB_ROCE_VERSION_NUM='2'
export UCX_NET_DEVICES='rxe0:1,eth0'
export NVSHMEM_HCA_LIST='rxe0:1'
export NVSHMEM_HCA_PREFIX='rxe0'
export NVSHMEM_IB_ADDR_FAMILY='AF_INET'
export NVSHMEM_IB_ROCE_VERSION_NUM='2'
export NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME='=eth0'
export GLOO_SOCKET_IFNAME='eth0'
export TP_SOCKET_IFNAME='eth0'
export FERRULE_SET='GLOO_SOCKET_IFNAME=eth0;NCCL_IB_ADDR_FAMILY=AF_INET;NCCL_IB_HCA==rxe0:1;NCCL_IB_ROCE_VERSION_NUM=2;NCCL_SOCKET_IFNAME==eth0;NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==eth0;NVSHMEM_HCA_LIST=rxe0:1;NVSHMEM_HCA_PREFIX=rxe0;NVSHMEM_IB_ADDR_FAMILY=AF_INET;NVSHMEM_IB_ROCE_VERSION_NUM=2;TP_SOCKET_IFNAME=eth0;UCX_NET_DEVICES=rxe0:1,eth0'
# note: locked memory is limited to 8388608 bytes, and RDMA needs more; set it to unlimited for slurmd and look at PropagateResourceLimits
# note: n1: not in /etc/hosts, so it has no say in the choice of the interface
# note: n2: not in /etc/hosts, so it has no say in the choice of the interface
