// The folder of the health check: whole files, one run at a time, and nobody else's files.
#include "fabric/state/state_dir.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <csignal>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "health.history";
constexpr std::size_t kLimit = 1000;

std::error_code load_error(const StateDir& dir, std::size_t limit = kLimit) {
    const auto content = dir.load(kName, limit);
    return content ? std::error_code{} : content.error().code;
}

// A process that runs until it is ended.
class Child {
  public:
    template <typename Work>
    explicit Child(Work work) : pid_{::fork()} {
        if (pid_ == 0) {
            work();
            ::_exit(0);
        }
    }

    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    ~Child() { end(); }

    void end() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
            pid_ = -1;
        }
    }

    [[nodiscard]] pid_t pid() const { return pid_; }

  private:
    pid_t pid_;
};

void wait_for_ever() {
    for (;;) {
        ::pause();
    }
}

void await_lock(const StateDir& dir) {
    for (int i = 0; i < 1000 && dir.holder().pid == 0; ++i) {
        ::usleep(5000);
    }
}

}  // namespace

TEST_CASE("the folder is made where it is missing, and all may read it") {
    const TemporaryDirectory tmp;
    const std::string path = tmp.path() + "/state";
    ::umask(022);

    const auto dir = StateDir::open(path);

    REQUIRE(dir);
    struct stat status{};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777U) == 0755U);
    CHECK(StateDir::open(path).has_value());
}

TEST_CASE("a folder that cannot be one is refused") {
    const TemporaryDirectory tmp;
    tmp.write("file", "x");
    CHECK_THAT(StateDir::open(tmp.path() + "/file").error().text, Contains("/file: "));
    CHECK_FALSE(StateDir::open(tmp.path() + "/no/such"));
    fs::create_directory(tmp.path() + "/open");
    ::chmod((tmp.path() + "/open").c_str(), 0777);
    CHECK_THAT(StateDir::open(tmp.path() + "/open").error().text, Contains("chmod go-w it"));
}

TEST_CASE("a folder of another user is refused") {
    if (::geteuid() != 0) {
        SUCCEED("takes root to make one");
        return;
    }
    const TemporaryDirectory tmp;
    REQUIRE(::chown(tmp.path().c_str(), 65534, 65534) == 0);
    CHECK_FALSE(StateDir::open(tmp.path()));
    REQUIRE(::chown(tmp.path().c_str(), 0, 0) == 0);
}

TEST_CASE("what is saved is loaded, and replaces what was there") {
    const TemporaryDirectory tmp;
    const StateDir dir = StateDir::open(tmp.path()).value();
    CHECK(load_error(dir) == std::errc::no_such_file_or_directory);
    for (const std::string& content :
         {std::string{"first"}, std::string{}, std::string(900, 'x')}) {
        REQUIRE(dir.save(kName, content));
        CHECK(dir.load(kName, kLimit).value() == content);
    }
    CHECK(std::distance(fs::directory_iterator{tmp.path()}, fs::directory_iterator{}) == 1);
}

TEST_CASE("a file that is too large is an error, one of the limit is not") {
    const TemporaryDirectory tmp;
    const StateDir dir = StateDir::open(tmp.path()).value();
    REQUIRE(dir.save(kName, std::string(20, 'x')));
    CHECK(load_error(dir, 20) == std::error_code{});
    CHECK(load_error(dir, 19) == std::errc::file_too_large);
}

TEST_CASE("a foreign file is not read") {
    const TemporaryDirectory tmp;
    const StateDir dir = StateDir::open(tmp.path()).value();
    const std::string path = tmp.path() + "/" + kName;
    SECTION("a link, even to a file of ours") {
        tmp.write("other", "secret");
        fs::create_symlink("other", path);
        CHECK(load_error(dir) == std::errc::too_many_symbolic_link_levels);
    }
    SECTION("a pipe, which is not waited for") {
        REQUIRE(::mkfifo(path.c_str(), 0644) == 0);
        CHECK(load_error(dir) == std::errc::operation_not_permitted);
    }
    SECTION("a folder") {
        fs::create_directory(path);
        CHECK(load_error(dir) == std::errc::operation_not_permitted);
    }
    SECTION("writable by all") {
        tmp.write(kName, "x");
        ::chmod(path.c_str(), 0666);
        CHECK(load_error(dir) == std::errc::operation_not_permitted);
    }
    SECTION("another user's") {
        tmp.write(kName, "x");
        if (::chown(path.c_str(), 65534, 65534) == 0) {
            CHECK(load_error(dir) == std::errc::operation_not_permitted);
        }
    }
}

