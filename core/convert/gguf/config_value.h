// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/source_folder.h"

namespace wb::convert {

// A member of config.json as a pair of a GGUF file; empty where it is not set or `member` is empty, Malformed with the
// member's name if it has another type or is out of range.
Result<std::optional<std::uint32_t>> memberNumber(const ValueObject& object, std::string_view member);
Result<std::optional<float>> memberFloat(const ValueObject& object, std::string_view member);
Result<std::optional<bool>> memberBool(const ValueObject& object, std::string_view member);

// rope_parameters of transformers 5, before that rope_scaling with rope_theta next to it; its values for the layers without a
// window where it distinguishes them. An empty object where there is neither.
const ValueObject& ropeObject(const ValueObject& config);

} // namespace wb::convert
