// What a site says about a class of nodes. All members are optional: what is not said is worked out
// from the node itself by the rules of fabric/policy.
#pragma once

#include "fabric/model/expectation.h"
#include "fabric/model/gid.h"
#include "fabric/model/ip.h"
#include "fabric/model/nccl_version.h"
#include "fabric/model/pci.h"
#include "fabric/model/pkey.h"
#include "fabric/model/port_state.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

// Whose variables a plan has.
enum class Library { Nccl, Ucx, Nvshmem, Pytorch, OpenMpi, Libfabric, Mpich };

// Whose value counts where a container's image brings one that the plan has too.
enum class ImageValues { Replaced, Kept };

struct NodeProfile {
    std::string name{};
    // Node names it is for, expanded; empty means every node.
    std::vector<std::string> nodes{};
    // Machines it is for, by product name with * and ?; empty means every product.
    std::vector<std::string> products{};
    // The profile whose keys hold where this one says nothing; resolved when the file is read.
    std::string parent{};
    // Where each key stands, for messages; an inherited one in its own profile.
    std::string file{};
    std::map<std::string, unsigned> lines{};
    std::vector<RailSelector> rails{};
    std::optional<LinkLayer> link_layer{};
    std::optional<std::string> socket_interface{};
    std::optional<IpPrefix> socket_subnet{};
    std::optional<IpFamily> gid_family{};
    std::optional<unsigned> roce_version{};
    std::optional<IpPrefix> gid_subnet{};
    // The 8-bit field, DSCP in the upper six bits.
    std::optional<std::uint8_t> traffic_class{};
    std::optional<std::uint8_t> service_level{};
    std::optional<Pkey> pkey{};
    // The oldest NCCL that jobs on these nodes load.
    std::optional<NcclVersion> nccl{};
    // Open MPI and MPICH only where a site names them: their launchers carry the variables of one
    // node to the others, and a value in Open MPI's own file may contradict ours.
    std::vector<Library> libraries{Library::Nccl, Library::Ucx, Library::Nvshmem, Library::Pytorch,
                                   Library::Libfabric};
    ImageValues image_values{ImageValues::Replaced};
    // Variables the site sets as they are, in order.
    std::vector<std::pair<std::string, std::string>> environment{};
    Expectation expected{};

    bool operator==(const NodeProfile&) const = default;
};

// The GID the profile asks for; IPv4 and RoCE v2 where it does not say.
[[nodiscard]] GidWish base_gid_wish(const NodeProfile& profile);

// "nccl", "ucx", "nvshmem", "pytorch", "openmpi", "libfabric", "mpich".
[[nodiscard]] std::optional<Library> parse_library(std::string_view text);

// "0000:18:00.0", "mlx5_3", "mlx5_3:1", "ens1f0np0".
[[nodiscard]] RailSelector parse_rail_selector(std::string_view text);

}  // namespace ferrule
