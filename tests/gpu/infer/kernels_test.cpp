// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels.h"
#include "core/quant/quantize.h"
#include "core/tensor/half.h"
#include "gpu/device/upload.h"
#include "gpu/infer/kernels.h"
#include "gpu/shaders/infer/batch.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/infer/reference.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

// Each shader against its readable twin of the processor's engine.
namespace wb::gpu {
namespace {

namespace cpu = infer::cpu;
using test::nmse;

constexpr double near = 1e-11; // other orders of summing

std::vector<float> randomRow(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> row(count);
    for (float& value : row) value = normal(random);
    return row;
}

std::vector<std::uint32_t> wordsOf(std::span<const float> values) {
    std::vector<std::uint32_t> words(values.size());
    std::memcpy(words.data(), values.data(), values.size_bytes());
    return words;
}

class InferKernels : public test::GpuTest {
protected:
    View upload(std::span<const std::uint32_t> words) {
        auto buffer = uploadWords(device, words);
        EXPECT_TRUE(buffer);
        return buffer ? (*buffer)->view() : View{};
    }
    View upload(std::span<const float> values) { return upload(wordsOf(values)); }

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

    const cpu::Kernels& scalar = cpu::scalarKernels();
};

// A row of zeros and one of tiny numbers among the others.
TEST_F(InferKernels, RowsAreNormedAndCodedAsByTheProcessor) {
    constexpr std::size_t columns = 576, tokens = 11;
    std::vector<float> rows = randomRow(columns * tokens, 1);
    std::fill_n(rows.begin() + columns, columns, 0.0F);
    for (std::size_t i = 0; i < columns; ++i) rows[2 * columns + i] *= 1e-20F;
    const std::vector<float> weight = randomRow(columns, 2);
    for (const bool normed : {true, false}) {
        const Prepared out{room(columns * 16), room(columns / 32 * 12 * 16)};
        const View norm = upload(weight);
        run([&](Recorder& recorder) {
            return prepare(*device, recorder, batch(3, tokens, 16),
                           {upload(rows), normed ? &norm : nullptr, 1e-5F, columns, true, true}, out);
        });
        std::vector<float> truth(rows);
        if (normed)
            for (std::size_t t = 0; t < tokens; ++t)
                scalar.rmsNorm(rows.data() + t * columns, weight.data(), 1e-5F, columns, truth.data() + t * columns);
        const std::vector<float> floats = readFloats(out.floats, columns * tokens);
        EXPECT_LE(nmse(floats, truth), 1e-12);
        const auto codes = read(out.codes, columns / 32 * 12 * tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            std::vector<std::byte> record(columns / 32 * 48);
            scalar.quantize(floats.data() + t * columns, columns, record.data(), 0, 1);
            const auto* const ours = reinterpret_cast<const std::int8_t*>(codes.data() + t * columns / 32 * 12);
            for (std::size_t r = 0; r < columns / 32; ++r) {
                int far = 0; // a tie may fall to either side
                for (std::size_t i = 0; i < 32; ++i)
                    far += std::abs(ours[r * 48 + i] - static_cast<std::int8_t>(record[r * 48 + i]));
                EXPECT_LE(far, 1) << t << ' ' << r;
                const auto scale = std::bit_cast<float>(codes[t * columns / 32 * 12 + r * 12 + 8]);
                float wanted;
                std::memcpy(&wanted, record.data() + r * 48 + 32, 4);
                EXPECT_NEAR(scale, wanted, 1e-6F * wanted);
            }
        }
    }
}

TEST_F(InferKernels, OnlyTheLastRowsArePreparedForOutputs) {
    constexpr std::size_t columns = 64, tokens = 5;
    const std::vector<float> rows = randomRow(columns * tokens, 3);
    const Prepared out{room(columns * 8), room(columns / 32 * 12 * 8)};
    StepSizes sizes = batch(0, tokens, 8);
    sizes.ofOutputs = true;
    run([&](Recorder& recorder) {
        return prepare(*device, recorder, sizes, {upload(rows), nullptr, 0, columns, true, false}, out);
    });
    std::vector<float> wanted(rows.end() - 2 * columns, rows.end());
    wanted.resize(columns * 8);
    EXPECT_EQ(readFloats(out.floats, columns * 8), wanted);
}

class MultiplyKernels : public InferKernels, public testing::WithParamInterface<Dtype> {
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
            quant::quantizeRow(dtype, row, {}, std::span(bytes).subspan(r * rowSize, rowSize));
        }
        return bytes;
    }

