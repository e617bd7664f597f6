// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/kernels.h"
#include "core/quant/quantize.h"
#include "gpu/device/upload.h"
#include "gpu/infer/kernels.h"
#include "gpu/infer/known_matrix.h"
#include "gpu/shaders/infer/batch.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/infer/reference.h"

#include <array>
#include <cstring>
#include <random>

// Runs single shaders on random numbers.
namespace wb::gpu {

namespace cpu = infer::cpu;
using test::nmse;

inline constexpr double near = 1e-11; // another order of summing

inline std::vector<float> randomRow(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> row(count);
    for (float& value : row) value = normal(random);
    return row;
}

class InferKernels : public test::GpuTest {
protected:
    // The tests of a suite share the device, whose kernels would be compiled again otherwise.
    void SetUp() override {
        GpuTest::SetUp();
        s_kept = device;
    }
    static void TearDownTestSuite() { s_kept.reset(); }

    View upload(std::span<const std::uint32_t> words) {
        auto buffer = uploadWords(device, words);
        EXPECT_TRUE(buffer);
        return buffer ? (*buffer)->view() : View{};
    }
    View upload(std::span<const float> values) { return upload(matrixWords(values)); }

    View room(std::size_t words) { return upload(std::vector<std::uint32_t>(words)); }

    // The words of a batch with two outputs.
    StepSizes batch(std::uint32_t position, std::uint32_t tokens, std::uint32_t recorded) {
        return {upload(std::vector<std::uint32_t>{position, tokens, 2, 0}), recorded};
    }

    template <class Record>
    void run(Record record) {
        Recorder recorder(device);
        const Result<void> recorded = record(recorder);
        ASSERT_TRUE(recorded) << recorded.error().message();
        const auto ticket = device->submit(std::move(recorder));
        ASSERT_TRUE(ticket && ticket->wait());
    }

    std::vector<std::uint32_t> read(const View& view, std::size_t words) {
        const auto back = device->buffer(words * 4, Memory::Readback);
        EXPECT_TRUE(back);
        run([&](Recorder& recorder) {
            recorder.copy({view.buffer, view.offset, words * 4}, (*back)->view(0, words * 4));
            return Result<void>();
        });
        const auto span = (*back)->map<std::uint32_t>().first(words);
        return {span.begin(), span.end()};
    }

    std::vector<float> readFloats(const View& view, std::size_t count) {
        const auto words = read(view, count);
        std::vector<float> values(count);
        std::memcpy(values.data(), words.data(), count * 4);
        return values;
    }

    static inline DevicePtr s_kept;
    const cpu::Kernels& scalar = cpu::scalarKernels();
};

// Products of a matrix of 27 rows, in two parts.
class MultiplyKernels : public InferKernels {
protected:
    static constexpr std::size_t rows = 27, columns = 768, tokens = 9, recorded = 16;

    // Rows of random numbers in the type, and one whose scale is a subnormal f16.
    static std::vector<std::byte> matrix(Dtype dtype) {
        const std::size_t rowSize = *rowBytes(dtype, columns);
        std::vector<std::byte> bytes(rows * rowSize);
        for (std::size_t r = 0; r < rows; ++r) {
            std::vector<float> row = randomRow(columns, static_cast<unsigned>(100 + r));
            if (r == 5)
                for (float& value : row) value *= 1e-6F;
            const std::vector<float> weights(quant::weightUse(dtype) == quant::WeightUse::Required ? columns : 0, 1.0F);
            quant::quantizeRow(dtype, row, weights, std::span(bytes).subspan(r * rowSize, rowSize));
        }
        return bytes;
    }

    // In two parts with biases.
    DeviceMatrix onDevice(Dtype dtype, const std::vector<std::byte>& bytes, std::span<const float> biases) {
        DeviceMatrix out;
        out.layout = findWeightLayout(dtype);
        out.rows = rows;
        out.columns = columns;
        for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 10}, {10, rows - 10}}) {
            std::vector<std::uint32_t> weights(count * out.layout->rowBytes(columns) / 4),
                scales(count * out.layout->rowScales(columns));
            for (std::size_t r = 0; r < count; ++r)
                packRow(*out.layout, bytes.data() + (first + r) * *rowBytes(dtype, columns), columns,
                        reinterpret_cast<std::byte*>(weights.data()) + r * out.layout->rowBytes(columns),
                        scales.data() + r * out.layout->rowScales(columns));
            MatrixPart part;
            part.firstRow = static_cast<std::uint32_t>(first);
            part.rows = static_cast<std::uint32_t>(count);
            part.biasAt = static_cast<std::uint32_t>(scales.size());
            const auto own = matrixWords(biases.subspan(first, count));
            scales.insert(scales.end(), own.begin(), own.end());
            part.weights = upload(weights);
            part.scales = upload(scales);
            out.parts.push_back(part);
        }
        return out;
    }

    // Products are added half.
    static MultiplyStep makeStep(const DeviceMatrix& weights, std::uint32_t epilogue) {
        return {.matrix = &weights, .epilogue = epilogue, .scale = epilogue == WB_ADD ? 0.5F : 1.0F};
    }

    // [token][row], by the readable kernel on panels.
    std::vector<float> product(Dtype dtype, const std::vector<std::byte>& bytes, std::span<const float> x) const {
        const cpu::PanelFormat& format = cpu::dtypePanelFormat(dtype);
        const std::size_t blocks = columns / format.columns, panels = (rows + 15) / 16, blockBytes = info(format.dtype).blockBytes;
        std::vector<std::byte> zeros(blockBytes), panel(blocks * format.blockBytes);
        std::vector<float> out(tokens * rows);
        for (std::size_t p = 0; p < panels; ++p) {
            for (std::size_t b = 0; b < blocks; ++b) {
                std::array<const std::byte*, 16> stored;
                for (std::size_t r = 0; r < 16; ++r)
                    stored[r] = p * 16 + r < rows ? bytes.data() + ((p * 16 + r) * blocks + b) * blockBytes : zeros.data();
                format.pack(stored, panel.data() + b * format.blockBytes);
            }
            for (std::size_t t = 0; t < tokens; ++t) {
                std::vector<std::byte> record(columns / 32 * 48);
                scalar.quantize(x.data() + t * columns, columns, record.data(), 0, 1);
                const auto* const floats = reinterpret_cast<const std::byte*>(x.data() + t * columns);
                std::array<float, 16> tile;
                scalar.multiply[static_cast<std::size_t>(format.type)]({panel.data(), panel.size(), columns / format.columns,
                                                                        format.integer ? record.data() : floats, tile.data(), 16});
                for (std::size_t r = 0; r < 16 && p * 16 + r < rows; ++r) out[t * rows + p * 16 + r] = tile[r];
            }
        }
        return out;
    }
};

} // namespace wb::gpu
