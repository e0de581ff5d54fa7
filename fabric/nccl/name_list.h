// NCCL's lists of names: the values of NCCL_IB_HCA, NCCL_SOCKET_IFNAME and their like. Pure.
//
//     [^][=]name[:port][,name[:port]]...
//
// Source: parseStringList and matchIfList in src/misc/utils.cc of NCCL 2.4 to 2.30.7.
#pragma once

#include "fabric/model/nccl_version.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// NCCL_IB_HCA names ports of HCAs; of an interface's entry NCCL cuts off what follows a colon.
enum class NamesOf { Hcas, Interfaces };

struct NameEntry {
    std::string name{};
    // Absent: all ports. Ports count from 1, so that 0 is none.
    std::optional<int> port{};

    bool operator==(const NameEntry&) const = default;
};

struct NameList {
    // "^": everything but these.
    bool exclude{false};
    // "=": whole names, not beginnings of names.
    bool exact{false};
    std::vector<NameEntry> entries{};
    // Entries beyond the limit, which NCCL drops without a word.
    std::size_t dropped{0};

    bool operator==(const NameList&) const = default;
};

// How many entries NCCL reads: 16; of NCCL_IB_HCA 32 since 2.18.5. So many ports it uses, too.
[[nodiscard]] std::size_t name_limit(NamesOf names, const NcclVersion& version);

[[nodiscard]] NameList parse_name_list(std::string_view text, NamesOf names,
                                       const NcclVersion& version);

// Whether the list lets this port, or (without a port) this interface, through.
[[nodiscard]] bool admits(const NameList& list, std::string_view name, std::optional<int> port);
// Whether this one entry means it.
[[nodiscard]] bool matches(const NameList& list, const NameEntry& entry, std::string_view name,
                           std::optional<int> port);

}  // namespace ferrule
