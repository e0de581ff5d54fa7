#include "fabric/model/library_variable.h"

#include "fabric/base/text.h"
#include "fabric/model/ip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ferrule {

namespace {

constexpr std::int64_t kLargest = 0x7fffffff;
constexpr std::string_view kLevels = "LOC NVL NVB C2C PIX PXB P2C PXN PHB SYS 0 1 2 3 4 5";
constexpr std::string_view kFamilies = "AF_INET AF_INET6";

constexpr LibraryVariable number(std::string_view name, std::int64_t least, std::int64_t most) {
    return {name, Accepts::Number, least, most, {}, {}};
}

constexpr LibraryVariable on_off(std::string_view name) {
    return number(name, 0, 1);
}

constexpr LibraryVariable words_of(std::string_view name, std::string_view words) {
    return {name, Accepts::Words, 0, 0, words, {}};
}

constexpr LibraryVariable is(std::string_view name, Accepts accepts) {
    return {name, accepts, 0, 0, {}, {}};
}

constexpr LibraryVariable gone(std::string_view name, std::string_view instead) {
    return {name, Accepts::Anything, 0, 0, {}, instead};
}

constexpr std::array kVariables{
    is("NCCL_IB_HCA", Accepts::NcclHcas),
    is("NCCL_SOCKET_IFNAME", Accepts::NcclNetdevs),
    words_of("NCCL_SOCKET_FAMILY", kFamilies),
    number("NCCL_IB_GID_INDEX", -1, 0xffff),
    words_of("NCCL_IB_ADDR_FAMILY", kFamilies),
    is("NCCL_IB_ADDR_RANGE", Accepts::Range),
    number("NCCL_IB_ROCE_VERSION_NUM", 1, 2),
    number("NCCL_IB_TC", -1, 255),
    number("NCCL_IB_FIFO_TC", -1, 255),
    number("NCCL_GIN_IB_TC", -1, 255),
    number("NCCL_IB_SL", -1, 15),
    number("NCCL_IB_PKEY", 0, 0xffff),
    number("NCCL_IB_TIMEOUT", 0, 31),
    number("NCCL_IB_RETRY_CNT", 0, 7),
    number("NCCL_IB_QPS_PER_CONNECTION", 1, 128),
    on_off("NCCL_IB_SPLIT_DATA_ON_QPS"),
    number("NCCL_IB_ADAPTIVE_ROUTING", -2, 1),
    number("NCCL_IB_AR_THRESHOLD", -2, kLargest),
    number("NCCL_IB_PCI_RELAXED_ORDERING", 0, 2),
    on_off("NCCL_IB_ECE_ENABLE"),
    on_off("NCCL_IB_DISABLE"),
    on_off("NCCL_IBEXT_DISABLE"),
    on_off("NCCL_IB_MERGE_VFS"),
    on_off("NCCL_IB_MERGE_NICS"),
    number("NCCL_IB_DATA_DIRECT", 0, 2),
    on_off("NCCL_IB_DEVICE_PCI_ORDER"),
    on_off("NCCL_IB_SUBNET_AWARE_ROUTING"),
    number("NCCL_IB_SUBNET_PREFIX_LEN", 1, 32),
    number("NCCL_CROSS_NIC", 0, 2),
    on_off("NCCL_PXN_DISABLE"),
    number("NCCL_P2P_PXN_LEVEL", 0, 2),
    number("NCCL_NET_DISABLE_INTRA", -2, 1),
    on_off("NCCL_DMABUF_ENABLE"),
    on_off("NCCL_IGNORE_NET_MISMATCH"),
    words_of("NCCL_NET_GDR_LEVEL", kLevels),
    on_off("NCCL_NET_GDR_C2C"),
    words_of("NCCL_NET_MERGE_LEVEL", "LOC PORT PIX PXB PHB SYS"),
    gone("NCCL_IB_CUDA_SUPPORT", "NCCL_NET_GDR_LEVEL"),
    gone("NCCL_IB_GDR_LEVEL", "NCCL_NET_GDR_LEVEL"),
    is("UCX_NET_DEVICES", Accepts::UcxDevices),
    number("UCX_IB_GID_INDEX", 0, 0xffff),
    number("UCX_IB_TRAFFIC_CLASS", 0, 255),
    number("UCX_IB_SL", 0, 15),
    number("UCX_IB_PKEY", 0, 0x7fff),
    number("UCX_MAX_RNDV_RAILS", 1, 64),
    is("NVSHMEM_HCA_LIST", Accepts::HcaList),
    on_off("NVSHMEM_ENABLE_NIC_PE_MAPPING"),
    number("NVSHMEM_IB_GID_INDEX", -1, 0xffff),
    number("NVSHMEM_IB_TRAFFIC_CLASS", 0, 255),
    number("NVSHMEM_IB_SL", 0, 15),
    words_of("NVSHMEM_IB_ADDR_FAMILY", kFamilies),
    is("NVSHMEM_IB_ADDR_RANGE", Accepts::Range),
    number("NVSHMEM_IB_ROCE_VERSION_NUM", 1, 2),
    is("NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", Accepts::NcclNetdevs),
    words_of("NVSHMEM_BOOTSTRAP_UID_SOCK_FAMILY", kFamilies),
    is("GLOO_SOCKET_IFNAME", Accepts::Netdevs),
    is("TP_SOCKET_IFNAME", Accepts::OneNetdev),
    is("OMPI_MCA_btl_tcp_if_include", Accepts::NetdevsOrCidr),
    is("OMPI_MCA_btl_tcp_if_exclude", Accepts::NetdevsOrCidr),
    is("OMPI_MCA_oob_tcp_if_include", Accepts::NetdevsOrCidr),
    is("PRTE_MCA_prte_if_include", Accepts::NetdevsOrCidr),
    is("FI_PROVIDER", Accepts::Anything),
    is("FI_TCP_IFACE", Accepts::OneNetdev),
    is("FI_VERBS_DEVICE_NAME", Accepts::Anything),
    number("FI_VERBS_GID_IDX", 0, 0xffff),
};

// Close to names above, and names of their own.
constexpr std::array<std::string_view, 24> kOthers{"NCCL_NET",
                                                   "NCCL_NET_PLUGIN",
                                                   "NCCL_IB_USE_INLINE",
                                                   "NCCL_COMM_ID",
                                                   "NCCL_P2P_LEVEL",
                                                   "NCCL_P2P_DISABLE",
                                                   "NCCL_SHM_DISABLE",
                                                   "NCCL_NVB_DISABLE",
                                                   "NCCL_NET_GDR_READ",
                                                   "NCCL_NET_MERGE_POLICY",
                                                   "NCCL_OOB_NET_IFNAME",
                                                   "NCCL_SOCKET_MAGIC",
                                                   "NCCL_SOCKET_INLINE",
                                                   "NCCL_IB_OOO_RQ",
                                                   "NVSHMEM_HCA_PREFIX",
                                                   "NVSHMEM_DISABLE_IB",
                                                   "UCX_IB_NUM_PATHS",
                                                   "UCX_MAX_EAGER_RAILS",
                                                   "UCX_MAX_RMA_RAILS",
                                                   "OMPI_MCA_oob_tcp_if_exclude",
                                                   "PRTE_MCA_prte_if_exclude",
                                                   "FI_TCP_IFACE_NAME",
                                                   "FI_VERBS_IFACE",
                                                   "FI_SOCKETS_IFACE"};

// How many letters to insert, drop or change.
std::size_t edit_distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> row(right.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) {
        row.at(j) = j;
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
        std::size_t diagonal = row.front();
        row.front() = i + 1;
        for (std::size_t j = 0; j < right.size(); ++j) {
            const std::size_t changed = diagonal + (left.at(i) == right.at(j) ? 0U : 1U);
            diagonal = row.at(j + 1);
            row.at(j + 1) = std::min({changed, diagonal + 1, row.at(j) + 1});
        }
    }
    return row.back();
}

