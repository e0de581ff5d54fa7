#include "fabric/read/ini.h"

#include "fabric/base/text.h"

#include <ini.h>

#include <algorithm>
#include <optional>

namespace ferrule {

namespace {

// inih keeps 50 bytes of a section and of the key that a continuation belongs to.
constexpr std::size_t kMostName = 49;
// A line of inih's buffer of 200 bytes, without line end and terminator.
constexpr std::size_t kMostLine = 198;

std::string_view line_of(std::string_view text, unsigned line) {
    const auto lines = split(text, '\n');
    return line >= 1 && line <= lines.size() ? lines[line - 1] : std::string_view{};
}

struct Stream {
    std::string_view rest{};
    unsigned line{0};
    bool indented{false};
    bool too_long{false};
    Ini ini{};
};

// fgets() for inih, over text in memory: hands out whole lines or stops.
char* next_line(char* buffer, int size, void* opaque) {
    auto& stream = *static_cast<Stream*>(opaque);
    if (stream.rest.empty() || stream.too_long) {
        return nullptr;
    }
    ++stream.line;
    const std::size_t end = stream.rest.find('\n');
    const std::string_view line = stream.rest.substr(0, end);
    stream.rest.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    const auto room = static_cast<std::size_t>(size);
    const std::string_view header = trimmed(line);
    if (header.starts_with('[') && header.find(']') != std::string_view::npos) {
        stream.ini.sections.push_back(
            {std::string{header.substr(1, header.find(']') - 1)}, stream.line});
    }
    const bool section_too_long = header.starts_with('[') && header.size() > kMostName;
    if (line.size() > std::min(kMostLine, room - 2) || section_too_long ||
        line.find('\0') != std::string_view::npos) {
        stream.too_long = true;
        return nullptr;
    }
    stream.indented = line.starts_with(' ') || line.starts_with('\t');
    line.copy(buffer, line.size());
    buffer[line.size()] = '\n';
    buffer[line.size() + 1] = '\0';
    return buffer;
}

int take_entry(void* opaque, const char* section, const char* name, const char* value) {
    auto& stream = *static_cast<Stream*>(opaque);
    if (name == nullptr || value == nullptr || std::string_view{name}.size() > kMostName) {
        return 0;
    }
    const bool continuation = stream.indented && !stream.ini.entries.empty() &&
                              stream.ini.entries.back().key == name &&
                              stream.ini.entries.back().section == section;
    stream.ini.entries.push_back({section, name, value, stream.line, continuation});
    return 1;
}

}  // namespace

Error ini_error(std::string_view file, std::string_view text, unsigned line, std::string_view token,
                std::string_view sentence) {
    const std::string_view shown = line_of(text, line);
    const std::size_t column = std::min(shown.find(token), shown.size());
    const std::string place = std::string{file} + ":" + std::to_string(line) + ": ";
    return {std::make_error_code(std::errc::invalid_argument),
            place + std::string{sentence} + "\n    " + printable(shown) + "\n    " +
                std::string(column, ' ') + "^"};
}

Result<Ini> parse_ini(std::string_view file, std::string_view text) {
    Stream stream{};
    stream.rest = text;
    const int first_error = ini_parse_stream(next_line, &stream, take_entry, &stream);
    if (stream.too_long) {
        return tl::unexpected{ini_error(file, text, stream.line, "",
                                        "line longer than 198 bytes, section name longer than 47, "
                                        "or a zero byte; continue a list on an indented line")};
    }
    if (first_error != 0) {
        return tl::unexpected{ini_error(
            file, text, static_cast<unsigned>(std::max(first_error, 1)), "",
            R"(expected "[section]", "key = value" or a comment that starts with ; or #)")};
    }
    return std::move(stream.ini);
}

}  // namespace ferrule
