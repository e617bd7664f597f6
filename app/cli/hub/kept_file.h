// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/model/value.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

// What hubs said earlier, a JSON file for each question, for commands that are reported to stay offline. What cannot be written is
// a lost convenience; what cannot be read, or has another version, is treated as missing.
namespace wb::cli {

// The file for the answer to `question` in `folder`; empty where the folder is.
std::filesystem::path keptFile(const std::filesystem::path& folder, const std::string& question);

// Writes an object with what `fill` puts into it, atomically.
void keepObject(const std::filesystem::path& file, const std::function<void(JsonWriter&)>& fill);

std::optional<ValueObject> readKept(const std::filesystem::path& file);

} // namespace wb::cli
