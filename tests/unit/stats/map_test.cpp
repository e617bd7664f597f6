// SPDX-License-Identifier: MIT
#include "core/stats/map/map.h"
#include "core/stats/map/map_kernels.h"
#include "core/tensor/decode.h"
#include "compare_maps.h"
#include "made_tensor.h"
#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

constexpr float mapNan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

using test::expectSame;

TensorMap cpuMap(const MapInput& input, const Matrix& matrix, unsigned threads = 2) {
    auto map = makeCpuMapBackend(threads)->build(input, matrix, {});
    EXPECT_TRUE(map) << map.error().message();
    return map ? *map : TensorMap{};
}

TEST(Matrix, SlicesStacksAndFlattensKernels) {
    EXPECT_EQ(sliceCount(*Shape::make({8, 32, 64})), 8u);
    EXPECT_EQ(sliceMatrix(*Shape::make({8, 32, 64}), 3), (Matrix{3 * 32 * 64, 32, 64}));
    EXPECT_EQ(sliceCount(*Shape::make({2, 3, 32, 64})), 6u);
    EXPECT_EQ(sliceMatrix(*Shape::make({2, 3, 32, 64}), 5), (Matrix{5 * 32 * 64, 32, 64}));
    EXPECT_EQ(sliceCount(*Shape::make({64, 3, 3, 3})), 1u);
    EXPECT_EQ(sliceMatrix(*Shape::make({64, 3, 3, 3}), 0), (Matrix{0, 64, 27}));
    EXPECT_EQ(sliceMatrix(*Shape::make({7}), 0), (Matrix{0, 1, 7}));
    EXPECT_EQ(sliceMatrix(Shape(), 0), (Matrix{0, 1, 1}));
    EXPECT_EQ(sliceMatrix(*Shape::make({4, 0}), 0).elements(), 0u);
}

TEST(Map, KnowsItsCellsByHand) {
    std::vector<float> values(9 * 10, 1);
    values[0] = -5;
    values[9] = mapNan; // row 0, column 9: the second cell
    values[19] = inf;   // row 1, column 9
    values[80] = 3;     // row 8, column 0: the third cell
    const TensorReader reader = test::makeReader(Dtype::F32, *Shape::make({9, 10}), values);
    const TensorMap map = cpuMap({&reader}, sliceMatrix(reader.shape(), 0));
    ASSERT_EQ(map.levels.size(), 2u);
    const MapGrid& fine = map.levels[0];
    EXPECT_EQ(fine.rows(), 2u);
    EXPECT_EQ(fine.columns(), 2u);
    EXPECT_EQ(fine.absmax, (std::vector<float>{5, 1, 3, 1}));
    EXPECT_EQ(fine.mean, (std::vector<float>{58.0F / 64, 1, 10.0F / 8, 1}));
    EXPECT_FLOAT_EQ(fine.rms[0], std::sqrt(88.0F / 64));
    EXPECT_EQ(fine.nan, (std::vector<std::uint32_t>{0, 1, 0, 0}));
    EXPECT_EQ(fine.inf, (std::vector<std::uint32_t>{0, 1, 0, 0}));
    EXPECT_EQ(map.levels[1].absmax, (std::vector<float>{5}));
    EXPECT_FLOAT_EQ(map.levels[1].mean[0], 84.0F / 88);
    EXPECT_EQ(map.absmax, 5);
    EXPECT_EQ(map.nan, 1u);
    EXPECT_EQ(map.inf, 1u);
    EXPECT_EQ(map.rows.absmax[0], 5);
    EXPECT_EQ(map.rows.absmax[8], 3);
    EXPECT_EQ(map.columns.rms[9], 1);
}

TEST(Map, ACellWithoutFiniteElementsIsNone) {
    const TensorReader reader = test::makeReader(Dtype::F32, *Shape::make({1, 3}), std::vector<float>{mapNan, inf, -inf});
    const TensorMap map = cpuMap({&reader}, sliceMatrix(reader.shape(), 0));
    EXPECT_TRUE(std::isnan(map.levels[0].absmax[0]));
    EXPECT_TRUE(std::isnan(map.levels[0].mean[0]));
    EXPECT_TRUE(std::isnan(map.rows.absmax[0]));
    EXPECT_EQ(map.levels[0].nan[0], 1u);
    EXPECT_EQ(map.levels[0].inf[0], 2u);
}

TEST(Map, AgreesWithTheReadableFormForEveryType) {
    for (const DtypeInfo& type : allDtypes()) {
        const auto shape = *Shape::make({37, 512});
        const TensorReader reader = test::makeReader(type.dtype, shape, test::randomBytes(type.dtype, shape.elements(), 3));
        const Matrix matrix = sliceMatrix(shape, 0);
        SCOPED_TRACE(type.name);
        const auto scalar = buildMapScalar({&reader}, matrix);
        ASSERT_TRUE(scalar) << scalar.error().message();
        expectSame(cpuMap({&reader}, matrix), *scalar);
    }
}

