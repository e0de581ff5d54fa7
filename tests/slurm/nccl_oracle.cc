// nccl_oracle LIBRARY: lets the real NCCL start its bootstrap, which needs no GPU, and so makes it
// say (with NCCL_DEBUG=INFO) which interface it took.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

int main(int argc, char** argv) {
    constexpr int kMisuse = 2;
    if (argc != 2) {
        std::fputs("usage: nccl_oracle LIBRARY\n", stderr);
        return kMisuse;
    }
    void* const library = ::dlopen(argv[1], RTLD_NOW);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", ::dlerror());
        return EXIT_FAILURE;
    }
    // ncclResult_t ncclGetUniqueId(ncclUniqueId*): 128 opaque bytes, 0 is success.
    const auto get_unique_id =
        reinterpret_cast<int (*)(void*)>(::dlsym(library, "ncclGetUniqueId"));
    std::array<char, 128> id{};
    return get_unique_id != nullptr && get_unique_id(id.data()) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
