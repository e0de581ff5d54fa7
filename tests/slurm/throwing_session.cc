// A session that throws in the callback named by its arguments: throw=CALLBACK what=KIND. Linked
// with the real callbacks and guard in place of the real session.
#include "spank/session.h"

#include <new>
#include <stdexcept>
#include <string_view>

namespace ferrule {

namespace {

constinit char callback[32]{};
constinit char kind[32]{};

void throw_in(std::string_view name) {
    if (name != callback) {
        return;
    }
    if (std::string_view{kind} == "allocation") {
        throw std::bad_alloc{};
    }
    if (std::string_view{kind} == "number") {
        throw 42;
    }
    throw std::runtime_error{"thrown for a test"};
}

}  // namespace

Session::Session(int argc, char** argv) {
    for (int i = 0; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with("throw=")) {
            callback[argument.substr(6).copy(callback, sizeof callback - 1)] = '\0';
        } else if (argument.starts_with("what=")) {
            kind[argument.substr(5).copy(kind, sizeof kind - 1)] = '\0';
        }
    }
    throw_in("init");
}

bool Session::take_option(Option, const char*) {
    throw_in("option");
    return true;
}

void Session::prepare_step(spank_t) {
    throw_in("init_post_opt");
}

void Session::start_task(spank_t) {
    throw_in("task_init");
}

}  // namespace ferrule
