// The plugin's callbacks, called as Slurm calls them, in every context and with everything failing.
#include "fabric/policy/environment.h"
#include "fabric/read/node.h"
#include "fabric/read/settings.h"
#include "tests/spank/fake_slurm.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <cstdlib>
#include <new>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

// One process that loads the plugin: the calls in Slurm's order.
class Life {
  public:
    explicit Life(std::vector<std::string> arguments) : arguments_{std::move(arguments)} {
        for (std::string& argument : arguments_) {
            pointers_.push_back(argument.data());
        }
        slurm() = FakeSlurm{};
        ::setenv("SLURMD_NODENAME", "n1", 1);
    }

    int init() { return slurm_spank_init(handle(), argc(), pointers_.data()); }

    int init_post_opt() { return slurm_spank_init_post_opt(handle(), argc(), pointers_.data()); }

    int task_init() { return slurm_spank_task_init(handle(), argc(), pointers_.data()); }

    int exit() { return slurm_spank_exit(handle(), argc(), pointers_.data()); }

    // As 22.05 does for a step: the remote callback comes twice.
    int option(const std::string& name, const char* value) {
        int status = 0;
        for (const spank_option& it : slurm().options) {
            if (name == it.name) {
                const int remote = slurm().context == S_CTX_REMOTE ? 1 : 0;
                status = it.cb(it.val, value, remote);
                status = it.cb(it.val, value, remote);
            }
        }
        return status;
    }

    // Everything up to the tasks.
    Environment step() {
        CHECK(init() == 0);
        CHECK(init_post_opt() == 0);
        CHECK(exit() == 0);
        return slurm().environment;
    }

  private:
    [[nodiscard]] int argc() const { return static_cast<int>(pointers_.size()); }

    std::vector<std::string> arguments_;
    std::vector<char*> pointers_{};
};

// Not what this machine may have in /etc/ferrule.
std::string no_config() {
    static const TemporaryDirectory directory;
    directory.write("none.conf", "");
    return "config=" + directory.path() + "/none.conf";
}

Life on_machine(const std::string& machine) {
    return Life{{"sysroot=" + machine_tree(machine), no_config()}};
}

// What the call writes to standard error.
template <typename Call>
std::string written_by(Call call) {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/stderr";
    const int saved = ::dup(STDERR_FILENO);
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    ::dup2(file, STDERR_FILENO);
    call();
    ::dup2(saved, STDERR_FILENO);
    ::close(saved);
    ::close(file);
    return slurp(path);
}

}  // namespace

TEST_CASE("a step gets the plan of its node") {
    Life life = on_machine("dgx-h100-ib");
    const Environment environment = life.step();
    CHECK_THAT(environment.at("NCCL_IB_HCA"), StartsWith("=mlx5_0:1,mlx5_3:1"));
    CHECK(environment.at("NCCL_SOCKET_IFNAME") == "=eno1");
    CHECK(environment.contains(kMarkerName));
    CHECK(slurm().errors.empty());
}

TEST_CASE("on every machine, under every profile, the plugin sets what a full read plans") {
    for (const std::string& machine : machine_names()) {
        ReadRequest request{};
        request.peers = {{"n2", {}, PeerRole::Member, {}}};
        const NodeSnapshot snapshot =
            read_node(machine_tree(machine), Source::Captured, request).value();
        for (const std::string profile : {"", "gid_subnet = 10.0.0.0/8\n", "gid_family = ipv6\n",
                                          "pkey = 0x8001\n", "roce_version = 1\n"}) {
            for (const std::string gpus : {"", "0", "0,1,2"}) {
                INFO(machine << " [" << profile << "] GPUs " << gpus);
                const TemporaryDirectory directory;
                directory.write("ferrule.conf", "[profile a]\nservice_level = 0\n" + profile);
                const std::string config = directory.path() + "/ferrule.conf";
                Life life{{"sysroot=" + machine_tree(machine), "config=" + config}};
                slurm().environment = {{"SLURM_STEP_NODELIST", "n[1-2]"},
                                       {"SLURM_STEP_GPUS", gpus}};
                Environment got = life.step();

                const Settings settings = load_settings(config, Trust::RootOnly).value();
                const EnvPlan plan = plan_environment(snapshot, profile_for(settings, "n1"),
                                                      {FabricMode::Auto, gpus});
                const Ownership wanted = settle_ownership(plan.variables, {});
                CHECK(parse_marker(got[kMarkerName]) == wanted.owned);
            }
        }
    }
}

TEST_CASE("a step that holds foreign processes only is left alone") {
    Life life = on_machine("dgx-h100-ib");
    slurm().step = 0xfffffffc;
    CHECK(life.step().empty());
}

