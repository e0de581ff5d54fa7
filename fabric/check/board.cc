#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <algorithm>

namespace ferrule {

void check_board(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "board";
    question.remedy = "another model of adapter, or one with another maker's firmware";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool known = !it.port.hca->board_id.empty();
        return known || !in.profile.expected.boards.empty() ? "" : "not told by this driver";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        const std::string& board = it.port.hca->board_id;
        return board.empty() ? std::nullopt : std::optional{board};
    };
    question.text = plain_text;
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& boards = in.profile.expected.boards;
        return boards.empty() ? std::nullopt : std::optional{std::ranges::count(boards, value) > 0};
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return joined(in.profile.expected.boards, " or ");
    };
    question.source = [](const Subject& it) {
        return "sys/class/infiniband/" + it.port.hca->name + "/board_id";
    };
    question.odd_one = Severity::Warning;
    compare(input, device_subjects(input), question, findings);
}

}  // namespace ferrule
