// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <stop_token>

// The one rule by which a file or folder is damaged: strict opening, as Chat, conversion and quantizing do it, refuses it.
namespace wb::verify {

// Whether a refusal of strict opening means damage: not where the format is unsupported, or the work was stopped.
bool isDamage(const Error& error);

// Why strict opening of this file or folder refuses it as damaged; empty if it opens, or is not a model that this program reads.
// Reads headers only.
std::optional<Error> findDamage(const std::filesystem::path& path, const std::stop_token& stop);

} // namespace wb::verify