TEST_CASE("outside of a step nothing is set and nothing is said") {
    for (const spank_context_t context :
         {S_CTX_LOCAL, S_CTX_ALLOCATOR, S_CTX_SLURMD, S_CTX_JOB_SCRIPT}) {
        Life life = on_machine("dgx-h100-ib");
        slurm().context = context;
        CHECK(life.step().empty());
        CHECK(slurm().errors.empty());
        const bool knows_options = context == S_CTX_LOCAL || context == S_CTX_ALLOCATOR;
        CHECK(slurm().options.size() == (knows_options ? 2U : 0U));
    }
}

TEST_CASE("option --fabric refuses a wrong value where the user sees it, and never on a node") {
    Life life = on_machine("dgx-h100-ib");
    slurm().context = S_CTX_LOCAL;
    life.init();
    CHECK(life.option("fabric", "off") == 0);
    CHECK(life.option("fabric", "of") == -1);
    CHECK(life.option("fabric", nullptr) == -1);
    life.exit();

    Life remote = on_machine("dgx-h100-ib");
    remote.init();
    CHECK(remote.option("fabric", "of") == 0);
    CHECK(remote.init_post_opt() == 0);
    CHECK(slurm().environment.contains("NCCL_IB_HCA"));
    remote.exit();
}

TEST_CASE("option --fabric=off takes away what another node got") {
    Life first = on_machine("dgx-h100-ib");
    const Environment batch = first.step();
    Life step = on_machine("oci-h100-roce");
    slurm().environment = batch;
    slurm().environment["HOME"] = "/root";
    step.init();
    step.option("fabric", "off");
    step.init_post_opt();
    CHECK(slurm().environment == Environment{{"HOME", "/root"}});
    step.exit();
}

TEST_CASE("option --fabric=tcp keeps RDMA out") {
    Life life = on_machine("dgx-h100-ib");
    life.init();
    life.option("fabric", "tcp");
    life.init_post_opt();
    CHECK(slurm().environment.at("NCCL_IB_DISABLE") == "1");
    CHECK(slurm().environment.at("NCCL_SOCKET_IFNAME") == "=eno1");
    CHECK_FALSE(slurm().environment.contains("NCCL_IB_HCA"));
    life.exit();
}

TEST_CASE("the explanation goes to standard error of the first task, and only if asked for") {
    Life life = on_machine("dgx-h100-ib");
    life.init();
    life.option("fabric-explain", "");
    life.init_post_opt();
    const std::string text = written_by([&] { life.task_init(); });
    CHECK_THAT(text, StartsWith("node n1: fabric InfiniBand") && Contains("mlx5_1:1"));
    slurm().task = 1;
    CHECK(written_by([&] { life.task_init(); }).empty());
    life.exit();

    Life silent = on_machine("dgx-h100-ib");
    silent.init();
    silent.init_post_opt();
    CHECK(written_by([&] { silent.task_init(); }).empty());
    silent.exit();
}

TEST_CASE("what a container's image brings is replaced, or kept where the site says so") {
    // As pyxis does in task_init, the image's environment comes over the job's.
    const auto after_image = [](const std::string& profile) {
        const TemporaryDirectory directory;
        directory.write("ferrule.conf", "[profile a]\ntraffic_class = 104\n" + profile);
        Life life{{"sysroot=" + machine_tree("oci-h100-roce"),
                   "config=" + directory.path() + "/ferrule.conf"}};
        slurm().environment = {{"UCX_NET_DEVICES", "mine"}};
        life.init();
        life.init_post_opt();
        slurm().environment["NCCL_IB_TC"] = "52";
        slurm().environment["NCCL_IB_GID_INDEX"] = "3";
        slurm().environment.erase("NCCL_SOCKET_IFNAME");
        slurm().environment["NCCL_DEBUG"] = "INFO";
        life.task_init();
        life.exit();
        return slurm().environment;
    };
    const Environment replaced = after_image("");
    CHECK(replaced.at("NCCL_IB_TC") == "104");
    CHECK(replaced.at("NCCL_SOCKET_IFNAME") == "=eth0");
    CHECK_FALSE(replaced.contains("NCCL_IB_GID_INDEX"));
    CHECK(replaced.at("NCCL_DEBUG") == "INFO");
    CHECK(replaced.at("UCX_NET_DEVICES") == "mine");
    CHECK(parse_marker(replaced.at(kMarkerName)).at("NCCL_IB_TC") == "104");

    const Environment kept = after_image("image_values = keep\n");
    CHECK(kept.at("NCCL_IB_TC") == "52");
    CHECK(kept.at("NCCL_IB_GID_INDEX") == "3");
    CHECK(kept.at("NCCL_SOCKET_IFNAME") == "=eth0");
    // Of a group the image owns all.
    CHECK_FALSE(kept.contains("NCCL_IB_FIFO_TC"));
    CHECK_FALSE(kept.contains("NCCL_IB_ADDR_FAMILY"));
    CHECK_FALSE(parse_marker(kept.at(kMarkerName)).contains("NCCL_IB_TC"));
}

