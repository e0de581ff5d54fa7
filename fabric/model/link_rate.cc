#include "fabric/model/link_rate.h"

#include "fabric/base/text.h"

namespace ferrule {

namespace {

std::optional<unsigned> parse_tenths(std::string_view text) {
    const std::size_t dot = text.find('.');
    const auto whole = parse_number<unsigned>(text.substr(0, dot));
    if (!whole || *whole > 100000) {
        return std::nullopt;
    }
    if (dot == std::string_view::npos) {
        return *whole * 10;
    }
    const auto tenth = parse_number<unsigned>(text.substr(dot + 1));
    if (!tenth || *tenth > 9) {
        return std::nullopt;
    }
    return (*whole * 10) + *tenth;
}

}  // namespace

std::optional<LinkRate> parse_link_rate(std::string_view text) {
    const auto parts = words(text);
    if (parts.size() < 3 || parts.size() > 4 || parts[1] != "Gb/sec" ||
        !parts[2].starts_with('(') || !parts.back().ends_with(')')) {
        return std::nullopt;
    }
    const auto tenths = parse_tenths(parts[0]);
    const std::size_t x = parts[2].find('X');
    const auto lanes = parse_number<unsigned>(parts[2].substr(1, x - 1));
    if (!tenths || !lanes || x == std::string_view::npos) {
        return std::nullopt;
    }
    LinkRate rate{*tenths, *lanes, {}};
    if (parts.size() == 4) {
        rate.generation = parts[3].substr(0, parts[3].size() - 1);
    }
    return rate;
}

std::string gbps_text(unsigned tenth_gbps) {
    std::string text = std::to_string(tenth_gbps / 10);
    if (tenth_gbps % 10 != 0) {
        text += "." + std::to_string(tenth_gbps % 10);
    }
    return text;
}

std::string to_text(const LinkRate& rate) {
    std::string text = gbps_text(rate.tenth_gbps) + " Gb/sec (" + std::to_string(rate.lanes) + "X";
    if (!rate.generation.empty()) {
        text += " " + rate.generation;
    }
    return text + ")";
}

}  // namespace ferrule
