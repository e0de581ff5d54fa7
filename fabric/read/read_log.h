// What was asked of a tree, so that a capture holds just what a reader reads.
#pragma once

#include <map>
#include <set>
#include <string>

namespace ferrule {

struct ReadLog {
    // Contents that were read, by path; the errors of those that could not be.
    std::map<std::string, std::string> files{};
    std::map<std::string, int> errors{};
    // Directories that were listed or entered.
    std::set<std::string> directories{};
    // Paths whose existence, or whose target as a link, was asked for.
    std::set<std::string> looked_at{};
    // Paths that a listing named.
    std::set<std::string> listed{};
};

}  // namespace ferrule
