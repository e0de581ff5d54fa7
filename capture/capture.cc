#include "capture/capture.h"

#include "capture/ethernet_capture.h"
#include "capture/tree_copy.h"
#include "fabric/base/version.h"
#include "fabric/read/ethernet.h"
#include "fabric/read/netlink_file.h"
#include "fabric/read/node.h"
#include "fabric/read/pci_config.h"
#include "fabric/read/route_socket.h"

#include <chrono>
#include <set>
#include <span>

#include <linux/rtnetlink.h>
#include <system_error>

namespace ferrule {

namespace {

constexpr std::chrono::seconds kKernelPatience{2};

// A dump of the kernel's as one file of the archive.
void add_replies(unsigned short type, const char* path, const Scrubber* scrubber,
                 Archive& archive) {
    auto bytes = RouteSocket{Deadline{kKernelPatience}}.dump(type);
    if (bytes && scrubber != nullptr) {
        const auto done = rewrite_addresses(
            *bytes, [&](const IpAddress& address) { return scrubber->address(address); });
        if (!done) {
            bytes = tl::unexpected{done.error()};
        }
    }
    if (!bytes) {
        archive.comments.push_back("unread: " + std::string{path} + ": " + bytes.error().text);
        return;
    }
    archive.entries.push_back({EntryKind::File, {path}, hex_lines(*bytes), 0});
}

// The configuration space of every function between an HCA and its root port, of which a reader
// asks for a few words at a time.
void add_pci_configs(const Dir& root, const NodeSnapshot& snapshot, Archive& archive) {
    std::set<PciAddress> functions;
    for (const Hca& hca : snapshot.hcas) {
        for (const PciHop& hop : hca.pcie.value_or(PciHealth{}).path) {
            functions.insert(hop.address);
        }
    }
    for (const PciAddress& function : functions) {
        const std::string path = "sys/bus/pci/devices/" + to_text(function) + "/config";
        const auto whole = root.text(path.c_str(), kPciConfigSize);
        if (whole) {
            const auto bytes = plain_pci_config(std::as_bytes(std::span{*whole}));
            if (!bytes.empty()) {
                archive.entries.push_back(
                    {EntryKind::File, {pci_config_file(function)}, hex_lines(bytes), 0});
            }
        } else if (whole.error().code != std::errc::no_such_file_or_directory) {
            archive.comments.push_back("unread: " + whole.error().text);
        }
    }
}

// So that the log has the files of a tree that holds what the kernel said of its ports.
void look_at_ports(const Dir& root, NodeSnapshot snapshot) {
    for (Netdev& netdev : snapshot.netdevs) {
        read_ethernet(root, Source::Captured, netdev, snapshot.problems);
    }
}

}  // namespace

Result<Archive> capture_node(const CaptureRequest& request) {
    Dir root = TRY(Dir::open(request.sysroot));
    if (!root.exists("sys/class")) {
        return fail(std::errc::invalid_argument,
                    request.sysroot + ": no tree of a node: sys/class is not in it");
    }
    const Dir plain = TRY(Dir::open(request.sysroot));
    ReadLog log{};
    root.record(log);
    const Source source = source_of(request.sysroot);
    ReadRequest everything{};
    everything.depth = Depth::Health;
    const NodeSnapshot snapshot = read_node(root, source, everything);
    if (source == Source::Captured) {
        look_at_ports(root, snapshot);
    }
    const Scrubber scrubber{snapshot.hostname, request.salt.value_or(0)};
    const Scrubber* const used = request.salt ? &scrubber : nullptr;

    Archive archive{};
    archive.comments = {"machine: " + request.name,
                        std::string{"origin: captured by ferrule-capture "} + kVersion +
                            (request.salt ? ", names and addresses scrubbed" : "")};
    for (const auto& [path, error] : log.errors) {
        archive.comments.push_back("unread: " + path + ": " +
                                   std::generic_category().message(error));
    }
    archive.entries = copied_entries(plain, log, used);
    add_pci_configs(plain, snapshot, archive);
    if (source == Source::Live) {
        add_replies(RTM_GETADDR, kAddressReplies, used, archive);
        add_replies(RTM_GETROUTE, kRouteReplies, used, archive);
        add_ethernet(snapshot, archive);
    }
    return archive;
}

}  // namespace ferrule
