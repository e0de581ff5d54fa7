// Attribute files of one directory, read into values. A file that is absent is a fact the node does
// not offer; one that cannot be read or understood is recorded, and reading goes on.
#pragma once

#include "fabric/base/text.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

// Some kernels answer these for a fact that does not exist just now (a speed without a link).
enum class IfInvalid { Problem, Absent };

class Attributes {
  public:
    // `where` is the path of `dir` below the root, for messages; empty for the root. All three
    // outlive this object.
    Attributes(const Dir& dir, std::string where, std::vector<ReadProblem>& problems)
        : dir_{dir}, where_{std::move(where)}, problems_{problems} {}

    [[nodiscard]] std::optional<std::string> text(const char* name,
                                                  IfInvalid if_invalid = IfInvalid::Problem) const;

    // The text, or an empty one.
    [[nodiscard]] std::string text_or_empty(const char* name) const {
        return text(name).value_or(std::string{});
    }

    // The value that `parse` (text -> optional) makes of it.
    template <typename Parse>
    [[nodiscard]] auto value(const char* name, Parse parse,
                             IfInvalid if_invalid = IfInvalid::Problem) const
        -> decltype(parse(std::string_view{})) {
        const auto content = text(name, if_invalid);
        if (!content) {
            return std::nullopt;
        }
        auto parsed = parse(std::string_view{*content});
        if (!parsed) {
            not_understood(name, *content);
        }
        return parsed;
    }

    // Decimal, or hexadecimal behind 0x.
    template <std::integral T>
    [[nodiscard]] std::optional<T> number(const char* name,
                                          IfInvalid if_invalid = IfInvalid::Problem) const {
        return value(
            name, [](std::string_view content) { return parse_c_number<T>(content); }, if_invalid);
    }

    // The last component of a link's target; empty without the link.
    [[nodiscard]] std::string link_name(const char* name) const;

    void problem(const char* name, const Error& error) const;

    [[nodiscard]] const Dir& dir() const { return dir_; }

    [[nodiscard]] std::vector<ReadProblem>& problems() const { return problems_; }

    // Path of the file `name` below the root.
    [[nodiscard]] std::string where(std::string_view name) const;

    // Those of a directory inside this one that is open as `dir`.
    [[nodiscard]] Attributes below(const Dir& dir, std::string_view name) const {
        return {dir, where(name), problems_};
    }

  private:
    void not_understood(const char* name, std::string_view content) const;

    const Dir& dir_;
    std::string where_;
    std::vector<ReadProblem>& problems_;
};

}  // namespace ferrule
