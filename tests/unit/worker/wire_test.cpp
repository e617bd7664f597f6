// SPDX-License-Identifier: MIT
#include "core/model/checkpoint.h"
#include "core/model/danger.h"
#include "core/worker/model_wire.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::worker {
namespace {

Model sampleModel() {
    Model model;
    model.format = FormatId::PyTorch;
    model.version = "zip";
    model.architecture = "net";
    ValueArray list{ValueType::Null, 3, {Value::of(true), Value::of(std::string("text")), Value::ofFloat(ValueType::F64, 0.5)}, 7};
    ValueObject inner{1, {{"list", Value::of(std::move(list))}}};
    model.metadata = {2, {{"a", Value::ofSigned(ValueType::I64, -3)}, {"b", Value::of(std::move(inner))}}};
    const auto add = [&](const char* name, TensorSource source) {
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make({2, 3});
        tensor.source = std::move(source);
        model.tensors.push_back(std::move(tensor));
    };
    add("stored", TensorSource::stored(0, 64, 24));
    add("strided", TensorSource::strided(0, 64, {1, 2}, 24));
    add("pieces", TensorSource::pieces({{0, 64, 3}, {0, 128, 3}}, 24));
    add("unavailable", TensorSource::unavailable("torch.meta", "it has no storage"));
    TensorDetails details;
    details.member = "m/data/0";
    details.aliases = {"tied"};
    details.storageOffset = 5;
    details.bitsPerWeight = 4.5;
    model.tensors[0].details = std::make_shared<const TensorDetails>(details);
    model.problems.push_back(
        makeProblem(Severity::Warning, "zip.crc", "model.pt", 12, WB_TEXT("{}: the sum is wrong."), "model.pt"));
    Danger danger;
    ScannedFile& file = danger.files.emplace_back();
    file.path = "model.pt";
    file.member = "m/data.pkl";
    file.format = "pickle";
    file.level = DangerLevel::D;
    file.streams = 1;
    file.opcodes = 99;
    file.globals = {{"os", "system", DangerLevel::D, 4}};
    file.weightsOnlyLoads = 0;
    danger.calls.push_back({0, 0, 4, "os", "system", DangerLevel::D, "reduce", "('ls')", true});
    danger.findings.push_back({model.problems[0], "m/data.pkl"});
    model.danger = std::make_shared<const Danger>(danger);
    Checkpoint checkpoint;
    checkpoint.framework = "deepspeed";
    checkpoint.frameworkVersion = "0.1";
    checkpoint.step = 7;
    checkpoint.learningRate = 0.5;
    checkpoint.world.data = 4;
    checkpoint.parts = {{CheckpointPart::Optimizer, 1, 2, 3, {"a.pt"}}};
    checkpoint.optimizerGroups = Value::of(ValueArray{ValueType::Null, 1, {Value::of(std::string("group"))}, {}});
    checkpoint.rng = {"cpu"};
    checkpoint.objects = {1, {{"note", Value::of(std::string("text"))}}};
    checkpoint.missing = {{CheckpointPart::Rng, "rank 1"}};
    checkpoint.isJoined = true;
    model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
    return model;
}

std::vector<std::byte> sent(const Model& model) {
    WireWriter out;
    EXPECT_TRUE(writeModel(out, model));
    return out.take();
}

TEST(ModelWire, BringsEverythingAcross) {
    const auto bytes = sent(sampleModel());
    WireReader in(bytes);
    const auto model = readModel(in, 1);
    ASSERT_TRUE(model);
    EXPECT_TRUE(in.atEnd());
    EXPECT_EQ(sent(*model), bytes);
    EXPECT_EQ(model->tensors[1].source.strides(), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(model->tensors[3].source.unavailableWhy(), "it has no storage");
    EXPECT_EQ(model->tensors[0].details->aliases, std::vector<std::string>{"tied"});
    EXPECT_EQ(model->problems[0].message(), "model.pt: the sum is wrong.");
    EXPECT_EQ(model->danger->verdict(), Verdict::Dangerous);
    EXPECT_STREQ(kindName(*model->danger), "dangerous code");
    ASSERT_NE(model->checkpoint, nullptr);
    EXPECT_EQ(model->checkpoint->step, 7u);
    EXPECT_FALSE(model->checkpoint->epoch);
    EXPECT_EQ(model->checkpoint->parts.at(0).files, std::vector<std::string>{"a.pt"});
    EXPECT_EQ(missingText(model->checkpoint->missing.at(0)), "rank 1");
    EXPECT_TRUE(model->checkpoint->isJoined);
}

TEST(ModelWire, RefusesFilesThatAreNotThere) {
    const auto bytes = sent(sampleModel());
    WireReader in(bytes);
    EXPECT_FALSE(readModel(in, 0));
}

TEST(ModelWire, RefusesEveryCut) {
    const auto bytes = sent(sampleModel());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto part = std::span<const std::byte>(bytes).first(length);
        WireReader in(part);
        EXPECT_FALSE(readModel(in, 1)) << length;
    }
}

TEST(ModelWire, SurvivesEveryChangedByte) {
    const auto bytes = sent(sampleModel());
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const std::byte value : {std::byte{0}, std::byte{0xFF}, std::byte{0x80}, std::byte{1}}) {
            auto changed = bytes;
            changed[at] = value;
            WireReader in(changed);
            const auto model = readModel(in, 1);
            if (!model) continue;
            for (const TensorInfo& tensor : model->tensors) EXPECT_TRUE(tensor.file() == noFile || tensor.file() == 0);
        }
}

TEST(ModelWire, KeepsItsCaps) {
    const auto bytes = sent(sampleModel());
    WireReader first(bytes);
    EXPECT_FALSE(readModel(first, 1, {}, {.tensors = 3}));
    WireReader second(bytes);
    EXPECT_FALSE(readModel(second, 1, {}, {.problems = 0}));
    WireReader third(bytes);
    EXPECT_FALSE(readModel(third, 1, {}, {.depth = 2}));
}

// The deepest text that any reader takes goes through, with what a reader puts around it.
TEST(ModelWire, TakesTheDeepestMetadata) {
    Value value = Value::of(true);
    for (unsigned depth = 0; depth < 260; ++depth) {
        ValueObject around;
        around.members.push_back({"x", std::move(value)});
        around.count = 1;
        value = Value::of(std::move(around));
    }
    Model model;
    model.metadata = *value.object();
    const auto bytes = sent(model);
    WireReader in(bytes);
    const auto received = readModel(in, 1);
    ASSERT_TRUE(received);
    EXPECT_EQ(received->metadata.members.size(), 1u);
}

TEST(Wire, KeepsSentencesOnce) {
    const char* first = keptSentence("a sentence of {}");
    EXPECT_EQ(keptSentence(std::string("a sentence of {}")), first);
    EXPECT_STREQ(keptSentence("\xFF"), "{}");
    EXPECT_STREQ(keptSentence(std::string(2000, 'x')), "{}");
}

TEST(Wire, TakesReasonsOfTheirFormOnly) {
    EXPECT_EQ(keptReason("zip.crc"), Reason("zip.crc"));
    for (const char* wrong : {"", "zip", "zip.", ".crc", "Zip.crc", "zip..crc", "zip crc.x"})
        EXPECT_EQ(keptReason(wrong), Reason("worker.unnamed")) << wrong;
}

} // namespace
} // namespace wb::worker
