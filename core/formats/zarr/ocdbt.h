// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/index/index.h"

#include <map>

// Inside the room: the key-value store of tensorstore (google/tensorstore: tensorstore/kvstore/ocdbt/index.rst,
// docs/reference/formats.md, "JAX: Flax, orbax, OCDBT, zarr").
namespace wb::zarr {

// Where the bytes of a key are.
struct StoredValue {
    std::uint32_t file = 0; // of the sources
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::optional<std::vector<std::byte>> inlined; // or the bytes
};

// By the names of files below the folder of the model.
using FileNames = std::map<std::string, std::uint32_t, std::less<>>;

// The keys of the newest version of the store whose manifest is `folder` + "manifest.ocdbt"; names of files in it are below
// `folder`. Malformed where a node is damaged or missing, TooLarge beyond the caps.
Result<std::map<std::string, StoredValue>> readOcdbt(const formats::Sources& sources, const FileNames& files,
                                                     const std::string& folder, const formats::Findings& findings,
                                                     const formats::OpenOptions& options);

} // namespace wb::zarr
