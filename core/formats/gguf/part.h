// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/tensor_list.h"

namespace wb::gguf {

// Everything one file says by itself: a whole model, or one part of a split.
struct GgufPart {
    Findings findings;
    Header header;
    ValueObject metadata;
    std::vector<TensorInfo> tensors;
};

// Reads and checks one file; `name` is what problems and refusals call it.
Result<GgufPart> readPart(const io::ByteSource& source, const std::string& name, const formats::OpenOptions& options);

// The problems of one file, and one more if it breaks a rule that all loaders enforce.
std::vector<Problem> takeProblems(Findings& findings);

} // namespace wb::gguf
