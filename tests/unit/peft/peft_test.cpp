// SPDX-License-Identifier: MIT
#include "core/formats/peft/peft.h"

#include "core/formats/huggingface/huggingface.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::peft {
namespace {

const std::filesystem::path fixtures = "fixtures/torch/peft";

ModelPtr openAdapter(const std::string& name) {
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    const auto model = huggingface::openFolder(test::shared() / fixtures / name, strict);
    EXPECT_TRUE(model) << model.error().message();
    return model ? *model : std::make_shared<const Model>();
}

std::vector<float> values(const Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (found == model.tensors.end()) return {};
    const auto reader = TensorReader::open(model, *found);
    EXPECT_TRUE(reader) << reader.error().message();
    if (!reader) return {};
    std::vector<float> out(reader->elements());
    std::vector<std::byte> scratch;
    EXPECT_TRUE(reader->readF32(0, out, scratch));
    return out;
}

std::size_t modelDeltas(const Model& model) {
    return static_cast<std::size_t>(std::ranges::count(model.tensors, true, &TensorInfo::logical));
}

// A model of two matrices in memory.
ModelPtr pair(const std::vector<float>& a, const std::vector<float>& b, std::uint64_t rank) {
    auto model = std::make_shared<Model>();
    const auto add = [&](const std::string& name, const std::vector<float>& matrix, const Shape& shape) {
        const auto bytes = std::as_bytes(std::span(matrix));
        auto source = std::make_shared<io::MemorySource>(name, std::vector(bytes.begin(), bytes.end()));
        ModelFile file{name, bytes.size(), {}, nullptr};
        file.source = std::move(source);
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = Dtype::F32;
        tensor.shape = shape;
        tensor.source = TensorSource::stored(static_cast<std::uint32_t>(model->files.size()), 0, bytes.size());
        model->files.push_back(std::move(file));
        model->tensors.push_back(std::move(tensor));
    };
    add("m.lora_A.weight", a, *Shape::make({rank, a.size() / rank}));
    add("m.lora_B.weight", b, *Shape::make({b.size() / rank, rank}));
    addDeltas(*model, nullptr);
    return model;
}

TEST(Adapters, Fixtures) {
    WB_NEED_SHARED(fixtures);
    std::size_t adapters = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / fixtures)) {
        if (!std::filesystem::exists(entry.path() / "adapter_config.json")) continue;
        const std::string name = entry.path().filename().string();
        SCOPED_TRACE(name);
        const ModelPtr model = openAdapter(name);
        EXPECT_EQ(model->format, FormatId::Peft);
        EXPECT_EQ(test::expectTruth(*model, "torch/peft/" + name), 0u);
        ++adapters;
    }
    EXPECT_EQ(adapters, 16u);
}

// What peft itself merged is the base and our delta, for every scale, pattern and rank.
TEST(Adapters, MergedIsBaseAndDelta) {
    WB_NEED_SHARED(fixtures);
    const auto folder = test::shared() / fixtures;
    const ModelPtr base = openAdapter("base_llama");
    for (const char* name : {"lora", "lora_rs", "lora_patterns", "lora_layers", "lora_bias_embed_saved"}) {
        SCOPED_TRACE(name);
        const ModelPtr adapter = openAdapter(name);
        const auto merged = safetensors::open(folder / name / "merged.safetensors", {});
        ASSERT_TRUE(merged);
        EXPECT_GE(modelDeltas(*adapter), 2u);
        for (const TensorInfo& delta : adapter->tensors) {
            if (!delta.logical) continue;
            constexpr std::string_view prefix = "base_model.model.";
            const std::string module = delta.name.substr(prefix.size(), delta.name.size() - prefix.size() - std::strlen(".delta"));
            SCOPED_TRACE(module + " " + delta.details->scheme);
            const auto before = values(*base, module + ".weight"), after = values(**merged, module + ".weight"),
                       added = values(*adapter, delta.name);
            ASSERT_EQ(before.size(), added.size());
            ASSERT_EQ(after.size(), added.size());
            float largest = 0, error = 0;
            for (std::size_t i = 0; i < added.size(); ++i) {
                largest = std::max(largest, std::fabs(after[i]));
                error = std::max(error, std::fabs(before[i] + added[i] - after[i]));
            }
            EXPECT_LE(error, 2e-6f * largest);
        }
    }
}

