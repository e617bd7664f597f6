// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"

#include <vector>

// The headers and places of the files of a plan.
namespace wb::quantize {

// Metadata keys of split files.
inline constexpr const char* splitNumberKey = "split.no";
inline constexpr const char* splitCountKey = "split.count";
inline constexpr const char* splitTensorsKey = "split.tensors.count";
void removeSplitPairs(std::vector<gguf::StoredPair>& pairs);

// Sets the file of every tensor by the limits of `split`, and the number of files. TooLarge if these exceed what a split can count.
Result<void> divideTensors(const FileSplit& split, QuantizePlan& plan);

// Which keys of a split each file gets.
enum class SplitKeys : std::uint8_t {
    None,     // none: one file
    Quantize, // those of llama-quantize --keep-split
    Split,    // those of llama-gguf-split, in its order
};

// Lays out every file; only the first one has the metadata, and the alignment that they declare.
Result<void> layOutFiles(const Model& model, std::vector<gguf::StoredPair> pairs, SplitKeys keys, QuantizePlan& plan);

} // namespace wb::quantize
