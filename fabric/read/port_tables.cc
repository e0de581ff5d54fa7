#include "fabric/read/port_tables.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>

namespace ferrule {

namespace {

// "gids/17" without an allocation; tables have thousands of rows.
class RowPath {
  public:
    explicit RowPath(std::string_view directory) : length_{directory.size()} {
        directory.copy(buffer_.data(), buffer_.size());
    }

    const char* operator()(unsigned row) {
        const auto end =
            std::to_chars(buffer_.data() + length_, buffer_.data() + buffer_.size() - 1, row);
        *end.ptr = '\0';
        return buffer_.data();
    }

  private:
    std::array<char, 48> buffer_{};
    std::size_t length_;
};

// Rows of a twin (a VXLAN or VLAN with the same address) come and go behind another netdev.
bool ends_a_plan(const Port& port, const GidWish& wish) {
    const GidEntry& entry = port.gids.back();
    return fits(entry, wish) && entry.netdev == port.gids.front().netdev;
}

void read_gids(const Dir& dir, const Attributes& attributes, const ReadRequest& request,
               Port& port) {
    RowPath gid_path{"gids/"};
    RowPath type_path{"gid_attrs/types/"};
    RowPath netdev_path{"gid_attrs/ndevs/"};
    const bool infiniband = port.link_layer == LinkLayer::InfiniBand;
    for (unsigned row = 0;; ++row) {
        const auto content = dir.attribute(gid_path(row));
        if (!content && content.error().code.value() == ENOENT) {
            port.gid_table_size = row;
            return;
        }
        if (!content) {
            attributes.problem(gid_path(row), content.error());
            continue;
        }
        const auto gid = parse_gid(*content);
        if (!gid) {
            attributes.problem(gid_path(row),
                               {std::make_error_code(std::errc::bad_message), "not a GID"});
            continue;
        }
        if (gid->is_zero()) {
            continue;
        }
        GidEntry entry{row, *gid, {}, {}};
        entry.type = attributes.value(
            type_path(row), [&](std::string_view text) { return parse_gid_type(text, infiniband); },
            IfInvalid::Absent);
        if (!infiniband) {
            entry.netdev = attributes.text(netdev_path(row), IfInvalid::Absent).value_or("");
        }
        port.gids.push_back(std::move(entry));
        if (request.depth == Depth::Plan && !request.whole_gid_tables &&
            ends_a_plan(port, request.gid)) {
            return;
        }
    }
}

void read_pkeys(const Dir& dir, const Attributes& attributes, unsigned rows, Port& port) {
    RowPath path{"pkeys/"};
    for (unsigned row = 0; row < rows; ++row) {
        const auto content = dir.attribute(path(row));
        if (!content && content.error().code.value() == ENOENT) {
            return;
        }
        const auto pkey = content ? parse_pkey(*content) : std::nullopt;
        if (!content) {
            attributes.problem(path(row), content.error());
        } else if (!pkey) {
            attributes.problem(path(row),
                               {std::make_error_code(std::errc::bad_message), "not a P_Key"});
        } else if (pkey->value != 0) {
            port.pkeys.push_back({row, *pkey});
        }
    }
}

}  // namespace

void read_port_tables(const Dir& port_dir, const Attributes& attributes, const ReadRequest& request,
                      Port& port) {
    // A plan takes nothing from the GID table of an InfiniBand port.
    if (request.depth != Depth::Plan || port.link_layer != LinkLayer::InfiniBand) {
        read_gids(port_dir, attributes, request, port);
    }
    if (request.pkeys || port.link_layer == LinkLayer::InfiniBand) {
        read_pkeys(port_dir, attributes, request.pkeys ? std::numeric_limits<unsigned>::max() : 1U,
                   port);
    }
}

std::optional<int> known_numa_node(std::optional<int> numa_node) {
    return numa_node && *numa_node >= 0 ? numa_node : std::nullopt;
}

}  // namespace ferrule
