#include "fabric/read/netdevs.h"

#include "fabric/read/attributes.h"

namespace ferrule {

namespace {

constexpr const char* kClass = "sys/class/net";
constexpr unsigned kArpLoopback = 772;
constexpr std::size_t kSmallFile = 65536;

NetdevKind kind_of(const Netdev& netdev, const std::string& uevent, std::string_view class_link) {
    if (netdev.arp_type == kArpLoopback) {
        return NetdevKind::Loopback;
    }
    for (const std::string_view line : split(uevent, '\n')) {
        if (line == "DEVTYPE=bond") {
            return NetdevKind::Bond;
        }
        if (line == "DEVTYPE=vlan") {
            return NetdevKind::Vlan;
        }
    }
    return class_link.find("/virtual/") == std::string_view::npos ? NetdevKind::Physical
                                                                  : NetdevKind::Virtual;
}

Bond read_bond(const Attributes& attributes) {
    Bond bond{};
    // "802.3ad 4": the word is the mode.
    const std::string mode = attributes.text_or_empty("bonding/mode");
    bond.mode = mode.substr(0, mode.find(' '));
    const std::string members = attributes.text_or_empty("bonding/slaves");
    for (const std::string_view member : words(members)) {
        bond.members.emplace_back(member);
    }
    bond.active_member = attributes.text_or_empty("bonding/active_slave");
    return bond;
}

std::optional<unsigned> read_vlan_id(const Dir& root, const std::string& name) {
    const auto content = root.text(("proc/net/vlan/" + name).c_str(), kSmallFile);
    if (!content) {
        return std::nullopt;
    }
    const auto all = words(*content);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        if (all[i] == "VID:") {
            return parse_number<unsigned>(all[i + 1]);
        }
    }
    return std::nullopt;
}

void read_links(const Dir& dir, const Attributes& attributes, Netdev& netdev) {
    netdev.driver = attributes.link_name("device/driver");
    netdev.master = attributes.link_name("master");
    const auto entries = dir.list();
    for (const std::string& entry : entries ? *entries : std::vector<std::string>{}) {
        constexpr std::string_view kLower = "lower_";
        if (entry.starts_with(kLower)) {
            netdev.lower.push_back(entry.substr(kLower.size()));
        }
    }
}

void read_kept(const Dir& root, const Dir& dir, const Attributes& attributes, Netdev& netdev) {
    netdev.mac = attributes.text_or_empty("address");
    netdev.mtu = attributes.number<unsigned>("mtu");
    netdev.flags = attributes.number<std::uint32_t>("flags");
    netdev.dev_port = attributes.number<unsigned>("dev_port").value_or(0);
    read_links(dir, attributes, netdev);
    if (netdev.kind == NetdevKind::Vlan) {
        netdev.vlan_id = read_vlan_id(root, netdev.name);
    }
}

// What the kernel asks the driver for, or takes the lock of all interfaces for.
void read_asked(const Attributes& attributes, Netdev& netdev) {
    // Both answer EINVAL while the interface is down.
    const auto carrier = attributes.number<unsigned>("carrier", IfInvalid::Absent);
    netdev.carrier = carrier ? std::optional{*carrier != 0} : std::nullopt;
    const auto speed = attributes.number<int>("speed", IfInvalid::Absent);
    netdev.speed =
        speed && *speed > 0 ? std::optional{static_cast<unsigned>(*speed)} : std::nullopt;
    if (netdev.kind == NetdevKind::Bond) {
        netdev.bond = read_bond(attributes);
    }
}

// ecn/roce_np/enable/3: files 0 and 1 by priority, of which all or none are there. Nothing unless
// all of them tell.
std::optional<PrioritySet> read_ecn(const Attributes& attributes, const std::string& folder) {
    PrioritySet enabled{};
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        const std::string file = folder + std::to_string(priority);
        const auto on = attributes.number<unsigned>(file.c_str());
        if (!on) {
            return std::nullopt;
        }
        enabled.bits = static_cast<std::uint8_t>(enabled.bits | ((*on != 0 ? 1U : 0U) << priority));
    }
    return enabled;
}

void read_carrier_downs(const Attributes& attributes, Netdev& netdev) {
    netdev.carrier_downs = attributes.number<unsigned>("carrier_down_count");
}

void read_health(const Attributes& attributes, Netdev& netdev) {
    read_carrier_downs(attributes, netdev);
    // Folders of a vendor's driver, notification and reaction point.
    netdev.ecn_notification = read_ecn(attributes, "ecn/roce_np/enable/");
    netdev.ecn_reaction = read_ecn(attributes, "ecn/roce_rp/enable/");
}

