#include "fabric/policy/job_gpus.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

using Positions = std::vector<std::size_t>;

std::vector<Gpu> four_gpus() {
    std::vector<Gpu> gpus;
    for (unsigned minor = 0; minor < 4; ++minor) {
        gpus.push_back(gpu(minor, "0000:" + std::to_string(10 + minor) + ":00.0", {}));
    }
    return gpus;
}

}  // namespace

TEST_CASE("GPUs are told by number, range or UUID") {
    CHECK(parse_job_gpus("0,2", four_gpus()).positions == Positions{0, 2});
    CHECK(parse_job_gpus("1-3", four_gpus()).positions == Positions{1, 2, 3});
    CHECK(parse_job_gpus("3,1,1", four_gpus()).positions == Positions{1, 3});
    CHECK(parse_job_gpus("GPU-2, GPU-0", four_gpus()).positions == Positions{0, 2});
    CHECK(parse_job_gpus("", four_gpus()).positions.empty());
    CHECK(parse_job_gpus("", four_gpus()).note.empty());
}

TEST_CASE("numbers are those of the device files, not positions") {
    std::vector<Gpu> gpus = four_gpus();
    gpus.erase(gpus.begin() + 1);
    CHECK(parse_job_gpus("2", gpus).positions == Positions{1});
    CHECK_FALSE(parse_job_gpus("1", gpus).note.empty());
    for (Gpu& it : gpus) {
        it.minor.reset();
    }
    CHECK(parse_job_gpus("1", gpus).positions == Positions{1});
}

TEST_CASE("text that does not fit this node takes no rail away") {
    for (const char* text : {"7", "a", "0,,1", "3-1", "0-4294967295", "MIG-12", "-1"}) {
        const JobGpus result = parse_job_gpus(text, four_gpus());
        INFO(text);
        CHECK(result.positions.empty());
        CHECK_THAT(result.note, Catch::Matchers::EndsWith("all rails are given"));
    }
    CHECK_FALSE(parse_job_gpus("0", {}).note.empty());
}

TEST_CASE(
    "on a node with divided GPUs the numbers count the parts, and a part's UUID names its GPU") {
    std::vector<Gpu> gpus = four_gpus();
    gpus[1].mig_instances = 3;
    CHECK(parse_job_gpus("0", gpus).positions == Positions{0});
    CHECK(parse_job_gpus("1,3", gpus).positions == Positions{1});
    CHECK(parse_job_gpus("4", gpus).positions == Positions{2});
    CHECK(parse_job_gpus("0-5", gpus).positions == Positions{0, 1, 2, 3});
    CHECK_FALSE(parse_job_gpus("6", gpus).note.empty());
    CHECK(parse_job_gpus("MIG-GPU-1/1/0", gpus).positions == Positions{1});
    // The newer form tells nothing without the driver's library.
    CHECK_FALSE(parse_job_gpus("MIG-5c89852c", gpus).note.empty());
}
