// Slurm's header, as C++ needs it: its callback declarations carry no C linkage of their own.
#pragma once

extern "C" {
#include <slurm/spank.h>
}
