// SPDX-License-Identifier: MIT
#include "core/quant/whatif/block_levels.h"
#include "core/quant/quantize.h"
#include "core/quant/whatif/what_if.h"
#include "core/tensor/block_parts.h"
#include "core/tensor/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace wb::quant {
namespace {

struct Sample {
    Model model;
    std::vector<float> values;
    Result<TensorReader> reader = TensorReader::open(model, {});
};

Sample sampleFromRows(std::uint64_t rows, std::uint64_t columns, float spike = 0) {
    Sample sample;
    std::minstd_rand random(3);
    std::normal_distribution<float> normal(0, 0.02f);
    for (std::uint64_t i = 0; i < rows * columns; ++i) sample.values.push_back(normal(random));
    if (spike != 0) sample.values[(rows - 1) * columns + 5] = spike;
    std::vector<std::byte> bytes(sample.values.size() * 4);
    std::memcpy(bytes.data(), sample.values.data(), bytes.size());
    TensorInfo tensor;
    tensor.name = "w";
    tensor.dtype = Dtype::F32;
    tensor.shape = *Shape::make({rows, columns});
    tensor.source = TensorSource::stored(0, 0, bytes.size());
    sample.model.files.push_back({"w.bin", bytes.size(), {}, std::make_shared<io::MemorySource>("w.bin", std::move(bytes))});
    sample.model.tensors.push_back(tensor);
    sample.reader = TensorReader::open(sample.model, tensor);
    return sample;
}

TEST(WhatIf, FiguresAreThoseOfTheDefinition) {
    const Sample sample = sampleFromRows(40, 512);
    const auto found = measure(*sample.reader, Dtype::Q4_K, {}, {}, {});
    ASSERT_TRUE(found) << found.error().message();
    double e2 = 0;
    double w2 = 0;
    double most = 0;
    for (std::size_t row = 0; row < 40; ++row) {
        const std::span<const float> source(sample.values.data() + row * 512, 512);
        std::vector<std::byte> packed(*rowBytes(Dtype::Q4_K, 512));
        std::vector<float> decoded(512);
        quantizeRow(Dtype::Q4_K, source, {}, packed);
        decode(Dtype::Q4_K, packed, decoded);
        for (std::size_t i = 0; i < 512; ++i) {
            const double e = double{decoded[i]} - double{source[i]};
            e2 += e * e;
            w2 += double{source[i]} * double{source[i]};
            most = std::max(most, std::abs(e));
        }
    }
    EXPECT_NEAR(found->rmse, std::sqrt(e2 / (40 * 512)), 1e-12);
    EXPECT_NEAR(*found->relativeRmse, std::sqrt(e2 / w2), 1e-9);
    EXPECT_NEAR(*found->snr, 10 * std::log10(w2 / e2), 1e-6);
    EXPECT_EQ(found->maxError, most);
    EXPECT_EQ(found->elements, 40u * 512);
    EXPECT_EQ(found->bytes, *rowBytes(Dtype::Q4_K, 40 * 512));
    EXPECT_DOUBLE_EQ(found->bitsPerWeight, 4.5);
}

TEST(WhatIf, DoesNotDependOnThreads) {
    const Sample sample = sampleFromRows(3000, 256);
    const auto one = measure(*sample.reader, Dtype::Q5_K, {}, {.threads = 1, .mapRows = 4, .mapColumns = 4}, {});
    const auto many = measure(*sample.reader, Dtype::Q5_K, {}, {.threads = 5, .mapRows = 4, .mapColumns = 4}, {});
    EXPECT_EQ(one->squaredError, many->squaredError);
    EXPECT_EQ(one->worst.front().row, many->worst.front().row);
    EXPECT_EQ(one->map.cells, many->map.cells);
    EXPECT_EQ(one->map.worst[5]->row, many->map.worst[5]->row);
}

TEST(WhatIf, FindsTheWorstBlockAndItsPlaceOnTheMap) {
    const Sample sample = sampleFromRows(64, 256, 9.0f);
    const auto found = measure(*sample.reader, Dtype::Q4_0, {}, {.worstBlocks = 3, .mapRows = 8, .mapColumns = 8}, {});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->worst.size(), 3u);
    EXPECT_EQ(found->worst[0].row, 63u);
    EXPECT_EQ(found->worst[0].column, 0u);
    EXPECT_GE(found->worst[0].squaredError, found->worst[1].squaredError);
    const auto worstCell = std::ranges::max_element(found->map.cells) - found->map.cells.begin();
    EXPECT_EQ(worstCell, 7 * 8);
    EXPECT_EQ(found->map.worst[7 * 8]->row, 63u);
    EXPECT_EQ(found->map.worst[7 * 8]->squaredError, found->worst[0].squaredError);
}

