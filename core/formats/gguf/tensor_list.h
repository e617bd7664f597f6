// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/header.h"
#include "core/model/model.h"

namespace wb::gguf {

// One tensor info as stored. placeTensors turns the offset and size into the source of `tensor`.
struct Entry {
    TensorInfo tensor;
    std::uint64_t relative = 0; // offset from the start of the data section
    std::uint64_t bytes = 0;    // stored size without padding
    std::uint64_t position = 0; // where the info itself starts in the file
    bool knownSize = true;      // false: `bytes` cannot be computed from type and shape; it is the space up to the next tensor
};

struct TensorList {
    std::vector<Entry> entries;
    bool complete = true;  // false where the file ends inside the list
    std::uint64_t end = 0; // first byte after the last info
};

Result<TensorList> readTensorList(io::Cursor& cursor, const Header& header, const formats::OpenOptions& options,
                                  Findings& findings);

// Checks the offsets against each other and the file and gives every tensor its place. `alignment` is empty where the file's own
// is unusable: then no tensor has a place.
Result<void> placeTensors(TensorList& list, std::optional<std::uint64_t> alignment, std::uint64_t fileSize, Findings& findings);

} // namespace wb::gguf
