#include "capture/ethernet_capture.h"

#include "fabric/read/dcb.h"
#include "fabric/read/dcb_socket.h"
#include "fabric/read/ethernet.h"
#include "fabric/read/ethtool_ioctl.h"
#include "fabric/read/ethtool_socket.h"
#include "fabric/read/ethtool_statistics.h"
#include "fabric/read/netlink_file.h"
#include "fabric/read/netlink_message.h"

#include <chrono>

namespace ferrule {

namespace {

using ByteList = std::vector<std::byte>;

constexpr std::chrono::seconds kKernelPatience{1};

// A refusal among the answers is an answer, but for the one that says: there is no such thing.
Result<std::string> as_text(const ByteList& answer) {
    const auto messages = messages_of(answer, "netlink");
    return messages || !is_unsupported(messages.error())
               ? Result<std::string>{hex_lines(answer)}
               : Result<std::string>{tl::unexpected{messages.error()}};
}

Result<std::string> link_answer(const std::string& netdev, EthtoolQuestion question) {
    const Deadline deadline{kKernelPatience};
    const std::uint16_t family = TRY(ask_ethtool_family(deadline));
    return ask_ethtool({family, question, netdev}, deadline).and_then(as_text);
}

void add_file(const std::string& path, const Result<std::string>& content, Archive& archive) {
    if (content) {
        archive.entries.push_back({EntryKind::File, {path}, *content, 0});
    } else if (!is_unsupported(content.error())) {
        archive.comments.push_back("unread: " + path + ": " + content.error().text);
    }
}

void add_port(const std::string& netdev, Archive& archive) {
    add_file(ethtool_file(netdev, kStatisticsPiece), ask_statistics(netdev).map(format_statistics),
             archive);
    for (const EthtoolQuestion question : kEthtoolQuestions) {
        add_file(ethtool_file(netdev, to_text(question)), link_answer(netdev, question), archive);
    }
    add_file(dcb_file(netdev), ask_dcb(netdev, Deadline{kKernelPatience}).and_then(as_text),
             archive);
}

}  // namespace

void add_ethernet(const NodeSnapshot& snapshot, Archive& archive) {
    for (const Netdev& netdev : snapshot.netdevs) {
        if (is_fabric_interface(snapshot, netdev)) {
            add_port(netdev.name, archive);
        }
    }
}

}  // namespace ferrule
