// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kv_cache.h"
#include "core/tensor/half.h"
#include "gpu/infer/device_buffers.h"
#include "tests/gpu/infer/kernels_test.h"
#include "tests/gpu/support/sample.h"

#include <cmath>
#include <cstring>

// Each shader against its readable twin of the processor's engine: bit for bit, but for weights that are floats.
namespace wb::gpu {
namespace {

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
                           {.rows = upload(rows),
                            .norm = normed ? DeviceNorm{infer::NormKind::Rms, &norm, nullptr, 1e-5F} : DeviceNorm{},
                            .columns = columns,
                            .floats = true,
                            .codes = true},
                           out);
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

// Two rows per token; LayerNorm with and without a bias.
TEST_F(InferKernels, RowsAreCenteredAsByTheProcessor) {
    constexpr std::size_t columns = 96, tokens = 3;
    std::vector<float> rows = randomRow(columns * tokens * 2, 31);
    for (float& value : rows) value += 3;
    const std::vector<float> weight = randomRow(columns, 32), bias = randomRow(columns, 33);
    const View ofWeight = upload(weight), ofBias = upload(bias);
    for (const bool biased : {true, false}) {
        const Prepared out{room(columns * 8), {}};
        run([&](Recorder& recorder) {
            return prepare(*device, recorder, batch(0, tokens, 4),
                           {.rows = upload(rows),
                            .norm = {infer::NormKind::Layer, &ofWeight, biased ? &ofBias : nullptr, 1e-5F},
                            .columns = columns,
                            .rowsOfToken = 2,
                            .floats = true},
                           out);
        });
        std::vector<float> truth(rows.size());
        for (std::size_t r = 0; r < tokens * 2; ++r)
            scalar.layerNorm(rows.data() + r * columns, weight.data(), biased ? bias.data() : nullptr, 1e-5F, columns,
                             truth.data() + r * columns);
        truth.resize(columns * 8); // rows beyond the batch are left alone
        EXPECT_LE(nmse(readFloats(out.floats, truth.size()), truth), near);
    }
}

// Each head in place; and a whole row that is added to x, times the token's factor.
TEST_F(InferKernels, HeadsAndBranchesAreNormedAsByTheProcessor) {
    constexpr std::size_t heads = 3, length = 40, columns = heads * length, tokens = 2;
    const std::vector<float> rows = randomRow(columns * 4, 41), weight = randomRow(columns, 42), x = randomRow(columns * 4, 43),
                             factors = randomRow(4, 44);
    const View ofWeight = upload(weight), ofX = upload(x), ofFactors = upload(factors), inPlace = upload(rows),
               weightless = upload(rows);
    const StepSizes sizes = batch(0, tokens, 4);
    run([&](Recorder& recorder) -> Result<void> {
        const DeviceNorm norm{infer::NormKind::Rms, &ofWeight, nullptr, 1e-6F};
        WB_TRY(normRows(*device, recorder, sizes, {.rows = inPlace, .norm = norm, .runs = heads, .count = length}));
        WB_TRY(normRows(*device, recorder, sizes,
                        {.rows = weightless, .norm = {.kind = norm.kind, .epsilon = 1e-6F}, .runs = heads, .count = length}));
        return normRows(*device, recorder, sizes,
                        {.rows = upload(rows), .norm = norm, .count = columns, .x = &ofX, .factors = &ofFactors, .scale = 0.5F});
    });
    std::vector<float> ofHeads = rows, ones = rows, sums = x;
    const std::vector<float> one(columns, 1.0F);
    for (std::size_t at = 0; at < tokens * columns; at += length) {
        scalar.rmsNorm(rows.data() + at, weight.data(), 1e-6F, length, ofHeads.data() + at);
        scalar.rmsNorm(rows.data() + at, one.data(), 1e-6F, length, ones.data() + at);
    }
    for (std::size_t t = 0; t < tokens; ++t) {
        std::vector<float> normed(columns);
        scalar.rmsNorm(rows.data() + t * columns, weight.data(), 1e-6F, columns, normed.data());
        scalar.addScaled(sums.data() + t * columns, normed.data(), 0.5F * factors[t], columns);
    }
    EXPECT_EQ(readFloats(inPlace, rows.size()), ofHeads);
    EXPECT_EQ(readFloats(weightless, rows.size()), ones);
    EXPECT_EQ(readFloats(ofX, x.size()), sums);
}

TEST_F(InferKernels, OnlyTheLastRowsArePreparedForOutputs) {
    constexpr std::size_t columns = 64, tokens = 5;
    const std::vector<float> rows = randomRow(columns * tokens, 3);
    const Prepared out{room(columns * 8), room(columns / 32 * 12 * 8)};
    StepSizes sizes = batch(0, tokens, 8);
    sizes.ofOutputs = true;
    run([&](Recorder& recorder) {
        return prepare(*device, recorder, sizes, {.rows = upload(rows), .columns = columns, .floats = true}, out);
    });
    std::vector<float> wanted(rows.end() - 2 * columns, rows.end());
    wanted.resize(columns * 8);
    EXPECT_EQ(readFloats(out.floats, columns * 8), wanted);
}

class TypesOfMatrices : public MultiplyKernels, public testing::WithParamInterface<Dtype> {
protected:
    // By one kernel for several tokens and by one for a single token.
    void expectProducts(std::uint32_t epilogue) {
        const auto bytes = matrix(GetParam());
        const std::vector<float> x = randomRow(columns * tokens, 7), biases = randomRow(rows, 8);
        const std::vector<float> before = randomRow(rows * recorded, 9);
        const DeviceMatrix weights = onDevice(GetParam(), bytes, biases);
        const std::vector<float> truth = product(GetParam(), bytes, x);
        const Prepared prepared{room(columns * recorded), room(columns / 32 * 12 * recorded)};
        const StepSizes sizes = batch(0, tokens, recorded), one = batch(0, 1, 1);
        const View result = upload(before), single = upload(before);
        run([&](Recorder& recorder) -> Result<void> {
            WB_TRY(prepare(*device, recorder, sizes, {.rows = upload(x), .columns = columns, .floats = true, .codes = true},
                           prepared));
            WB_TRY(multiply(*device, recorder, sizes, makeStep(weights, epilogue), prepared, result));
            return multiply(*device, recorder, one, makeStep(weights, epilogue), prepared, single);
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
};

// The tokens beyond the batch are left alone, and one token alone has the sum it has among others.
TEST_P(TypesOfMatrices, GiveTheProductsOfTheProcessor) { expectProducts(WB_STORE); }

INSTANTIATE_TEST_SUITE_P(Types, TypesOfMatrices,
                         testing::ValuesIn(test::sample<Dtype>(
                             {Dtype::F32, Dtype::F16, Dtype::Q8_0, Dtype::Q5_1, Dtype::MXFP4, Dtype::Q2_K, Dtype::Q3_K, Dtype::Q4_K,
                              Dtype::Q6_K, Dtype::IQ4_NL, Dtype::IQ4_XS, Dtype::IQ3_S},
                             {Dtype::BF16, Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0, Dtype::Q5_K, Dtype::IQ1_S, Dtype::NVFP4})),
                         [](const auto& dtype) { return std::string(name(dtype.param)); });

// The other epilogues are alike for all types of a shader.
class EpiloguesOfMatrices : public TypesOfMatrices {};

TEST_P(EpiloguesOfMatrices, AreThoseOfTheProcessor) {
    for (const std::uint32_t epilogue : {WB_ADD, WB_GATE}) expectProducts(epilogue);
}

INSTANTIATE_TEST_SUITE_P(Types, EpiloguesOfMatrices, testing::Values(Dtype::F32, Dtype::Q8_0),
                         [](const auto& dtype) { return std::string(name(dtype.param)); });

// Of everything that is quantized.
TEST(WeightLayouts, HaveEveryTypeOfBlocks) {
    for (const DtypeInfo& type : allDtypes()) {
        const bool isWeight = type.kind == DtypeKind::Block && quant::canQuantize(type.dtype);
        EXPECT_TRUE(!isWeight || findWeightLayout(type.dtype)) << type.name;
    }
}

// Every activation, with and without the gate of another row, compared with the vector kernels of the CPU.
TEST_F(MultiplyKernels, ActivateAsTheProcessor) {
    const auto bytes = matrix(Dtype::Q8_0);
    const std::vector<float> x = randomRow(columns * tokens, 7), none(rows), before = randomRow(rows * recorded, 9);
    DeviceMatrix weights = onDevice(Dtype::Q8_0, bytes, none);
    const std::vector<float> truth = product(Dtype::Q8_0, bytes, x);
    const Prepared prepared{room(columns * recorded), room(columns / 32 * 12 * recorded)};
    const StepSizes sizes = batch(0, tokens, recorded);
    const cpu::Kernels vectors = cpu::simdKernels();
    using enum infer::Activation;
    for (const infer::Activation activation : {Silu, GeluTanh, Relu, ReluSquared, ClampedSwiglu})
        for (const std::uint32_t epilogue : {WB_GATE, WB_ACTIVATE}) {
            if (activation == ClampedSwiglu && epilogue == WB_ACTIVATE) continue; // always has a gate
            const View result = upload(before);
            run([&](Recorder& recorder) -> Result<void> {
                WB_TRY(prepare(*device, recorder, sizes, {.rows = upload(x), .columns = columns, .codes = true}, prepared));
                return multiply(*device, recorder, sizes, {.matrix = &weights, .epilogue = epilogue, .activation = activation},
                                prepared, result);
            });
            std::vector<float> wanted(before);
            if (epilogue == WB_ACTIVATE) std::ranges::copy(truth, wanted.begin());
            vectors.activate[static_cast<std::size_t>(activation)](wanted.data(), epilogue == WB_GATE ? truth.data() : nullptr,
                                                                   truth.size());
            EXPECT_LE(nmse(readFloats(result, before.size()), wanted), 1e-13) << static_cast<int>(activation) << " " << epilogue;
        }
}

// Logits with a scale and a softcap, and products times a factor for each token and row.
TEST_F(MultiplyKernels, CapAndMultiplyAsTheProcessor) {
    const auto bytes = matrix(Dtype::Q8_0);
    constexpr std::size_t stride = 40, at = 5;
    const std::vector<float> x = randomRow(columns * tokens, 7), none(rows), factors = randomRow(stride * recorded, 10);
    DeviceMatrix weights = onDevice(Dtype::Q8_0, bytes, none);
    const std::vector<float> truth = product(Dtype::Q8_0, bytes, x);
    const Prepared prepared{room(columns * recorded), room(columns / 32 * 12 * recorded)};
    const StepSizes sizes = batch(0, tokens, recorded);
    const View capped = room(rows * recorded), times = room(rows * recorded), ofFactors = upload(factors);
    run([&](Recorder& recorder) -> Result<void> {
        WB_TRY(prepare(*device, recorder, sizes, {.rows = upload(x), .columns = columns, .codes = true}, prepared));
        WB_TRY(multiply(*device, recorder, sizes, {.matrix = &weights, .epilogue = WB_STORE, .scale = 0.25F, .cap = 3.0F}, prepared,
                        capped));
        return multiply(*device, recorder, sizes,
                        {.matrix = &weights,
                         .epilogue = WB_TIMES,
                         .activation = infer::Activation::GeluTanh,
                         .factors = &ofFactors,
                         .factorStride = stride,
                         .factorAt = at},
                        prepared, times);
    });
    std::vector<float> wantedCapped(truth), wantedTimes(truth), ups(truth.size());
    for (float& value : wantedCapped) value *= 0.25F;
    scalar.softcap(wantedCapped.data(), wantedCapped.size(), 3.0F);
    for (std::size_t i = 0; i < ups.size(); ++i) ups[i] = factors[i / rows * stride + at + i % rows];
    scalar.activate[static_cast<std::size_t>(infer::Activation::GeluTanh)](wantedTimes.data(), ups.data(), ups.size());
    EXPECT_LE(nmse(readFloats(capped, truth.size()), wantedCapped), 1e-12);
    EXPECT_LE(nmse(readFloats(times, truth.size()), wantedTimes), 1e-12);
}

using infer::CacheType;

std::vector<std::uint32_t> toWords(std::span<const std::byte> bytes) {
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
    const std::vector<float> factors = randomRow(8, 13);
    const View ofFactors = upload(factors);
    step.stores = false;
    step.firstHead = 0;
    step.heads = heads;
    step.factors = &ofFactors;
    run([&](Recorder& recorder) { return rotate(*device, recorder, sizes, step, queries); });
    std::vector<float> scaled = truth;
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= factors[i / (heads * length)];
    EXPECT_EQ(readFloats(queries, rows.size()), scaled);
    std::vector<std::byte> wanted(cacheWords * 4);
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t t = 0; t < tokens; ++t) {
            const auto stored = storedOnDevice(type, std::span(truth).subspan((t * heads + h + 1) * length, length), scalar);
            std::ranges::copy(stored, wanted.begin() + static_cast<std::ptrdiff_t>((h * context + position + t) * ofPosition));
        }
    EXPECT_EQ(read(cache, cacheWords), toWords(std::span<const std::byte>(wanted)));
}

INSTANTIATE_TEST_SUITE_P(Pairs, RotateKernels,
                         testing::Values(RotateCase{false, 16}, RotateCase{true, 16}, RotateCase{false, 4}, RotateCase{true, 4},
                                         RotateCase{true, 16, CacheType::F32}, RotateCase{true, 16, CacheType::Q8_0},
                                         RotateCase{false, 4, CacheType::Q8_0, 80}, RotateCase{true, 9, CacheType::Q8_0, 18}));

struct AttendCase {
    std::uint32_t position, window, keyLength, valueLength;
    CacheType keyType = CacheType::F16, valueType = CacheType::F16;
    float cap = 0;
    bool sinks = false;
};

class AttendKernels : public InferKernels, public testing::WithParamInterface<AttendCase> {
protected:
    static constexpr std::uint32_t heads = 4, group = 2, kvHeads = heads / group, tokens = 3, context = 256;

    // [head][position] as on a device.
    View onDevice(CacheType type, const std::vector<float>& numbers, std::size_t length) {
        std::vector<std::byte> bytes;
        for (std::size_t at = 0; at < numbers.size(); at += length)
            for (const std::byte byte : storedOnDevice(type, std::span(numbers).subspan(at, length), scalar)) bytes.push_back(byte);
        return upload(toWords(std::span<const std::byte>(bytes)));
    }

    // Of rows of heads, as the next matrix takes them.
    std::vector<std::uint32_t> codes(std::span<const float> numbers) const {
        std::vector<std::uint32_t> words(numbers.size() / WB_RECORD_COLUMNS * WB_RECORD_WORDS);
        scalar.quantize(numbers.data(), numbers.size(), reinterpret_cast<std::byte*>(words.data()), 0, 1);
        return words;
    }

    // The first token by the fast kernel, twice with the same counters.
    void expectFast(AttendStep step, std::uint32_t position, std::span<const float> truth) {
        const StepSizes one = batch(position, 1, 1);
        if (!canAttendFast(one, step)) return;
        const std::size_t numbers = heads * step.valueLength;
        step.scores = room(heads * context);
        const FastAttention space{room(heads * attentionParts(step.valueLength)), room(heads)};
        for (int round = 0; round < 2; ++round) {
            const View out = room(numbers), coded = room(numbers / WB_RECORD_COLUMNS * WB_RECORD_WORDS + 1);
            if (step.codes) step.codes = &coded;
            run([&](Recorder& recorder) { return attendFast(*device, recorder, one, step, space, out); });
            const std::vector<float> ours = readFloats(out, numbers);
            EXPECT_LE(nmse(ours, truth.first(numbers)), 1e-11) << round;
            EXPECT_TRUE(!step.codes || read(coded, codes(ours).size()) == codes(ours)) << round;
        }
    }
};

TEST_P(AttendKernels, MixWhatTheProcessorMixes) {
    const auto [position, window, keyLength, valueLength, keyType, valueType, cap, hasSinks] = GetParam();
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
    step.cap = cap;
    const std::vector<float> sinks = randomRow(heads, 24);
    const View ofSinks = upload(sinks);
    if (hasSinks) step.sinks = &ofSinks;
    std::vector<float> truth;
    for (std::uint32_t t = 0; t < tokens; ++t)
        for (std::uint32_t h = 0; h < heads; ++h) {
            const std::uint32_t last = position + t, first = window > 0 && last + 1 > window ? last + 1 - window : 0;
            const std::uint32_t firstTile = first / 16, endTile = last / 16 + 1;
            std::vector<float> scores(context), out(valueLength);
            scalar.scoreKeys[static_cast<std::size_t>(keyType)]({queries.data() + (t * heads + h) * keyLength, keyLength, 1,
                                                                 cache.keys(0, h / group), keyLength, firstTile, endTile, 0.2F,
                                                                 scores.data(), context});
            if (cap > 0) scalar.softcap(scores.data() + first, last + 1 - first, cap);
            scalar.softmax(scores.data(), first, last + 1, endTile * 16, hasSinks ? sinks[h] : -INFINITY);
            scalar.sumValues[static_cast<std::size_t>(valueType)]({scores.data(), context, 1, cache.values(0, h / group),
                                                                   valueLength, first, last + 1, out.data(), valueLength, false});
            truth.insert(truth.end(), out.begin(), out.end());
        }
    // Tokens one after the other, and all at a time.
    for (const std::size_t atOnce : {1, 8}) {
        const View out = room(heads * valueLength * 8);
        const View coded = room(truth.size() / WB_RECORD_COLUMNS * WB_RECORD_WORDS + 1);
        if (canEncodeHeads(valueLength)) step.codes = &coded;
        step.scores = room(heads * context * atOnce);
        run([&](Recorder& recorder) { return attend(*device, recorder, batch(position, tokens, 8), step, out); });
        const std::vector<float> ours = readFloats(out, truth.size());
        EXPECT_TRUE(!step.codes || read(coded, codes(ours).size()) == codes(ours)) << atOnce;
        if (cap > 0 || hasSinks) EXPECT_LE(nmse(ours, truth), 1e-12) << atOnce; // tanh and e^x of the library
        else EXPECT_EQ(ours, truth) << atOnce;
    }
    expectFast(step, position, truth);
}

INSTANTIATE_TEST_SUITE_P(Shapes, AttendKernels,
                         testing::Values(AttendCase{0, 0, 64, 64}, AttendCase{61, 0, 32, 32}, AttendCase{200, 0, 128, 128},
                                         AttendCase{130, 40, 64, 64}, AttendCase{90, 0, 256, 18}, AttendCase{5, 3, 18, 256},
                                         AttendCase{130, 0, 64, 64, CacheType::Q8_0, CacheType::Q8_0},
                                         AttendCase{90, 30, 80, 18, CacheType::Q8_0, CacheType::F16},
                                         AttendCase{70, 0, 18, 80, CacheType::F32, CacheType::Q8_0},
                                         AttendCase{70, 0, 32, 32, CacheType::F16, CacheType::F32}, AttendCase{33, 0, 512, 512},
                                         AttendCase{70, 0, 32, 32, CacheType::F16, CacheType::F16, 0.5F},
                                         AttendCase{70, 20, 32, 32, CacheType::F16, CacheType::F16, 0, true}));

} // namespace
} // namespace wb::gpu
