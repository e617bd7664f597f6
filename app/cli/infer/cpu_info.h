// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wb::cli {

// The system's name of the CPU, "" if unknown.
std::string cpuName();

// Whether the fast quantizers give the bytes of the readable ones on known rows; some milliseconds.
bool cpuSelfTest();

} // namespace wb::cli
