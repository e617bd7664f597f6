// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/npy/header.h"
#include "core/model/model.h"

namespace wb::npy {

// Where an array lies: its file among the model's, and from where on in it how many bytes there are, the header included.
struct ArrayPlace {
    std::uint32_t file = 0;
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

// The tensor of an array; null if it contains no numbers, with a problem. Too few bytes are a defect and make it unavailable,
// too many a warning.
Result<std::optional<TensorInfo>> makeTensor(const Header& header, const std::string& name, const ArrayPlace& place,
                                             formats::Findings& findings);

} // namespace wb::npy
