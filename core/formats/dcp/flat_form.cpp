// SPDX-License-Identifier: MIT
#include "core/formats/dcp/flat_form.h"

#include "core/formats/training/anatomy.h"
#include "core/formats/training/assemble.h"
#include "core/formats/training/rank_file.h"
#include "core/model/checkpoint.h"

#include <algorithm>
#include <map>
#include <set>

namespace wb::dcp {
namespace {

constexpr std::string_view flatPrefix = "pytorch_model_fsdp_rank";

std::vector<std::uint64_t> numbers(const Value* list) {
    std::vector<std::uint64_t> out;
    if (list == nullptr || list->array() == nullptr) return out;
    for (const Value& number : list->array()->first) out.push_back(number.unsignedNumber().value_or(0));
    return out;
}

// A sharded tensor of all ranks.
struct FlatTensor {
    std::vector<std::uint64_t> sides;
    Dtype dtype = Dtype::Unknown;
    std::vector<training::PlacedChunk> chunks;
    std::vector<std::string> parts;
};

// The shards of one rank, as core/formats/torch lists them: {"size", "shards"}, and tensors "<name>.0.tensor" …
void takeShards(const Model& model, const training::RankFile& file, std::map<std::string, FlatTensor>& flat) {
    for (const Member& member : file.metadata.members) {
        const ValueObject* const object = member.value.object();
        const Value* const shards = object == nullptr ? nullptr : object->find("shards");
        if (shards == nullptr || shards->array() == nullptr || object->find("size") == nullptr) continue;
        FlatTensor& whole = flat[member.key];
        if (whole.sides.empty()) whole.sides = numbers(object->find("size"));
        for (std::size_t i = 0; i < shards->array()->first.size(); ++i) {
            const ValueObject* const shard = shards->array()->first[i].object();
            const Value* const description = shard == nullptr ? nullptr : shard->find("metadata");
            const std::size_t* const tensor = file.find(fmt::format("{}.{}.tensor", member.key, i));
            if (tensor == nullptr || description == nullptr || description->object() == nullptr) continue;
            whole.chunks.push_back({*tensor, numbers(description->object()->find("shard_offsets"))});
            whole.parts.push_back(model.tensors[*tensor].name);
            whole.dtype = model.tensors[*tensor].dtype;
        }
    }
}

TensorInfo logical(std::string name, Dtype dtype, const Shape& shape, TensorSource source, std::vector<std::string> parts,
                   const char* scheme) {
    TensorInfo tensor;
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.source = std::move(source);
    tensor.logical = true;
    auto details = std::make_shared<TensorDetails>();
    details->scheme = scheme;
    details->parts = std::move(parts);
    tensor.details = std::move(details);
    return tensor;
}

// The flat parameters of all ranks as one tensor each, and the buffers, of which every rank has a copy.
void join(Model& model, const std::vector<training::RankFile>& files) {
    std::map<std::string, FlatTensor> flat;
    for (const training::RankFile& file : files) takeShards(model, file, flat);
    std::vector<TensorInfo> joined;
    std::set<std::size_t> placed;
    for (auto& [name, whole] : flat) {
        for (const training::PlacedChunk& chunk : whole.chunks) placed.insert(chunk.tensor);
        const auto shape = Shape::make(whole.sides);
        if (!shape || whole.chunks.empty() || whole.sides.empty()) continue;
        joined.push_back(logical(name, whole.dtype, *shape, training::assemble(model, whole.dtype, *shape, whole.chunks),
                                 std::move(whole.parts), "fsdp flat"));
    }
    for (const auto& [name, first] : files.front().tensors) {
        const TensorInfo& stored = model.tensors[first];
        if (placed.contains(first) || !stored.isReadable()) continue;
        std::vector<std::string> parts;
        for (const training::RankFile& file : files)
            if (const std::size_t* const tensor = file.find(name)) parts.push_back(model.tensors[*tensor].name);
        joined.push_back(logical(name, stored.dtype, stored.shape, stored.source, std::move(parts), "replicated"));
    }
    std::ranges::sort(joined, {}, &TensorInfo::name);
    std::ranges::move(joined, std::back_inserter(model.tensors));
}

} // namespace

bool isFlatFile(std::string_view name) {
    if (!name.starts_with(flatPrefix) || !name.ends_with(".bin")) return false;
    name.remove_prefix(flatPrefix.size());
    name.remove_suffix(4);
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<formats::Index> readFlatFiles(const formats::Sources& sources, const std::vector<std::string>& names,
                                     const formats::OpenOptions& options) {
    formats::Index index(sources.size());
    training::RankFileReader reader(index, sources, options);
    Checkpoint checkpoint;
    checkpoint.framework = "pytorch";
    checkpoint.world.data = sources.size();
    std::vector<training::RankFile> files(sources.size());
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        training::RankFile& file = files[i];
        file.name = names[i];
        WB_TRY(reader.read(i, names[i].substr(0, names[i].size() - 4), file));
        if (!file.isWhole) checkpoint.missing.push_back({CheckpointPart::Weights, names[i]});
        if (i == 0) index.model.metadata = file.metadata;
    }
    join(index.model, files);
    checkpoint.isJoined =
        std::ranges::any_of(index.model.tensors, [](const TensorInfo& tensor) { return tensor.logical && tensor.isReadable(); });
    training::PartCounter counter;
    for (const TensorInfo& tensor : index.model.tensors)
        if (!tensor.isUncounted()) counter.add(CheckpointPart::Weights, tensor);
    for (const std::string& name : names) counter.addFile(CheckpointPart::Weights, name);
    for (const CheckpointPart part : {CheckpointPart::Optimizer, CheckpointPart::Scheduler, CheckpointPart::Rng})
        checkpoint.missing.push_back({part, ""});
    checkpoint.parts = counter.take();
    Model& model = index.model;
    model.format = FormatId::Dcp;
    model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
    model.danger = reader.takeDanger();
    model.problems.push_back(makeProblem(
        Severity::Note, "dcp.flat", {}, std::nullopt,
        WB_TEXT("The parameters are one flat tensor, since the files do not store their names and shapes; save the model with "
                "FULL_STATE_DICT or SHARDED_STATE_DICT to get them.")));
    return index;
}

} // namespace wb::dcp