TEST_CASE("an explanation tells what the user's own values do here") {
    Life life = on_machine("dgx-h100-ib");
    slurm().environment = {{"NCCL_IB_HCA", "mlx5_1"}};
    life.init();
    life.option("fabric-explain", "");
    life.init_post_opt();
    const std::string text = written_by([&] { life.task_init(); });
    CHECK_THAT(text, Contains("look at NCCL_IB_HCA: \"mlx5_1\" is a prefix"));
    CHECK(slurm().environment.at("NCCL_IB_HCA") == "mlx5_1");
    life.exit();
}

TEST_CASE("a marker that Slurm drops is named, and nothing stays unrecorded") {
    const TemporaryDirectory directory;
    // Each value fits, but not the marker that records them all.
    std::string profile = "[profile big]\n[environment big]\n";
    for (unsigned i = 0; i < 1000; ++i) {
        profile += "NCCL_TEST_" + std::to_string(i) + " = " + std::string(150, 'x') + "\n";
    }
    directory.write("ferrule.conf", profile);
    Life life{
        {"sysroot=" + machine_tree("no-hca"), "config=" + directory.path() + "/ferrule.conf"}};
    const Environment environment = life.step();
    // Unrecorded values would pass for the user's own on the next node, so all are taken back.
    CHECK(environment.empty());
    REQUIRE(slurm().errors.size() == 1);
    CHECK_THAT(slurm().errors.front(), Contains(kMarkerName));
}

TEST_CASE("a configuration that cannot be trusted sets nothing and is one line in the log") {
    const TemporaryDirectory directory;
    directory.write("ferrule.conf", "[profile a]\nnonsense = 1\n");
    Life life{
        {"sysroot=" + machine_tree("dgx-h100-ib"), "config=" + directory.path() + "/ferrule.conf"}};
    CHECK(life.step().empty());
    REQUIRE(slurm().errors.size() == 1);
    CHECK_THAT(slurm().errors[0], Contains("ferrule.conf:2") && !Contains("\n"));
}

TEST_CASE("a tree that is gone takes away the first node's values and says so once") {
    Life first = on_machine("dgx-h100-ib");
    const Environment batch = first.step();
    Life step{{"sysroot=/no/such/tree", no_config()}};
    slurm().environment = batch;
    CHECK(step.step().empty());
    CHECK(slurm().errors.size() == 1);
}

TEST_CASE("every callback survives every failure of every call it makes") {
    const std::vector<std::function<void()>> failures{
        [] { throw std::runtime_error{"injected"}; },
        [] { throw std::bad_alloc{}; },
        [] { throw 42; },
    };
    for (const char* function : {"spank_remote", "spank_option_register", "spank_get_item",
                                 "spank_setenv", "spank_unsetenv"}) {
        for (const auto& failure : failures) {
            Life life = on_machine("dgx-h100-ib");
            slurm().environment[kMarkerName] = "OLD=1";
            slurm().environment["OLD"] = "1";
            slurm().on_call = [&](const char* called) {
                if (std::string_view{called} == function) {
                    failure();
                }
            };
            CHECK(life.init() == 0);
            life.option("fabric-explain", "");
            CHECK(life.init_post_opt() == 0);
            written_by([&] { CHECK(life.task_init() == 0); });
            CHECK(life.exit() == 0);
            INFO(function);
            CHECK(slurm().errors.size() <= 3);
        }
    }
}

TEST_CASE("callbacks out of order do no harm") {
    Life life = on_machine("dgx-h100-ib");
    CHECK(life.init_post_opt() == 0);
    CHECK(life.task_init() == 0);
    CHECK(life.exit() == 0);
    CHECK(life.exit() == 0);
    CHECK(life.init() == 0);
    CHECK(life.init() == 0);
    CHECK(life.exit() == 0);
}

TEST_CASE("an unknown argument of plugstack.conf is a line in the node's log") {
    Life life{{"sysroot=" + machine_tree("no-hca"), "sysrot=/x", no_config()}};
    life.step();
    REQUIRE(slurm().errors.size() == 1);
    CHECK_THAT(slurm().errors[0], Contains("sysrot=/x") && Contains("use config=FILE"));
}
