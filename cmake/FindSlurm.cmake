# Slurm's development headers. Slurm ships neither a pkg-config nor a CMake file.
#
# Slurm_ROOT              where to look first
# Slurm_INCLUDE_DIR       the folder that holds slurm/spank.h
# Slurm_VERSION           "22.05.8", from the hexadecimal constant in slurm_version.h
# Slurm::spank            the headers; a SPANK plugin links no library of Slurm's

find_path(Slurm_INCLUDE_DIR slurm/spank.h)

if(Slurm_INCLUDE_DIR)
    file(STRINGS ${Slurm_INCLUDE_DIR}/slurm/slurm_version.h version_line
         REGEX "define SLURM_VERSION_NUMBER 0x")
    if(version_line MATCHES "0x([0-9a-fA-F][0-9a-fA-F])([0-9a-fA-F][0-9a-fA-F])([0-9a-fA-F][0-9a-fA-F])")
        math(EXPR major "0x${CMAKE_MATCH_1}")
        math(EXPR minor "0x${CMAKE_MATCH_2}")
        math(EXPR micro "0x${CMAKE_MATCH_3}")
        if(minor LESS 10)
            set(minor "0${minor}")
        endif()
        set(Slurm_VERSION "${major}.${minor}.${micro}")
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Slurm REQUIRED_VARS Slurm_INCLUDE_DIR VERSION_VAR Slurm_VERSION)
mark_as_advanced(Slurm_INCLUDE_DIR)

if(Slurm_FOUND AND NOT TARGET Slurm::spank)
    add_library(Slurm::spank INTERFACE IMPORTED)
    target_include_directories(Slurm::spank SYSTEM INTERFACE ${Slurm_INCLUDE_DIR})
endif()
