#include "fabric/read/profile_keys.h"

#include "fabric/base/text.h"
#include "fabric/model/hostlist.h"
#include "fabric/model/library_variable.h"
#include "fabric/model/plan.h"
#include "fabric/read/expectation_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

using Setter = bool (*)(NodeProfile&, std::string_view);
using Forgetter = void (*)(NodeProfile&);

bool set_nodes(NodeProfile& profile, std::string_view value) {
    auto names = parse_hostlist(value);
    if (!names) {
        return false;
    }
    profile.nodes.insert(profile.nodes.end(), names->begin(), names->end());
    return !names->empty();
}

bool set_products(NodeProfile& profile, std::string_view value) {
    for (const std::string_view piece : split(value, ',')) {
        if (!trimmed(piece).empty()) {
            profile.products.emplace_back(trimmed(piece));
        }
    }
    return !profile.products.empty();
}

bool set_rails(NodeProfile& profile, std::string_view value) {
    return append_selectors(profile.rails, value);
}

bool set_link_layer(NodeProfile& profile, std::string_view value) {
    profile.link_layer = parse_link_layer(value);
    return profile.link_layer != LinkLayer::Unspecified;
}

bool set_socket_interface(NodeProfile& profile, std::string_view value) {
    constexpr std::size_t kMostInterfaceName = 15;
    profile.socket_interface = value;
    return !value.empty() && value.size() <= kMostInterfaceName &&
           value.find_first_of("^=,: /*?[") == std::string_view::npos;
}

bool set_socket_subnet(NodeProfile& profile, std::string_view value) {
    profile.socket_subnet = parse_prefix(value);
    return profile.socket_subnet.has_value();
}

bool set_gid_family(NodeProfile& profile, std::string_view value) {
    profile.gid_family = value == "ipv6" ? IpFamily::V6 : IpFamily::V4;
    return value == "ipv4" || value == "ipv6";
}

bool set_roce_version(NodeProfile& profile, std::string_view value) {
    profile.roce_version = parse_number<unsigned>(value);
    return profile.roce_version == 1U || profile.roce_version == 2U;
}

bool set_gid_subnet(NodeProfile& profile, std::string_view value) {
    profile.gid_subnet = parse_prefix(value);
    return profile.gid_subnet.has_value();
}

bool set_traffic_class(NodeProfile& profile, std::string_view value) {
    profile.traffic_class = parse_c_number<std::uint8_t>(value);
    return profile.traffic_class.has_value();
}

bool set_dscp(NodeProfile& profile, std::string_view value) {
    const auto dscp = parse_c_number<std::uint8_t>(value);
    if (!dscp || *dscp > 63) {
        return false;
    }
    profile.traffic_class = static_cast<std::uint8_t>(*dscp << 2U);
    return true;
}

bool set_service_level(NodeProfile& profile, std::string_view value) {
    profile.service_level = parse_c_number<std::uint8_t>(value);
    return profile.service_level.has_value() && *profile.service_level <= 15;
}

bool set_pkey(NodeProfile& profile, std::string_view value) {
    profile.pkey = parse_pkey(value);
    return profile.pkey.has_value() && profile.pkey->partition() != 0;
}

bool set_nccl(NodeProfile& profile, std::string_view value) {
    profile.nccl = parse_nccl_version(value);
    return profile.nccl.has_value();
}

bool set_image_values(NodeProfile& profile, std::string_view value) {
    profile.image_values = value == "keep" ? ImageValues::Kept : ImageValues::Replaced;
    return value == "keep" || value == "replace";
}

bool set_libraries(NodeProfile& profile, std::string_view value) {
    profile.libraries.clear();
    for (const std::string_view piece : split(value, ',')) {
        const auto library = parse_library(trimmed(piece));
        if (!library) {
            return false;
        }
        profile.libraries.push_back(*library);
    }
    return !profile.libraries.empty();
}

template <auto Member>
void forget(NodeProfile& profile) {
    (profile.*Member).clear();
}

struct ProfileKey {
    std::string_view name;
    Setter set;
    std::string_view wanted;
    // Of a list key: what was inherited goes when it is set anew.
    Forgetter forget{nullptr};
};

