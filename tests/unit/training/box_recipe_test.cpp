// SPDX-License-Identifier: MIT
#include "core/formats/training/box_recipe.h"

#include "core/formats/training/anatomy.h"
#include "core/io/byte_source.h"

#include <gtest/gtest.h>

#include <cstring>

namespace wb::training {
namespace {

// A model with one file of floats 0, 1, 2 … and tensors of it.
class Boxes : public testing::Test {
protected:
    void SetUp() override {
        std::vector<std::byte> bytes(1000 * sizeof(float));
        for (std::size_t i = 0; i < 1000; ++i) {
            const auto value = static_cast<float>(i);
            std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
        }
        m_model.files.push_back({"values", bytes.size(), {}, std::make_shared<io::MemorySource>("values", bytes)});
    }

    void addInput(const std::string& name, std::initializer_list<std::uint64_t> sizes, std::uint64_t firstValue) {
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make(sizes);
        tensor.source = TensorSource::stored(0, firstValue * sizeof(float), tensor.shape.elements() * sizeof(float));
        m_inputs.push_back({name, tensor.shape});
        m_model.tensors.push_back(std::move(tensor));
    }

    Result<std::vector<float>> read(std::initializer_list<std::uint64_t> sizes, std::vector<Box> boxes, std::uint64_t step = 1000) {
        TensorInfo tensor;
        tensor.name = "whole";
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make(sizes);
        WB_TRY_ASSIGN(auto recipe, BoxRecipe::make(Dtype::F32, tensor.shape, m_inputs, std::move(boxes)));
        // As it leaves the worker.
        worker::WireWriter out;
        EXPECT_TRUE(boxRecipeWire().write(out, *recipe));
        const auto sent = out.take();
        worker::WireReader in(sent);
        const auto received = boxRecipeWire().read(in);
        EXPECT_TRUE(received && in.good() && in.atEnd());
        tensor.source = TensorSource::recipe(received, 0);
        m_model.tensors.push_back(tensor);
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, m_model.tensors.back()));
        std::vector<float> values(reader.elements());
        std::vector<std::byte> scratch;
        for (std::uint64_t at = 0; at < values.size(); at += step)
            WB_TRY(reader.readF32(at, std::span(values).subspan(at, std::min<std::uint64_t>(step, values.size() - at)), scratch));
        return values;
    }

    Model m_model;
    std::vector<BoxInput> m_inputs;
};

TEST_F(Boxes, JoinColumnsOfRanks) {
    addInput("left", {2, 2}, 0);
    addInput("right", {2, 1}, 10);
    const std::vector<Box> boxes = {{0, {0, 0}, {0, 0}, {2, 2}}, {1, {0, 0}, {0, 2}, {2, 1}}};
    const std::vector<float> expected = {0, 1, 10, 2, 3, 11};
    for (const std::uint64_t step : {1u, 2u, 4u, 1000u}) EXPECT_EQ(*read({2, 3}, boxes, step), expected) << step;
}

TEST_F(Boxes, JoinHalvesOfGatedRows) {
    addInput("rank 0", {4, 1}, 0); // a gate of two rows, and two rows of the other half
    addInput("rank 1", {4, 1}, 10);
    const std::vector<Box> boxes = {
        {0, {0, 0}, {0, 0}, {2, 1}}, {0, {2, 0}, {4, 0}, {2, 1}}, {1, {0, 0}, {2, 0}, {2, 1}}, {1, {2, 0}, {6, 0}, {2, 1}}};
    EXPECT_EQ(*read({8, 1}, boxes, 3), (std::vector<float>{0, 1, 10, 11, 2, 3, 12, 13}));
}

TEST_F(Boxes, JoinInThreeDimensions) {
    addInput("a", {2, 1, 3}, 0);
    addInput("b", {2, 1, 3}, 100);
    const std::vector<Box> boxes = {{0, {0, 0, 0}, {0, 0, 0}, {2, 1, 3}}, {1, {0, 0, 0}, {0, 1, 0}, {2, 1, 3}}};
    const std::vector<float> expected = {0, 1, 2, 100, 101, 102, 3, 4, 5, 103, 104, 105};
    for (const std::uint64_t step : {1u, 5u, 1000u}) EXPECT_EQ(*read({2, 2, 3}, boxes, step), expected) << step;
}