class NetdevReader {
  public:
    NetdevReader(const Dir& root, const Dir& net_class, Depth depth,
                 std::vector<ReadProblem>& problems)
        : root_{root}, class_{net_class}, depth_{depth}, problems_{problems} {}

    [[nodiscard]] Result<Netdev> read_kept_only(const std::string& name) const {
        const Dir dir = TRY(class_.sub(name.c_str()));
        const Attributes attributes = attributes_of(dir, name);
        Netdev netdev = read_identity(attributes, name);
        read_kept(root_, dir, attributes, netdev);
        read_carrier_downs(attributes, netdev);
        return netdev;
    }

    [[nodiscard]] Result<Netdev> read(const std::string& name) const {
        const Dir dir = TRY(class_.sub(name.c_str()));
        const Attributes attributes = attributes_of(dir, name);
        Netdev netdev = read_identity(attributes, name);
        if (depth_ != Depth::Plan) {
            read_kept(root_, dir, attributes, netdev);
            read_asked(attributes, netdev);
        }
        if (depth_ == Depth::Health) {
            read_health(attributes, netdev);
        }
        return netdev;
    }

  private:
    [[nodiscard]] Attributes attributes_of(const Dir& dir, const std::string& name) const {
        return {dir, std::string{kClass} + "/" + name, problems_};
    }

    [[nodiscard]] Netdev read_identity(const Attributes& attributes,
                                       const std::string& name) const {
        const std::string class_link = class_.link(name.c_str()).value_or(std::string{});
        Netdev netdev{};
        netdev.name = name;
        netdev.ifindex = attributes.number<int>("ifindex").value_or(0);
        netdev.operstate = attributes.text_or_empty("operstate");
        netdev.pci = pci_place_of_link(class_link);
        netdev.arp_type = attributes.number<unsigned>("type").value_or(0);
        netdev.kind = kind_of(netdev, attributes.text_or_empty("uevent"), class_link);
        return netdev;
    }

    const Dir& root_;
    const Dir& class_;
    Depth depth_;
    std::vector<ReadProblem>& problems_;
};

void record(std::vector<ReadProblem>& problems, std::string where, const Error& error) {
    problems.push_back({std::move(where), error.code.value(), error.code.message()});
}

std::vector<std::string> entries_of(const Result<Dir>& net_class,
                                    std::vector<ReadProblem>& problems) {
    auto names = net_class ? net_class->list() : tl::unexpected{net_class.error()};
    if (!names) {
        record(problems, kClass, names.error());
        return {};
    }
    return std::move(*names);
}

template <typename Read>
std::vector<Netdev> read_all_netdevs(const Result<Dir>& net_class,
                                     std::vector<ReadProblem>& problems, Read read) {
    std::vector<Netdev> netdevs;
    const std::vector<std::string> names = entries_of(net_class, problems);
    netdevs.reserve(names.size());
    for (const std::string& name : names) {
        // One that cannot be entered is a plain file, or a device that has just gone.
        if (auto netdev = read(name)) {
            netdevs.push_back(std::move(*netdev));
        }
    }
    return netdevs;
}

}  // namespace

std::vector<std::string> netdev_names(const Dir& root, std::vector<ReadProblem>& problems) {
    const auto net_class = root.sub(kClass);
    std::vector<std::string> names = entries_of(net_class, problems);
    // Plain files (bonding_masters) live in the class too.
    std::erase_if(names, [&](const std::string& name) { return !net_class->sub(name.c_str()); });
    return names;
}

Netdev read_netdev(const Dir& root, const std::string& name, Depth depth,
                   std::vector<ReadProblem>& problems) {
    const auto net_class = root.sub(kClass);
    auto netdev = net_class ? NetdevReader{root, *net_class, depth, problems}.read(name)
                            : tl::unexpected{net_class.error()};
    if (!netdev) {
        record(problems, std::string{kClass} + "/" + name, netdev.error());
        Netdev unread{};
        unread.name = name;
        return unread;
    }
    return std::move(*netdev);
}

std::vector<Netdev> read_netdevs(const Dir& root, Depth depth, std::vector<ReadProblem>& problems) {
    const auto net_class = root.sub(kClass);
    return read_all_netdevs(net_class, problems, [&](const std::string& name) {
        return NetdevReader{root, *net_class, depth, problems}.read(name);
    });
}

std::vector<Netdev> read_kept_netdevs(const Dir& root, std::vector<ReadProblem>& problems) {
    const auto net_class = root.sub(kClass);
    return read_all_netdevs(net_class, problems, [&](const std::string& name) {
        return NetdevReader{root, *net_class, Depth::Health, problems}.read_kept_only(name);
    });
}

}  // namespace ferrule
