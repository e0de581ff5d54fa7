unset FERRULE_SET
# note: lan0: route to n1 (10.77.0.11) and 1 more, but it has no address to listen on
# note: lan0: default route; no other node of the job is known by address, but it has no address to listen on
# note: 10.77.0.62: routable, but on lo only, where NCCL and Gloo cannot listen on it; put it on a dummy interface
# note: no RDMA devices: /sys/class/infiniband is absent
