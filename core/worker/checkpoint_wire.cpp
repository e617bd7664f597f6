// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/model/checkpoint.h"
#include "core/worker/model_wire.h"

// The anatomy of a training checkpoint in messages.
namespace wb::worker {
namespace {

constexpr std::uint64_t smallestItem = 8;

void writeCount(WireWriter& out, const std::optional<std::uint64_t>& number) {
    out.flag(number.has_value());
    out.u64(number.value_or(0));
}

std::optional<std::uint64_t> readCount(WireReader& in) {
    const bool isThere = in.flag();
    const std::uint64_t number = in.u64();
    return isThere ? std::optional(number) : std::nullopt;
}

void writeReal(WireWriter& out, const std::optional<double>& number) {
    out.flag(number.has_value());
    out.f64(number.value_or(0));
}

std::optional<double> readReal(WireReader& in) {
    const bool isThere = in.flag();
    const double number = in.f64();
    return isThere ? std::optional(number) : std::nullopt;
}

void writeOptionalText(WireWriter& out, const std::optional<std::string>& text) {
    out.flag(text.has_value());
    out.text(text.value_or(""));
}

std::optional<std::string> readOptionalText(WireReader& in) {
    const bool isThere = in.flag();
    std::string text = toUtf8(in.text());
    return isThere ? std::optional(std::move(text)) : std::nullopt;
}

void writeTextList(WireWriter& out, const std::vector<std::string>& texts) {
    out.u64(texts.size());
    for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> readTextList(WireReader& in) {
    std::vector<std::string> texts(in.count(smallestItem));
    for (std::string& text : texts) text = toUtf8(in.text());
    return texts;
}

CheckpointPart readPart(WireReader& in) {
    const std::uint8_t part = in.u8();
    if (part <= static_cast<std::uint8_t>(CheckpointPart::Other)) return static_cast<CheckpointPart>(part);
    in.reject();
    return CheckpointPart::Other;
}

void writeParts(WireWriter& out, const Checkpoint& checkpoint) {
    out.u64(checkpoint.parts.size());
    for (const PartSummary& part : checkpoint.parts) {
        out.u8(static_cast<std::uint8_t>(part.part));
        out.u64(part.tensors);
        out.u64(part.parameters);
        out.u64(part.bytes);
        writeTextList(out, part.files);
    }
    out.u64(checkpoint.missing.size());
    for (const MissingPart& missing : checkpoint.missing) {
        out.u8(static_cast<std::uint8_t>(missing.part));
        out.text(missing.name);
    }
}

void readParts(WireReader& in, Checkpoint& checkpoint) {
    const std::uint64_t parts = in.count(smallestItem);
    for (std::uint64_t i = 0; i < parts && in.good(); ++i) {
        PartSummary part;
        part.part = readPart(in);
        part.tensors = in.u64();
        part.parameters = in.u64();
        part.bytes = in.u64();
        part.files = readTextList(in);
        checkpoint.parts.push_back(std::move(part));
    }
    const std::uint64_t missing = in.count(smallestItem);
    for (std::uint64_t i = 0; i < missing && in.good(); ++i) {
        const CheckpointPart part = readPart(in);
        checkpoint.missing.push_back({part, toUtf8(in.text())});
    }
}

} // namespace

void writeCheckpoint(WireWriter& out, const Checkpoint& checkpoint) {
    out.text(checkpoint.framework);
    writeOptionalText(out, checkpoint.frameworkVersion);
    writeCount(out, checkpoint.step);
    writeReal(out, checkpoint.epoch);
    writeReal(out, checkpoint.learningRate);
    writeReal(out, checkpoint.loss);
    writeOptionalText(out, checkpoint.precision);
    writeCount(out, checkpoint.zeroStage);
    for (const auto* size :
         {&checkpoint.world.data, &checkpoint.world.tensor, &checkpoint.world.pipeline, &checkpoint.world.expert})
        writeCount(out, *size);
    writeOptionalText(out, checkpoint.optimizerName);
    writeValue(out, checkpoint.optimizerGroups);
    writeValue(out, checkpoint.scheduler);
    writeTextList(out, checkpoint.rng);
    writeValue(out, Value::of(checkpoint.objects));
    out.flag(checkpoint.isResumable);
    out.flag(checkpoint.isJoined);
    writeParts(out, checkpoint);
}

std::shared_ptr<const Checkpoint> readCheckpoint(WireReader& in, std::uint32_t depth) {
    Checkpoint checkpoint;
    checkpoint.framework = toUtf8(in.text());
    checkpoint.frameworkVersion = readOptionalText(in);
    checkpoint.step = readCount(in);
    checkpoint.epoch = readReal(in);
    checkpoint.learningRate = readReal(in);
    checkpoint.loss = readReal(in);
    checkpoint.precision = readOptionalText(in);
    checkpoint.zeroStage = readCount(in);
    for (auto* size : {&checkpoint.world.data, &checkpoint.world.tensor, &checkpoint.world.pipeline, &checkpoint.world.expert})
        *size = readCount(in);
    checkpoint.optimizerName = readOptionalText(in);
    checkpoint.optimizerGroups = readValue(in, depth);
    checkpoint.scheduler = readValue(in, depth);
    checkpoint.rng = readTextList(in);
    const Value objects = readValue(in, depth);
    if (objects.object() == nullptr) in.reject();
    else checkpoint.objects = *objects.object();
    checkpoint.isResumable = in.flag();
    checkpoint.isJoined = in.flag();
    readParts(in, checkpoint);
    return std::make_shared<const Checkpoint>(std::move(checkpoint));
}

} // namespace wb::worker
