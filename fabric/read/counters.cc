#include "fabric/read/counters.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace ferrule {

namespace {

// Paths of files in one directory, made in one buffer.
class FilePath {
  public:
    explicit FilePath(std::string directory)
        : buffer_{std::move(directory)}, length_{buffer_.size()} {}

    const std::string& operator()(std::string_view name) {
        buffer_.resize(length_);
        return buffer_.append("/").append(name);
    }

  private:
    std::string buffer_;
    std::size_t length_;
};

}  // namespace

std::optional<Counters> read_counters(const Attributes& at, const char* folder,
                                      const std::set<std::string>& refused) {
    const auto dir = at.dir().sub(folder);
    const auto names = dir ? dir->list() : tl::unexpected{dir.error()};
    if (!names) {
        if (names.error().code != std::errc::no_such_file_or_directory) {
            at.problem(folder, names.error());
        }
        return std::nullopt;
    }
    const Attributes files = at.below(*dir, folder);
    FilePath path{at.where(folder)};
    Counters counters;
    counters.reserve(names->size());
    for (const std::string& name : *names) {
        if (name == "lifespan" || (!refused.empty() && refused.contains(path(name)))) {
            continue;
        }
        // "N/A (no PMA)" is how the kernel says that the adapter has no such counter.
        using Number = std::optional<std::uint64_t>;
        const auto read = files.value(name.c_str(), [](std::string_view text) {
            const Number number = parse_c_number<std::uint64_t>(text);
            return number || text.starts_with("N/A") ? std::optional<Number>{std::in_place, number}
                                                     : std::nullopt;
        });
        if (const Number number = read.value_or(Number{})) {
            counters.push_back({name, *number});
        }
    }
    return counters;
}

bool is_refusal(const ReadProblem& problem) {
    constexpr std::array kRefusals{EINVAL, EIO, EOPNOTSUPP, ENOTSUP, ENODATA};
    return std::ranges::find(kRefusals, problem.error_number) != kRefusals.end();
}

}  // namespace ferrule
