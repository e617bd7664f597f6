// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kv_cache.h"
#include "core/quant/quantize.h"
#include "core/tensor/half.h"
#include "gpu/device/upload.h"
#include "gpu/infer/device_buffers.h"
#include "gpu/shaders/infer/batch.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/infer/reference.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

// Each shader against its readable twin of the processor's engine: bit for bit, but for weights that are floats.
namespace wb::gpu {
namespace {

namespace cpu = infer::cpu;
using test::nmse;

constexpr double near = 1e-11; // another order of summing

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
        EXPECT_EQ(floats, truth);
        const auto codes = read(out.codes, columns / 32 * 12 * tokens);
        std::vector<std::uint32_t> wanted(codes.size());
        for (std::size_t t = 0; t < tokens; ++t)
            scalar.quantize(truth.data() + t * columns, columns,
                            reinterpret_cast<std::byte*>(wanted.data() + t * columns / 32 * 12), 0, 1);
        EXPECT_EQ(codes, wanted);
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
            const float bias = biases[i % rows], value = truth[i] + bias;
            if (epilogue == WB_STORE) wanted[i] = value;
            if (epilogue == WB_ADD) wanted[i] = std::fma(0.5F, bias, std::fma(0.5F, truth[i], before[i]));
            if (epilogue == WB_GATE) scalar.activate[static_cast<std::size_t>(infer::Activation::Silu)](&wanted[i], &value, 1);
        }
        const auto ours = readFloats(result, rows * recorded), alone = readFloats(single, rows);
        if (findWeightLayout(GetParam())->isCodes) EXPECT_EQ(ours, wanted) << epilogue;
        else EXPECT_LE(nmse(ours, wanted), near) << epilogue;
        EXPECT_TRUE(std::equal(ours.begin() + tokens * rows, ours.end(), before.begin() + tokens * rows)) << epilogue;
        EXPECT_TRUE(std::equal(alone.begin(), alone.end(), ours.begin())) << epilogue;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, MultiplyKernels,
                         testing::Values(Dtype::F32, Dtype::F16, Dtype::BF16, Dtype::Q8_0, Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0,
                                         Dtype::Q5_1, Dtype::Q4_K, Dtype::Q5_K, Dtype::Q6_K),
                         [](const auto& dtype) { return std::string(name(dtype.param)); });

using infer::CacheType;

std::vector<std::uint32_t> wordsOf(std::span<const std::byte> bytes) {
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

// One position of one head as it lies in the cache of a device.
std::vector<std::byte> storedOnDevice(CacheType type, std::span<const float> numbers, const cpu::Kernels& kernels) {
    std::vector<std::byte> bytes(cachedBytes(type, numbers.size()));
    if (type == CacheType::F32) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    if (type == CacheType::F16) kernels.toF16(numbers.data(), numbers.size(), reinterpret_cast<std::uint16_t*>(bytes.data()));
    if (type != CacheType::Q8_0) return bytes;
    const std::size_t codes = (numbers.size() + 3) / 4 * 4;
    for (std::size_t first = 0; first < numbers.size(); first += infer::cacheGroup) {
        const auto group = numbers.subspan(first, std::min(infer::cacheGroup, numbers.size() - first));
        float absmax = 0;
        for (const float number : group) absmax = std::max(absmax, std::fabs(number));
        const float inverse = absmax > 0 ? 127.0F / absmax : 0.0F;
        for (std::size_t i = 0; i < group.size(); ++i)
            bytes[first + i] = static_cast<std::byte>(static_cast<std::int8_t>(std::nearbyint(group[i] * inverse)));
        store(bytes.data() + codes + first / infer::cacheGroup * 4, std::uint32_t{f32ToF16(absmax / 127.0F)});
    }
    return bytes;
}

struct RotateCase {
    bool halves;
    std::size_t pairs;
    CacheType type = CacheType::F16;
    std::uint32_t length = 32;
};

class RotateKernels : public InferKernels, public testing::WithParamInterface<RotateCase> {};

TEST_P(RotateKernels, TurnQueriesAndStoreKeys) {
    constexpr std::uint32_t heads = 3, tokens = 5, context = 128, position = 77;
    const auto [halves, pairs, type, length] = GetParam();
    const std::vector<float> rows = randomRow(heads * length * tokens, 11);
    const std::vector<float> turns = randomRow(pairs * tokens, 12);
    std::vector<float> angles;
    for (std::size_t t = 0; t < tokens; ++t)
        for (float (*function)(float) : {static_cast<float (*)(float)>(std::cos), static_cast<float (*)(float)>(std::sin)})
            for (std::size_t j = 0; j < pairs; ++j) angles.push_back(function(turns[t * pairs + j]));
    const std::size_t ofPosition = cachedBytes(type, length), cacheWords = 2 * context * ofPosition / 4;
    const View queries = room(rows.size()), cache = room(cacheWords);
    const StepSizes sizes = batch(position, tokens, 8);
    RotateStep step{upload(rows), upload(angles), heads, 0, heads * length, length, static_cast<std::uint32_t>(pairs), halves};
    run([&](Recorder& recorder) -> Result<void> {
        WB_TRY(rotate(*device, recorder, sizes, step, queries));
        step.stores = true;
        step.context = context;
        step.type = type;
        step.firstHead = 1; // of a row; the first of the cache here
        step.heads = 2;
        return rotate(*device, recorder, sizes, step, cache);
    });
    std::vector<float> truth = rows;
    for (std::size_t t = 0; t < tokens; ++t)
        for (std::size_t h = 0; h < heads; ++h)
            scalar.rotate(truth.data() + (t * heads + h) * length, angles.data() + 2 * t * pairs,
                          angles.data() + (2 * t + 1) * pairs, pairs, halves);
    EXPECT_EQ(readFloats(queries, rows.size()), truth);
    std::vector<std::byte> wanted(cacheWords * 4);
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t t = 0; t < tokens; ++t) {
            const auto stored = storedOnDevice(type, std::span(truth).subspan((t * heads + h + 1) * length, length), scalar);
            std::ranges::copy(stored, wanted.begin() + static_cast<std::ptrdiff_t>((h * context + position + t) * ofPosition));
        }
    EXPECT_EQ(read(cache, cacheWords), wordsOf(std::span<const std::byte>(wanted)));
}

