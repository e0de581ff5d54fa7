// Holds one value of every rail against the profile or, where the profile says nothing of it,
// against most rails of the node. What differs without a majority is unknown: nobody can tell which
// is right. Pure.
#pragma once

#include "fabric/base/text.h"
#include "fabric/check/check_words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferrule {

// What is compared: a port, or an interface that carries packets of one.
struct Subject {
    const ScopedPort& port;
    // Of a port its own interface, if it has one.
    const Netdev* netdev{nullptr};
    std::string object{};
};

[[nodiscard]] std::vector<Subject> port_subjects(const CheckInput& input);
// One for each device, by its first port.
[[nodiscard]] std::vector<Subject> device_subjects(const CheckInput& input);
// Ethernet interfaces only: those of RoCE ports, and of a bond its members.
[[nodiscard]] std::vector<Subject> interface_subjects(const CheckInput& input);

inline constexpr std::string_view kMostRails = "most rails of this node";

// The value that more than half of at least three share; nullopt without one.
template <typename T>
[[nodiscard]] std::optional<T> majority(const std::vector<T>& values) {
    constexpr std::size_t kFewest = 3;
    std::map<T, std::size_t> counts;
    for (const T& value : values) {
        if (++counts[value] * 2 > values.size() && values.size() >= kFewest) {
            return value;
        }
    }
    return std::nullopt;
}

// `T` is what a reader sees, so mostly text or a number. Questions are stated as lambdas that
// capture nothing.
template <typename T>
struct Comparison {
    std::string_view key{};
    std::string_view remedy{};
    // Why the question does not arise; empty where it does.
    std::string_view (*not_asked)(const CheckInput&, const Subject&){nullptr};
    std::optional<T> (*value)(const CheckInput&, const Subject&){nullptr};
    std::string (*text)(const T&){nullptr};
    // What the profile says of a value; nothing where it says nothing.
    std::optional<bool> (*fits)(const CheckInput&, const Subject&, const T&){nullptr};
    std::string (*wanted)(const CheckInput&, const Subject&){nullptr};
    // Whose reading to look for when there is no value.
    std::string (*source)(const Subject&){nullptr};
    // Of a rail that is unlike most.
    Severity odd_one{Severity::Critical};
};

template <typename T>
void compare_with_most(const Comparison<T>& question,
                       const std::vector<std::pair<const Subject*, T>>& known, Findings& findings) {
    std::vector<T> values;
    values.reserve(known.size());
    for (const auto& [subject, value] : known) {
        values.push_back(value);
    }
    const auto most = majority(values);
    const bool all_alike =
        std::ranges::all_of(values, [&](const T& value) { return value == values.front(); });
    for (const auto& [subject, value] : known) {
        if (all_alike || most == value) {
            findings.pass(subject->object, question.text(value));
        } else if (most) {
            findings.fail({subject->object, question.text(value), question.text(*most),
                           std::string{kMostRails}, std::string{question.remedy}},
                          question.odd_one);
        } else {
            findings.unknown(subject->object, question.text(value) +
                                                  ", and the rails differ; say in the profile (" +
                                                  std::string{question.key} + ") which is right");
        }
    }
}

template <typename T>
void compare(const CheckInput& input, const std::vector<Subject>& subjects,
             const Comparison<T>& question, Findings& findings) {
    std::vector<std::pair<const Subject*, T>> unruled;
    unruled.reserve(subjects.size());
    for (const Subject& subject : subjects) {
        const std::string_view why_not = question.not_asked(input, subject);
        if (!why_not.empty()) {
            findings.not_applicable(subject.object, std::string{why_not});
            continue;
        }
        const std::optional<T> value = question.value(input, subject);
        if (!value) {
            findings.unknown(subject.object, why_unread(input.snapshot, question.source(subject)));
            continue;
        }
        const std::optional<bool> fits = question.fits(input, subject, *value);
        if (!fits) {
            unruled.emplace_back(&subject, *value);
        } else if (*fits) {
            findings.pass(subject.object, question.text(*value));
        } else {
            findings.fail({subject.object, question.text(*value), question.wanted(input, subject),
                           rule_of(input.profile, question.key), std::string{question.remedy}});
        }
    }
    compare_with_most(question, unruled, findings);
}

// Parts of questions that many share.
[[nodiscard]] inline std::string plain_text(const std::string& value) {
    return value;
}

[[nodiscard]] std::string_view only_active_wires(const CheckInput& input, const Subject& subject);

// Questions of DCB and ethtool: asked where the driver tells, or the profile wants to know.
[[nodiscard]] inline std::string dcb_source(const Subject& subject) {
    return "dcb " + subject.object;
}

// Asking the driver failed, otherwise than by its saying that it has no such thing.
[[nodiscard]] bool is_dcb_unread(const CheckInput& input, const Subject& subject);

}  // namespace ferrule
