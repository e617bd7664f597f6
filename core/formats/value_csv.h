// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"

#include <functional>
#include <string_view>

namespace wb::formats {

// Passes the elements to `sink` as lines of comma-separated numbers, one line for each row (the last dimension). Integers are
// exact; floats are the shortest text that reads back as the same number of their type ("nan", "inf"); booleans are 0 and 1;
// complex numbers "1.5-2j". Progress counts stored bytes.
Result<void> writeCsv(const TensorReader& reader, const std::function<Result<void>(std::string_view)>& sink,
                      const Progress& progress);

} // namespace wb::formats
