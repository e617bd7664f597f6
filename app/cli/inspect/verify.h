// SPDX-License-Identifier: MIT
#pragma once

#include "core/verify/verify.h"

#include <string>

namespace wb::cli {

void printVerifyJson(const verify::Report& report, const std::string& path);
void printVerifyText(const verify::Report& report, const std::string& path);

} // namespace wb::cli
