#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

namespace {

// Priorities that may drop fill it, and leave nothing for what comes behind a pause.
bool is_shared(const ReceiveBuffers& buffers, unsigned buffer, PrioritySet pfc) {
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        if (!pfc.has(priority) && buffers.buffer_of_priority.at(priority) == buffer) {
            return true;
        }
    }
    return false;
}

PrioritySet lossless_of(const CheckInput& input, const DcbState& dcb) {
    const PrioritySet own = dcb.pfc ? dcb.pfc->enabled : PrioritySet{};
    return input.profile.expected.pfc.value_or(own);
}

// Bytes of the smallest buffer that PFC priorities use; where the profile asks, have for
// themselves.
std::optional<unsigned> lossless_buffer(const CheckInput& input, const Subject& it) {
    const auto& dcb = it.netdev->dcb;
    if (!dcb || !dcb->buffers) {
        return std::nullopt;
    }
    const PrioritySet pfc = lossless_of(input, *dcb);
    const bool asked = input.profile.expected.pfc_buffer.has_value();
    std::optional<unsigned> smallest;
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        if (pfc.has(priority)) {
            const unsigned buffer = dcb->buffers->buffer_of_priority.at(priority);
            const bool none =
                buffer >= kPriorities || (asked && is_shared(*dcb->buffers, buffer, pfc));
            const unsigned size = none ? 0 : dcb->buffers->sizes.at(buffer);
            smallest = std::min(smallest.value_or(size), size);
        }
    }
    return smallest;
}

// Without a word of the profile a warning.
void check_sharing(const CheckInput& input, const Subject& it, Findings& findings) {
    const auto& dcb = it.netdev->dcb;
    if (!dcb || !dcb->buffers || input.profile.expected.pfc_buffer) {
        return;
    }
    const PrioritySet pfc = lossless_of(input, *dcb);
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        const unsigned buffer = dcb->buffers->buffer_of_priority.at(priority);
        if (pfc.has(priority) && is_shared(*dcb->buffers, buffer, pfc)) {
            findings.fail({it.object, "lossless and other priorities in one buffer",
                           "a buffer of their own", "other packets cannot fill a lossless buffer",
                           "mlnx_qos --prio2buffer, or dcb buffer set prio-buffer"},
                          Severity::Warning);
            return;
        }
    }
}

}  // namespace

void check_receive_buffer(const CheckInput& input, Findings& findings) {
    Comparison<unsigned> question{};
    question.key = "pfc_buffer";
    question.remedy = "mlnx_qos --prio2buffer and --buffer_size, or dcb buffer set";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool told = lossless_buffer(in, it).has_value();
        return told || in.profile.expected.pfc_buffer ? ""
                                                      : "no lossless priority, or no buffers told";
    };
    question.value = lossless_buffer;
    question.text = [](const unsigned& value) {
        return value == 0 ? std::string{"a lossless priority has no buffer of its own"}
                          : std::to_string(value) + " bytes";
    };
    question.fits = [](const CheckInput& in, const Subject&,
                       const unsigned& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.pfc_buffer;
        return wanted ? std::optional{wanted->contains(value)} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return to_text(in.profile.expected.pfc_buffer.value_or(NumberRange{})) + " bytes";
    };
    question.source = dcb_source;
    compare(input, interface_subjects(input), question, findings);
    for (const Subject& subject : interface_subjects(input)) {
        check_sharing(input, subject, findings);
    }
}

}  // namespace ferrule
