// The framework's main function, compiled once.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"