std::string number_objection(const LibraryVariable& variable, std::string_view value) {
    if (variable.name.starts_with("UCX_") && value == "auto") {
        return {};
    }
    const bool negative = value.starts_with('-');
    const auto digits = parse_c_number<std::int64_t>(negative ? value.substr(1) : value);
    if (!digits) {
        return fmt::format("is no number; give {} to {}", variable.least, variable.most);
    }
    const std::int64_t number = negative ? -*digits : *digits;
    return number >= variable.least && number <= variable.most
               ? std::string{}
               : fmt::format("is out of range; give {} to {}", variable.least, variable.most);
}

}  // namespace

const LibraryVariable* find_library_variable(std::string_view name) {
    const auto* const found = std::ranges::find(kVariables, name, &LibraryVariable::name);
    return found == kVariables.end() ? nullptr : found;
}

std::optional<std::string_view> variable_meant_by(std::string_view name) {
    constexpr std::size_t kLongName = 14;
    constexpr std::size_t kLongest = 64;
    constexpr std::array<std::string_view, 8> kLibraries{"NCCL_", "UCX_",  "NVSHMEM_", "GLOO_",
                                                         "TP_",   "OMPI_", "PRTE_",    "FI_"};
    const bool library = std::ranges::any_of(
        kLibraries, [&](std::string_view family) { return name.starts_with(family); });
    if (!library || name.size() > kLongest || find_library_variable(name) != nullptr ||
        std::ranges::count(kOthers, name) > 0) {
        return std::nullopt;
    }
    std::size_t allowed = name.size() >= kLongName ? 2 : 1;
    std::optional<std::string_view> meant;
    for (const LibraryVariable& variable : kVariables) {
        const std::size_t longer = std::max(name.size(), variable.name.size());
        if (longer - std::min(name.size(), variable.name.size()) > allowed) {
            continue;
        }
        const std::size_t distance = edit_distance(name, variable.name);
        if (distance <= allowed) {
            meant = variable.name;
            allowed = distance - 1;
        }
        if (allowed == 0) {
            break;
        }
    }
    return meant;
}

std::string why_not_accepted(const LibraryVariable& variable, std::string_view value) {
    if (value.empty()) {
        return {};
    }
    switch (variable.accepts) {
        case Accepts::Number:
            return number_objection(variable, value);
        case Accepts::Words: {
            const auto known = words(variable.words);
            return std::ranges::find(known, value) != known.end()
                       ? std::string{}
                       : fmt::format("is not known to the library; give one of {}", variable.words);
        }
        case Accepts::Range:
            return parse_prefix(value) ? std::string{}
                                       : "is no range of addresses; give one such as 10.0.0.0/8";
        default:
            return value.find_first_of(" \t") == std::string_view::npos
                       ? std::string{}
                       : "has a blank, which the library takes for a part of the name";
    }
}

}  // namespace ferrule
