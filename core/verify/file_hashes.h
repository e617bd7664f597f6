// SPDX-License-Identifier: MIT
#pragma once

#include "core/verify/verify.h"

namespace wb::verify {

// The row of one file beneath `folder` with its expected hash: from its own content (a Git LFS pointer), from the link of a Hugging
// Face cache that leads to it, or from the record that huggingface_hub wrote next to it. NotFound, NotReadable.
Result<CheckedFile> expectFile(const std::filesystem::path& folder, const std::string& name);

// Computes and compares the hash. A pointer is not hashed, because the expected content is missing. Progress counts bytes.
Result<void> hashFile(const std::filesystem::path& folder, CheckedFile& file, const Progress& progress);

} // namespace wb::verify
