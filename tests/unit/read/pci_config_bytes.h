// Configuration spaces made by hand.
#pragma once

#include <cstddef>
#include <vector>

namespace ferrule::testing {

class PciConfigBytes {
  public:
    // A function of ConnectX-7, or a bridge; without capabilities.
    explicit PciConfigBytes(std::size_t size, bool bridge = false) : bytes(size) {
        word(0x00, 0x15b3).word(0x02, 0x1021).word(0x06, 0x0010);
        word(0x0e, bridge ? 0x0081 : 0x0080);
    }

    PciConfigBytes& word(std::size_t at, unsigned value) {
        if (at + 2 <= bytes.size()) {
            bytes[at] = static_cast<std::byte>(value & 0xffU);
            bytes[at + 1] = static_cast<std::byte>(value >> 8U);
        }
        return *this;
    }

    // The first capability, a power management one, and PCI Express behind it.
    PciConfigBytes& express(unsigned control) {
        return word(0x34, 0x60).word(0x60, 0x7001).word(0x70, 0x0010).word(0x78, control);
    }

    // Advanced error reporting, a serial number, and access control services behind them.
    PciConfigBytes& access(unsigned control) {
        word(0x100, 0x0001).word(0x102, 0x1502).word(0x150, 0x0003).word(0x152, 0x2001);
        word(0x154, 0xbeef).word(0x156, 0xdead);
        return word(0x200, 0x000d).word(0x202, 0x0001).word(0x206, control);
    }

    std::vector<std::byte> bytes;
};

}  // namespace ferrule::testing
