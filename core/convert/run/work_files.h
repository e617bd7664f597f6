// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/output_plan.h"

// The names of the files that a run works with until its result is complete. Nothing outside this room knows them.
namespace wb::run {

// Where a file is written before it is renamed to its final name.
std::filesystem::path partPath(const std::filesystem::path& file);
bool isPartPath(const std::filesystem::path& path);

// The journal of the run to this target, which is its lock too.
std::filesystem::path journalPath(const std::filesystem::path& target);

// All files that a run to `target` makes or replaces: `files`, their parts and the journal.
std::vector<std::filesystem::path> workFiles(const std::filesystem::path& target, const std::vector<std::filesystem::path>& files);

// The target as records name it, whatever folder the program was started in.
std::filesystem::path absoluteTarget(const std::filesystem::path& target);

} // namespace wb::run
