#include "fabric/read/netlink_message.h"

#include <algorithm>
#include <cerrno>

#include <linux/netlink.h>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;

// Of an error message: 0 is an acknowledgement. The kernel's numbers are negative and end at 4095.
int error_number(Bytes body) {
    constexpr int kLastErrno = 4095;
    const int error = header_of<nlmsgerr>(body).value_or(nlmsgerr{-EBADMSG, {}}).error;
    return error <= 0 && error >= -kLastErrno ? -error : EBADMSG;
}

void append(std::vector<std::byte>& bytes, Bytes more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    bytes.resize(netlink_aligned(bytes.size()));
}

}  // namespace

Result<std::vector<NetlinkMessage>> messages_of(Bytes bytes, std::string_view what) {
    std::vector<NetlinkMessage> messages;
    while (!bytes.empty()) {
        const auto header = header_of<nlmsghdr>(bytes);
        if (!header || header->nlmsg_len < sizeof(nlmsghdr) || header->nlmsg_len > bytes.size()) {
            return cut_short();
        }
        const Bytes body = bytes.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr));
        if (header->nlmsg_type != NLMSG_ERROR) {
            messages.push_back({header->nlmsg_type, body});
        } else if (const int error = error_number(body); error != 0) {
            return fail_errno(error, what);
        }
        bytes = bytes.subspan(std::min(netlink_aligned(header->nlmsg_len), bytes.size()));
    }
    return messages;
}

Result<std::vector<NetlinkAttribute>> attributes_of(Bytes bytes) {
    std::vector<NetlinkAttribute> attributes;
    while (!bytes.empty()) {
        const auto header = header_of<nlattr>(bytes);
        if (!header || header->nla_len < sizeof(nlattr) || header->nla_len > bytes.size()) {
            return cut_short();
        }
        attributes.push_back({static_cast<unsigned>(header->nla_type) & kAttributeTypeMask,
                              bytes.subspan(sizeof(nlattr), header->nla_len - sizeof(nlattr))});
        bytes = bytes.subspan(std::min(netlink_aligned(header->nla_len), bytes.size()));
    }
    return attributes;
}

std::vector<std::byte> encode_attribute(unsigned short type, Bytes value) {
    nlattr header{};
    header.nla_type = type;
    header.nla_len = static_cast<unsigned short>(sizeof header + value.size());
    std::vector<std::byte> bytes;
    append(bytes, bytes_of(header));
    append(bytes, value);
    return bytes;
}

std::vector<std::byte> encode_attribute(unsigned short type, std::string_view text) {
    const Bytes letters = std::as_bytes(std::span{text});
    std::vector<std::byte> value{letters.begin(), letters.end()};
    value.push_back(std::byte{0});
    return encode_attribute(type, Bytes{value});
}

std::vector<std::byte> encode_request(const NetlinkRequest& request) {
    nlmsghdr header{};
    header.nlmsg_len =
        static_cast<unsigned>(sizeof header + request.head.size() + request.attributes.size());
    header.nlmsg_type = request.type;
    header.nlmsg_flags = static_cast<unsigned short>(NLM_F_REQUEST | request.flags);
    std::vector<std::byte> bytes;
    append(bytes, bytes_of(header));
    append(bytes, request.head);
    append(bytes, request.attributes);
    return bytes;
}

}  // namespace ferrule
