// SPDX-License-Identifier: MIT
#include "core/formats/megatron/join.h"

#include "core/base/checked.h"
#include "core/formats/training/box_recipe.h"
#include "core/model/fragments.h"

#include <algorithm>

namespace wb::megatron {
namespace {

constexpr std::size_t none = ~std::size_t{0};
constexpr std::size_t maxJoined = 16'000'000; // shares of all tensors

std::uint64_t countAt(const ValueObject& object, std::string_view key, std::uint64_t otherwise) {
    const Value* value = object.find(key);
    return value != nullptr ? value->unsignedNumber().value_or(otherwise) : otherwise;
}

bool flagAt(const ValueObject& object, std::string_view key, bool otherwise) {
    const Value* value = object.find(key);
    const bool* flag = value != nullptr ? std::get_if<bool>(&value->data) : nullptr;
    return flag != nullptr ? *flag : otherwise;
}

TensorSource boxSource(const TensorInfo& first, const Shape& shape, std::vector<training::BoxInput> inputs,
                       std::vector<training::Box> boxes, std::uint64_t bytes) {
    auto recipe = training::BoxRecipe::make(first.dtype, shape, std::move(inputs), std::move(boxes));
    if (!recipe) return TensorSource::unavailable(recipe.error().reason, recipe.error().message());
    return TensorSource::recipe(std::move(*recipe), bytes);
}

} // namespace

Arguments megatronArguments(const ValueObject& metadata, const std::vector<MegatronFile>& files) {
    Arguments out;
    for (const MegatronFile& file : files) {
        out.tensor = std::max(out.tensor, file.tensorRank + 1);
        out.pipeline = std::max(out.pipeline, file.pipelineRank + 1);
    }
    const Value* args = metadata.find("args");
    if (args == nullptr || args->object() == nullptr) return out;
    const ValueObject& given = *args->object();
    constexpr std::uint64_t maxRanks = 1024; // no real run has more ranks of one type
    const auto ranks = [&](const char* key, std::uint32_t found) {
        return static_cast<std::uint32_t>(std::min(std::max<std::uint64_t>(countAt(given, key, found), found), maxRanks));
    };
    out.tensor = ranks("tensor_model_parallel_size", out.tensor);
    out.pipeline = ranks("pipeline_model_parallel_size", out.pipeline);
    out.layers = countAt(given, "num_layers", 0);
    out.layersOfVirtualStage = countAt(given, "num_layers_per_virtual_pipeline_stage", 0);
    out.isGated = flagAt(given, "swiglu", false) || flagAt(given, "gated_linear_unit", false);
    out.isTied = !flagAt(given, "untie_embeddings_and_output_weights", true);
    return out;
}

Joiner::Joiner(formats::Index& index, const std::vector<MegatronFile>& files, const Arguments& arguments,
               training::PartCounter& counter)
    : m_index(index), m_arguments(arguments), m_counter(counter),
      m_scheme(fmt::format("megatron tp{} pp{}", arguments.tensor, arguments.pipeline)) {
    for (const MegatronFile& file : files)
        if (file.isRead && !file.isOptimizer) m_ranks.emplace(std::pair(file.pipelineRank, file.tensorRank), &file);
}

// A stage has its layers one after the other; interleaved ones, which are stored as model0, model1 …, every pipeline-th run.
void Joiner::run() {
    const std::uint64_t ofStage = m_arguments.layers / m_arguments.pipeline;
    for (std::uint32_t stage = 0; stage < m_arguments.pipeline; ++stage) {
        joinStage(stage, ofStage * stage, "model.");
        const std::uint64_t run = m_arguments.layersOfVirtualStage;
        if (run == 0 || run > ofStage) continue;
        for (std::uint64_t chunk = 0; chunk < std::min<std::uint64_t>(ofStage / run, 1000); ++chunk)
            joinStage(stage, (chunk * m_arguments.pipeline + stage) * run, fmt::format("model{}.", chunk));
    }
    if (m_arguments.isTied) tieOutput();
}

// Names as the first rank of the stage that can be read has them.
void Joiner::joinStage(std::uint32_t stage, std::uint64_t firstLayer, const std::string& root) {
    const auto first = m_ranks.lower_bound({stage, 0});
    if (first == m_ranks.end() || first->first.first != stage) return;
    std::vector<std::pair<std::size_t, std::string>> names; // in the order of the file
    for (const auto& [name, tensor] : first->second->tensors)
        if (name.starts_with(root)) names.emplace_back(tensor, name);
    std::ranges::sort(names);
    for (const auto& [tensor, name] : names) joinParameter(stage, name, shiftedLayer(name.substr(root.size()), firstLayer));
}

TensorSource Joiner::divided(const TensorInfo& first, const std::vector<std::size_t>& shares, Division division,
                             Shape& shape) const {
    const std::size_t axis = division == Division::Columns ? 1 : 0;
    const std::uint64_t own = first.shape[axis];
    const bool isGated = division == Division::GatedRows;
    std::vector<std::uint64_t> sizes(first.shape.dimensions().begin(), first.shape.dimensions().end());
    const auto all = checked::mul(own, shares.size());
    if (!all || (isGated && own % 2 != 0))
        return TensorSource::unavailable("megatron.shape", WB_TEXT("its pieces do not fit together"));
    sizes[axis] = *all;
    const auto whole = Shape::make(sizes);
    if (!whole) return TensorSource::unavailable("megatron.shape", WB_TEXT("its pieces do not fit together"));
    shape = *whole;
    std::vector<training::BoxInput> inputs;
    std::vector<training::Box> boxes;
    std::vector<TensorPiece> pieces;
    std::uint64_t bytes = 0;
    bool isStored = true;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        const TensorInfo& share = m_index.model.tensors[shares[rank]];
        if (share.shape != first.shape || share.dtype != first.dtype)
            return TensorSource::unavailable("megatron.shape", WB_TEXT("its pieces do not fit together"));
        inputs.push_back({share.name, share.shape});
        bytes += share.bytes();
        isStored = isStored && share.source.form() == TensorSource::Form::Stored && share.offset();
        if (isStored) pieces.push_back({share.file(), *share.offset(), share.shape.elements()});
        const std::uint64_t part = isGated ? own / 2 : own;
        for (std::uint64_t half = 0; half < (isGated ? 2u : 1u); ++half) {
            training::Box box{static_cast<std::uint32_t>(rank),
                              std::vector<std::uint64_t>(sizes.size()),
                              std::vector<std::uint64_t>(sizes.size()),
                              {first.shape.dimensions().begin(), first.shape.dimensions().end()}};
            box.sizes[axis] = part;
            box.from[axis] = half * part;
            box.to[axis] = half * part * shares.size() + rank * part;
            boxes.push_back(std::move(box));
        }
    }
    if (division == Division::Rows && isStored) return TensorSource::pieces(std::move(pieces), bytes);
    return boxSource(first, shape, std::move(inputs), std::move(boxes), bytes);
}