TEST(Adapters, WhatIsNotJoinedIsSaid) {
    WB_NEED_SHARED(fixtures);
    const auto has = [](const Model& model, std::string_view code) {
        return std::ranges::any_of(model.problems, [&](const Problem& problem) { return code == problem.code.id(); });
    };
    const ModelPtr experts = openAdapter("lora_moe_parameters");
    EXPECT_EQ(modelDeltas(*experts), 1u) << "stacked experts have another rank than the configuration";
    EXPECT_TRUE(has(*experts, "peft.not_joined"));
    const ModelPtr other = openAdapter("loha");
    EXPECT_EQ(modelDeltas(*other), 0u);
    EXPECT_TRUE(has(*other, "peft.kind"));
    const ModelPtr dora = openAdapter("dora");
    const auto delta = std::ranges::find(dora->tensors, true, &TensorInfo::logical);
    EXPECT_EQ(delta->details->scheme, "dora r4 scale 2");
}

TEST(Spectrum, OfOrthogonalFactorsIsKnown) {
    // Rows of A and columns of B are orthogonal, with lengths 3, 2, 0 and 5, 7, 1.
    const ModelPtr model = pair({3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0}, {5, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0}, 3);
    const auto spectrum = adapterSpectrum(*model, model->tensors.back(), {});
    ASSERT_TRUE(spectrum && *spectrum);
    ASSERT_EQ((*spectrum)->singularValues.size(), 3u);
    EXPECT_NEAR((*spectrum)->singularValues[0], 15, 1e-12);
    EXPECT_NEAR((*spectrum)->singularValues[1], 14, 1e-12);
    EXPECT_NEAR((*spectrum)->singularValues[2], 0, 1e-7);
    EXPECT_NEAR((*spectrum)->norm, std::sqrt(15.0 * 15 + 14 * 14), 1e-12);
}

TEST(Spectrum, NormIsThatOfTheElements) {
    WB_NEED_SHARED(fixtures);
    for (const char* name : {"lora", "lora_rs", "lora_bias_embed_saved"}) {
        const ModelPtr model = openAdapter(name);
        for (const TensorInfo& tensor : model->tensors) {
            const auto spectrum = adapterSpectrum(*model, tensor, {});
            ASSERT_TRUE(spectrum);
            EXPECT_EQ(spectrum->has_value(), tensor.logical) << tensor.name;
            if (!tensor.logical) continue;
            double square = 0, squares = 0;
            for (const float value : values(*model, tensor.name)) square += static_cast<double>(value) * static_cast<double>(value);
            for (const double value : (*spectrum)->singularValues) squares += value * value;
            EXPECT_NEAR((*spectrum)->norm, std::sqrt(square), 1e-5 * std::sqrt(square));
            EXPECT_NEAR(std::sqrt(squares), std::sqrt(square), 1e-5 * std::sqrt(square));
            EXPECT_TRUE(std::ranges::is_sorted((*spectrum)->singularValues, std::greater()));
        }
    }
}

TEST(Spectrum, Canceled) {
    const ModelPtr model = pair({1, 2}, {3, 4}, 1);
    std::stop_source source;
    source.request_stop();
    Progress progress;
    progress.stop = source.get_token();
    const auto spectrum = adapterSpectrum(*model, model->tensors.back(), progress);
    ASSERT_FALSE(spectrum);
    EXPECT_EQ(spectrum.error().code, ErrorCode::Canceled);
}

TEST(Deltas, AnyRangeIsAPartOfTheWhole) {
    std::vector<float> a(5 * 700), b(300 * 5);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17) - 8;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 11) - 5;
    const ModelPtr model = pair(a, b, 5);
    const auto reader = TensorReader::open(*model, model->tensors.back());
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<std::byte> scratch;
    std::vector<float> whole(reader->elements());
    ASSERT_TRUE(reader->readF32(0, whole, scratch));
    double first = 0;
    for (std::size_t k = 0; k < 5; ++k) first += static_cast<double>(b[7 * 5 + k]) * static_cast<double>(a[k * 700 + 13]);
    EXPECT_EQ(whole[7 * 700 + 13], static_cast<float>(first));
    for (const std::size_t begin : {0u, 1u, 699u, 701u, 100'000u}) {
        std::vector<float> part(std::min<std::size_t>(70'001, whole.size() - begin));
        ASSERT_TRUE(reader->readF32(begin, part, scratch));
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin)));
    }
}

TEST(Deltas, FactorsThatDoNotFit) {
    const ModelPtr model = pair({1, 2, 3, 4}, {1, 2, 3}, 1);
    EXPECT_EQ(modelDeltas(*model), 1u);
    auto changed = std::make_shared<Model>(*model);
    changed->tensors.pop_back();
    changed->tensors[1].shape = *Shape::make({1, 3});
    addDeltas(*changed, nullptr);
    EXPECT_EQ(modelDeltas(*changed), 0u);
    EXPECT_EQ(changed->problems.size(), 1u);
}

} // namespace
} // namespace wb::peft