constexpr std::array kKeys{
    ProfileKey{"nodes", set_nodes, "a hostlist such as n[1-4],gpu07", forget<&NodeProfile::nodes>},
    ProfileKey{"product", set_products, "product names such as p5.48xlarge, * and ? allowed",
               forget<&NodeProfile::products>},
    ProfileKey{
        "rails", set_rails,
        "PCI addresses with domain (0000:18:00.0), HCAs or netdevs, each with :PORT or without",
        forget<&NodeProfile::rails>},
    ProfileKey{"link_layer", set_link_layer, "InfiniBand or Ethernet"},
    ProfileKey{"socket_interface", set_socket_interface, "one plain interface name"},
    ProfileKey{"socket_subnet", set_socket_subnet, "a subnet such as 10.0.0.0/16"},
    ProfileKey{"gid_family", set_gid_family, "ipv4 or ipv6"},
    ProfileKey{"roce_version", set_roce_version, "1 or 2"},
    ProfileKey{"gid_subnet", set_gid_subnet, "a subnet such as 10.0.0.0/8"},
    ProfileKey{"traffic_class", set_traffic_class, "a number from 0 to 255"},
    ProfileKey{"dscp", set_dscp, "a number from 0 to 63"},
    ProfileKey{"service_level", set_service_level, "a number from 0 to 15"},
    ProfileKey{"pkey", set_pkey, "a P_Key such as 0x8001"},
    ProfileKey{"libraries", set_libraries,
               "some of nccl, ucx, nvshmem, pytorch, openmpi, libfabric and mpich"},
    ProfileKey{"image_values", set_image_values, "replace or keep"},
    ProfileKey{"oldest_nccl", set_nccl, "a version such as 2.18 or 2.21.5"},
};

const ProfileKey* find_key(std::string_view name) {
    const auto* const found = std::ranges::find(kKeys, name, &ProfileKey::name);
    return found == kKeys.end() ? nullptr : found;
}

const ExpectationKey* find_expectation(std::string_view name) {
    const auto keys = expectation_keys();
    const auto found = std::ranges::find(keys, name, &ExpectationKey::name);
    return found == keys.end() ? nullptr : &*found;
}

std::string known_keys() {
    std::vector<std::string> names{"inherit"};
    names.reserve(kKeys.size() + expectation_keys().size() + 1);
    for (const ProfileKey& key : kKeys) {
        names.emplace_back(key.name);
    }
    for (const ExpectationKey& key : expectation_keys()) {
        names.emplace_back(key.name);
    }
    return joined(names, ", ");
}

std::string no_value(std::string_view value, std::string_view key, std::string_view wanted) {
    return fmt::format("\"{}\" is no value for {}; give {}", printable(value), key, wanted);
}

}  // namespace

bool is_list_key(std::string_view key) {
    const ProfileKey* const known = find_key(key);
    const ExpectationKey* const expectation = find_expectation(key);
    return (known != nullptr && known->forget != nullptr) ||
           (expectation != nullptr && expectation->forget != nullptr);
}

std::string set_profile_key(NodeProfile& profile, std::string_view key, std::string_view value,
                            ListLine line) {
    if (const ExpectationKey* const expectation = find_expectation(key)) {
        if (expectation->forget != nullptr && line == ListLine::First) {
            expectation->forget(profile.expected);
        }
        return expectation->set(profile.expected, value)
                   ? std::string{}
                   : no_value(value, key, expectation->wanted);
    }
    const ProfileKey* const known = find_key(key);
    if (known == nullptr) {
        return fmt::format("unknown key \"{}\"; the keys of a profile are {}", printable(key),
                           known_keys());
    }
    if (known->forget != nullptr && line == ListLine::First) {
        known->forget(profile);
    }
    return known->set(profile, value) ? std::string{} : no_value(value, key, known->wanted);
}

std::string set_environment_variable(NodeProfile& profile, std::string_view name,
                                     std::string_view value) {
    if (!is_variable_name(name)) {
        return fmt::format("\"{}\" is no name of a variable", printable(name));
    }
    constexpr std::array<std::string_view, 3> kForbidden{"LD_", "SLURM", "FERRULE_"};
    const bool forbidden =
        name == "PATH" || std::ranges::any_of(kForbidden, [&](std::string_view prefix) {
            return name.starts_with(prefix);
        });
    if (forbidden) {
        return fmt::format(
            "\"{}\" is not for this file; it sets variables of communication "
            "libraries only",
            name);
    }
    const LibraryVariable* const known = find_library_variable(name);
    const std::string why_not = known != nullptr ? why_not_accepted(*known, value) : std::string{};
    if (!why_not.empty()) {
        return fmt::format("\"{}\" of {} {}", printable(value), name, why_not);
    }
    profile.environment.emplace_back(name, value);
    return {};
}

}  // namespace ferrule
