// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/source_folder.h"

namespace wb::convert {

// A member of config.json as a pair of a GGUF file can hold it; empty where it is not set or `member` is empty, Malformed with the
// member's name where it is of another kind or beyond the range.
Result<std::optional<std::uint32_t>> numberOf(const ValueObject& object, std::string_view member);
Result<std::optional<float>> floatOf(const ValueObject& object, std::string_view member);
Result<std::optional<bool>> truthOf(const ValueObject& object, std::string_view member);

// rope_parameters of transformers 5, before that rope_scaling with rope_theta beside it; what it says of the layers without a
// window where it distinguishes them. An empty object where there is neither.
const ValueObject& ropeObject(const ValueObject& config);

} // namespace wb::convert
