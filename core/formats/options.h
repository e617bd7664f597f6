// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <cstdint>

namespace wb::formats {

// Inspecting is lenient: damage opens as far as it can be trusted, with problems. Every other use (quantize, convert, chat) is
// strict: whatever the reference reader refuses is refused.
enum class Strictness { Lenient, Strict };

// Caps on what a file may ask for, whatever its format (docs/reference/formats.md, "Caps"). Injectable so that tests can lower
// them.
struct Limits {
    std::uint64_t headerBytes = 100'000'000;  // a JSON header in front of tensors; the number of huggingface/safetensors
    std::uint64_t jsonText = 256ull << 20;    // config.json, tokenizer.json, index files
    std::uint64_t string = 1ull << 30;        // one string of the metadata; the number of ggml-org/llama.cpp
    std::uint64_t arrayElements = 1ull << 30; // one array of the metadata; the same
    std::uint64_t tensorsPerFile = 4'000'000;
    std::uint64_t tensorsPerModel = 16'000'000;
    std::uint64_t filesPerModel = 10'000;
    std::uint32_t metadataDepth = 64;
    std::uint64_t keptArrayElements = 64;        // typed arrays up to this length are kept whole in Model::metadata …
    std::uint64_t keptFirstElements = 16;        // … of longer ones only so many
    std::uint64_t keptJsonMembers = 4096;        // the same for JSON arrays and objects
    std::uint64_t keptStringBytes = 64ull << 20; // of longer strings only the beginning is kept, with a note
    std::uint64_t archiveMembers = 2'000'000;
    std::uint64_t directoryBytes = 1ull << 30; // an archive's central directory
    std::uint64_t unpacked = 4ull << 30;       // one compressed member or stream, unpacked into memory
    std::uint64_t opcodes = 50'000'000;        // of one serialized program; optimizer checkpoints need more than scanners allow
    std::uint64_t stackValues = 1'000'000;
    std::uint64_t memoEntries = 10'000'000;
    std::uint64_t builtNodes = 64'000'000; // objects that such a program builds
};

struct OpenOptions {
    Strictness strictness = Strictness::Lenient;
    unsigned threads = 0; // for models of many files; 0: as many as the machine has
    Limits limits;
    Progress progress;
};

} // namespace wb::formats
