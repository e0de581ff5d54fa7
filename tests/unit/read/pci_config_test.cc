// Configuration spaces: healthy, cut, circular, and of devices that do not answer.
#include "fabric/read/pci_config.h"

#include "tests/support/catch.h"
#include "tests/unit/read/pci_config_bytes.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

// 4096 bytes for a read request, 256 of payload, relaxed ordering.
constexpr unsigned kControl = 0x5030;
constexpr PciConfig kDecoded{4096, 256, true, {}};

}  // namespace

TEST_CASE("device control tells sizes and relaxed ordering") {
    CHECK(decode_pci_config(PciConfigBytes{256}.express(kControl).bytes) == kDecoded);
    CHECK(decode_pci_config(PciConfigBytes{4096}.express(0x2000).bytes) ==
          PciConfig{512, 128, false, {}});
    // Reserved sizes are none.
    CHECK(decode_pci_config(PciConfigBytes{256}.express(0x60c0).bytes) ==
          PciConfig{{}, {}, false, {}});
}

TEST_CASE("bridges tell whether they redirect what goes from one device to another") {
    struct Case {
        unsigned control;
        bool redirects;
    };

    // Source validation, translation blocking and direct translated P2P redirect nothing.
    for (const auto& [control, redirects] : {Case{0, false},
                                             {1, false},
                                             {2, false},
                                             {0x40, false},
                                             {4, true},
                                             {8, true},
                                             {0x10, true},
                                             {0x1d, true}}) {
        INFO(control);
        const auto bytes = PciConfigBytes{4096, true}.express(0).access(control).bytes;
        CHECK(decode_pci_config(bytes).acs_redirects == redirects);
    }
    CHECK_FALSE(decode_pci_config(PciConfigBytes{4096}.express(0).access(4).bytes).acs_redirects);
    CHECK_FALSE(decode_pci_config(PciConfigBytes{4096, true}.express(0).bytes).acs_redirects);
}

TEST_CASE("a cut space tells what is whole in it, and nothing below 256 bytes") {
    const auto whole = PciConfigBytes{4096, true}.express(kControl).access(4).bytes;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        INFO(size);
        const PciConfig config = decode_pci_config(std::span{whole}.first(size));
        CHECK(config.max_read_request == (size < 256 ? std::nullopt : kDecoded.max_read_request));
        CHECK(config.acs_redirects == (size < 0x208 ? std::nullopt : std::optional{true}));
    }
}

TEST_CASE("chains that are circular or lead nowhere end") {
    CHECK(decode_pci_config(PciConfigBytes{256}.bytes) == PciConfig{});
    // A circle of two, one of one, a way into the header, a way to the last bytes.
    for (const unsigned next : {0x60U, 0x70U, 0x10U, 0xfcU}) {
        PciConfigBytes config{256};
        config.word(0x34, 0x60).word(0x60, 0x7001).word(0x70, 0x05U | (next << 8U));
        CHECK(decode_pci_config(config.bytes) == PciConfig{});
    }
    for (const unsigned next : {0x100U, 0x150U, 0x200U, 0x010U, 0xffcU}) {
        PciConfigBytes config{4096, true};
        config.express(kControl).access(4).word(0x152, 1U | (next << 4U)).word(0x200, 0x0002);
        CHECK(decode_pci_config(config.bytes) == kDecoded);
    }
    // The control word would be behind the end.
    CHECK(decode_pci_config(PciConfigBytes{256}.word(0x34, 0xfc).word(0xfc, 0x0010).bytes) ==
          PciConfig{});
}

TEST_CASE("of a device that does not answer nothing is known") {
    CHECK(decode_pci_config(std::vector<std::byte>(4096, std::byte{0xff})) == PciConfig{});
    CHECK(decode_pci_config(std::vector<std::byte>(4096)) == PciConfig{});
    auto config = PciConfigBytes{4096}.express(kControl);
    config.word(0x06, 0);
    CHECK(decode_pci_config(config.bytes) == PciConfig{});
    config = PciConfigBytes{4096}.express(kControl).word(0x60, 0xffff);
    CHECK(decode_pci_config(config.bytes) == PciConfig{});
}

TEST_CASE("plain bytes decode alike and hold no serial number") {
    const auto whole = PciConfigBytes{4096, true}.express(kControl).access(4).bytes;
    const auto plain = plain_pci_config(whole);
    CHECK(plain.size() == 0x208);
    CHECK(decode_pci_config(plain) == decode_pci_config(whole));
    CHECK(plain_pci_config(plain) == plain);
    CHECK(std::ranges::count(plain, std::byte{0xbe}) == 0);
    CHECK(plain_pci_config(PciConfigBytes{4096}.bytes).size() == 256);
    CHECK(plain_pci_config(PciConfigBytes{64}.bytes).empty());
}
