// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/value.h"

namespace wb::convert {

// Adds to config.json the members that it omits and that transformers, by which the reference reads it, has for its model type
// (transformers 5, the classes' own defaults; published folders rely on them, as those of Gemma 3). A member that is there is left
// alone, null too. Only what the pairs of a GGUF file depend on, and nothing that the tensors' shapes would contradict. Returns the
// names that were added.
std::vector<std::string> addClassDefaults(ValueObject& config);

} // namespace wb::convert
