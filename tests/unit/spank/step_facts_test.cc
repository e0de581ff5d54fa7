#include "spank/step_facts.h"

#include "spank/arguments.h"
#include "tests/support/catch.h"

using namespace ferrule;

namespace {

std::string names(const StepFacts& facts) {
    std::string text;
    for (const Peer& peer : facts.peers) {
        text += (text.empty() ? "" : " ") + peer.name;
    }
    return text;
}

}  // namespace

TEST_CASE("a step's other nodes are its own list, without itself") {
    const Environment environment{{"SLURM_STEP_NODELIST", "n[1-3]"},
                                  {"SLURM_JOB_NODELIST", "n[1-9]"}};
    CHECK(names(step_facts(environment, 0, "n2")) == "n1 n3");
    CHECK(names(step_facts({{"SLURM_JOB_NODELIST", "n[1-2]"}}, 0, "n2")) == "n1");
}

TEST_CASE("a script ignores the step it was submitted from") {
    const Environment environment{{"SLURM_STEP_NODELIST", "other[1-2]"},
                                  {"SLURM_JOB_NODELIST", "n[1-2]"},
                                  {"SLURM_LAUNCH_NODE_IPADDR", "10.0.0.1"}};
    CHECK(names(step_facts(environment, kBatchStep, "n1")) == "n2");
    CHECK(names(step_facts(environment, kInteractiveStep, "n1")) == "n2");
}

TEST_CASE("GPUs are the script's in a script and the step's in a step") {
    const Environment environment{{"SLURM_JOB_GPUS", "0,1"}, {"SLURM_STEP_GPUS", "2"}};
    CHECK(step_facts(environment, kBatchStep, "n1").gpus == "0,1");
    CHECK(step_facts(environment, kInteractiveStep, "n1").gpus == "0,1");
    CHECK(step_facts(environment, 0, "n1").gpus == "2");
    // A step without GPUs inherits those of the first node's script: not its own.
    CHECK(step_facts({{"SLURM_JOB_GPUS", "0,1"}}, 3, "n2").gpus.empty());
}

TEST_CASE("the launching node counts with an address that leads somewhere") {
    const auto peers = [](const char* address) {
        return step_facts({{"SLURM_LAUNCH_NODE_IPADDR", address}}, 0, "n1").peers;
    };
    REQUIRE(peers("10.77.0.1").size() == 1);
    CHECK(peers("10.77.0.1")[0].role == PeerRole::Launcher);
    CHECK(peers("127.0.0.1").empty());
    CHECK(peers("login1").empty());
}

TEST_CASE("ten thousand nodes are looked at as a few, and garbage as none") {
    CHECK(step_facts({{"SLURM_STEP_NODELIST", "n[0-9999]"}}, 0, "n1").peers.size() == 8);
    CHECK(step_facts({{"SLURM_STEP_NODELIST", "n[1-"}}, 0, "n1").peers.empty());
    CHECK(step_facts({{"SLURM_STEP_NODELIST", std::string(100000, '[')}}, 0, "n1").peers.empty());
}

TEST_CASE("plugstack arguments are two, and anything else is named") {
    CHECK(parse_arguments({"sysroot=/t", "config=/f"}) == Arguments{"/f", "/t", {}});
    CHECK(parse_arguments({}).sysroot == "/");
    CHECK(parse_arguments({"conf=/f", ""}).unknown == std::vector<std::string>{"conf=/f", ""});
}
