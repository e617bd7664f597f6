// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/danger.h"

#include <string>
#include <string_view>

namespace wb::scan {

// The findings as SARIF 2.1.0 (OASIS), for services that show findings next to code. `version` is that of this program.
std::string dangerSarif(const Danger& danger, std::string_view version);

} // namespace wb::scan
