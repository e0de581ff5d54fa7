#include "fabric/read/ethtool_ioctl.h"

#include "fabric/base/fd.h"
#include "fabric/read/ethtool_statistics.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

constexpr unsigned kTries = 3;
// mlx5 with 256 channels has some ten thousand.
constexpr std::size_t kMostStatistics = 65536;

// Words of eight bytes, since the structures end in arrays of them.
using Words = std::vector<std::uint64_t>;

// Kernels before 6.16 copy as many entries as there are, not as many as were asked for: room for a
// list that grew in between.
std::size_t with_room(std::size_t count) {
    constexpr std::size_t kRoom = 4096;
    return (2 * count) + kRoom;
}

struct Device {
    std::string name{};
    Fd fd{};
};

Result<Device> open_device(const std::string& name) {
    Device device{name, Fd{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)}};
    if (!device.fd.valid()) {
        return fail_errno(errno, "ethtool: socket");
    }
    if (name.size() >= IFNAMSIZ) {
        return fail_errno(ENODEV, "ethtool: " + name);
    }
    return device;
}

// `words` begin with a structure of linux/ethtool.h, which begins with its command.
Result<void> ask(const Device& device, Words& words) {
    ifreq request{};
    std::ranges::copy(device.name, std::begin(request.ifr_name));
    request.ifr_data = reinterpret_cast<char*>(words.data());
    return ::ioctl(device.fd.get(), SIOCETHTOOL, &request) < 0
               ? Result<void>{fail_errno(errno, "ethtool: " + device.name)}
               : Result<void>{};
}

template <typename Head>
Words words_for(const Head& head, std::size_t bytes_behind) {
    Words words(((sizeof head + bytes_behind) / sizeof(std::uint64_t)) + 1);
    std::memcpy(words.data(), &head, sizeof head);
    return words;
}

template <typename Head>
Head head_in(const Words& words) {
    Head head{};
    std::memcpy(&head, words.data(), sizeof head);
    return head;
}

// How many there are. A driver without any is an error.
Result<std::uint32_t> ask_count(const Device& device) {
    ethtool_sset_info head{};
    head.cmd = ETHTOOL_GSSET_INFO;
    head.sset_mask = 1ULL << unsigned{ETH_SS_STATS};
    Words words = words_for(head, sizeof(std::uint32_t));
    if (const auto asked = ask(device, words); !asked) {
        return tl::unexpected{asked.error()};
    }
    if (head_in<ethtool_sset_info>(words).sset_mask == 0) {
        return fail(std::errc::operation_not_supported,
                    "ethtool: " + device.name + ": its driver names no statistics");
    }
    std::uint32_t count = 0;
    std::memcpy(&count, std::as_bytes(std::span{words}).subspan(sizeof head).data(), sizeof count);
    return count > kMostStatistics
               ? Result<std::uint32_t>{fail(std::errc::file_too_large,
                                            "ethtool: " + device.name + ": " +
                                                std::to_string(count) + " statistics are too many")}
               : count;
}

// Nothing where there are not `count` of them any more.
Result<std::optional<Counters>> ask_once(const Device& device, std::uint32_t count) {
    ethtool_gstrings names_head{};
    names_head.cmd = ETHTOOL_GSTRINGS;
    names_head.string_set = ETH_SS_STATS;
    names_head.len = count;
    ethtool_stats values_head{};
    values_head.cmd = ETHTOOL_GSTATS;
    values_head.n_stats = count;
    Words names = words_for(names_head, with_room(count) * kStatisticNameSize);
    Words values = words_for(values_head, with_room(count) * sizeof(std::uint64_t));
    const auto asked = ask(device, names).and_then([&] { return ask(device, values); });
    if (!asked) {
        return tl::unexpected{asked.error()};
    }
    if (head_in<ethtool_gstrings>(names).len != count ||
        head_in<ethtool_stats>(values).n_stats != count) {
        return std::nullopt;
    }
    static_assert(sizeof values_head == sizeof(std::uint64_t));
    return TRY(counters_of(
        std::as_bytes(std::span{names}).subspan(sizeof names_head, count * kStatisticNameSize),
        std::span{values}.subspan(1, count)));
}

}  // namespace

Result<Counters> ask_statistics(const std::string& netdev) {
    const Device device = TRY(open_device(netdev));
    for (unsigned attempt = 0; attempt < kTries; ++attempt) {
        const std::uint32_t count = TRY(ask_count(device));
        auto counters = TRY(ask_once(device, count));
        if (counters) {
            return std::move(*counters);
        }
    }
    return fail(std::errc::resource_unavailable_try_again,
                "ethtool: " + netdev + ": its statistics change all the time");
}

}  // namespace ferrule
