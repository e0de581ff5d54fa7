#include "fabric/read/attributes.h"

#include <cerrno>

namespace ferrule {

std::optional<std::string> Attributes::text(const char* name, IfInvalid if_invalid) const {
    auto content = dir_.attribute(name);
    if (content) {
        return std::move(*content);
    }
    const int error_number = content.error().code.value();
    const bool invalid = error_number == EINVAL || error_number == EOPNOTSUPP;
    const bool absent = error_number == ENOENT || (invalid && if_invalid == IfInvalid::Absent);
    if (!absent) {
        problem(name, content.error());
    }
    return std::nullopt;
}

std::string Attributes::link_name(const char* name) const {
    const auto target = dir_.link(name);
    if (!target) {
        return {};
    }
    return target->substr(target->rfind('/') + 1);
}

std::string Attributes::where(std::string_view name) const {
    return where_.empty() ? std::string{name} : std::string{where_}.append("/").append(name);
}

void Attributes::problem(const char* name, const Error& error) const {
    problems_.push_back({where(name), error.code.value(), error.code.message()});
}

void Attributes::not_understood(const char* name, std::string_view content) const {
    problems_.push_back({where(name), EBADMSG, "\"" + printable(content) + "\" not understood"});
}

}  // namespace ferrule
