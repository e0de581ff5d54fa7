// Machine archives of tests/machines: text that unpacks into a tree which read_node can read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferrule::testing {

// A temporary directory that goes with the object.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

    // Writes a file below it, making directories on the way.
    void write(const std::string& name, std::string_view content) const;

  private:
    std::string path_;
};

// The tree of a machine in tests/machines, unpacked once for as long as the program runs.
[[nodiscard]] const std::string& machine_tree(const std::string& name);

// Names of all machines in tests/machines, overlays among them, sorted.
[[nodiscard]] std::vector<std::string> machine_names();

// The whole file; ends the test run with a message when it cannot be read.
[[nodiscard]] std::string slurp(const std::string& path);

}  // namespace ferrule::testing
