#include "fabric/policy/lint.h"

#include "fabric/base/text.h"
#include "fabric/model/library_variable.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ferrule {

namespace {

std::vector<std::string> lint_names(const LintView& view, const LintSubject& subject,
                                    Accepts accepts) {
    switch (accepts) {
        case Accepts::NcclHcas:
            return lint_nccl_hcas(view, subject.value);
        case Accepts::NcclNetdevs:
            return lint_nccl_interfaces(view, subject);
        case Accepts::UcxDevices:
        case Accepts::HcaList:
            return lint_exact_hcas(view, subject);
        case Accepts::Netdevs:
        case Accepts::OneNetdev:
            return lint_exact_interfaces(view, subject.value);
        default:
            return {};
    }
}

std::vector<std::string> lint_tables(const LintView& view, const LintSubject& subject) {
    if (subject.name == "NCCL_IB_GID_INDEX" || subject.name == "UCX_IB_GID_INDEX" ||
        subject.name == "NVSHMEM_IB_GID_INDEX") {
        return lint_gid_index(view, subject.value);
    }
    if (subject.name == "NCCL_IB_ADDR_FAMILY" || subject.name == "NCCL_IB_ADDR_RANGE") {
        return lint_gid_outcome(view);
    }
    return subject.name == "NCCL_IB_PKEY" ? lint_pkey_index(view, subject.value)
                                          : std::vector<std::string>{};
}

bool hides_file(const NodeSnapshot& snapshot, std::string_view name) {
    return std::ranges::any_of(snapshot.nccl_conf,
                               [&](const auto& setting) { return setting.first == name; });
}

// The AWS plugin reads no NCCL_IB_*, and needs its provider.
std::vector<std::string> lint_on_efa(const LintSubject& subject) {
    if (subject.name == "NCCL_IB_HCA") {
        return {"has no effect on EFA, which NCCL drives through its AWS plugin"};
    }
    if (subject.name == "FI_PROVIDER" && subject.value.find("efa") == std::string_view::npos) {
        return {fmt::format("\"{}\" leaves EFA out; add efa", printable(subject.value))};
    }
    return {};
}

std::vector<std::string> lint_partners(const LintView& view, const LintSubject& subject) {
    const auto& [name, value] = subject;
    if (name == "NCCL_IB_TC" && !view.environment.contains("NCCL_IB_FIFO_TC")) {
        return {
            "without NCCL_IB_FIFO_TC the control messages of NCCL 2.22 and 2.23, and of HPC-X, "
            "stay in class 0"};
    }
    if (name == "OMPI_MCA_btl_tcp_if_include" &&
        view.environment.contains("OMPI_MCA_btl_tcp_if_exclude")) {
        return {"Open MPI refuses it beside OMPI_MCA_btl_tcp_if_exclude"};
    }
    if (name == "NCCL_IB_DISABLE" && value == "1" &&
        !view.environment.contains("NCCL_IBEXT_DISABLE")) {
        return {"the HPC-X plugin does not read it; set NCCL_IBEXT_DISABLE too"};
    }
    return {};
}

std::vector<std::string> lint_one(const LintView& view, const LintSubject& subject) {
    const LibraryVariable* const known = find_library_variable(subject.name);
    if (known == nullptr) {
        const auto meant = variable_meant_by(subject.name);
        return meant ? std::vector{fmt::format("no library reads it; did you mean {}?", *meant)}
                     : std::vector<std::string>{};
    }
    if (!known->instead.empty()) {
        return {fmt::format("no library reads it any more; use {}", known->instead)};
    }
    if (view.plan.fabric == FabricKind::Efa &&
        (subject.name == "NCCL_IB_HCA" || subject.name == "FI_PROVIDER")) {
        return lint_on_efa(subject);
    }
    if (subject.value.empty()) {
        std::vector<std::string> sentences;
        if (hides_file(view.snapshot, subject.name)) {
            sentences.emplace_back("is empty, and so hides the value of /etc/nccl.conf");
        } else if (subject.name == "NCCL_IB_HCA") {
            sentences = lint_nccl_hcas(view, subject.value);
        }
        return sentences;
    }
    std::vector<std::string> sentences = lint_names(view, subject, known->accepts);
    const bool names = known->accepts != Accepts::Number && known->accepts != Accepts::Words &&
                       known->accepts != Accepts::Range;
    const std::string why_not = names ? std::string{} : why_not_accepted(*known, subject.value);
    if (!why_not.empty()) {
        sentences.push_back(fmt::format("\"{}\" {}", printable(subject.value), why_not));
    }
    std::ranges::move(lint_tables(view, subject), std::back_inserter(sentences));
    std::ranges::move(lint_partners(view, subject), std::back_inserter(sentences));
    return sentences;
}

}  // namespace

NcclVersion newest_known_nccl() {
    return {2, 30, 7};
}

std::vector<LintFinding> lint_environment(const LintView& view, const Environment& owned) {
    constexpr std::size_t kMostSentences = 12;
    std::vector<LintFinding> findings;
    for (const auto& [name, value] : view.environment) {
        const auto ours = owned.find(name);
        if (ours != owned.end() && ours->second == value) {
            continue;
        }
        std::vector<std::string> sentences = lint_one(view, {name, value});
        if (sentences.size() > kMostSentences) {
            const std::size_t more = sentences.size() - kMostSentences;
            sentences.resize(kMostSentences);
            sentences.push_back(fmt::format("and {} more of the kind", more));
        }
        for (std::string& sentence : sentences) {
            findings.push_back({name, std::move(sentence)});
        }
    }
    return findings;
}

}  // namespace ferrule
