// What a fallible function returns: a value, or an Error with a code to branch on and a sentence
// for people. Nothing in this header prints, logs or throws.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <system_error>

namespace ferrule {

// `text` is lower case, starts with the object it speaks of, and needs no further wording.
struct Error {
    std::error_code code{};
    std::string text{};
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::errc code, std::string text) {
    return tl::unexpected{Error{std::make_error_code(code), std::move(text)}};
}

// An Error from an errno value; the text reads "what: message of the system".
[[nodiscard]] inline tl::unexpected<Error> fail_errno(int error_number, std::string_view what) {
    const std::error_code code{error_number, std::generic_category()};
    return tl::unexpected{Error{code, std::string{what} + ": " + code.message()}};
}

}  // namespace ferrule

// Yields the value of a Result, or returns its error from the enclosing function.
#define TRY(expression)                                            \
    __extension__({                                                \
        auto&& try_result_ = (expression);                         \
        if (!try_result_) {                                        \
            return tl::unexpected{std::move(try_result_).error()}; \
        }                                                          \
        std::move(*try_result_);                                   \
    })
