// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace wb::formats {

// The format of a file that no reader supports.
struct KnownFile {
    const char* what;    // an English noun phrase with its article: "a PyTorch archive"
    bool model;          // a model format that this program does not supported yet; false: not a model at all
    bool isText = false; // nothing else than that its bytes are text
};

// Recognizes by content (docs/reference/formats.md, "Recognizing a file"): `head` are the first bytes of the file,
// up to 4 KiB, `tail` the last, up to 512.
std::optional<KnownFile> recognize(std::span<const std::byte> head, std::span<const std::byte> tail);

} // namespace wb::formats
