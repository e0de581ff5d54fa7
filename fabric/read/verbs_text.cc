#include "fabric/read/verbs_text.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

constexpr std::size_t kFileLimit = 65536;

std::optional<unsigned> known(unsigned mtu) {
    return mtu == 0 ? std::nullopt : std::optional{mtu};
}

// "port 1 active_mtu 4096 max_mtu 4096" in words.
std::optional<VerbsPort> parse_port(const std::vector<std::string_view>& columns) {
    if (columns.size() != 6 || columns[0] != "port" || columns[2] != "active_mtu" ||
        columns[4] != "max_mtu") {
        return std::nullopt;
    }
    const auto number = parse_number<unsigned>(columns[1]);
    const auto active = parse_number<unsigned>(columns[3]);
    const auto max = parse_number<unsigned>(columns[5]);
    if (!number || !active || !max) {
        return std::nullopt;
    }
    return VerbsPort{*number, known(*active), known(*max)};
}

bool take_line(const std::vector<std::string_view>& columns, VerbsAnswer& answer) {
    if (columns.size() == 2 && columns[0] == "open_error") {
        const auto error = parse_number<int>(columns[1]);
        answer.open_error = error.value_or(0);
        return error.has_value() && *error >= 0;
    }
    const auto port = parse_port(columns);
    if (port) {
        answer.ports.push_back(*port);
    }
    return port.has_value();
}

}  // namespace

std::string to_text(const VerbsAnswer& answer) {
    std::string text = fmt::format("open_error {}\n", answer.open_error);
    for (const VerbsPort& port : answer.ports) {
        text += fmt::format("port {} active_mtu {} max_mtu {}\n", port.number,
                            port.active_mtu.value_or(0), port.max_mtu.value_or(0));
    }
    return text;
}

Result<VerbsAnswer> parse_verbs(std::string_view text) {
    VerbsAnswer answer{};
    for (const std::string_view line : split(text, '\n')) {
        const auto columns = words(line);
        if (!columns.empty() && !take_line(columns, answer)) {
            return fail(std::errc::bad_message, "\"" + printable(line) + "\" not understood");
        }
    }
    return answer;
}

void take_verbs(const VerbsAnswer& answer, Hca& hca) {
    hca.open_error = answer.open_error;
    for (const VerbsPort& from : answer.ports) {
        const auto port = std::ranges::find(hca.ports, from.number, &Port::number);
        if (port != hca.ports.end()) {
            port->active_mtu = from.active_mtu;
            port->max_mtu = from.max_mtu;
        }
    }
}

void read_captured_verbs(const Dir& root, Hca& hca, std::vector<ReadProblem>& problems) {
    const std::string path = "ferrule/verbs/" + hca.name;
    const auto text = root.text(path.c_str(), kFileLimit);
    if (!text) {
        if (text.error().code != std::errc::no_such_file_or_directory) {
            problems.push_back({path, text.error().code.value(), text.error().code.message()});
        }
        return;
    }
    const auto answer = parse_verbs(*text);
    if (answer) {
        take_verbs(*answer, hca);
    } else {
        problems.push_back({path, answer.error().code.value(), answer.error().text});
    }
}

}  // namespace ferrule