TEST(Map, AgreesOnOddSizesAndSlices) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 100'000}, {3000, 1}, {65, 131}, {8, 8}, {9, 70'001}}) {
        const auto shape = *Shape::make({2, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
        const TensorReader reader = test::makeReader(Dtype::F32, shape, test::randomBytes(Dtype::F32, shape.elements(), 4));
        const Matrix matrix{shape.elements() / 2, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)};
        expectSame(cpuMap({&reader}, matrix), *buildMapScalar({&reader}, matrix));
    }
}

TEST(Map, DoesNotDependOnThreads) {
    const auto shape = *Shape::make({200, 70'001});
    const TensorReader reader = test::makeReader(Dtype::F32, shape, test::randomBytes(Dtype::F32, shape.elements(), 5));
    const Matrix matrix = sliceMatrix(shape, 0);
    const TensorMap one = cpuMap({&reader}, matrix, 1);
    for (const unsigned threads : {2u, 7u}) {
        const TensorMap more = cpuMap({&reader}, matrix, threads);
        expectSame(more.rows.rms, one.rows.rms);
        expectSame(more.columns.rms, one.columns.rms);
        expectSame(more.levels[0].mean, one.levels[0].mean);
    }
}

TEST(Matrix, ARegionWithoutAPartOfIt) {
    const MatrixRegion region{10, 20, 30, 40};
    EXPECT_EQ(without(region, {0, 0, 5, 5}), (std::vector<MatrixRegion>{region}));
    EXPECT_TRUE(without(region, {0, 0, 100, 100}).empty());
    EXPECT_EQ(without(region, {0, 30, 20, 100}),
              (std::vector<MatrixRegion>{{20, 20, 20, 40}, {10, 20, 10, 10}})); // below, and left of it
    EXPECT_EQ(without(region, {15, 25, 5, 5}),
              (std::vector<MatrixRegion>{{10, 20, 5, 40}, {20, 20, 20, 40}, {15, 20, 5, 5}, {15, 30, 5, 30}}));
    EXPECT_EQ(intersection(region, {35, 5, 100, 20}), (MatrixRegion{35, 20, 5, 5}));
    EXPECT_EQ(intersection(region, {0, 0, 10, 100}).rows, 0u);
}

// What a part of a grid is known is not read again: made-up values of it stay, and all others are those of the tensor.
TEST(Map, ReadsOnlyWhatIsNotKnown) {
    const auto shape = *Shape::make({61, 94});
    std::vector<float> values(shape.elements());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    values[values.size() - 1] = mapNan;
    const TensorReader reader = test::makeReader(Dtype::F32, shape, values);
    const Matrix matrix = sliceMatrix(shape, 0);
    for (const std::uint32_t cell : {1u, 4u}) {
        MapGrid known = *readGrid({&reader}, matrix, {8, 16, 32, 48}, cell, {});
        for (const MatrixRegion& region :
             {MatrixRegion{16, 32, 45, 62}, {0, 0, 61, 94}, {8, 12, 32, 16}, {40, 64, 21, 30}, {8, 16, 31, 47}}) {
            const MapGrid all = *readGrid({&reader}, matrix, region, cell, {});
            const MapGrid joined = *readGrid({&reader}, matrix, region, cell, {}, &known);
            expectSame(joined.absmax, all.absmax);
            expectSame(joined.mean, all.mean);
            expectSame(joined.rms, all.rms);
            EXPECT_EQ(joined.nan, all.nan);
            MapGrid marked = known;
            std::ranges::fill(marked.mean, -1.0F);
            const MapGrid grid = *readGrid({&reader}, matrix, region, cell, {}, &marked);
            const MatrixRegion shared = intersection(region, known.region);
            const std::uint64_t whole = shared.rows / cell * (shared.columns / cell); // cells
            EXPECT_EQ(static_cast<std::uint64_t>(std::ranges::count(grid.mean, -1.0F)), whole) << cell;
        }
        EXPECT_EQ(readGrid({&reader}, matrix, {9, 17, 20, 20}, cell, {}, &known)->mean, // no common cells unless they are elements
                  readGrid({&reader}, matrix, {9, 17, 20, 20}, cell, {})->mean);
    }
}

TEST(Map, ShowsDifferences) {
    const auto shape = *Shape::make({2, 2});
    const TensorReader a = test::makeReader(Dtype::F32, shape, std::vector<float>{1, 2, 3, 4});
    const TensorReader b = test::makeReader(Dtype::F32, shape, std::vector<float>{1, 1, 5, mapNan});
    const TensorMap map = cpuMap({&a, &b}, sliceMatrix(shape, 0));
    EXPECT_EQ(map.absmax, 2);
    EXPECT_FLOAT_EQ(map.levels[0].mean[0], -1.0F / 3);
    EXPECT_EQ(map.nan, 1u);
    const TensorReader other = test::makeReader(Dtype::F32, *Shape::make({4}), std::vector<float>(4));
    const auto refused = makeCpuMapBackend()->build({&a, &other}, sliceMatrix(shape, 0), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message(), "Only tensors with the same shape can be compared; these are [2, 2] and [4].");
}

TEST(Map, StaysBelowItsMemory) {
    for (const Matrix matrix : {Matrix{0, 4096, 14'336}, Matrix{0, 152'064, 8192}, Matrix{0, 1, std::uint64_t{1} << 40}}) {
        const std::uint64_t cell = finestCell(matrix);
        const std::uint64_t cells = ((matrix.rows + cell - 1) / cell) * ((matrix.columns + cell - 1) / cell);
        EXPECT_LE(cells * 27, mapBytesCap);
    }
    EXPECT_EQ(finestCell({0, 4096, 14'336}), 8u);
}

TEST(Map, StopsWhenAsked) {
    const auto shape = *Shape::make({64, 64});
    const TensorReader reader = test::makeReader(Dtype::F32, shape, std::vector<float>(64 * 64, 1));
    std::stop_source stop;
    stop.request_stop();
    const auto map = makeCpuMapBackend()->build({&reader}, sliceMatrix(shape, 0), {stop.get_token(), {}});
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, ErrorCode::Canceled);
}

TEST(ReadGrid, HoldsTheElementsThemselves) {
    const auto shape = *Shape::make({4, 64});
    const auto bytes = test::randomBytes(Dtype::Q4_1, shape.elements(), 6);
    const TensorReader reader = test::makeReader(Dtype::Q4_1, shape, bytes);
    std::vector<float> all(shape.elements());
    decode(Dtype::Q4_1, bytes, all);
    const auto grid = readGrid({&reader}, sliceMatrix(shape, 0), {1, 30, 2, 5}, 1, {});
    ASSERT_TRUE(grid);
    std::vector<float> expected;
    for (const std::size_t row : {1u, 2u})
        expected.insert(expected.end(), all.begin() + static_cast<long>(row * 64 + 30),
                        all.begin() + static_cast<long>(row * 64 + 35));
    expectSame(grid->mean, expected);
}

TEST(ReadGrid, EqualsTheMapWhereBothLook) {
    const auto shape = *Shape::make({40, 70});
    const TensorReader reader = test::makeReader(Dtype::F32, shape, test::randomBytes(Dtype::F32, shape.elements(), 7));
    const TensorMap map = cpuMap({&reader}, sliceMatrix(shape, 0));
    const auto grid = readGrid({&reader}, sliceMatrix(shape, 0), {8, 16, 16, 24}, 8, {});
    ASSERT_TRUE(grid);
    ASSERT_EQ(grid->columns(), 3u);
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            expectSame(grid->rms[r * 3 + c], map.levels[0].rms[(r + 1) * map.levels[0].columns() + c + 2]);
    EXPECT_FALSE(readGrid({&reader}, sliceMatrix(shape, 0), {39, 0, 2, 1}, 1, {}));
}

TEST(MapKernels, TheVectorFormEqualsItsTwin) {
    std::mt19937 random(8);
    std::normal_distribution<float> normal(0, 1e30F);
    for (const std::size_t columns : {1u, 7u, 8u, 33u, 256u, 1001u})
        for (const bool bad : {false, true}) {
            std::vector<float> values(8 * (columns + 3));
            for (float& value : values) value = bad && random() % 50 == 0 ? (random() % 2 == 0 ? mapNan : -inf) : normal(random);
            std::vector<float> absmax(columns), twinAbsmax(columns);
            std::vector<double> sum(columns), squares(columns), twinSum(columns), twinSquares(columns);
            const bool twin = scalar::addColumns(values.data(), columns + 3, 8, {twinAbsmax, twinSum, twinSquares});
            test::forEachSimdTarget([&] {
                std::ranges::fill(absmax, 0.0F);
                std::ranges::fill(sum, 0);
                std::ranges::fill(squares, 0);
                const bool finite = addColumns(values.data(), columns + 3, 8, {absmax, sum, squares});
                EXPECT_FALSE(test::usesUpperHalves());
                EXPECT_EQ(finite, twin);
                EXPECT_EQ(absmax, twinAbsmax);
                EXPECT_EQ(sum, twinSum);
                EXPECT_EQ(squares, twinSquares);
                const RowSums row = sumRow(values), twinRow = scalar::sumRow(values);
                EXPECT_EQ(row.absmax, twinRow.absmax);
                EXPECT_NEAR(row.squares, twinRow.squares, 1e-13 * twinRow.squares);
                EXPECT_NEAR(row.sum, twinRow.sum, 1e-12 * std::sqrt(twinRow.squares * static_cast<double>(values.size())));
            });
        }
}

} // namespace
} // namespace wb::stats
