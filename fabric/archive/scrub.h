// Takes a node's identity out of a capture and leaves its structure. Pure.
//
// What is equal before is equal after, in every place: addresses of one subnet stay in one subnet,
// functions of one card keep neighbouring GUIDs, a RoCE GID stays that of its interface. The
// maker's part of a MAC address or GUID, private and link-local ranges, and the first eight bits of
// other addresses stay. It keeps names out of bug reports; it is no encryption.
#pragma once

#include "fabric/model/gid.h"
#include "fabric/model/ip.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ferrule {

class Scrubber {
  public:
    // Every capture takes another salt, which is not kept.
    Scrubber(std::string hostname, std::uint64_t salt)
        : hostname_{std::move(hostname)}, salt_{salt} {}

    // Prefix-preserving: two addresses share as many leading bits after as before.
    [[nodiscard]] IpAddress address(IpAddress address) const;

    // Every GID, GUID, MAC and IP address, GPU UUID and the host's name in a text. A network, which
    // is an address with "/length" behind and zero bits after that length, stays one.
    [[nodiscard]] std::string text(std::string_view text) const;

  private:
    [[nodiscard]] std::uint64_t mixed(std::uint64_t value, std::uint64_t kind) const;
    [[nodiscard]] IpAddress flipped(IpAddress address, unsigned from, unsigned to) const;
    void identify(std::span<std::uint8_t, 8> guid) const;
    void card(std::span<std::uint8_t> mac) const;
    [[nodiscard]] bool is_of_host(std::string_view word) const;
    [[nodiscard]] std::string word(std::string_view word) const;
    [[nodiscard]] std::optional<std::string> hex_groups(std::string_view word) const;
    [[nodiscard]] std::string gpu(std::string_view word) const;
    [[nodiscard]] Gid gid(Gid gid) const;

    std::string hostname_;
    std::uint64_t salt_;
};

}  // namespace ferrule
