// Archives and overlays unpack to the files they describe.
#include "fabric/archive/unpack.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <filesystem>

using namespace ferrule;
using namespace ferrule::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBase =
    "# machine: base\n"
    "class/eth0 -> ../devices/eth0\n"
    "devices/eth0/mtu = 1500\n"
    "devices/eth0/uevent <<\n"
    "|INTERFACE=eth0\n"
    "|IFINDEX=2\n"
    "devices/gids/{0..3} = zero\n";

// Archives beside each other, one of them the text.
Result<void> unpack(std::string_view archive, const TemporaryDirectory& tree) {
    const TemporaryDirectory files;
    files.write("base.machine", kBase);
    files.write("overlay.machine", "# base: base\n");
    files.write("broken.machine", "# machine: broken\nnonsense\n");
    files.write("it.machine", archive);
    return unpack_archive(files.path() + "/it.machine", tree.path());
}

// What follows the file's name.
std::string error_of(std::string_view archive) {
    const TemporaryDirectory tree;
    const std::string text = unpack(archive, tree).error().text;
    return text.substr(text.find(".machine: ") + 10);
}

}  // namespace

TEST_CASE("an overlay replaces and adds, and the rest is the base's") {
    const TemporaryDirectory tree;
    REQUIRE(unpack(
        "# machine: m\n# base: base\ndevices/eth0/mtu = 9000\ndevices/eth0/speed = 100\n", tree));
    CHECK(slurp(tree.path() + "/devices/eth0/mtu") == "9000\n");
    CHECK(slurp(tree.path() + "/devices/eth0/speed") == "100\n");
    CHECK(slurp(tree.path() + "/devices/eth0/uevent") == "INTERFACE=eth0\nIFINDEX=2\n");
}

TEST_CASE("an overlay's path may go through a link, and a link itself is replaced") {
    const TemporaryDirectory tree;
    REQUIRE(unpack("# base: base\nclass/eth0/mtu = 9000\n", tree));
    CHECK(slurp(tree.path() + "/devices/eth0/mtu") == "9000\n");

    const TemporaryDirectory other;
    REQUIRE(unpack("# base: base\nclass/eth0 -> ../devices/gids\n", other));
    CHECK(fs::read_symlink(other.path() + "/class/eth0") == "../devices/gids");
    CHECK(fs::exists(other.path() + "/devices/eth0"));
}

TEST_CASE("an overlay removes a link, a file, a range and a directory") {
    const TemporaryDirectory tree;
    REQUIRE(unpack("# base: base\nclass/eth0 -\ndevices/gids/{2..3} -\n", tree));
    CHECK(fs::is_empty(tree.path() + "/class"));
    CHECK(fs::exists(tree.path() + "/devices/eth0/mtu"));
    CHECK(fs::exists(tree.path() + "/devices/gids/1"));
    CHECK_FALSE(fs::exists(tree.path() + "/devices/gids/2"));

    const TemporaryDirectory bare;
    REQUIRE(unpack("# base: base\ndevices -\n", bare));
    CHECK_FALSE(fs::exists(bare.path() + "/devices"));
}

TEST_CASE("a removal of what is not there is an error that names the line") {
    CHECK(error_of("# base: base\ndevices/eth1 -\n") == "line 2: devices/eth1 is not in the base");
    CHECK(error_of("# base: base\ndevices/gids/{3..4} -\n") ==
          "line 2: devices/gids/4 is not in the base");
}

TEST_CASE("a base that is missing, an overlay itself or broken is an error that names it") {
    const auto starts = [](const std::string& archive, const std::string& beginning) {
        return error_of(archive).starts_with(beginning);
    };
    CHECK(starts("# machine: m\n# base: gone\n", "base gone: "));
    CHECK(starts("# base: overlay\n", "base overlay: is an overlay itself"));
    CHECK(starts("# base: broken\n", "base broken: line 2: not an entry of a machine archive"));
}

TEST_CASE("what is no entry is an error that names the line") {
    CHECK(error_of("path = text\n\npath - text\n") == "line 3: not an entry of a machine archive");
    CHECK(error_of("/etc/passwd = text\n") == "line 1: not an entry of a machine archive");
    for (const std::string path : {"", "/etc", "..", "../up", "devices/../../up", "devices/.."}) {
        INFO(path);
        CHECK(error_of("# base: base\n" + path + " -\n") ==
              "line 2: not an entry of a machine archive");
    }
}

TEST_CASE("no link leads a file out of the tree") {
    for (const std::string link :
         {"out -> /tmp\n", "out -> ..\n", "a/b/c/d -> ../../..\nout -> a/b/c/d/../..\n"}) {
        INFO(link);
        const TemporaryDirectory tree;
        const auto done = unpack_archive_text(link + "out/file = text\n", tree.path() + "/inside");
        CHECK_FALSE(done);
        CHECK_FALSE(fs::exists(tree.path() + "/file"));
    }
}

TEST_CASE("a path that the system would read otherwise removes nothing") {
    const TemporaryDirectory tree;
    fs::create_directories(tree.path() + "/keep");
    const TemporaryDirectory files;
    files.write("base.machine", kBase);
    for (const std::string& path : {std::string{"..\0y", 4}, std::string{"devices\0y", 9}}) {
        files.write("it.machine", "# base: base\n" + path + " -\n");
        CHECK_FALSE(unpack_archive(files.path() + "/it.machine", tree.path() + "/root"));
        CHECK(fs::exists(tree.path() + "/keep"));
    }
    for (const std::string base : {"../base", "/base", ".", ".."}) {
        INFO(base);
        CHECK_FALSE(parse_archive("# base: " + base + "\n"));
    }
}

TEST_CASE("an overlay may remove a folder and write into a new one of that name") {
    const TemporaryDirectory tree;
    REQUIRE(unpack("# base: base\ndevices/eth0/mtu = 9000\ndevices/eth0 -\ndevices/eth0/mtu = 1\n",
                   tree));
    CHECK(slurp(tree.path() + "/devices/eth0/mtu") == "1\n");
}
