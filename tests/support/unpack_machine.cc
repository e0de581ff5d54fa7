// unpack-machine ARCHIVE DIRECTORY: the tree of a machine archive, for tests and the demonstration
// that run real programs on it. The base of an overlay is looked for beside ARCHIVE.
#include "tests/support/machine.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>

int main(int argc, char** argv) {
    constexpr int kMisuse = 2;
    if (argc != 3) {
        std::cerr << "usage: unpack-machine ARCHIVE DIRECTORY\n";
        return kMisuse;
    }
    std::filesystem::create_directories(argv[2]);
    const auto done = ferrule::testing::unpack_machine_file(argv[1], argv[2]);
    if (!done) {
        std::cerr << argv[1] << ": " << done.error().text << '\n';
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
