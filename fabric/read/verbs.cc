#include "fabric/read/verbs.h"

#include "fabric/read/verbs_text.h"

#include <algorithm>
#include <cerrno>
#include <infiniband/verbs.h>
#include <memory>
#include <span>

namespace ferrule {

namespace {

struct FreeList {
    void operator()(ibv_device** devices) const { ::ibv_free_device_list(devices); }
};

struct CloseDevice {
    void operator()(ibv_context* context) const { ::ibv_close_device(context); }
};

using DeviceList = std::unique_ptr<ibv_device*, FreeList>;
using Context = std::unique_ptr<ibv_context, CloseDevice>;

// A call that fails without an errno would look as if it had not.
int error_of_call() {
    return errno != 0 ? errno : EIO;
}

// 1 is 256 bytes, 5 is 4096; anything else is none.
std::optional<unsigned> bytes_of(unsigned mtu) {
    constexpr unsigned kUnit = 128;
    return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? std::optional{kUnit << mtu} : std::nullopt;
}

std::optional<VerbsPort> ask_port(ibv_context* context, unsigned number) {
    ibv_port_attr attributes{};
    if (number > UINT8_MAX ||
        ibv_query_port(context, static_cast<std::uint8_t>(number), &attributes) != 0) {
        return std::nullopt;
    }
    return VerbsPort{number, bytes_of(attributes.active_mtu), bytes_of(attributes.max_mtu)};
}

VerbsAnswer ask(const Hca& hca) {
    int count = 0;
    errno = 0;
    const DeviceList list{::ibv_get_device_list(&count)};
    if (!list) {
        return {error_of_call(), {}};
    }
    const std::span devices{list.get(), static_cast<std::size_t>(count)};
    const auto found = std::ranges::find_if(
        devices, [&](ibv_device* device) { return hca.name == ::ibv_get_device_name(device); });
    if (found == devices.end()) {
        return {ENODEV, {}};
    }
    errno = 0;
    const Context context{::ibv_open_device(*found)};
    if (!context) {
        return {error_of_call(), {}};
    }
    VerbsAnswer answer{};
    for (const Port& port : hca.ports) {
        if (const auto asked = ask_port(context.get(), port.number)) {
            answer.ports.push_back(*asked);
        }
    }
    return answer;
}

}  // namespace

void ask_verbs(Hca& hca) {
    take_verbs(ask(hca), hca);
}

}  // namespace ferrule
