// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace wb::io {

// The file after the one kind of link that is followed: <repo>/snapshots/<revision>/<name> → (../)*../../blobs/<hash>, the
// hash 40 to 64 small hexadecimal digits (huggingface/huggingface_hub: file_download.py). Empty where `folder`/`name` is not
// exactly that; `name` is a plain relative name.
std::optional<std::filesystem::path> cachedBlob(const std::filesystem::path& folder, const std::string& name);

} // namespace wb::io
