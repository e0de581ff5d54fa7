#include "fabric/check/growth.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

class Follower {
  public:
    explicit Follower(const ScopedPort& port) : port_{port} {}

    void follow(const std::string& object, CounterPlace place, const Counters& counters) {
        for (const Counter& counter : counters) {
            follow(object, place, counter.name, counter.value);
        }
    }

    void follow(const std::string& object, CounterPlace place, const std::string& name,
                std::uint64_t value) {
        constexpr std::array<std::string_view, 4> kFolders{"counters/", "hw_counters/",
                                                           "statistics/", "pcie/"};
        const FoundCounter found = find_counter(place, name);
        if (found.row != nullptr) {
            const std::string_view folder = kFolders.at(static_cast<std::size_t>(place));
            all_.push_back({object + " " + std::string{folder} + name, object, name, found.row,
                            found.priority, value, &port_});
        }
    }

    void follow_device() {
        const Hca& hca = *port_.hca;
        follow(hca.name, CounterPlace::Hardware, hca.hw_counters);
        if (!hca.pcie) {
            return;
        }
        const auto error = [&](const std::string& name, std::optional<std::uint64_t> total) {
            if (total) {
                follow(hca.name, CounterPlace::Pci, name, *total);
            }
        };
        error("correctable", hca.pcie->correctable_errors);
        error("nonfatal", hca.pcie->nonfatal_errors);
        error("fatal", hca.pcie->fatal_errors);
    }

    void follow_netdev(const Netdev& netdev) {
        if (netdev.carrier_downs) {
            follow(netdev.name, CounterPlace::Statistics, "carrier_down_count",
                   *netdev.carrier_downs);
        }
        if (netdev.ethernet) {
            follow(netdev.name, CounterPlace::Statistics, netdev.ethernet->statistics);
            if (netdev.ethernet->fec_uncorrectable) {
                follow(netdev.name, CounterPlace::Statistics, "fec uncorrectable",
                       *netdev.ethernet->fec_uncorrectable);
            }
        }
    }

    [[nodiscard]] std::vector<FollowedCounter> take() { return std::move(all_); }

  private:
    const ScopedPort& port_;
    std::vector<FollowedCounter> all_;
};

// Firmware keeps the driver's counters in 32 bits: one that was near the end began anew.
std::uint64_t growth_of(std::uint64_t before, std::uint64_t now, bool hardware) {
    constexpr std::uint64_t kTurn = std::uint64_t{1} << 32U;
    constexpr std::uint64_t kNear = std::uint64_t{1} << 28U;
    if (now >= before) {
        return now - before;
    }
    const bool wrapped = hardware && before < kTurn && kTurn - before + now < kNear;
    return wrapped ? kTurn - before + now : 0;
}

// Two neighbours become one at the time of the older, and leave the memory together: those that are
// closest for their age, so that an hour ago is known to minutes and a day ago to hours.
void make_room(std::vector<Increment>& all, std::uint64_t now_ms) {
    const auto loss = [&](std::size_t i) {
        return static_cast<double>(all[i + 1].at_ms - all[i].at_ms) /
               static_cast<double>(now_ms - all[i].at_ms + 1);
    };
    std::size_t least = 0;
    for (std::size_t i = 1; i + 1 < all.size(); ++i) {
        least = loss(i) < loss(least) ? i : least;
    }
    all[least].events += all[least + 1].events;
    all[least].from_ms = std::min(all[least].from_ms, all[least + 1].from_ms);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(least) + 1);
}

void add_increment(CounterTrack& track, std::uint64_t now_ms, std::uint64_t events) {
    if (events == 0) {
        return;
    }
    track.increments.push_back({track.seen_ms, now_ms, events});
    if (track.increments.size() > kMostIncrements) {
        make_room(track.increments, now_ms);
    }
}

void forget_old(History& history, std::uint64_t now_ms) {
    const std::uint64_t oldest = now_ms > kLongestMemoryMs ? now_ms - kLongestMemoryMs : 0;
    std::erase_if(history.counters,
                  [&](const auto& entry) { return entry.second.seen_ms < oldest; });
    for (auto& [key, track] : history.counters) {
        std::erase_if(track.increments, [&](const Increment& it) { return it.at_ms < oldest; });
    }
}

// Since when each port is in the state it is in; ACTIVE ones need no such record.
void follow_states(History& history, const NodeSnapshot& snapshot, std::uint64_t now_ms) {
    std::map<std::string, std::uint64_t> since;
    for (const Hca& hca : snapshot.hcas) {
        for (const Port& port : hca.ports) {
            if (port.state && port.state != PortState::Active) {
                const std::string key = port_object(hca, port) + " " + state_text(port);
                const auto earlier = history.since.find(key);
                since[key] = earlier == history.since.end() ? now_ms : earlier->second;
            }
        }
    }
    history.since = std::move(since);
}