TEST(WhatIf, EveryCellKnowsItsWorstBlock) {
    const Sample sample = sampleFromRows(700, 512); // three slices of rows
    const auto found =
        measure(*sample.reader, Dtype::Q4_K, {}, {.rowStep = 10, .worstBlocks = 1000, .mapRows = 7, .mapColumns = 4}, {});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->map.worst.size(), 28u);
    for (std::size_t cell = 0; cell < 28; ++cell) {
        const std::size_t row = cell / 4 * 100, column = cell % 4 / 2 * 256; // a block reaches into two cells
        const auto worst =
            std::ranges::find_if(found->worst, [&](const WorstBlock& b) { return b.row / 100 * 100 == row && b.column == column; });
        ASSERT_NE(worst, found->worst.end());
        EXPECT_EQ(found->map.worst[cell]->row, worst->row) << cell;
        EXPECT_EQ(found->map.worst[cell]->column, column) << cell;
    }
    const auto sparse = measure(*sample.reader, Dtype::Q4_K, {}, {.rowStep = 350, .mapRows = 7, .mapColumns = 1}, {});
    EXPECT_TRUE(sparse->map.worst[0] && sparse->map.worst[3]);
    EXPECT_FALSE(sparse->map.worst[1]) << "no row of it was looked at";
}

TEST(WhatIf, APreviewLooksAtEverySixteenthRow) {
    const Sample sample = sampleFromRows(160, 256);
    const auto preview = measure(*sample.reader, Dtype::Q4_0, {}, {.rowStep = 16}, {});
    EXPECT_EQ(preview->elements, 10u * 256);
    EXPECT_EQ(preview->bytes, *rowBytes(Dtype::Q4_0, 160 * 256)) << "the size is that of the whole tensor";
    const auto whole = measure(*sample.reader, Dtype::Q4_0, {}, {}, {});
    EXPECT_NEAR(preview->rmse, whole->rmse, whole->rmse * 0.1);
    EXPECT_EQ(measure(*sample.reader, Dtype::Q4_0, {}, {.maxElements = 1000}, {})->elements, 3u * 256);
}

// Counts what it is asked and lets the CPU do it.
class CountingBackend : public Backend {
public:
    std::string name() const override { return "gpu:7"; }
    Result<void> quantize(Dtype dtype, const Rows& rows, std::span<std::byte> out) override {
        elements += rows.values.size();
        return m_cpu->quantize(dtype, rows, out);
    }
    std::atomic<std::size_t> elements{0};

private:
    std::unique_ptr<Backend> m_cpu = makeCpuBackend();
};

TEST(WhatIf, QuantizesWhereItIsTold) {
    const Sample sample = sampleFromRows(1000, 256);
    CountingBackend backend;
    const auto there = measure(*sample.reader, Dtype::Q4_K, {}, {.backend = &backend}, {});
    const auto here = measure(*sample.reader, Dtype::Q4_K, {}, {}, {});
    ASSERT_TRUE(there && here);
    EXPECT_EQ(backend.elements, 1000u * 256);
    EXPECT_EQ(there->device, "gpu:7");
    EXPECT_EQ(here->device, "cpu");
    EXPECT_EQ(there->squaredError, here->squaredError);
    EXPECT_EQ(there->worst.front().column, here->worst.front().column);
}

