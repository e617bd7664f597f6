// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"

#include <string>

namespace wb::cli {

void printDiffJson(const diff::Comparison& comparison);
void printDiffText(const diff::Comparison& comparison, const std::string& a, const std::string& b, bool isStructureOnly);

} // namespace wb::cli
