export NCCL_IB_HCA='=mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1,mlx5_bond_4:1,mlx5_bond_5:1,mlx5_bond_6:1,mlx5_bond_7:1,mlx5_bond_8:1'
export NCCL_SOCKET_IFNAME='=eth0'
export NCCL_IB_ADDR_FAMILY='AF_INET'
export NCCL_IB_ROCE_VERSION_NUM='2'
export UCX_NET_DEVICES='mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1,mlx5_bond_4:1,mlx5_bond_5:1,mlx5_bond_6:1,mlx5_bond_7:1,mlx5_bond_8:1,eth0'
export NVSHMEM_HCA_LIST='mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1,mlx5_bond_4:1,mlx5_bond_5:1,mlx5_bond_6:1,mlx5_bond_7:1,mlx5_bond_8:1'
export NVSHMEM_IB_ADDR_FAMILY='AF_INET'
export NVSHMEM_IB_ROCE_VERSION_NUM='2'
export NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME='=eth0'
export GLOO_SOCKET_IFNAME='eth0'
export TP_SOCKET_IFNAME='eth0'
export FERRULE_SET='GLOO_SOCKET_IFNAME=eth0;NCCL_IB_ADDR_FAMILY=AF_INET;NCCL_IB_HCA==mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1,mlx5_bond_4:1,mlx5_bond_5:1,mlx5_bond_6:1,mlx5_bond_7:1,mlx5_bond_8:1;NCCL_IB_ROCE_VERSION_NUM=2;NCCL_SOCKET_IFNAME==eth0;NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==eth0;NVSHMEM_HCA_LIST=mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1,mlx5_bond_4:1,mlx5_bond_5:1,mlx5_bond_6:1,mlx5_bond_7:1,mlx5_bond_8:1;NVSHMEM_IB_ADDR_FAMILY=AF_INET;NVSHMEM_IB_ROCE_VERSION_NUM=2;TP_SOCKET_IFNAME=eth0;UCX_NET_DEVICES=mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1,mlx5_bond_4:1,mlx5_bond_5:1,mlx5_bond_6:1,mlx5_bond_7:1,mlx5_bond_8:1,eth0'
# note: each rail is in a subnet of its own: where these are not routed to each other, set NCCL_CROSS_NIC=0, and with RCCL NCCL_PXN_DISABLE=0, in [environment]
# note: mlx5_bond_1: a bond of 2 links, one of which a single queue pair loads; set NCCL_IB_QPS_PER_CONNECTION to 2 or 4 in [environment]
