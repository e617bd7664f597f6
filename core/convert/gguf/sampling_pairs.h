// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/pair_list.h"
#include "core/convert/source/source_folder.h"

namespace wb::convert {

// What generation_config.json advises for sampling, as the pairs general.sampling.* in the reference's order (gguf-py's
// metadata.py). Malformed with the member's name if one has another type.
Result<void> addSampling(const ValueObject& generation, PairList& pairs);

// The members of generation_config.json that give these pairs again, with their values as JSON.
std::vector<std::pair<std::string_view, std::string>> samplingMembers(const ValueObject& metadata);

} // namespace wb::convert
