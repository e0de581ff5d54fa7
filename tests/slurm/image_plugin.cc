// Stands in for a container plugin: in task_init, as pyxis does, it puts the environment of an
// image over the job's. The argument of its line is a file of NAME=VALUE lines, the image's
// environment.
#include "spank/slurm_api.h"

#include <fstream>
#include <string>

extern "C" {

extern __attribute__((visibility("default"))) const char plugin_name[];
extern __attribute__((visibility("default"))) const char plugin_type[];
extern __attribute__((visibility("default"))) const unsigned int plugin_version;
extern __attribute__((visibility("default"))) const unsigned int spank_plugin_version;

SPANK_PLUGIN(image, 1)

__attribute__((visibility("default"))) int slurm_spank_task_init(spank_t spank, int argc,
                                                                 char** argv) {
    std::ifstream image{argc > 0 ? argv[0] : ""};
    std::string line;
    while (std::getline(image, line)) {
        const std::size_t equals = line.find('=');
        if (equals != std::string::npos) {
            spank_setenv(spank, line.substr(0, equals).c_str(), line.substr(equals + 1).c_str(), 1);
        }
    }
    return 0;
}

}  // extern "C"
