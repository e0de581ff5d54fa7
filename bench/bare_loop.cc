// bare_loop FILES: opens, reads and closes every file of a list (a whole path a line), and nothing
// else: the least that a process can do that looks at a node.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc != 2) {
        return EXIT_FAILURE;
    }
    std::ifstream lines{argv[1]};
    for (std::string path; std::getline(lines, path);) {
        std::array<char, 4096> buffer;  // NOLINT(*-member-init): filled by read
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd < 0 || ::read(fd, buffer.data(), buffer.size()) < 0) {
            std::perror(path.c_str());
            return EXIT_FAILURE;
        }
        ::close(fd);
    }
    return EXIT_SUCCESS;
}