INSTANTIATE_TEST_SUITE_P(Pairs, RotateKernels,
                         testing::Values(RotateCase{false, 16}, RotateCase{true, 16}, RotateCase{false, 4}, RotateCase{true, 4},
                                         RotateCase{true, 16, CacheType::F32}, RotateCase{true, 16, CacheType::Q8_0},
                                         RotateCase{false, 4, CacheType::Q8_0, 80}, RotateCase{true, 9, CacheType::Q8_0, 18}));

struct AttendCase {
    std::uint32_t position, window, keyLength, valueLength;
    CacheType keyType = CacheType::F16, valueType = CacheType::F16;
};

class AttendKernels : public InferKernels, public testing::WithParamInterface<AttendCase> {
protected:
    static constexpr std::uint32_t heads = 4, group = 2, kvHeads = heads / group, tokens = 3, context = 256;

    // [head][position] as on a device.
    View onDevice(CacheType type, const std::vector<float>& numbers, std::size_t length) {
        std::vector<std::byte> bytes;
        for (std::size_t at = 0; at < numbers.size(); at += length)
            for (const std::byte byte : storedOnDevice(type, std::span(numbers).subspan(at, length), scalar)) bytes.push_back(byte);
        return upload(wordsOf(std::span<const std::byte>(bytes)));
    }
};

TEST_P(AttendKernels, MixWhatTheProcessorMixes) {
    const auto [position, window, keyLength, valueLength, keyType, valueType] = GetParam();
    const std::vector<float> queries = randomRow(heads * keyLength * tokens, 21);
    const std::vector<float> keys = randomRow(kvHeads * context * keyLength, 22),
                             values = randomRow(kvHeads * context * valueLength, 23);
    cpu::CpuMemory memory;
    cpu::KvCache cache;
    cache.plan(memory, {{{heads, kvHeads, keyLength, valueLength}}}, context, 0, keyType, valueType);
    ASSERT_TRUE(memory.allocate());
    for (std::size_t h = 0; h < kvHeads; ++h)
        for (std::size_t p = 0; p < context; ++p) {
            cache.storeKey(0, h, p, keys.data() + (h * context + p) * keyLength, scalar);
            cache.storeValue(0, h, p, values.data() + (h * context + p) * valueLength, scalar);
        }
    AttendStep step;
    step.queries = upload(queries);
    step.keys = onDevice(keyType, keys, keyLength);
    step.values = onDevice(valueType, values, valueLength);
    step.keyType = keyType;
    step.valueType = valueType;
    step.heads = step.count = heads;
    step.group = group;
    step.keyLength = keyLength;
    step.valueLength = valueLength;
    step.context = context;
    step.window = window;
    step.scale = 0.2F;
    std::vector<float> truth;
    for (std::uint32_t t = 0; t < tokens; ++t)
        for (std::uint32_t h = 0; h < heads; ++h) {
            const std::uint32_t last = position + t, first = window > 0 && last + 1 > window ? last + 1 - window : 0;
            const std::uint32_t firstTile = first / 16, endTile = last / 16 + 1;
            std::vector<float> scores(context), out(valueLength);
            scalar.scoreKeys[static_cast<std::size_t>(keyType)]({queries.data() + (t * heads + h) * keyLength, keyLength, 1,
                                                                 cache.keys(0, h / group), keyLength, firstTile, endTile, 0.2F,
                                                                 scores.data(), context});
            scalar.softmax(scores.data(), first, last + 1, endTile * 16, -INFINITY);
            scalar.sumValues[static_cast<std::size_t>(valueType)]({scores.data(), context, 1, cache.values(0, h / group),
                                                                   valueLength, first, last + 1, out.data(), valueLength, false});
            truth.insert(truth.end(), out.begin(), out.end());
        }
    // Tokens one after the other, and all at a time.
    for (const std::size_t atOnce : {1, 8}) {
        const View out = room(heads * valueLength * 8);
        step.scores = room(heads * context * atOnce);
        run([&](Recorder& recorder) { return attend(*device, recorder, batch(position, tokens, 8), step, out); });
        EXPECT_EQ(readFloats(out, truth.size()), truth) << atOnce;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AttendKernels,
                         testing::Values(AttendCase{0, 0, 64, 64}, AttendCase{61, 0, 32, 32}, AttendCase{200, 0, 128, 128},
                                         AttendCase{130, 40, 64, 64}, AttendCase{90, 0, 256, 18}, AttendCase{5, 3, 18, 256},
                                         AttendCase{130, 0, 64, 64, CacheType::Q8_0, CacheType::Q8_0},
                                         AttendCase{90, 30, 80, 18, CacheType::Q8_0, CacheType::F16},
                                         AttendCase{70, 0, 18, 80, CacheType::F32, CacheType::Q8_0},
                                         AttendCase{70, 0, 32, 32, CacheType::F16, CacheType::F32}));

} // namespace
} // namespace wb::gpu