TEST(WhatIf, WeightsGuideTheTypeAndTheError) {
    const Sample sample = sampleFromRows(64, 256);
    std::vector<float> weights(256, 1.0f);
    for (std::size_t c = 0; c < 32; ++c) weights[c] = 1000;
    const auto plain = measure(*sample.reader, Dtype::Q2_K, {}, {}, {});
    const auto weighted = measure(*sample.reader, Dtype::Q2_K, weights, {}, {});
    ASSERT_TRUE(plain && weighted);
    EXPECT_FALSE(plain->weightedRelative);
    EXPECT_LT(*weighted->weightedRelative, *weighted->relativeRmse);
    EXPECT_NE(weighted->squaredError, plain->squaredError) << "the quantizer was given the weights";
    EXPECT_TRUE(measure(*sample.reader, Dtype::IQ2_XXS, weights, {}, {}));
    const std::vector<float> even(256, 2.5f);
    const auto same = measure(*sample.reader, Dtype::Q8_0, even, {}, {});
    EXPECT_NEAR(*same->weightedRelative, *same->relativeRmse, 1e-12);
}

// Two matrices, each with columns of its own that matter.
TEST(WhatIf, EveryMatrixHasItsOwnWeights) {
    Sample sample = sampleFromRows(8, 256);
    sample.model.tensors[0].shape = *Shape::make({2, 4, 256});
    sample.reader = TensorReader::open(sample.model, sample.model.tensors[0]);
    std::vector<float> weights(512, 0.0f);
    weights[256] = 1; // the first column of the second matrix
    const auto found = measure(*sample.reader, Dtype::Q8_0, weights, {}, {});
    ASSERT_TRUE(found);
    double expected = 0;
    for (std::size_t row = 4; row < 8; ++row) {
        std::vector<std::byte> packed(*rowBytes(Dtype::Q8_0, 256));
        std::vector<float> decoded(256);
        quantizeRow(Dtype::Q8_0, {sample.values.data() + row * 256, 256}, std::span(weights).subspan(256), packed);
        decode(Dtype::Q8_0, packed, decoded);
        const double e = double{decoded[0]} - double{sample.values[row * 256]};
        expected += e * e;
    }
    EXPECT_DOUBLE_EQ(found->weightedError, expected);
}

TEST(WhatIf, LevelsAreThoseOfATypicalBlock) {
    Sample sample = sampleFromRows(4, 64, 1.5f); // one block with a large scale among eight
    for (std::size_t i = 0; i + 1 < 8; ++i) sample.values[i * 32] = 0.75f;
    std::vector<std::byte> bytes(sample.values.size() * 4);
    std::memcpy(bytes.data(), sample.values.data(), bytes.size());
    sample.model.files[0].source = std::make_shared<io::MemorySource>("w.bin", std::move(bytes));
    sample.reader = TensorReader::open(sample.model, sample.model.tensors[0]);
    const auto found = measure(*sample.reader, Dtype::Q4_0, {}, {.levels = true}, {});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->levels.size(), 16u);
    EXPECT_EQ(found->levels.front(), -0.75);  // the scale is 0.75 / 8
    EXPECT_EQ(found->levels.back(), 0.65625); // seven of it
    EXPECT_TRUE(measure(*sample.reader, Dtype::Q4_0, {}, {}, {})->levels.empty()) << "only when asked for";
    EXPECT_TRUE(measure(*sample.reader, Dtype::F16, {}, {.levels = true}, {})->levels.empty());
    const auto lowest = measure(*sample.reader, Dtype::Q4_1, {}, {.levels = true}, {});
    EXPECT_LT(lowest->levels.front(), 0) << "moved by the minimum";
}