// A device that came back under another's name, as after a reload of the driver, has none of the
// other's past.
void forget_exchanged(History& history, const NodeSnapshot& snapshot) {
    for (const Hca& hca : snapshot.hcas) {
        const auto guid = history.last.facts.find(hca.name + " node guid");
        if (guid == history.last.facts.end() || guid->second == to_text(hca.node_guid)) {
            continue;
        }
        std::erase_if(history.counters, [&](const auto& entry) {
            const std::string_view object = words(entry.first).front();
            return object == hca.name || object.starts_with(hca.name + "/");
        });
    }
}

// Another boot, or a clock of the boot that ran backwards, which no clock of one boot does.
bool other_boot(const History& before, const NodeSnapshot& snapshot, std::uint64_t now_ms) {
    return before.boot_id != snapshot.host.boot_id || before.uptime_ms > now_ms;
}

}  // namespace

std::vector<FollowedCounter> followed_counters(const NodeSnapshot& snapshot, const Scope& scope) {
    std::vector<FollowedCounter> all;
    std::vector<const Hca*> devices;
    for (const ScopedPort& port : scope.ports) {
        Follower follower{port};
        follower.follow(port.object, CounterPlace::Port, port.port->counters.value_or(Counters{}));
        follower.follow(port.object, CounterPlace::Hardware,
                        port.port->hw_counters.value_or(Counters{}));
        if (std::ranges::count(devices, port.hca) == 0) {
            devices.push_back(port.hca);
            follower.follow_device();
        }
        for (const Netdev* const netdev : physical_netdevs(snapshot, port)) {
            follower.follow_netdev(*netdev);
        }
        std::ranges::move(follower.take(), std::back_inserter(all));
    }
    return all;
}

History advance(const History& before, const NodeSnapshot& snapshot,
                const std::vector<FollowedCounter>& counters) {
    History after = before;
    const std::uint64_t now_ms = snapshot.host.uptime_ms.value_or(before.uptime_ms);
    if (other_boot(before, snapshot, now_ms)) {
        after.counters.clear();
        after.since.clear();
        after.refused.clear();
    }
    forget_exchanged(after, snapshot);
    after.boot_id = snapshot.host.boot_id;
    after.uptime_ms = now_ms;
    for (const FollowedCounter& counter : counters) {
        const auto [entry, first] = after.counters.try_emplace(counter.key);
        CounterTrack& track = entry->second;
        if (!first) {
            const bool hardware = counter.row->place == CounterPlace::Hardware;
            add_increment(track, now_ms, growth_of(track.last, counter.value, hardware));
        }
        track.seen_ms = now_ms;
        track.last = counter.value;
    }
    follow_states(after, snapshot, now_ms);
    forget_old(after, now_ms);
    while (after.counters.size() > kMostTracks) {
        after.counters.erase(after.counters.begin());
    }
    return after;
}

std::string state_text(const Port& port) {
    const std::string state = port.state ? to_text(*port.state) : "unknown";
    return port.phys_state ? state + "/" + to_text(*port.phys_state) : state;
}

std::uint64_t events_counted(const CounterTrack& track, std::uint64_t now_ms,
                             std::uint64_t seconds) {
    constexpr std::uint64_t kSecond = 1000;
    std::uint64_t events = 0;
    for (const Increment& it : track.increments) {
        events += now_ms - std::min(it.at_ms, now_ms) <= seconds * kSecond ? it.events : 0;
    }
    return events;
}

std::uint64_t events_within(const CounterTrack& track, std::uint64_t now_ms,
                            std::uint64_t seconds) {
    constexpr std::uint64_t kSecond = 1000;
    const std::uint64_t begin_ms = now_ms - std::min(seconds * kSecond, now_ms);
    long double events = 0;
    for (const Increment& it : track.increments) {
        if (it.at_ms < begin_ms) {
            continue;
        }
        // They came somewhere between two readings, a part of them perhaps before the window.
        const std::uint64_t gap_ms = it.at_ms - std::min(it.from_ms, it.at_ms);
        const std::uint64_t inside_ms = it.at_ms - std::max(it.at_ms - gap_ms, begin_ms);
        const long double share =
            gap_ms == 0 ? 1
                        : static_cast<long double>(inside_ms) / static_cast<long double>(gap_ms);
        events += static_cast<long double>(it.events) * share;
    }
    return static_cast<std::uint64_t>(events + 0.999L);
}

std::uint64_t events_within(const History& history, const std::string& key, std::uint64_t seconds) {
    const auto track = history.counters.find(key);
    return track == history.counters.end()
               ? 0
               : events_within(track->second, history.uptime_ms, seconds);
}

}  // namespace ferrule
