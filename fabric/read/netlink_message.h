// Netlink messages taken apart and requests put together. Pure: bytes in, values out, and back.
// Source: netlink(7), linux/netlink.h of Linux 6.1.
#pragma once

#include "fabric/base/result.h"
#include "fabric/read/netlink_bytes.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ferrule {

struct NetlinkMessage {
    unsigned type{0};
    // Behind the nlmsghdr; points into the bytes that were taken apart.
    std::span<const std::byte> body{};
};

struct NetlinkAttribute {
    // Without the flags of nesting and byte order, which not every kernel sets.
    unsigned type{0};
    std::span<const std::byte> value{};
};

// All messages in order, acknowledgements left out. A refusal of the kernel's is an error with its
// number, worded "what: ..."; a message cut short is std::errc::bad_message.
[[nodiscard]] Result<std::vector<NetlinkMessage>> messages_of(std::span<const std::byte> bytes,
                                                              std::string_view what);

// The attributes of a message behind its head, or of a nest.
[[nodiscard]] Result<std::vector<NetlinkAttribute>> attributes_of(std::span<const std::byte> bytes);

// Whether the kernel, or an old kernel, has no such thing for this device: an answer, no fault.
[[nodiscard]] inline bool is_unsupported(const Error& error) {
    return error.code == std::errc::operation_not_supported;
}

// One attribute, padded. For a nest `value` is its attributes.
[[nodiscard]] std::vector<std::byte> encode_attribute(unsigned short type,
                                                      std::span<const std::byte> value);

// The same with a text, which gets its NUL.
[[nodiscard]] std::vector<std::byte> encode_attribute(unsigned short type, std::string_view text);

// A message with NLM_F_REQUEST and `flags`; `head` is what stands between nlmsghdr and attributes.
struct NetlinkRequest {
    unsigned short type{0};
    unsigned short flags{0};
    std::span<const std::byte> head{};
    std::span<const std::byte> attributes{};
};

[[nodiscard]] std::vector<std::byte> encode_request(const NetlinkRequest& request);

// The bytes of a plain value, for the above.
template <typename Value>
[[nodiscard]] std::span<const std::byte> bytes_of(const Value& value) {
    return std::as_bytes(std::span{&value, 1});
}

}  // namespace ferrule
