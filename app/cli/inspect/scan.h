// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/danger.h"

#include <string>

namespace wb::cli {

struct ScanOptions {
    std::string path;
    std::string sarifFile;
    bool disassembles = false;
};

// Exit statuses of scan next to those of all commands.
inline constexpr int suspicious = 3;
inline constexpr int dangerous = 4;

// The meaning of the levels, for the help and below tables.
inline constexpr const char* levelsText =
    "A builds tensors and plain data, B builds objects of known libraries, C is unknown code, D is dangerous code";

void printScanJson(const Danger& danger, const std::string& path, bool disassembles);
void printScanText(const Danger& danger, const std::string& path, bool isQuiet); // quiet: no tables

} // namespace wb::cli