TEST(BlockLevels, HoldEveryElementOfTheBlock) {
    const Sample sample = sampleFromRows(4, 512, 1.5f);
    std::vector<float> weights(512, 1.0f);
    for (std::size_t i = 0; i < 512; ++i) weights[i] = static_cast<float>(1 + i % 7);
    for (const Dtype type : possibleTypes(sample.model.tensors[0].shape, true)) {
        const auto found = blockLevels(*sample.reader, type, weights, 3, 300);
        ASSERT_TRUE(found) << name(type);
        const DtypeInfo& layout = wb::info(type);
        EXPECT_EQ(found->column, 300 / layout.blockElements * layout.blockElements) << name(type);
        if (!blockFacts(type)) {
            EXPECT_TRUE(found->groups.empty()) << name(type);
            continue;
        }
        std::vector<std::byte> packed(*rowBytes(type, 512));
        std::vector<float> decoded(512);
        quantizeRow(type, std::span(sample.values).subspan(3 * 512, 512), weights, packed);
        decode(type, packed, decoded);
        ASSERT_EQ(found->groups.size() * found->groupElements, layout.blockElements) << name(type);
        std::vector<double> errors(found->groups.size());
        for (std::size_t i = 0; i < layout.blockElements; ++i) {
            const auto& group = found->groups[i / found->groupElements];
            const double value = double{decoded[found->column + i]}, e = value - double{sample.values[3 * 512 + found->column + i]};
            EXPECT_TRUE(std::ranges::binary_search(group.levels, value)) << name(type) << ' ' << i;
            errors[i / found->groupElements] += e * e;
        }
        for (std::size_t g = 0; g < errors.size(); ++g) EXPECT_DOUBLE_EQ(found->groups[g].squaredError, errors[g]) << name(type);
        EXPECT_EQ(found->worstGroup(), static_cast<std::size_t>(std::ranges::max_element(errors) - errors.begin())) << name(type);
    }
}

TEST(BlockLevels, RefuseWhatIsNotThere) {
    Sample sample = sampleFromRows(4, 512, std::numeric_limits<float>::infinity());
    EXPECT_EQ(blockLevels(*sample.reader, Dtype::Q4_K, {}, 4, 0).error().code, ErrorCode::Invalid);
    EXPECT_EQ(blockLevels(*sample.reader, Dtype::Q4_K, {}, 0, 512).error().code, ErrorCode::Invalid);
    EXPECT_EQ(blockLevels(*sample.reader, Dtype::Q8_K, {}, 0, 0).error().code, ErrorCode::Unsupported);
    EXPECT_EQ(blockLevels(*sample.reader, Dtype::Q4_K, {}, 3, 0).error().code, ErrorCode::Unsupported) << "not finite";
}

TEST(WhatIf, RefusesWhatCannotBe) {
    const Sample odd = sampleFromRows(4, 96);
    EXPECT_FALSE(measure(*odd.reader, Dtype::Q4_K, {}, {}, {}));
    EXPECT_FALSE(measure(*odd.reader, Dtype::Q8_K, {}, {}, {}));
    const Sample broken = sampleFromRows(4, 256, INFINITY);
    EXPECT_FALSE(measure(*broken.reader, Dtype::Q8_0, {}, {}, {}));
    EXPECT_FALSE(measure(*sampleFromRows(4, 256, 1e9f).reader, Dtype::F16, {}, {}, {}));
    std::stop_source stop;
    stop.request_stop();
    const auto canceled = measure(*sampleFromRows(4, 256).reader, Dtype::Q8_0, {}, {}, {stop.get_token(), {}});
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled);
}

TEST(WhatIf, OffersTypesThatFit) {
    const auto narrow = possibleTypes(*Shape::make({4, 96}), true);
    EXPECT_EQ(std::ranges::count(narrow, Dtype::Q4_K), 0);
    EXPECT_EQ(std::ranges::count(narrow, Dtype::Q4_0), 1);
    const auto plain = possibleTypes(*Shape::make({4, 256}), false);
    EXPECT_EQ(std::ranges::count(plain, Dtype::Q4_K), 1);
    EXPECT_EQ(std::ranges::count(plain, Dtype::Q8_K), 0);
    EXPECT_LT(plain.size(), possibleTypes(*Shape::make({4, 256}), true).size());
}

} // namespace
} // namespace wb::quant