TEST_F(Boxes, JoinOneDimensionAndScalars) {
    addInput("a", {2}, 5);
    addInput("b", {1}, 9);
    EXPECT_EQ(*read({3}, {{0, {0}, {1}, {2}}, {1, {0}, {0}, {1}}}), (std::vector<float>{9, 5, 6}));
    m_inputs.clear();
    addInput("scalar", {}, 7);
    EXPECT_EQ(*read({}, {{0, {}, {}, {}}}), std::vector<float>{7});
}

TEST_F(Boxes, AreRefusedWhereTheyDoNotFit) {
    addInput("a", {2, 2}, 0);
    addInput("b", {2}, 0);
    constexpr std::uint64_t huge = ~std::uint64_t{0};
    EXPECT_FALSE(read({2, 2}, {{0, {1, 0}, {0, 0}, {2, 2}}})); // leaves the input
    EXPECT_FALSE(read({2, 2}, {{0, {0, 0}, {1, 0}, {2, 2}}})); // leaves the tensor
    EXPECT_FALSE(read({2, 3}, {{0, {0, 0}, {0, 0}, {2, 2}}})); // a hole
    EXPECT_FALSE(read({2, 2}, {{1, {0}, {0}, {2}}}));          // another rank
    EXPECT_FALSE(read({2, 2}, {{7, {0, 0}, {0, 0}, {2, 2}}})); // no such input
    EXPECT_FALSE(read({2, 2}, {{0, {0, 0}, {0, 0}, {huge, 2}}}));
    EXPECT_FALSE(read({2, 2}, {{0, {huge, 0}, {0, 0}, {2, 2}}}));
    EXPECT_FALSE(BoxRecipe::make(Dtype::Q4_0, *Shape::make({2, 2}), m_inputs, {}));
    EXPECT_FALSE(BoxRecipe::make(Dtype::F32, *Shape::make({2, 2}), m_inputs, std::vector<Box>(BoxRecipe::maxBoxes + 1)));
}

TEST_F(Boxes, ThatOverlapAreFoundWhileReading) {
    addInput("a", {1, 2}, 0);
    addInput("b", {1, 2}, 2);
    const auto values = read({2, 2}, {{0, {0, 0}, {0, 0}, {1, 2}}, {1, {0, 0}, {0, 0}, {1, 2}}}, 2);
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().code, ErrorCode::Malformed);
}

TEST(Anatomy, TellsOptimizersByTheirGroups) {
    const auto named = [](std::initializer_list<const char*> keys, std::set<std::string, std::less<>> moments = {}) {
        ValueObject group;
        for (const char* key : keys) group.members.push_back({key, Value::of(true)});
        group.count = group.members.size();
        ValueArray groups;
        groups.first = {Value::of(std::move(group))};
        groups.count = 1;
        return optimizerName(Value::of(std::move(groups)), moments).value_or("");
    };
    EXPECT_EQ(named({"lr", "betas", "eps", "amsgrad", "decoupled_weight_decay"}), "AdamW");
    EXPECT_EQ(named({"lr", "betas", "eps", "amsgrad"}), "Adam or AdamW");
    EXPECT_EQ(named({"lr", "momentum", "dampening", "nesterov"}), "SGD");
    EXPECT_EQ(named({"lr", "alpha", "centered"}), "RMSprop");
    EXPECT_EQ(named({"lr", "betas"}, {"exp_avg"}), "Lion");
    EXPECT_EQ(named({"lr"}), "");
    EXPECT_EQ(optimizerName(Value::null(), {}), std::nullopt);
    EXPECT_STREQ(generatorName("random_rng_state"), "python");
    EXPECT_EQ(generatorName("weight"), nullptr);
}

} // namespace
} // namespace wb::training