TEST_CASE("a link in the place of the file is replaced and not followed") {
    const TemporaryDirectory tmp;
    const StateDir dir = StateDir::open(tmp.path()).value();
    tmp.write("precious", "keep me");
    fs::create_symlink("precious", tmp.path() + "/" + kName);
    fs::create_symlink("precious", tmp.path() + "/" + kName + ".new");

    REQUIRE(dir.save(kName, "new"));

    CHECK(slurp(tmp.path() + "/precious") == "keep me");
    CHECK(dir.load(kName, kLimit).value() == "new");
}

TEST_CASE("what a killed run left behind is taken away by the next") {
    const TemporaryDirectory tmp;
    const StateDir dir = StateDir::open(tmp.path()).value();
    REQUIRE(dir.save(kName, "old"));
    tmp.write(std::string{kName} + ".new", "half of a hist");
    CHECK(dir.load(kName, kLimit).value() == "old");

    REQUIRE(dir.save(kName, "new"));

    CHECK(dir.load(kName, kLimit).value() == "new");
    CHECK_FALSE(fs::exists(tmp.path() + "/" + kName + ".new"));
}

TEST_CASE("a file that is set aside makes room, over an earlier one") {
    const TemporaryDirectory tmp;
    const StateDir dir = StateDir::open(tmp.path()).value();
    CHECK_FALSE(dir.set_aside(kName));
    for (const std::string content : {"first", "second"}) {
        REQUIRE(dir.save(kName, content));
        REQUIRE(dir.set_aside(kName));
        CHECK(slurp(tmp.path() + "/" + kName + ".broken") == content);
        CHECK(load_error(dir) == std::errc::no_such_file_or_directory);
    }
}

TEST_CASE("one run at a time has the lock") {
    const TemporaryDirectory tmp;
    StateDir second = StateDir::open(tmp.path()).value();
    CHECK(second.holder().pid == 0);
    {
        StateDir first = StateDir::open(tmp.path()).value();
        CHECK(first.lock().value());
        CHECK_FALSE(second.lock().value());
        CHECK(second.holder().pid == ::getpid());
        const StateDir moved = std::move(first);
        CHECK_FALSE(second.lock().value());
    }
    CHECK(second.lock().value());
}

TEST_CASE("a lock that another process holds names it and its age, and goes when it is killed") {
    const TemporaryDirectory tmp;
    StateDir dir = StateDir::open(tmp.path()).value();
    Child child{[&] {
        StateDir theirs = StateDir::open(tmp.path()).value();
        static_cast<void>(theirs.lock());
        wait_for_ever();
    }};
    await_lock(dir);

    CHECK_FALSE(dir.lock().value());
    CHECK(dir.holder().pid == child.pid());
    const timespec minute_ago[]{{::time(nullptr) - 60, 0}, {::time(nullptr) - 60, 0}};
    REQUIRE(::utimensat(AT_FDCWD, (tmp.path() + "/lock").c_str(), minute_ago, 0) == 0);
    CHECK(dir.holder().age >= 60);
    child.end();
    CHECK(dir.lock().value());
}

TEST_CASE("a child that outlives the run does not keep its lock") {
    const TemporaryDirectory tmp;
    StateDir next = StateDir::open(tmp.path()).value();
    std::optional<StateDir> run = StateDir::open(tmp.path()).value();
    REQUIRE(run->lock().value());
    const Child hanging{wait_for_ever};

    run.reset();

    CHECK(next.lock().value());
}

TEST_CASE("a lock file that is a link is not followed") {
    const TemporaryDirectory tmp;
    tmp.write("precious", "keep me");
    fs::create_symlink("precious", tmp.path() + "/lock");
    StateDir dir = StateDir::open(tmp.path()).value();
    CHECK_FALSE(dir.lock());
    CHECK(slurp(tmp.path() + "/precious") == "keep me");
}
