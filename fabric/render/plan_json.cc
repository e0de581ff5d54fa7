#include "fabric/render/json.h"
#include "fabric/render/json_text.h"

namespace ferrule {

namespace {

Json ports_json(const EnvPlan& plan) {
    Json list = Json::array();
    for (const PortVerdict& it : plan.ports) {
        list.push_back(
            {{"hca", it.hca},
             {"port", it.port},
             {"pci", optional_json(it.pci, [](const PciAddress& a) { return to_text(a); })},
             {"netdev", it.netdev},
             {"used", it.used},
             {"reason", it.reason}});
    }
    return list;
}

Json interfaces_json(const EnvPlan& plan) {
    Json list = Json::array();
    for (const InterfaceVerdict& it : plan.interfaces) {
        list.push_back({{"name", it.name}, {"used", it.used}, {"reason", it.reason}});
    }
    return list;
}

Json variables_json(const EnvPlan& plan) {
    Json list = Json::array();
    for (const EnvChange& it : plan.variables) {
        list.push_back(
            {{"name", it.name}, {"value", optional_json(it.value)}, {"reason", it.reason}});
    }
    return list;
}

Json environment_json(const Ownership& ownership) {
    Json set = Json::object();
    for (const auto& [name, value] : ownership.owned) {
        set[name] = value;
    }
    Json kept = Json::object();
    for (const Kept& it : ownership.kept) {
        kept[it.name] = it.value;
    }
    Json removed = Json::array();
    for (const EnvWrite& write : ownership.writes) {
        if (!write.value) {
            removed.push_back(write.name);
        }
    }
    return {{"set", set}, {"kept", kept}, {"removed", removed}};
}

Json forecasts_json(const EnvPlan& plan) {
    Json list = Json::array();
    for (const NcclForecast& it : plan.forecasts) {
        list.push_back({{"first", to_text(it.first)},
                        {"last", to_text(it.last)},
                        {"as_planned", it.as_planned},
                        {"text", it.text}});
    }
    return list;
}

}  // namespace

std::string plan_json(const EnvPlan& plan, const Ownership& ownership, std::string_view node) {
    return dumped({{"node", node},
                   {"mode", to_text(plan.mode)},
                   {"fabric", to_text(plan.fabric)},
                   {"profile", plan.profile},
                   {"environment", environment_json(ownership)},
                   {"ports", ports_json(plan)},
                   {"interfaces", interfaces_json(plan)},
                   {"variables", variables_json(plan)},
                   {"nccl", forecasts_json(plan)},
                   {"notes", plan.notes}});
}

}  // namespace ferrule
