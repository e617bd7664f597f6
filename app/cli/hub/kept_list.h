// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"

#include <optional>

namespace wb::cli {

// The files that a repository had when it was asked last, for `wb download --offline`, which checks by them whether all is there.
// Kept as kept_file.h says.
void keepList(const hub::Repository& repository, const hub::FileList& list);
std::optional<hub::FileList> findKeptList(const hub::Repository& repository);

} // namespace wb::cli
