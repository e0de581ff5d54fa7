"""What the kernel of a node says of the node itself: its boot, its modules, its settings."""

import hashlib
import ipaddress
import uuid

# By machine. A hypervisor below a guest hides error reporting and configuration space.
GUESTS = {
    "p4d-efa": "p4d.24xlarge", "p5-efa": "p5.48xlarge", "p6-b200-efa": "p6-b200.48xlarge",
    "azure-ndv4-ib": "Virtual Machine", "azure-ndv5-ib": "Virtual Machine", "azure-gb200-ib": "Virtual Machine",
    "gcp-a3u-roce": "Google Compute Engine", "erdma-two": "Alibaba Cloud ECS",
    "b300-roce-ipv6": "Standard PC (Q35 + ICH9, 2009)", "b300-rail15-dead": "Standard PC (Q35 + ICH9, 2009)",
    "vm-nic-near-gpu": "KVM"}
PRODUCTS = GUESTS | {
    "dgx-h100-ib": "DGXH100", "dgx-a100-ib": "DGXA100", "b200-mezz-ib": "DGXB200",
    "oci-h100-roce": "BM.GPU.H100.8", "oci-a100-roce": "BM.GPU4.8", "oci-a100-v2-roce": "BM.GPU.A100-v2.8",
    "oci-h200-roce": "BM.GPU.H200.8", "oci-b300-roce": "BM.GPU.B300.8", "oci-gb200-roce": "BM.GPU.GB200.4",
    "oci-gb300-roce": "BM.GPU.GB300.4", "oci-mi300x-roce": "BM.GPU.MI300X.8",
    "gb300-bare-ib": "GB300 NVL72", "coreweave-gb300-roce": "GB300 NVL72", "gb10-spark": "NVIDIA_DGX_Spark",
    "h20-roce-bond": "HGX H20 8U", "hgx-b300-uncabled": "HGX B300 10U", "b300-four-plane": "HGX B300 10U",
    "hgx-h100-bf3-bond": "HGX H100 8U", "mixed-down": "HGX H100 8U", "gemini-ipog": "Cray XK7",
    "cx7-and-cx6dx-roce": "2U L40S", "irdma-e810-roce": "2U V100", "old-devices": "2U Broadwell",
    "broadcom-roce": "2U EPYC", "thor2-roce-ipv6": "8U MI300X", "ionic-roce": "8U MI355X",
    "mi300x-rdma-names": "8U MI300X"}

RDMA_CORE = ("ib_core", "ib_uverbs", "ib_cm", "iw_cm", "rdma_cm", "rdma_ucm")
# What comes with the driver of an adapter.
WITH_DRIVER = {
    "mlx5_core": ("mlxfw",), "mlx4_core": ("mlx4_en",), "ice": ("gnss",), "hfi1": ("rdmavt",),
    "nvidia": ("nvidia_modeset", "nvidia_uvm"), "hv_netvsc": ("hv_vmbus",),
    "virtio_net": ("net_failover", "failover"), "virtio-pci": ("virtio", "virtio_ring")}
# The RDMA half of a driver, loaded where it has a device.
RDMA_HALF = {"mlx5_core": "mlx5_ib", "mlx4_core": "mlx4_ib", "bnxt_en": "bnxt_re", "ice": "irdma",
             "ionic": "ionic_rdma"}
# Drivers whose adapters reach a GPU's memory through nvidia_peermem.
PEER_MEMORY = {"mlx5_core", "bnxt_en", "mlx4_core"}
WITHOUT_PEER_MEMORY = {"gb10-spark", "coreweave-gb300-roce", "azure-gb200-ib"}


def digest(*parts):
    return hashlib.sha256(" ".join(map(str, parts)).encode()).digest()


def product(machine):
    return PRODUCTS.get(machine.name, f"GPU-{machine.number:02d}00")


def boot(m):
    m.file("proc/sys/kernel/random/boot_id", uuid.UUID(bytes=digest(m.name, "boot")[:16], version=4))
    seconds = 12 * 86400 + m.number * 7919 % 200000
    m.file("proc/uptime", f"{seconds}.{m.number:02d} {seconds * 61}.{99 - m.number:02d}")
    m.link("sys/class/dmi/id", "sys/devices/virtual/dmi/id")
    m.file("sys/devices/virtual/dmi/id/product_name", product(m))


def drivers(m):
    """Of all functions and devices."""
    return {path.rsplit("/", 1)[1] for path in m.entries if path.startswith("sys/bus/") and "/drivers/" in path}


def modules(m):
    names, bound = set(), drivers(m) - {"pcieport"}
    for driver in bound:
        names |= {driver.replace("-", "_")} | set(WITH_DRIVER.get(driver, ()))
    rdma_drivers = {device.card.driver for device in m.rdma_devices}
    if rdma_drivers:
        names |= set(RDMA_CORE) | {RDMA_HALF[driver] for driver in rdma_drivers if driver in RDMA_HALF}
        if any(port.port.link_layer == "InfiniBand" for port in m.rdma_ports):
            names |= {"ib_umad", "ib_ipoib"}
        if "nvidia" in bound and rdma_drivers & PEER_MEMORY and m.name not in WITHOUT_PEER_MEMORY:
            names.add("nvidia_peermem")
    if "sys/class/net/bonding_masters" in m.entries:
        names.add("bonding")
    if any(path.startswith("proc/net/vlan/") for path in m.entries):
        names.add("8021q")
    for name in sorted(names):
        m.empty_directory(f"sys/module/{name}")


def iommu(m):
    """Grace processors always translate; the other machines run without, as GPUDirect likes it."""
    if "arm64" in m.kernel or "nvidia" in m.kernel:
        for group in range(8):
            m.file(f"sys/kernel/iommu_groups/{group}/type", "identity")
    else:
        m.empty_directory("sys/kernel/iommu_groups")


def share_a_subnet(m):
    """Two interfaces with RDMA have IPv4 addresses of one subnet."""
    seen = set()
    for netdev in {port.netdev for port in m.rdma_ports if port.netdev}:
        networks = {ipaddress.ip_interface(address).network for address in m.netdevs[netdev].addresses
                    if ":" not in address}
        if networks & seen:
            return True
        seen |= networks
    return False


def sysctls(m):
    m.file("proc/sys/net/ipv4/tcp_ecn", 2)
    ignore, announce = (1, 2) if share_a_subnet(m) else (0, 0)
    for name in ["all", "default", *m.netdevs]:
        every = name == "all"
        m.files(f"proc/sys/net/ipv4/conf/{name}", arp_ignore=ignore if every else 0,
                arp_announce=announce if every else 0, arp_filter=0, rp_filter=0 if every or name == "lo" else 2)


def write(m):
    boot(m)
    modules(m)
    iommu(m)
    sysctls(m)
