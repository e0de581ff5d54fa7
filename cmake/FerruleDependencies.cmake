# Everything Ferrule takes from others.
find_package(Slurm 20.11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
# The plugin needs libc only, so fmt comes from its headers; where there is no plugin, from its
# library, which builds faster.
set(FERRULE_FMT fmt::fmt-header-only)
if(FERRULE_SANITIZED)
    set(FERRULE_FMT fmt::fmt)
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

# The plugin needs libc only, so inih comes from its archive.
find_path(inih_INCLUDE_DIR ini.h REQUIRED)
find_library(inih_ARCHIVE libinih.a REQUIRED)
add_library(inih::inih STATIC IMPORTED)
set_target_properties(inih::inih PROPERTIES
    IMPORTED_LOCATION ${inih_ARCHIVE}
    INTERFACE_INCLUDE_DIRECTORIES ${inih_INCLUDE_DIR})

# rdma-core comes with a pkg-config file and none for CMake.
find_path(ibverbs_INCLUDE_DIR infiniband/verbs.h REQUIRED)
find_library(ibverbs_LIBRARY ibverbs REQUIRED)
add_library(ibverbs::ibverbs UNKNOWN IMPORTED)
set_target_properties(ibverbs::ibverbs PROPERTIES
    IMPORTED_LOCATION ${ibverbs_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${ibverbs_INCLUDE_DIR})
