// SPDX-License-Identifier: MIT
#include "core/model/checkpoint.h"

#include "core/base/json_writer.h"
#include "core/model/model_json.h"

#include <algorithm>
#include <array>

namespace wb {
namespace {

// In the order of CheckpointPart.
constexpr std::array partNames = {"weights", "optimizer", "scheduler", "rng", "scaler", "arguments", "data", "other"};

template <class T>
void writeNumberMember(JsonWriter& out, const char* key, const std::optional<T>& number) {
    out.key(key);
    if (!number) return out.null();
    if constexpr (std::is_floating_point_v<T>) out.number(*number);
    else out.integer(*number);
}

void writeTextMember(JsonWriter& out, const char* key, const std::optional<std::string>& text) {
    out.key(key);
    if (text) out.string(*text);
    else out.null();
}

void writeTextsMember(JsonWriter& out, const char* key, const std::vector<std::string>& texts) {
    out.key(key);
    out.beginArray();
    for (const std::string& text : texts) out.string(text);
    out.endArray();
}

void writeWorld(JsonWriter& out, const TrainingWorld& world) {
    out.key("world");
    out.beginObject();
    writeNumberMember(out, "data", world.data);
    writeNumberMember(out, "tensor", world.tensor);
    writeNumberMember(out, "pipeline", world.pipeline);
    writeNumberMember(out, "expert", world.expert);
    out.endObject();
}

void writePart(JsonWriter& out, const PartSummary& part) {
    out.newline();
    out.beginObject();
    out.key("kind");
    out.string(checkpointPartName(part.part));
    out.key("tensors");
    out.integer(part.tensors);
    out.key("parameters");
    out.integer(part.parameters);
    out.key("bytes");
    out.integer(part.bytes);
    writeTextsMember(out, "files", part.files);
    out.endObject();
}

void writeOptimizer(JsonWriter& out, const Checkpoint& checkpoint) {
    out.key("optimizer");
    if (!checkpoint.optimizerName && checkpoint.optimizerGroups.type == ValueType::Null) return out.null();
    out.beginObject();
    writeTextMember(out, "name", checkpoint.optimizerName);
    out.key("groups");
    writeJson(out, checkpoint.optimizerGroups);
    out.endObject();
}

} // namespace

const char* checkpointPartName(CheckpointPart part) { return partNames[static_cast<std::size_t>(part)]; }

std::optional<CheckpointPart> checkpointPartFromName(std::string_view name) {
    const auto* const found = std::ranges::find_if(partNames, [&](const char* known) { return name == known; });
    if (found == partNames.end()) return std::nullopt;
    return static_cast<CheckpointPart>(found - partNames.begin());
}

std::string missingText(const MissingPart& missing) {
    if (missing.name.starts_with("rank ")) return missing.name;
    const std::string part = checkpointPartName(missing.part);
    return missing.name.empty() ? part : part + ": " + missing.name;
}

const PartSummary* Checkpoint::find(CheckpointPart part) const {
    const auto found = std::ranges::find(parts, part, &PartSummary::part);
    return found == parts.end() ? nullptr : &*found;
}

void writeJson(JsonWriter& out, const Checkpoint& checkpoint) {
    out.beginObject();
    writeTextMember(out, "framework", checkpoint.framework.empty() ? std::nullopt : std::optional(checkpoint.framework));
    writeTextMember(out, "framework_version", checkpoint.frameworkVersion);
    writeNumberMember(out, "step", checkpoint.step);
    writeNumberMember(out, "epoch", checkpoint.epoch);
    writeNumberMember(out, "learning_rate", checkpoint.learningRate);
    writeNumberMember(out, "loss", checkpoint.loss);
    writeTextMember(out, "precision", checkpoint.precision);
    writeNumberMember(out, "zero_stage", checkpoint.zeroStage);
    writeWorld(out, checkpoint.world);
    out.key("parts");
    out.beginArray();
    for (const PartSummary& part : checkpoint.parts) writePart(out, part);
    out.endArray();
    out.newline();
    writeOptimizer(out, checkpoint);
    out.key("scheduler");
    writeJson(out, checkpoint.scheduler);
    writeTextsMember(out, "rng", checkpoint.rng);
    out.key("objects");
    writeJson(out, Value::of(checkpoint.objects));
    out.key("resumable");
    out.boolean(checkpoint.isResumable);
    out.key("missing");
    out.beginArray();
    for (const MissingPart& missing : checkpoint.missing) out.string(missingText(missing));
    out.endArray();
    out.endObject();
}

void writeJson(JsonWriter& out, const std::vector<SeriesEntry>& series) {
    out.beginArray();
    for (const SeriesEntry& entry : series) {
        out.newline();
        out.beginObject();
        out.key("path");
        out.string(entry.path);
        writeNumberMember(out, "step", entry.step);
        writeNumberMember(out, "epoch", entry.epoch);
        writeNumberMember(out, "loss", entry.loss);
        out.key("bytes");
        out.integer(entry.bytes);
        out.key("parts");
        out.beginArray();
        for (const CheckpointPart part : entry.parts) out.string(checkpointPartName(part));
        out.endArray();
        out.endObject();
    }
    out.endArray();
}

} // namespace wb
