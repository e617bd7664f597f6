// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"

#include <optional>
#include <string_view>

// Filters of a search that no hub knows as such: they are read from what a row of its list says.
namespace wb::hub {

// "vision", "tools", "reasoning", "code", "embedding" and back; Any has no name.
const char* capabilityName(Capability capability);
std::optional<Capability> capabilityFromName(std::string_view name);

// The tag that Hugging Face has on all models of this capability, so that its list can be narrowed; null where publishers use
// several and none is requested.
const char* capabilityTag(Capability capability);

// Whether the row's task, tags or name claim the capability. Publishers write these, so it is a claim and not a measurement.
bool claims(const ModelRow& row, Capability capability);

// The tag that narrows Hugging Face's list to repositories that may hold the quantization; null: none exists.
const char* quantTag(std::string_view quant);

// Whether a file of the row, its name or a tag of it says the quantization, in any letter case; "UD-Q4_K_M" is one of Q4_K_M.
bool hasQuant(const ModelRow& row, std::string_view quant);

} // namespace wb::hub
