#include "fabric/read/link_words.h"

#include <array>
#include <span>
#include <string_view>

#include <linux/ethtool.h>

namespace ferrule {

namespace {

using Words = std::span<const std::string_view>;

// Substates are counted from 1.
constexpr std::array<std::string_view, 6> kAutonegotiation{
    "No partner detected",          "Ack not received",
    "Next page exchange failed",    "No partner detected during force mode",
    "FEC mismatch during override", "No HCD"};
constexpr std::array<std::string_view, 4> kTraining{
    "KR frame lock not acquired", "KR link inhibit timeout",
    "KR link partner did not set receiver ready", "Remote side is not ready yet"};
constexpr std::array<std::string_view, 5> kLogicalMismatch{
    "PCS did not acquire block lock", "PCS did not acquire AM lock", "PCS did not get align_status",
    "FC FEC is not locked", "RS FEC is not locked"};
constexpr std::array<std::string_view, 4> kSignal{"Large number of physical errors",
                                                  "Unsupported rate", "Serdes reference clock lost",
                                                  "Serdes analog loss of signal"};
constexpr std::array<std::string_view, 2> kCable{"Unsupported cable", "Cable test failure"};
constexpr std::array<std::string_view, 1> kModule{"CMIS module is not in ModuleReady state"};

struct DownState {
    std::string_view words{};
    Words substates{};
};

constexpr std::array<DownState, 11> kDownStates{{{"Autoneg", kAutonegotiation},
                                                 {"Link training failure", kTraining},
                                                 {"Logical mismatch", kLogicalMismatch},
                                                 {"Bad signal integrity", kSignal},
                                                 {"No cable", {}},
                                                 {"Cable issue", kCable},
                                                 {"EEPROM issue", {}},
                                                 {"Calibration failure", {}},
                                                 {"Power budget exceeded", {}},
                                                 {"Overheat", {}},
                                                 {"Module", kModule}}};

static_assert(kDownStates.size() == ETHTOOL_LINK_EXT_STATE_MODULE + 1);

struct FecWords {
    unsigned bit{0};
    std::string_view words{};
};

constexpr std::array<FecWords, 4> kFecWords{{{ETHTOOL_LINK_MODE_FEC_NONE_BIT, "Off"},
                                             {ETHTOOL_LINK_MODE_FEC_RS_BIT, "RS"},
                                             {ETHTOOL_LINK_MODE_FEC_BASER_BIT, "BaseR"},
                                             {ETHTOOL_LINK_MODE_FEC_LLRS_BIT, "LLRS"}}};

std::string substate_words(Words words, unsigned number) {
    return number >= 1 && number <= words.size() ? std::string{words[number - 1]}
                                                 : "substate " + std::to_string(number);
}

}  // namespace

std::string link_down_words(unsigned state, std::optional<unsigned> substate) {
    const DownState known = state < kDownStates.size() ? kDownStates.at(state) : DownState{};
    std::string words =
        known.words.empty() ? "state " + std::to_string(state) : std::string{known.words};
    const unsigned number = substate.value_or(0);
    if (number != 0) {
        words += ", " + substate_words(known.substates, number);
    }
    return words;
}

std::string fec_words(unsigned link_mode_bit) {
    for (const FecWords& known : kFecWords) {
        if (known.bit == link_mode_bit) {
            return std::string{known.words};
        }
    }
    return "mode " + std::to_string(link_mode_bit);
}

}  // namespace ferrule
