// SPDX-License-Identifier: MIT
#include "core/diff/detect.h"

#include "core/convert/restore/restore_recipes.h"
#include "core/diff/compare_runs.h"

#include <algorithm>

namespace wb::diff {
namespace {

constexpr std::uint64_t sampled = 1 << 16; // elements

struct Candidate {
    Run run;
    Mapping mapping;
};

// The rows of the GGUF side back in halves.
std::optional<Run> unpermuted(const Run& run, std::size_t ggufIndex, std::uint64_t heads) {
    Run changed = run;
    TensorInfo& tensor = (ggufIndex == 0 ? changed.a : changed.b).tensor;
    const Shape& shape = tensor.shape;
    const std::uint64_t rows = shape.rank() == 0 ? 0 : shape.rank() == 1 ? shape[0] : shape.rows();
    if (heads == 0 || rows % heads != 0 || rows / heads % 2 != 0 || rows / heads < 4) return std::nullopt;
    const std::string stored = tensor.name;
    tensor.name += " (rows in halves)"; // unlike its input
    tensor.source =
        TensorSource::recipe(std::make_shared<convert::RestoredRows>(stored, heads, 0.0F, tensor.dtype), tensor.bytes());
    if (ggufIndex == 1) // an element of the folder's order, as an index of the file's
        changed.locate = [shape, heads, rows, locate = run.locate](std::uint64_t element) {
            const std::uint64_t row = shape.rank() == 1 ? 1 : std::max<std::uint64_t>(shape.rowLength(), 1);
            const std::uint64_t headRows = rows / heads, at = element / row, within = at % headRows;
            return locate((at - within + within % (headRows / 2) * 2 + within / (headRows / 2)) * row + element % row);
        };
    return changed;
}

Run withChange(const Run& run, std::size_t ggufIndex, ValueChange change) {
    Run changed = run;
    (ggufIndex == 0 ? changed.b : changed.a).change = change;
    if (change == ValueChange::AddOne && ggufIndex == 0) changed.origin = 1; // measured without the one
    return changed;
}

} // namespace

std::optional<double> sampleError(const Run& run, const std::vector<Model>& models) {
    Run sample = run;
    const std::uint64_t block = std::max(info(run.a.tensor.dtype).blockElements, info(run.b.tensor.dtype).blockElements);
    sample.elements = run.elements <= sampled ? run.elements : sampled / block * block;
    const auto measures = compareSample(sample, models);
    return measures ? measures->relRmse : std::nullopt;
}

Result<void> detectTransform(PlannedPair& planned, std::size_t ggufIndex, const HeadCounts& heads, const std::vector<Model>& models,
                             const Progress& progress) {
    constexpr double mostOfEqual = 0.3, betterBy = 3; // a quantized tensor stays below the first
    WB_TRY(progress.at(0, 0));
    if (planned.runs.size() != 1) return {};
    const Run& run = planned.runs.front();
    const auto identity = sampleError(run, models);
    if (!identity || *identity < mostOfEqual) return {};
    std::vector<Candidate> candidates;
    for (const std::uint64_t count : {heads.queries, heads.keys})
        if (auto changed = unpermuted(run, ggufIndex, count)) candidates.push_back({*std::move(changed), Mapping::Permuted});
    if (run.elements <= sampled) { // norms and decays are vectors
        candidates.push_back({withChange(run, ggufIndex, ValueChange::AddOne), Mapping::Shifted});
        candidates.push_back({withChange(run, ggufIndex, ValueChange::NegativeExponential), Mapping::Negexp});
    }
    const Candidate* best = nullptr;
    double least = std::min(mostOfEqual, *identity / betterBy);
    for (const Candidate& candidate : candidates)
        if (const auto error = sampleError(candidate.run, models); error && *error < least) {
            least = *error;
            best = &candidate;
        }
    if (!best) return {};
    planned.pair.mapping.push_back(best->mapping);
    planned.runs.front() = best->run;
    return {};
}

} // namespace wb::diff