    // In two parts, the second with biases.
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
            const auto own = wordsOf(biases.subspan(first, count));
            scales.insert(scales.end(), own.begin(), own.end());
            part.weights = upload(weights);
            part.scales = upload(scales);
            out.parts.push_back(part);
        }
        return out;
    }

    // [token][row], by the readable kernel on panels.
    std::vector<float> product(Dtype dtype, const std::vector<std::byte>& bytes, std::span<const float> x) const {
        const cpu::Packing packing = cpu::packingOf(dtype);
        const std::size_t blocks = columns / packing.elements, panels = (rows + 15) / 16;
        std::vector<std::byte> zeros(packing.bytes), panel(blocks * packing.panelBytes);
        const cpu::PanelFormat& format = cpu::panelFormatOf(dtype);
        std::vector<float> out(tokens * rows);
        for (std::size_t p = 0; p < panels; ++p) {
            for (std::size_t b = 0; b < blocks; ++b) {
                std::array<const std::byte*, 16> stored;
                for (std::size_t r = 0; r < 16; ++r)
                    stored[r] = p * 16 + r < rows ? bytes.data() + ((p * 16 + r) * blocks + b) * packing.bytes : zeros.data();
                cpu::packBlocks(packing, stored, panel.data() + b * packing.panelBytes);
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

// All epilogues; the tokens beyond the batch are left alone, and one token alone has the sum it has among others.
TEST_P(MultiplyKernels, GiveTheProductsOfTheProcessor) {
    const auto bytes = matrix(GetParam());
    const std::vector<float> x = randomRow(columns * tokens, 7), biases = randomRow(rows, 8);
    const std::vector<float> before = randomRow(rows * recorded, 9);
    const DeviceMatrix weights = onDevice(GetParam(), bytes, biases);
    const std::vector<float> truth = product(GetParam(), bytes, x);
    const Prepared prepared{room(columns * recorded), room(columns / 32 * 12 * recorded)};
    const StepSizes sizes = batch(0, tokens, recorded), one = batch(0, 1, 1);
    for (const std::uint32_t epilogue : {WB_STORE, WB_ADD, WB_GATE}) {
        const View result = upload(before), single = upload(before);
        run([&](Recorder& recorder) -> Result<void> {
            WB_TRY(prepare(*device, recorder, sizes, {upload(x), nullptr, 0, columns, true, true}, prepared));
            WB_TRY(multiply(*device, recorder, sizes, {&weights, epilogue, 0.5F}, prepared, result));
            return multiply(*device, recorder, one, {&weights, epilogue, 0.5F}, prepared, single);
        });
        std::vector<float> wanted(before);
        for (std::size_t i = 0; i < tokens * rows; ++i) {
            const float value = truth[i] + biases[i % rows], gate = before[i];
            if (epilogue == WB_STORE) wanted[i] = value;
            if (epilogue == WB_ADD) wanted[i] = gate + 0.5F * value;
            if (epilogue == WB_GATE) wanted[i] = value * gate / (1 + std::exp(-gate));
        }
        const auto ours = readFloats(result, rows * recorded), alone = readFloats(single, rows);
        EXPECT_LE(nmse(ours, wanted), near) << epilogue;
        EXPECT_TRUE(std::equal(ours.begin() + tokens * rows, ours.end(), before.begin() + tokens * rows)) << epilogue;
        EXPECT_LE(nmse(alone, std::span(ours).first(rows)), near) << epilogue;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, MultiplyKernels,
                         testing::Values(Dtype::F32, Dtype::F16, Dtype::BF16, Dtype::Q8_0, Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0,
                                         Dtype::Q5_1, Dtype::Q4_K, Dtype::Q5_K, Dtype::Q6_K),
                         [](const auto& dtype) { return std::string(name(dtype.param)); });

struct RotateCase {
    bool halves;
    std::size_t pairs;
};

class RotateKernels : public InferKernels, public testing::WithParamInterface<RotateCase> {};

TEST_P(RotateKernels, TurnQueriesAndStoreKeys) {
    constexpr std::uint32_t heads = 3, length = 32, tokens = 5, context = 128, position = 77;
    const auto [halves, pairs] = GetParam();
    const std::vector<float> rows = randomRow(heads * length * tokens, 11);
    const std::vector<float> turns = randomRow(pairs * tokens, 12);
    std::vector<float> angles;
    for (std::size_t t = 0; t < tokens; ++t)
        for (float (*function)(float) : {static_cast<float (*)(float)>(std::cos), static_cast<float (*)(float)>(std::sin)})
            for (std::size_t j = 0; j < pairs; ++j) angles.push_back(function(turns[t * pairs + j]));
    const View queries = room(rows.size()), cache = room(2 * context * length / 2);
    const StepSizes sizes = batch(position, tokens, 8);
    RotateStep step{upload(rows), upload(angles), heads, 0, heads * length, length, static_cast<std::uint32_t>(pairs), halves};
    run([&](Recorder& recorder) -> Result<void> {
        WB_TRY(rotate(*device, recorder, sizes, step, queries));
        step.stores = true;
        step.context = context;
        step.firstHead = 1; // of a row; the first of the cache here
        step.heads = 2;
        return rotate(*device, recorder, sizes, step, cache);
    });
    std::vector<float> truth = rows;
    for (std::size_t t = 0; t < tokens; ++t)
        for (std::size_t h = 0; h < heads; ++h)
            scalar.rotate(truth.data() + (t * heads + h) * length, angles.data() + 2 * t * pairs,
                          angles.data() + (2 * t + 1) * pairs, pairs, halves);
    EXPECT_LE(nmse(readFloats(queries, rows.size()), truth), 1e-13);
    const auto stored = read(cache, 2 * context * length / 2);
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t t = 0; t < tokens; ++t)
            for (std::size_t d = 0; d < length; ++d) {
                const std::uint32_t word = stored[((h * context + position + t) * length + d) / 2];
                const float wanted = truth[(t * heads + h + 1) * length + d];
                EXPECT_NEAR(f16ToF32(static_cast<std::uint16_t>(word >> 16 * (d % 2))), wanted, std::fabs(wanted) * 1e-3F + 1e-7F);
            }
}

INSTANTIATE_TEST_SUITE_P(Pairs, RotateKernels,
                         testing::Values(RotateCase{false, 16}, RotateCase{true, 16}, RotateCase{false, 4}, RotateCase{true, 4}));

struct AttendCase {
    std::uint32_t position, window, keyLength, valueLength;
};

class AttendKernels : public InferKernels, public testing::WithParamInterface<AttendCase> {};

TEST_P(AttendKernels, MixWhatTheProcessorMixes) {
    constexpr std::uint32_t heads = 4, group = 2, tokens = 3, context = 256;
    const auto [position, window, keyLength, valueLength] = GetParam();
    const std::uint32_t kvHeads = heads / group;
    const std::vector<float> queries = randomRow(heads * keyLength * tokens, 21);
    std::vector<std::uint16_t> keys(kvHeads * context * keyLength), values(kvHeads * context * valueLength);
    scalar.toF16(randomRow(keys.size(), 22).data(), keys.size(), keys.data());
    scalar.toF16(randomRow(values.size(), 23).data(), values.size(), values.data());
    const auto packed = [this](const std::vector<std::uint16_t>& halves) {
        std::vector<std::uint32_t> words(halves.size() / 2);
        std::memcpy(words.data(), halves.data(), halves.size() * 2);
        return upload(words);
    };
    const View out = room(heads * valueLength * 8);
    AttendStep step{upload(queries), packed(keys), packed(values), heads,   0,      heads,
                    group,           keyLength,    valueLength,    context, window, 0.2F};
    run([&](Recorder& recorder) { return attend(*device, recorder, batch(position, tokens, 8), step, out); });
    std::vector<float> truth;
    for (std::uint32_t t = 0; t < tokens; ++t)
        for (std::uint32_t h = 0; h < heads; ++h) {
            const std::uint32_t last = position + t, first = window > 0 && last + 1 > window ? last + 1 - window : 0;
            std::vector<float> scores(context);
            for (std::uint32_t p = first; p <= last; ++p) {
                float sum = 0;
                for (std::uint32_t d = 0; d < keyLength; ++d)
                    sum += queries[(t * heads + h) * keyLength + d] * f16ToF32(keys[(h / group * context + p) * keyLength + d]);
                scores[p] = sum * 0.2F;
            }
            scalar.softmax(scores.data(), first, last + 1, context, -INFINITY);
            for (std::uint32_t d = 0; d < valueLength; ++d) {
                double sum = 0;
                for (std::uint32_t p = first; p <= last; ++p)
                    sum += static_cast<double>(scores[p]) *
                           static_cast<double>(f16ToF32(values[(h / group * context + p) * valueLength + d]));
                truth.push_back(static_cast<float>(sum));
            }
        }
    EXPECT_LE(nmse(readFloats(out, truth.size()), truth), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Shapes, AttendKernels,
                         testing::Values(AttendCase{0, 0, 64, 64}, AttendCase{61, 0, 32, 32}, AttendCase{200, 0, 128, 128},
                                         AttendCase{130, 40, 64, 64}, AttendCase{90, 0, 256, 18}, AttendCase{5, 3, 18, 256}));

} // namespace
} // namespace wb::gpu
