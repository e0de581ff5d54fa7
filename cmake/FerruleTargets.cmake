# How Ferrule's libraries, programs and plugins are made. One function each.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# The layers go into the plugin too.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

option(FERRULE_HARDENING "Stack protector, stack clash, CET, full relro" OFF)
option(FERRULE_SANITIZED "For a build with clang's sanitizers: fuzz targets, and no test that loads the plugin" OFF)
# Debian's packages keep it apart from a Slurm built from source.
if(CMAKE_LIBRARY_ARCHITECTURE)
    set(default_plugin_dir lib/${CMAKE_LIBRARY_ARCHITECTURE}/slurm-wlm)
else()
    set(default_plugin_dir ${CMAKE_INSTALL_LIBDIR}/slurm)
endif()
set(FERRULE_PLUGIN_DIR ${default_plugin_dir} CACHE PATH
    "Where Slurm looks for plugins, absolute or below the prefix")

if(FERRULE_HARDENING)
    add_compile_options(-fstack-protector-strong -fstack-clash-protection -fcf-protection)
    add_link_options(LINKER:-z,relro LINKER:-z,now)
endif()

# ferrule_library(name HEADERS ... SOURCES ... LINK ...): one layer, or a part of one.
function(ferrule_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;LINK;PRIVATE_LINK")
    add_library(${name} STATIC ${arg_SOURCES})
    target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                                  FILES ${arg_HEADERS})
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
    set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# ferrule_program(name SOURCES ... LINK ...)
function(ferrule_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LINK})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# ferrule_spank_plugin(name SOURCES ... LINK ...): a SPANK plugin in C++ that exports the names of the
# version script and nothing else, needs libc and nothing else, and can be unloaded.
function(ferrule_spank_plugin name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
    set(map ${PROJECT_SOURCE_DIR}/spank/exports.map)
    add_library(${name} MODULE ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LINK} Slurm::spank)
    if(FERRULE_SANITIZED)
        # Sanitized code cannot be loaded into an ordinary host.
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    target_link_options(${name} PRIVATE
        LINKER:--version-script=${map} LINKER:--exclude-libs,ALL LINKER:-z,now LINKER:-z,relro
        LINKER:--gc-sections -static-libstdc++ -static-libgcc)
    set_target_properties(${name} PROPERTIES PREFIX "" LINK_DEPENDS ${map})
endfunction()

# Unique symbols would pin the plugin in the process that loaded it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fno-gnu-unique)
endif()
add_compile_options(-ffunction-sections -fdata-sections)
