// Variables of communication libraries that concern the fabric, and what values they accept.
// Sources: NCCL 2.4 to 2.30.7 (ncclParam tables and src/transport/net_ib), UCX 1.11 to 1.21,
// NVSHMEM 3.4, PyTorch's Gloo and TensorPipe, Open MPI 4 and 5, libfabric.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

enum class Accepts {
    Number,       // least to most; of UCX also "auto"
    Words,        // one of `words`
    Range,        // an IP prefix
    NcclHcas,     // NCCL's grammar of names, of HCAs
    NcclNetdevs,  // the same, of interfaces
    UcxDevices,   // exact names, HCAs with their port
    HcaList,      // exact names with or without a port
    Netdevs,      // exact names
    OneNetdev,    // one exact name
    NetdevsOrCidr,
    Anything,
};

struct LibraryVariable {
    std::string_view name{};
    Accepts accepts{Accepts::Anything};
    std::int64_t least{0};
    std::int64_t most{0};
    // Separated by blanks.
    std::string_view words{};
    // Only for a variable that no present library reads: what to use in its place.
    std::string_view instead{};
};

// nullptr for a name that is not in the table.
[[nodiscard]] const LibraryVariable* find_library_variable(std::string_view name);

// The variable that an unknown name most likely means: one or two letters away. Names that the
// libraries know but that do not concern the fabric are not mistaken for others.
[[nodiscard]] std::optional<std::string_view> variable_meant_by(std::string_view name);

// What the library would not accept about the value, as the end of a sentence; empty when there is
// nothing. An empty value is fine. Names are not compared with any node.
[[nodiscard]] std::string why_not_accepted(const LibraryVariable& variable, std::string_view value);

}  // namespace ferrule
