#include "fabric/read/pci_health.h"

#include "fabric/read/attributes.h"
#include "fabric/read/netlink_file.h"
#include "fabric/read/pci_config.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <ranges>
#include <string>

#include <system_error>
#include <unistd.h>

namespace ferrule {

namespace {

constexpr const char* kDevices = "sys/bus/pci/devices";
// Hexadecimal digits and line ends of a whole configuration space.
constexpr std::size_t kTextLimit = 3 * kPciConfigSize;

void record(std::vector<ReadProblem>& problems, std::string where, const Error& error) {
    if (error.code != std::errc::no_such_file_or_directory) {
        problems.push_back({std::move(where), error.code.value(), error.code.message()});
    }
}

PciConfig captured_config(const Dir& root, const PciAddress& address,
                          std::vector<ReadProblem>& problems) {
    const std::string path = pci_config_file(address);
    const auto bytes = root.text(path.c_str(), kTextLimit).and_then(parse_hex_lines);
    if (!bytes) {
        record(problems, path, bytes.error());
        return {};
    }
    return decode_pci_config(*bytes);
}

// The place of the physical function of a virtual one; nothing where there is none.
std::optional<PciPlace> physical_place(const Dir& devices, const std::string& function) {
    const auto target = devices.link((function + "/physfn").c_str());
    if (!target) {
        return std::nullopt;
    }
    const std::string physical = target->substr(target->rfind('/') + 1);
    PciPlace place = pci_place_of_link(devices.link(physical.c_str()).value_or(std::string{}));
    if (!place.address) {
        place.address = parse_pci_address(physical);
    }
    return place.address ? std::optional{std::move(place)} : std::nullopt;
}

// Behind what the caller may see, the file ends.
std::optional<unsigned> read_word(const Fd& config, std::size_t at, int& error) {
    std::array<unsigned char, 2> bytes{};
    const ssize_t got = ::pread(config.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0) {
        error = errno;
    }
    return got == 2 ? std::optional{bytes[0] | (static_cast<unsigned>(bytes[1]) << 8U)}
                    : std::nullopt;
}

// Files of one function.
class FunctionReader {
  public:
    // `files` are the attributes of the directory that has all functions.
    FunctionReader(const Attributes& files, const PciAddress& address)
        : files_{files}, address_{address}, name_{to_text(address)} {}

    [[nodiscard]] PciHop hop() const {
        return {address_, link("/current_link_speed", "/current_link_width"),
                link("/max_link_speed", "/max_link_width"), std::nullopt};
    }

    [[nodiscard]] std::optional<std::uint64_t> errors(const char* file) const {
        return files_.value((name_ + file).c_str(), parse_aer_total);
    }

    [[nodiscard]] PciConfig config(const Dir& root, std::vector<ReadProblem>& problems) const {
        const std::string file = name_ + "/config";
        const auto opened = files_.dir().file(file.c_str());
        if (!opened && opened.error().code == std::errc::no_such_file_or_directory) {
            return captured_config(root, address_, problems);
        }
        int error = opened ? 0 : opened.error().code.value();
        PciConfig config{};
        if (opened) {
            config = walk_pci_config([&](std::size_t at) { return read_word(*opened, at, error); });
        }
        if (error != 0) {
            files_.problem(file.c_str(), {{error, std::generic_category()}, {}});
        }
        return config;
    }

  private:
    [[nodiscard]] std::optional<PciLink> link(const char* speed, const char* width) const {
        return parse_pci_link(files_.text_or_empty((name_ + speed).c_str()),
                              files_.text_or_empty((name_ + width).c_str()));
    }

    const Attributes& files_;
    PciAddress address_;
    std::string name_;
};

}  // namespace

PciHealth read_pci_health(const Dir& root, const PciPlace& place,
                          std::vector<ReadProblem>& problems) {
    PciHealth health{};
    const auto devices = root.sub(kDevices);
    if (!place.address || !devices) {
        if (!devices) {
            record(problems, kDevices, devices.error());
        }
        return health;
    }
    const PciPlace real = physical_place(*devices, to_text(*place.address)).value_or(place);
    const Attributes files{*devices, kDevices, problems};
    // From the function up; the host bridge is none.
    health.path.reserve(real.path.size());
    for (const std::string& directory : std::views::reverse(real.path)) {
        const auto address = parse_pci_address(directory);
        if (!address) {
            continue;
        }
        const FunctionReader function{files, *address};
        const PciConfig config = function.config(root, problems);
        PciHop hop = function.hop();
        hop.acs_redirects = config.acs_redirects;
        if (health.path.empty()) {
            health.max_read_request = config.max_read_request;
            health.max_payload = config.max_payload;
            health.relaxed_ordering = config.relaxed_ordering;
            health.correctable_errors = function.errors("/aer_dev_correctable");
            health.nonfatal_errors = function.errors("/aer_dev_nonfatal");
            health.fatal_errors = function.errors("/aer_dev_fatal");
        }
        health.path.push_back(hop);
    }
    return health;
}

std::optional<std::uint64_t> parse_aer_total(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
        const auto columns = words(line);
        if (columns.size() == 2 && columns[0].starts_with("TOTAL_ERR_")) {
            return parse_number<std::uint64_t>(columns[1]);
        }
    }
    return std::nullopt;
}

}  // namespace ferrule
