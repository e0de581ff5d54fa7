#include "fabric/base/result.h"

#include "tests/support/catch.h"

using namespace ferrule;

namespace {

Result<int> twice(const Result<int>& value) {
    return 2 * TRY(value);
}

}  // namespace

TEST_CASE("TRY yields the value or passes the error on") {
    CHECK(twice(21) == 42);
    const auto failed = twice(fail(std::errc::timed_out, "mlx5_0: no answer"));
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == std::errc::timed_out);
    CHECK(failed.error().text == "mlx5_0: no answer");
}

TEST_CASE("an error of the system tells the object and what was said") {
    const tl::unexpected<Error> error = fail_errno(ENOENT, "sys/class/net");
    CHECK(error.value().text == "sys/class/net: No such file or directory");
}
