// What the tortures share: chance with a seed that is printed, and complaints that name it.
#pragma once

#include "fabric/base/text.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

#include <system_error>

namespace ferrule::testing {

struct TortureOptions {
    std::uint64_t runs{300};
    std::uint64_t seed{0};
    std::string program{};
};

// "--runs N", "--seed N" and "--program PATH"; without a seed one by chance.
inline TortureOptions torture_options(int argc, char** argv) {
    TortureOptions options{};
    options.seed = std::random_device{}();
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name{argv[i]};
        if (name == "--program") {
            options.program = argv[i + 1];
        } else {
            auto& number = name == "--runs" ? options.runs : options.seed;
            number = parse_number<std::uint64_t>(argv[i + 1]).value_or(number);
        }
    }
    std::cout << "runs " << options.runs << ", seed " << options.seed << std::endl;
    return options;
}

// A folder on a disk, where a file takes its time to be safe, so that kills meet it half done.
class DiskFolder {
  public:
    DiskFolder()
        : path_{(std::filesystem::temp_directory_path() / "ferrule-torture-XXXXXX").string()} {
        if (::mkdtemp(path_.data()) == nullptr) {
            std::abort();
        }
    }

    DiskFolder(const DiskFolder&) = delete;
    DiskFolder& operator=(const DiskFolder&) = delete;

    ~DiskFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_{seed} {}

    // Between both, which are included.
    std::uint64_t between(std::uint64_t low, std::uint64_t high) {
        return std::uniform_int_distribution<std::uint64_t>{low, high}(engine_);
    }

    bool one_in(std::uint64_t number) { return between(1, number) == 1; }

  private:
    std::mt19937_64 engine_;
};

// Ends the program where something does not hold.
class Judge {
  public:
    explicit Judge(std::uint64_t seed) : seed_{seed} {}

    void next_run() { ++run_; }

    void demand(bool holds, std::string_view what) const {
        if (!holds) {
            std::cout << "run " << run_ << " of seed " << seed_ << ": " << what << std::endl;
            std::exit(EXIT_FAILURE);
        }
    }

  private:
    std::uint64_t seed_;
    std::uint64_t run_{0};
};

}  // namespace ferrule::testing
