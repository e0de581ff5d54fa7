// The built plugin file, loaded as Slurm loads it.
#include "tests/spank/fake_slurm.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <dlfcn.h>
#include <fstream>
#include <string>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

using Callback = int (*)(spank_t, int, char**);

void* load() {
    void* const module = ::dlopen(FERRULE_PLUGIN, RTLD_LAZY | RTLD_LOCAL);
    INFO((module == nullptr ? ::dlerror() : ""));
    REQUIRE(module != nullptr);
    return module;
}

Callback callback(void* module, const char* name) {
    const auto found = reinterpret_cast<Callback>(::dlsym(module, name));
    REQUIRE(found != nullptr);
    return found;
}

bool is_mapped() {
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
        if (line.ends_with("/spank_ferrule.so")) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("the file is a SPANK plugin of this Slurm's version") {
    void* const module = load();
    CHECK(std::string{static_cast<const char*>(::dlsym(module, "plugin_name"))} == "ferrule");
    CHECK(std::string{static_cast<const char*>(::dlsym(module, "plugin_type"))} == "spank");
    CHECK(*static_cast<const unsigned*>(::dlsym(module, "plugin_version")) == SLURM_VERSION_NUMBER);
    ::dlclose(module);
}

TEST_CASE("the loaded file plans a step, catches what is thrown, and leaves nothing behind") {
    slurm() = FakeSlurm{};
    void* const module = load();
    CHECK(is_mapped());
    std::string argument = "sysroot=" + machine_tree("oci-h100-roce");
    const TemporaryDirectory directory;
    directory.write("none.conf", "");
    std::string config = "config=" + directory.path() + "/none.conf";
    char* arguments[] = {argument.data(), config.data()};
    CHECK(callback(module, "slurm_spank_init")(handle(), 2, arguments) == 0);
    CHECK(callback(module, "slurm_spank_init_post_opt")(handle(), 2, arguments) == 0);
    CHECK(slurm().environment.at("NCCL_IB_ADDR_FAMILY") == "AF_INET");
    // Fewer than no arguments: std::length_error, thrown and caught inside of the file.
    CHECK(callback(module, "slurm_spank_init")(handle(), -1, arguments) == 0);
    CHECK(slurm().errors.size() == 1);
    CHECK(callback(module, "slurm_spank_exit")(handle(), 1, arguments) == 0);
    ::dlclose(module);
    CHECK_FALSE(is_mapped());
}
