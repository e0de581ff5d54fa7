#include "fabric/read/ethernet.h"

#include "fabric/read/dcb.h"
#include "fabric/read/dcb_socket.h"
#include "fabric/read/ethtool_ioctl.h"
#include "fabric/read/ethtool_netlink.h"
#include "fabric/read/ethtool_socket.h"
#include "fabric/read/ethtool_statistics.h"
#include "fabric/read/lldp.h"
#include "fabric/read/netlink_file.h"
#include "fabric/read/netlink_message.h"

#include <chrono>

namespace ferrule {

namespace {

using ByteList = std::vector<std::byte>;

constexpr std::chrono::seconds kKernelPatience{1};
constexpr std::size_t kFileLimit = 4U << 20U;

// Where the pieces come from.
class Origin {
  public:
    Origin(const Dir& root, Source source, std::string netdev)
        : root_{root}, live_{source == Source::Live}, netdev_{std::move(netdev)} {}

    [[nodiscard]] Result<Counters> statistics() const {
        return live_ ? ask_statistics(netdev_)
                     : text(ethtool_file(netdev_, kStatisticsPiece)).and_then(parse_statistics);
    }

    [[nodiscard]] Result<ByteList> answer(EthtoolQuestion question) const {
        if (!live_) {
            return bytes(ethtool_file(netdev_, to_text(question)));
        }
        const Deadline deadline{kKernelPatience};
        const std::uint16_t family = TRY(ask_ethtool_family(deadline));
        return ask_ethtool({family, question, netdev_}, deadline);
    }

    [[nodiscard]] Result<ByteList> dcb() const {
        return live_ ? ask_dcb(netdev_, Deadline{kKernelPatience}) : bytes(dcb_file(netdev_));
    }

    [[nodiscard]] Result<ByteList> lldp() const { return bytes(lldp_file(netdev_)); }

    // For messages; `file` is where a tree has it.
    [[nodiscard]] std::string name_of(const std::string& file) const {
        constexpr std::string_view kFolder = "ferrule/";
        return live_ ? file.substr(kFolder.size()) : file;
    }

  private:
    [[nodiscard]] Result<std::string> text(const std::string& file) const {
        return root_.text(file.c_str(), kFileLimit);
    }

    [[nodiscard]] Result<ByteList> bytes(const std::string& file) const {
        return text(file).and_then(parse_hex_lines);
    }

    const Dir& root_;
    bool live_;
    std::string netdev_;
};

class Reader {
  public:
    Reader(Origin origin, Netdev& netdev, std::vector<ReadProblem>& problems)
        : origin_{std::move(origin)}, netdev_{netdev}, problems_{problems} {}

    void read_link() {
        EthernetLink link{};
        link.statistics = taken(origin_.statistics(), ethtool_file(netdev_.name, kStatisticsPiece))
                              .value_or(Counters{});
        for (const EthtoolQuestion question : kEthtoolQuestions) {
            const auto more = origin_.answer(question).and_then(
                [&](const ByteList& bytes) { return decode_ethtool(bytes, question, link); });
            link = taken(more, ethtool_file(netdev_.name, to_text(question))).value_or(link);
        }
        if (link != EthernetLink{}) {
            netdev_.ethernet = std::move(link);
        }
    }

    void read_dcb() {
        netdev_.dcb =
            taken(origin_.dcb().and_then([](const ByteList& bytes) { return decode_dcb(bytes); }),
                  dcb_file(netdev_.name));
    }

    void read_lldp() {
        netdev_.lldp =
            taken(origin_.lldp().and_then([](const ByteList& bytes) { return decode_lldp(bytes); }),
                  lldp_file(netdev_.name));
    }

  private:
    template <typename Value>
    std::optional<Value> taken(Result<Value> piece, const std::string& file) {
        if (piece) {
            return std::move(*piece);
        }
        const Error& error = piece.error();
        if (!is_unsupported(error) && error.code != std::errc::no_such_file_or_directory) {
            problems_.push_back({origin_.name_of(file), error.code.value(), error.text});
        }
        return std::nullopt;
    }

    Origin origin_;
    Netdev& netdev_;
    std::vector<ReadProblem>& problems_;
};

}  // namespace

std::string ethtool_file(std::string_view netdev, std::string_view piece) {
    return "ferrule/ethtool/" + std::string{netdev} + "/" + std::string{piece};
}

std::string dcb_file(std::string_view netdev) {
    return "ferrule/dcb/" + std::string{netdev};
}

std::string lldp_file(std::string_view netdev) {
    return "ferrule/lldp/" + std::string{netdev};
}

void read_ethernet(const Dir& root, Source source, Netdev& netdev,
                   std::vector<ReadProblem>& problems) {
    Reader reader{Origin{root, source, netdev.name}, netdev, problems};
    reader.read_link();
    reader.read_dcb();
    if (source == Source::Captured) {
        reader.read_lldp();
    }
}

}  // namespace ferrule
