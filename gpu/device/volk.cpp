// SPDX-License-Identifier: MIT
// The one place where volk's definitions lie.
#define VOLK_IMPLEMENTATION
#include <volk.h>
