// Answers of a kernel, put together for tests of what takes them apart.
#pragma once

#include "fabric/read/netlink_message.h"

#include <initializer_list>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <linux/netlink.h>

namespace ferrule::testing {

using ByteList = std::vector<std::byte>;

inline ByteList together(std::initializer_list<ByteList> pieces) {
    ByteList bytes;
    for (const ByteList& piece : pieces) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
    return bytes;
}

inline ByteList list_of(std::initializer_list<unsigned> values) {
    ByteList bytes;
    for (const unsigned value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

template <typename Value>
ByteList copy_of(const Value& value) {
    const auto bytes = bytes_of(value);
    return {bytes.begin(), bytes.end()};
}

// An attribute that holds a number, or a structure.
template <typename Value>
ByteList attribute(unsigned type, const Value& value) {
    return encode_attribute(static_cast<unsigned short>(type), bytes_of(value));
}

// One that holds others, or bytes.
inline ByteList nest(unsigned type, const ByteList& inner) {
    return encode_attribute(static_cast<unsigned short>(type), std::span{inner});
}

// What the kernel answers with when it refuses.
inline ByteList refusal(int error_number) {
    const nlmsgerr error{-error_number, {}};
    return encode_request({NLMSG_ERROR, 0, bytes_of(error), {}});
}

inline ByteList first_bytes(const ByteList& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace ferrule::testing
