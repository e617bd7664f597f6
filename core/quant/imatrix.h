// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Importance matrices: how much each input column of a weight matters, measured by running a model over text
// (ggml-org/llama.cpp: tools/imatrix; specs/gguf_and_quantization.md 9).
namespace wb::quant {

struct Imatrix {
    std::string file;                                   // the path as the user gave it
    std::vector<std::string> datasets;
    std::uint64_t chunks = 0;
    std::map<std::string, std::vector<float>> entries;  // by stored weight name: one value a column, matrix after matrix
    io::Identity identity = {};                         // of the file it was read from

    // The values of a weight by its stored name; empty if the matrix has none for it.
    std::span<const float> find(const std::string& weight) const;
};

// Reads the GGUF form, or the legacy .dat form where the file is no GGUF. Malformed where pairs, lengths or required keys are missing
// or a value is not finite; every sentence names the file.
Result<Imatrix> readImatrix(const std::filesystem::path& path, const Progress& progress = {});
Result<Imatrix> readImatrix(std::shared_ptr<io::ByteSource> source, const Progress& progress); // named as the source is

// How many values a weight of this shape has in a matrix: one a column of every matrix of a stack.
std::uint64_t weightCount(const Shape& shape);

// The column weights of a row: each matrix of a stack has its own, where there are so many. Empty where there are none.
std::span<const float> rowWeights(std::span<const float> weights, const Shape& shape, std::uint64_t row);

// Keeps the entries whose name contains one of the texts (or, with `exclude`, none of them). No texts leave all.
void filterEntries(Imatrix& matrix, std::span<const std::string> texts, bool exclude);

} // namespace wb::quant
