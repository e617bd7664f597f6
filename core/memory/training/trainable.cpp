// SPDX-License-Identifier: MIT
#include "core/memory/training/trainable.h"

#include "core/memory/amounts.h"
#include "core/quant/mix/mix_rules.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace wb::memory {
namespace {

using Place = Matrix::Place;

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

Place placeFromName(std::string_view name) {
    if (!name.starts_with("blk.")) return Place::Outside;
    if (has(name, ".attn_")) return Place::Attention;
    if (has(name, ".ffn_") && !has(name, "_inp.")) return Place::FeedForward;
    return Place::OtherBlock;
}

Matrix tensorMatrix(const TensorInfo& tensor) {
    Matrix matrix;
    matrix.place = placeFromName(tensor.name);
    matrix.columns = tensor.shape.rowLength();
    const auto dimensions = tensor.shape.dimensions();
    if (dimensions.size() < 2) return matrix;
    matrix.rows = dimensions[dimensions.size() - 2];
    for (const std::uint64_t outer : dimensions.first(dimensions.size() - 2)) matrix.count = product(matrix.count, outer);
    return matrix;
}

// Matrices of one shape are one entry, so that large models stay short.
class Collector {
public:
    void add(const Matrix& matrix) {
        std::uint64_t& count = m_counts[{matrix.rows, matrix.columns, matrix.place}];
        count = sum(count, matrix.count);
    }
    std::vector<Matrix> matrices() const {
        std::vector<Matrix> all;
        for (const auto& [key, count] : m_counts) all.push_back({std::get<0>(key), std::get<1>(key), count, std::get<2>(key)});
        return all;
    }

private:
    std::map<std::tuple<std::uint64_t, std::uint64_t, Place>, std::uint64_t> m_counts;
};

bool isTarget(const Matrix& matrix, Targets targets) {
    if (matrix.isVector()) return false;
    return matrix.place == Place::Attention || (targets == Targets::All && matrix.place == Place::FeedForward);
}

std::vector<Matrix> adapterMatrices(const Parameters& parameters, const TrainingSettings& settings) {
    std::vector<Matrix> adapters;
    for (const Matrix& matrix : parameters.matrices) {
        if (!isTarget(matrix, settings.targets)) continue;
        adapters.push_back({settings.rank, matrix.columns, matrix.count, matrix.place});
        adapters.push_back({matrix.rows, settings.rank, matrix.count, matrix.place});
        if (settings.dora) adapters.push_back({1, matrix.rows, matrix.count, matrix.place});
    }
    return adapters;
}

// Keys and values of every virtual token in every layer.
Matrix specPrefix(const arch::ModelSpec& spec, std::uint64_t tokens) {
    std::uint64_t width = 0;
    for (const arch::LayerSpec& layer : spec.layers)
        if (!layer.predictsAhead) width = sum(width, product(layer.kvHeads, sum(layer.keyLength, layer.valueLength)));
    return {tokens, width, 1, Place::Outside};
}

} // namespace

std::uint64_t Matrix::elementsOfOne() const { return product(rows, columns); }
std::uint64_t Matrix::elements() const { return product(rows, columns, count); }

std::uint64_t Parameters::all() const { return sum(linear, other); }

std::uint64_t Trainable::parameters() const {
    std::uint64_t all = 0;
    for (const Matrix& matrix : matrices) all = sum(all, matrix.elements());
    return scale == 1 ? all : asBytes(static_cast<double>(all) * scale);
}

Result<Parameters> countParameters(const Subject& subject) {
    Parameters parameters;
    Collector collector;
    std::vector<std::uint64_t> blocks(subject.spec.trunkLayers());
    for (const TensorInfo& tensor : subject.model->tensors) {
        if (tensor.logical || tensor.name.starts_with("rope_freqs.")) continue;
        const std::int64_t block = tensor.name.starts_with("blk.") ? quant::blockNumber(tensor.name) : -1;
        if (block >= 0 && static_cast<std::uint64_t>(block) >= blocks.size()) continue; // predicts ahead, not trained
        const Matrix matrix = tensorMatrix(tensor);
        collector.add(matrix);
        std::uint64_t& kind = matrix.isHidden() ? parameters.linear : parameters.other;
        kind = sum(kind, matrix.elements());
        if (matrix.isHidden()) parameters.linearRows = sum(parameters.linearRows, product(matrix.rows, matrix.count));
        if (block < 0) continue;
        std::uint64_t& elements = blocks[static_cast<std::size_t>(block)];
        elements = sum(elements, matrix.elements());
    }
    if (parameters.linear == 0 || blocks.empty())
        return fail(ErrorCode::Unsupported, Reason("memory.training_unknown"), About{subject.name},
                    WB_TEXT("Cannot estimate training of {}, because the tensors of its layers are unknown; choose a GGUF file or "
                            "a plain transformer."),
                    subject.name);
    parameters.matrices = collector.matrices();
    parameters.largestBlock = *std::ranges::max_element(blocks);
    if (subject.trust == Trust::Rule)
        parameters.scale = static_cast<double>(subject.parameters) / static_cast<double>(parameters.all());
    return parameters;
}

Trainable trainableParameters(const Parameters& parameters, const arch::ModelSpec& spec, const TrainingSettings& settings) {
    switch (settings.method) {
    case Method::Full: return {parameters.matrices, parameters.scale};
    case Method::Prompt: return {{{settings.virtualTokens, spec.width, 1, Place::Outside}}};
    case Method::Prefix: return {{specPrefix(spec, settings.virtualTokens)}};
    case Method::Lora:
    case Method::Qlora:
    case Method::Dpo: return {adapterMatrices(parameters, settings)};
    }
    return {};
}

} // namespace wb::memory
