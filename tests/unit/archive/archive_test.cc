#include "fabric/archive/archive.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

using namespace ferrule;
using namespace ferrule::testing;

TEST_CASE("an archive is read into entries, and its comments stay") {
    const Archive archive =
        parse_archive(
            "# machine: m\n# base: b\na = text\nb =\nl -> ../t\ndir/\ng/{1..3} = "
            "z\nx <<\n|one\n|\n|two\ny -\n")
            .value();
    CHECK(archive.comments == std::vector<std::string>{"machine: m", "base: b"});
    CHECK(archive.base == "b");
    const std::vector<ArchiveEntry> wanted{
        {EntryKind::File, {"a"}, "text\n", 3},
        {EntryKind::File, {"b"}, "", 4},
        {EntryKind::Link, {"l"}, "../t", 5},
        {EntryKind::Directory, {"dir"}, "", 6},
        {EntryKind::File, {"g/1", "g/2", "g/3"}, "z\n", 7},
        {EntryKind::File, {"x"}, "one\n\ntwo\n", 8},
        {EntryKind::Removal, {"y"}, "", 12},
    };
    CHECK(archive.entries == wanted);
}

TEST_CASE("a machine of the collection printed and read again is the same") {
    for (const char* machine : {"dgx-h100-ib", "h20-roce-bond", "gid-shifted"}) {
        const std::string text = slurp(std::string{FERRULE_MACHINES} + "/" + machine + ".machine");
        Archive archive = parse_archive(text).value();
        Archive again = parse_archive(to_text(archive)).value();
        for (Archive* it : {&archive, &again}) {
            for (ArchiveEntry& entry : it->entries) {
                entry.line = 0;
            }
        }
        CHECK(again == archive);
    }
}

TEST_CASE("bytes that are no lines are left out and said") {
    Archive archive{};
    archive.entries = {{EntryKind::File, {"cut"}, "no line end", 0},
                       {EntryKind::File, {"binary"}, std::string{"\0\n", 2}, 0}};
    CHECK(to_text(archive) == "# unread: cut: not text\n# unread: binary: not text\n");
}

TEST_CASE("a name may hold blanks") {
    const auto archive = parse_archive("counters/rx error 3 = 12\nhw counters -> a b\n");
    REQUIRE(archive);
    REQUIRE(archive->entries.size() == 2);
    CHECK(archive->entries[0].paths == std::vector<std::string>{"counters/rx error 3"});
    CHECK(archive->entries[0].content == "12\n");
    CHECK(archive->entries[1].paths == std::vector<std::string>{"hw counters"});
    CHECK(to_text(*archive) == "counters/rx error 3 = 12\nhw counters -> a b\n");
}

TEST_CASE("what is no entry is named by its line") {
    for (const char* text :
         {"a\n", "a =x\n", "../a = x\n", "a/../b = x\n", "a//b = x\n", "/a = x\n", "g/{3..1} = x\n",
          "g/{1..99999999} = x\n", "g/{a..b} = x\n", "a\tb = x\n", "l -> a\x01\n", "g/{1..2 = x\n",
          "a -\n"}) {
        INFO(text);
        REQUIRE_FALSE(parse_archive(text));
        CHECK(parse_archive(text).error().text == "line 1: not an entry of a machine archive");
    }
}
