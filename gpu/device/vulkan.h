// SPDX-License-Identifier: MIT
#pragma once

// Vulkan as this room sees it: loaded at run time by volk, so that the program starts if none exists.
#include <volk.h>
