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
// (ggml-org/llama.cpp: tools/imatrix; docs/reference/gguf.md, "Importance matrix files").
namespace wb::quant {

// Where the values of one weight are in a matrix' file: sums over all inputs, and what they are divided by.
struct ImatrixEntry {
    std::uint64_t count = 0;    // values: one a column, matrix after matrix
    std::uint64_t sums = 0;     // first byte of their sums, f32 each
    std::uint64_t divisors = 0; // first byte of the counts, f32 each, of which every one is for …
    std::uint64_t share = 0;    // … so many values; 0: `calls` is for all
    float calls = 1;
};

class ColumnWeights;

// The contents of a file without the values: those of a large mixture of experts are gigabytes, and are read when they are needed.
struct Imatrix {
    std::string file; // the path as the user gave it
    std::vector<std::string> datasets;
    std::uint64_t chunks = 0;
    std::map<std::string, ImatrixEntry> entries; // by stored weight name
    io::Identity identity = {};                  // of the file it was read from
    std::shared_ptr<const io::ByteSource> source = {};

    // The values of a weight by its stored name; empty if the matrix has none for it.
    ColumnWeights find(const std::string& weight) const;
};

// The values of one weight, none of them negative. Valid as long as the matrix is where it is; thread-safe.
class ColumnWeights {
public:
    ColumnWeights() = default; // none
    ColumnWeights(const Imatrix& matrix, const ImatrixEntry& entry) : m_matrix(&matrix), m_entry(&entry) {}

    std::uint64_t size() const { return m_entry ? m_entry->count : 0; }
    bool empty() const { return size() == 0; }
    std::uint64_t place() const { return m_entry ? m_entry->sums : 0; } // in the matrix' file

    // Fills `values` with those from `first` on, which must be there. Fails as reading does; Changed where the file has changed
    // since it was opened.
    Result<void> read(std::uint64_t first, std::span<float> values) const;
    Result<std::vector<float>> readAll() const;

private:
    const Imatrix* m_matrix = nullptr;
    const ImatrixEntry* m_entry = nullptr;
};

// Opens the GGUF form, or the legacy .dat form where the file is no GGUF, and looks at every value once. Malformed where pairs,
// lengths or required keys are missing or a value is negative or not finite; TooLarge; every sentence names the file.
Result<Imatrix> readImatrix(const std::filesystem::path& path, const Progress& progress = {});
Result<Imatrix> readImatrix(std::shared_ptr<io::ByteSource> source, const Progress& progress); // named as the source is

// How many values a weight of this shape has in a matrix: one a column of every matrix of a stack.
std::uint64_t weightCount(const Shape& shape);

// The values for a tensor; empty where the matrix (null: none) has nothing for it, or not as many as it needs.
ColumnWeights weightsFor(const Imatrix* matrix, const TensorInfo& tensor);

// Which of `count` values is that of a row's first column: each matrix of a stack has its own, where there are so many.
std::uint64_t firstWeight(std::uint64_t count, const Shape& shape, std::uint64_t row);

// The column weights of a row among those of the tensor. Empty if none exist.
std::span<const float> rowWeights(std::span<const float> weights, const Shape& shape, std::uint64_t row);

// Keeps the entries whose name contains one of the texts (or, with `exclude`, none of them). No texts leave all.
void filterEntries(Imatrix& matrix, std::span<const std::string> texts, bool exclude);

} // namespace wb::quant
