// SPDX-License-Identifier: MIT
#include "core/formats/dcp/dcp.h"
#include "core/formats/json/json.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/training/assemble.h"
#include "core/model/checkpoint.h"
#include "core/model/natural_order.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

// Distributed checkpoints in safetensors files (pytorch/pytorch: torch/distributed/checkpoint/_hf_utils.py): each file says in its
// metadata where the boxes of its tensors begin.
namespace wb::dcp {
namespace {

using Path = std::filesystem::path;

bool isShardName(std::string_view name) {
    return name.starts_with("shard-") && name.find("-model-") != std::string_view::npos && name.ends_with(".safetensors");
}

std::vector<std::string> shardNames(const Path& folder, std::uint64_t most) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end && names.size() < most;
         at.increment(error)) {
        std::error_code none;
        std::string name = io::pathText(at->path().filename());
        if (isShardName(name) && at->is_regular_file(none)) names.push_back(std::move(name));
    }
    std::ranges::sort(names, {}, [](const std::string& name) { return naturalKey(name); });
    return names;
}

// Puts the chunks of all files together.
class ShardReading {
public:
    explicit ShardReading(const formats::OpenOptions& options) : m_options(options) {}

    Result<void> add(const Path& folder, const std::string& name) {
        auto part = safetensors::open(folder / name, m_options);
        if (!part && (part.error().code == ErrorCode::Canceled || m_options.strictness == formats::Strictness::Strict))
            return std::unexpected(part.error());
        if (!part) {
            model.problems.push_back(asProblem(Severity::Error, "dcp.shard", name, part.error()));
            return {};
        }
        const auto offsets = readOffsets(**part, name);
        const auto shift = static_cast<std::uint32_t>(model.files.size());
        for (TensorInfo tensor : (*part)->tensors) {
            const auto known = offsets.find(tensor.name);
            std::vector<std::uint64_t> first =
                known != offsets.end() ? known->second : std::vector<std::uint64_t>(tensor.shape.rank());
            m_chunks[tensor.name].push_back({model.tensors.size(), first});
            tensor.name = fmt::format("{} [{}]", tensor.name, fmt::join(first, ", "));
            tensor.rawName.clear();
            tensor.source.shiftFiles(shift);
            model.tensors.push_back(std::move(tensor));
        }
        model.files.insert(model.files.end(), (*part)->files.begin(), (*part)->files.end());
        model.problems.insert(model.problems.end(), (*part)->problems.begin(), (*part)->problems.end());
        return {};
    }

    // The shape of a joined tensor is the largest end of its boxes, because no file stores it.
    void join() {
        for (const auto& [name, chunks] : m_chunks) {
            const TensorInfo& first = model.tensors[chunks.front().tensor];
            TensorInfo tensor;
            tensor.name = name;
            tensor.dtype = first.dtype;
            tensor.typeText = first.typeText;
            tensor.logical = true;
            TensorDetails details;
            details.scheme = "dcp";
            details.bitsPerWeight =
                info(first.dtype).blockElements == 1 ? static_cast<double>(info(first.dtype).blockBytes) * 8 : 0;
            std::vector<std::uint64_t> sizes(first.shape.rank());
            bool isSame = true;
            for (const training::PlacedChunk& chunk : chunks) {
                const TensorInfo& stored = model.tensors[chunk.tensor];
                isSame = isSame && stored.dtype == first.dtype && stored.isReadable() && chunk.offsets.size() == sizes.size() &&
                         stored.shape.rank() == sizes.size();
                for (std::size_t axis = 0; isSame && axis < sizes.size(); ++axis) {
                    isSame = chunk.offsets[axis] <= maxSize; // so that the sum fits
                    sizes[axis] = std::max(sizes[axis], std::min(chunk.offsets[axis], maxSize) + stored.shape[axis]);
                }
                if (details.parts.size() < listedParts) details.parts.push_back(stored.name);
            }
            const auto shape = isSame ? Shape::make(sizes) : std::nullopt;
            tensor.shape = shape.value_or(first.shape);
            tensor.source = shape ? training::assemble(model, tensor.dtype, tensor.shape, chunks)
                                  : TensorSource::unavailable("dcp.boxes", WB_TEXT("its pieces do not fit together"));
            if (tensor.source.form() == TensorSource::Form::Unavailable) tensor.source.setPlace({noFile, std::nullopt, 0});
            tensor.details = std::make_shared<const TensorDetails>(std::move(details));
            model.tensors.push_back(std::move(tensor));
        }
    }

    Model model;

private:
    static constexpr std::uint64_t maxSize = std::uint64_t{1} << 62;
    static constexpr std::size_t listedParts = 256;

    std::map<std::string, std::vector<std::uint64_t>> readOffsets(const Model& part, const std::string& name) {
        std::map<std::string, std::vector<std::uint64_t>> out;
        const Value* metadata = part.metadata.find("__metadata__");
        const Value* text = metadata != nullptr && metadata->object() ? metadata->object()->find("DCP_SHARDING_INFO") : nullptr;
        if (text == nullptr || text->string() == nullptr) return out;
        formats::Limits limits = m_options.limits;
        limits.keptJsonMembers = json::keptValues;
        const auto info = json::parse(*text->string(), name, limits, model.problems);
        if (!info) {
            model.problems.push_back(asProblem(Severity::Error, "dcp.sharding_info", name, info.error()));
            return out;
        }
        if (info->object() == nullptr) return out;
        for (const Member& member : info->object()->members) {
            const Value* saved = member.value.object() != nullptr ? member.value.object()->find("saved_offsets") : nullptr;
            if (saved == nullptr || saved->array() == nullptr) continue;
            std::vector<std::uint64_t>& offsets = out[member.key];
            for (const Value& offset : saved->array()->first) offsets.push_back(offset.unsignedNumber().value_or(maxSize + 1));
        }
        return out;
    }

    const formats::OpenOptions& m_options;
    std::map<std::string, std::vector<training::PlacedChunk>> m_chunks;
};

} // namespace

bool isShardFolder(const Path& folder) { return !shardNames(folder, 10'000).empty(); }

Result<ModelPtr> openShardFolder(const Path& path, const formats::OpenOptions& options) {
    ShardReading reading(options);
    for (const std::string& name : shardNames(path, options.limits.filesPerModel)) {
        if (options.progress.stop.stop_requested()) return std::unexpected(canceled());
        WB_TRY(reading.add(path, name));
    }
    reading.join();
    Model& model = reading.model;
    model.format = FormatId::Dcp;
    model.path = path;
    model.folder = path;
    Checkpoint checkpoint;
    checkpoint.framework = "pytorch";
    checkpoint.isJoined = true;
    checkpoint.missing = {{CheckpointPart::Optimizer, ""}, {CheckpointPart::Scheduler, ""}, {CheckpointPart::Rng, ""}};
    PartSummary weights;
    weights.part = CheckpointPart::Weights;
    for (const TensorInfo& tensor : model.tensors) {
        weights.tensors += tensor.logical;
        if (tensor.logical) weights.parameters += tensor.shape.elements();
        else weights.bytes += tensor.bytes();
    }
    for (const ModelFile& file : model.files) weights.files.push_back(file.name);
    checkpoint.parts = {std::move(weights)};
    model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
    sortProblems(model.problems);
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::dcp
