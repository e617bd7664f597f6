// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

// Names that a hub lists become paths on this disk. They are refused or taken, never changed (docs/reference/hub.md,
// "Security rules").
namespace wb::hub {

// Refuses a name that is not safe on every system: one that points outside the folder, is absolute, hides its direction, is
// a device of Windows, is too long, or belongs to the hub's own side files. The error's subject is the name, made visible.
Result<void> checkFileName(std::string_view name);

// For each name the refusal it gets because of the others: names that some systems hold for the same (case, composed characters),
// and a name that is a folder of another's. The first of equal ones stays. Names that checkFileName refuses take no part.
std::vector<Result<void>> checkTogether(const std::vector<std::string>& names);

// The name as it is shown: valid UTF-8, nothing a terminal obeys, at most some 200 bytes.
std::string shownName(std::string_view name);

} // namespace wb::hub
