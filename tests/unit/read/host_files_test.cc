#include "fabric/read/host_files.h"

#include "tests/support/catch.h"

using namespace ferrule;

TEST_CASE("nccl.conf is read as NCCL reads it") {
    const auto settings = parse_nccl_conf(
        "# NCCL_IB_HCA=no\nNCCL_IB_HCA==mlx5_0\r\nno equals\nNCCL_IB_HCA=later\n"
        "NCCL_DEBUG= INFO \nbad name=1\nNCCL_IB_TC=\n");
    const std::vector<std::pair<std::string, std::string>> wanted{
        {"NCCL_IB_HCA", "=mlx5_0"}, {"NCCL_DEBUG", " INFO "}, {"NCCL_IB_TC", ""}};
    CHECK(settings == wanted);
    CHECK(parse_nccl_conf("").empty());
}

TEST_CASE("the soft limit of locked memory counts, and unlimited is no limit") {
    const std::string head =
        "Limit                     Soft Limit           Hard Limit           Units\n";
    CHECK(
        parse_memlock(
            head + "Max locked memory         65536                unlimited            bytes\n") ==
        65536U);
    CHECK_FALSE(parse_memlock(
        head + "Max locked memory         unlimited            unlimited            bytes\n"));
    CHECK_FALSE(parse_memlock(head));
    CHECK_FALSE(parse_memlock("Max locked memory"));
}