void Joiner::joinParameter(std::uint32_t stage, const std::string& stored, const std::string& name) {
    if (m_names.size() >= maxJoined / m_arguments.tensor || !m_names.insert(name).second) return;
    const auto& tensors = m_index.model.tensors;
    std::vector<std::size_t> shares;
    std::size_t present = none;
    std::uint32_t missing = m_arguments.tensor;
    for (std::uint32_t rank = 0; rank < m_arguments.tensor; ++rank) {
        const auto file = m_ranks.find({stage, rank});
        const std::size_t* share = file == m_ranks.end() ? nullptr : file->second->find(stored);
        const bool isThere = share != nullptr && tensors[*share].isReadable();
        if (!isThere) missing = std::min(missing, rank);
        shares.push_back(share != nullptr ? *share : none);
        if (share != nullptr && (present == none || (isThere && !tensors[present].isReadable()))) present = *share;
    }
    if (present == none) return;
    const TensorInfo first = tensors[present];
    Division division = m_arguments.tensor == 1 ? Division::Replicated : tensorDivision(name, m_arguments.isGated);
    if (first.shape.rank() < (division == Division::Columns ? 2u : 1u)) division = Division::Replicated;
    TensorInfo tensor = first;
    tensor.name = name;
    tensor.rawName.clear();
    tensor.logical = true;
    if (division != Division::Replicated) {
        const bool isWhole = missing == m_arguments.tensor;
        std::vector<std::size_t> known(shares.size(), present); // for the shape alone, where some are missing
        tensor.source = divided(first, isWhole ? shares : known, division, tensor.shape);
        if (!isWhole) tensor.source = TensorSource::unavailable("megatron.incomplete", fragmentText(fragment::fileOfRank, missing));
        if (tensor.source.form() == TensorSource::Form::Unavailable)
            tensor.source.setPlace(
                {noFile, std::nullopt, checked::mul(first.bytes(), static_cast<std::uint64_t>(shares.size())).value_or(0)});
    }
    TensorDetails details;
    details.scheme = m_scheme;
    for (const std::size_t share : shares)
        if (share != none && details.parts.size() < 256) details.parts.push_back(tensors[share].name);
    if (first.shape.elements() != 0)
        details.bitsPerWeight = static_cast<double>(first.bytes()) * 8 / static_cast<double>(first.shape.elements());
    m_counter.add(CheckpointPart::Weights, tensor);
    tensor.details = std::make_shared<const TensorDetails>(std::move(details));
    m_index.model.tensors.push_back(std::move(tensor));
}

// The last stage of a pipeline keeps a copy of the embedding, which is not another parameter.
void Joiner::tieOutput() {
    auto& tensors = m_index.model.tensors;
    const auto endsWith = [](std::string_view ending) {
        return [ending](const TensorInfo& tensor) { return tensor.logical && tensor.name.ends_with(ending); };
    };
    const auto embedding = std::ranges::find_if(tensors, endsWith("word_embeddings.weight"));
    const auto output = std::ranges::find_if(tensors, endsWith("output_layer.weight"));
    if (embedding == tensors.end() || output == tensors.end() || embedding->shape != output->shape) return;
    auto ofEmbedding = std::make_shared<TensorDetails>(*embedding->details);
    auto ofOutput = std::make_shared<TensorDetails>(*output->details);
    ofEmbedding->aliases.push_back(output->name);
    ofOutput->aliases.push_back(embedding->name);
    ofOutput->isRepeated = true;
    embedding->details = std::move(ofEmbedding);
    output->details = std::move(ofOutput);
}

} // namespace wb::megatron
