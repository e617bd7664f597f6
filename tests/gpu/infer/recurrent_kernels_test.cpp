// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/exact.h"
#include "core/infer/cpu/kernels/recurrent_kernels.h"
#include "gpu/infer/recurrent_kernels.h"
#include "gpu/infer/stream_kernels.h"
#include "tests/gpu/infer/kernels_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>

// The shaders of recurrent layers, gates, streams and indexers compared with the CPU's readable kernels: bit for bit. Rows have odd
// lengths, batches are shorter than the recorded ones, and states continue from one batch to the next.
namespace wb::gpu {
namespace {

class RecurrentKernels : public InferKernels {
protected:
    static constexpr std::uint32_t tokens = 5, recorded = 8;

    // Rows of mixed numbers, of which the shaders see `tokens`.
    std::vector<float> mixedNumbers(std::uint32_t stride, unsigned seed) { return randomRow(stride * recorded, seed); }

    const cpu::RecurrentKernels twins = cpu::scalarRecurrentKernels();
};

TEST_F(RecurrentKernels, ConvolveAsTheProcessor) {
    constexpr std::uint32_t stride = 80, channels = 21, taps = 4, position = 7;
    const std::vector<float> kernel = randomRow(channels * taps, 2), bias = randomRow(channels, 3);
    for (const std::uint64_t dilation : {1u, 3u})
        for (const bool isRich : {true, false}) {
            infer::ConvOp op;
            op.first = 10;
            op.channels = channels;
            op.width = taps;
            op.dilation = dilation;
            if (isRich) op.activation = infer::Activation::Silu;
            else op.inputGates = 35, op.outputGates = 57;
            std::vector<float> mixed = mixedNumbers(stride, 1), history = randomRow(dilation * (taps - 1) * channels, 4);
            const View rows = upload(mixed), state = upload(history), ofBias = upload(bias), ofKernel = upload(kernel);
            const ConvStep step{&op, {rows, stride}, ofKernel, state, isRich ? &ofBias : nullptr};
            run([&](Recorder& recorder) { return convolve(*device, recorder, batch(position, tokens, recorded), step); });
            const auto gates = [&](std::optional<std::uint64_t> from) {
                for (std::size_t t = 0; from && t < tokens; ++t)
                    for (std::size_t c = 0; c < channels; ++c) mixed[t * stride + op.first + c] *= mixed[t * stride + *from + c];
            };
            gates(op.inputGates);
            for (std::size_t first = 0; first < dilation; ++first)
                twins.convolve({mixed.data() + first * stride + op.first, stride * dilation,
                                (tokens - first + dilation - 1) / dilation, channels, kernel.data(), taps,
                                isRich ? bias.data() : nullptr,
                                history.data() + (position + first) % dilation * (taps - 1) * channels, channels});
            for (std::size_t t = 0; isRich && t < tokens; ++t)
                for (std::size_t c = 0; c < channels; ++c) {
                    float& value = mixed[t * stride + op.first + c];
                    value = cpu::gated(value, value);
                }
            gates(op.outputGates);
            EXPECT_EQ(readFloats(rows, mixed.size()), mixed) << dilation;
            EXPECT_EQ(readFloats(state, history.size()), history) << dilation;
        }
}

// Queries and keys of two heads, values of four or two; a decay for each head, or for each column.
TEST_F(RecurrentKernels, FollowTheDeltaRuleAsTheProcessor) {
    constexpr std::uint32_t keyHeads = 2, keyLength = 22, valueLength = 5, stride = 200;
    for (const bool ofChannels : {false, true}) {
        infer::DeltaNetOp op;
        op.keyHeads = keyHeads;
        op.valueHeads = ofChannels ? 2 : 4;
        op.keyLength = keyLength;
        op.valueLength = valueLength;
        op.tiled = !ofChannels;
        op.queries = 3;
        op.keys = 50;
        op.values = 100;
        op.channelDecays = ofChannels;
        op.alpha = ofChannels ? infer::HeadNumbers{130, 1, keyLength} : infer::HeadNumbers{132, 2, 4};
        op.beta = ofChannels ? infer::HeadNumbers{180, 2, 2} : infer::HeadNumbers{130, 2, 4};
        op.epsilon = 1e-6F;
        const std::size_t numbers = op.valueHeads * valueLength;
        std::vector<float> decay = randomRow(op.valueHeads, 11),
                           steps = randomRow(ofChannels ? op.valueHeads * keyLength : op.valueHeads, 12);
        for (float& rate : decay) rate = -std::fabs(rate);
        const std::vector<float> mixed = mixedNumbers(stride, 13);
        std::vector<float> matrix = randomRow(numbers * keyLength, 14), wanted(numbers * recorded);
        const View state = upload(matrix), attended = room(wanted.size()), rows = upload(mixed), ofDecay = upload(decay),
                   ofSteps = upload(steps);
        const DeltaNetStep step{&op, {rows, stride}, ofDecay, ofSteps, state};
        run([&](Recorder& recorder) { return applyDelta(*device, recorder, batch(3, tokens, recorded), step, attended); });
        std::vector<float> query(keyLength), key(keyLength), decays(keyLength);
        for (std::size_t t = 0; t < tokens; ++t)
            for (std::size_t h = 0; h < op.valueHeads; ++h) {
                const float* const row = mixed.data() + t * stride;
                const std::size_t at = op.keyHead(h) * keyLength;
                twins.toLength(row + op.queries + at, keyLength, op.epsilon, 1.0F / std::sqrt(static_cast<float>(keyLength)),
                               query.data());
                twins.toLength(row + op.keys + at, keyLength, op.epsilon, 1, key.data());
                std::copy_n(row + op.alpha.of(h), keyLength, decays.begin());
                cpu::DeltaTask task{};
                task.state = matrix.data() + h * valueLength * keyLength;
                task.rows = valueLength;
                task.columns = keyLength;
                task.query = query.data();
                task.key = key.data();
                task.values = row + op.values + h * valueLength;
                task.out = wanted.data() + t * numbers + h * valueLength;
                task.rate = cpu::gated(1.0F, row[op.beta.of(h)]);
                if (ofChannels) {
                    twins.decayColumns(decays.data(), steps.data() + h * keyLength, decay[h], keyLength);
                    task.decays = decays.data();
                } else {
                    task.decay = cpu::decayed(decay[h], cpu::softplus(decays[0] + steps[h]));
                }
                twins.applyDelta(task);
            }
        EXPECT_EQ(readFloats(attended, wanted.size()), wanted) << ofChannels;
        EXPECT_EQ(readFloats(state, matrix.size()), matrix) << ofChannels;
    }
}

TEST_F(RecurrentKernels, KeepTheStateSpaceAsTheProcessor) {
    constexpr std::uint32_t heads = 6, valueLength = 3, stateLength = 18, stride = 150;
    infer::StateSpaceOp op;
    op.heads = heads;
    op.groups = 2;
    op.valueLength = valueLength;
    op.stateLength = stateLength;
    op.values = 2;
    op.inputs = 30;
    op.outputs = 70;
    op.steps = 110;
    std::vector<float> decay = randomRow(heads, 21);
    for (float& rate : decay) rate = -std::fabs(rate);
    const std::vector<float> steps = randomRow(heads, 22), skip = randomRow(heads, 23), mixed = mixedNumbers(stride, 24);
    std::vector<float> matrix = randomRow(heads * valueLength * stateLength, 25), wanted(heads * valueLength * recorded);
    const View state = upload(matrix), attended = room(wanted.size()), rows = upload(mixed), ofDecay = upload(decay),
               ofSteps = upload(steps), ofSkip = upload(skip);
    const StateSpaceStep step{&op, {rows, stride}, ofDecay, ofSteps, ofSkip, state};
    run([&](Recorder& recorder) { return applyStateSpace(*device, recorder, batch(0, tokens, recorded), step, attended); });
    for (std::size_t t = 0; t < tokens; ++t)
        for (std::size_t h = 0; h < heads; ++h) {
            const float* const row = mixed.data() + t * stride;
            cpu::StateSpaceTask task{};
            task.state = matrix.data() + h * valueLength * stateLength;
            task.rows = valueLength;
            task.columns = stateLength;
            task.input = row + op.inputs + op.group(h) * stateLength;
            task.output = row + op.outputs + op.group(h) * stateLength;
            task.values = row + op.values + h * valueLength;
            task.rate = cpu::softplus(row[op.steps + h] + steps[h]);
            task.decay = cpu::decayed(decay[h], task.rate);
            task.skip = skip[h];
            task.out = wanted.data() + (t * heads + h) * valueLength;
            twins.applyStateSpace(task);
        }
    EXPECT_EQ(readFloats(attended, wanted.size()), wanted);
    EXPECT_EQ(readFloats(state, matrix.size()), matrix);
}

// Before and after the norm, with weights for all heads or for each, and without a norm.
TEST_F(RecurrentKernels, GateHeadsAsTheProcessor) {
    constexpr std::uint32_t heads = 3, length = 70, stride = 600;
    const std::vector<float> weights = randomRow(heads * length, 31), mixed = mixedNumbers(stride, 32);
    const View ofWeights = upload(weights), ofMixed = upload(mixed);
    for (const int form : {0, 1, 2}) {
        infer::GateOp op;
        op.kind = form == 1 ? infer::GateKind::Silu : infer::GateKind::Sigmoid;
        op.heads = heads;
        op.length = length;
        op.first = 7;
        op.stride = 2 * length;
        op.ownWeights = op.gatesFirst = form == 1;
        const DeviceNorm norm{form == 2 ? infer::NormKind::None : infer::NormKind::Rms, form == 2 ? nullptr : &ofWeights, nullptr,
                              1e-5F};
        std::vector<float> values = randomRow(heads * length * recorded, 33);
        const View attended = upload(values);
        const GateStep step{&op, norm, {ofMixed, stride}};
        run([&](Recorder& recorder) { return gate(*device, recorder, batch(0, tokens, recorded), step, attended); });
        for (std::size_t t = 0; t < tokens; ++t)
            for (std::size_t h = 0; h < heads; ++h) {
                float* const own = values.data() + (t * heads + h) * length;
                const auto normed = [&] {
                    if (form != 2) scalar.rmsNorm(own, weights.data() + (op.ownWeights ? h * length : 0), 1e-5F, length, own);
                };
                if (!op.gatesFirst) normed();
                (form == 1 ? twins.gateSilu : twins.gateSigmoid)(own, mixed.data() + t * stride + op.first + h * op.stride, length);
                if (op.gatesFirst) normed();
            }
        EXPECT_EQ(readFloats(attended, values.size()), values) << form;
    }
}

TEST_F(RecurrentKernels, MixAndInjectStreamsAsTheProcessor) {
    constexpr std::uint32_t width = 67, streams = 3, stride = 210;
    const std::vector<float> rows = randomRow(width * streams * recorded, 41), gates = mixedNumbers(stride, 42),
                             factors = randomRow(streams * recorded, 43);
    std::vector<float> wanted(width * recorded), injected = rows;
    const View x = room(wanted.size()), ofStreams = upload(rows), ofRows = upload(rows), ofGates = upload(gates),
               ofFactors = upload(factors);
    const MixStreamsStep mixing{ofRows, ofGates, width, streams, stride};
    const InjectStep injecting{x, ofFactors, width, streams};
    run([&](Recorder& recorder) -> Result<void> {
        const StepSizes sizes = batch(0, tokens, recorded);
        WB_TRY(mixStreams(*device, recorder, sizes, mixing, x));
        return inject(*device, recorder, sizes, injecting, ofStreams);
    });
    for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t s = 0; s < streams; ++s) {
            std::vector<float> values(rows.begin() + static_cast<std::ptrdiff_t>((t * streams + s) * width),
                                      rows.begin() + static_cast<std::ptrdiff_t>((t * streams + s + 1) * width));
            twins.gateSigmoid(values.data(), gates.data() + t * stride + s * width, width);
            scalar.addScaled(wanted.data() + t * width, values.data(), 1.0F / streams, width);
        }
        for (std::size_t s = 0; s < streams; ++s)
            scalar.addScaled(injected.data() + (t * streams + s) * width, wanted.data() + t * width, factors[t * streams + s],
                             width);
    }
    EXPECT_EQ(readFloats(x, wanted.size()), wanted);
    EXPECT_EQ(readFloats(ofStreams, injected.size()), injected);
}

// The sums of complete blocks, the rest of one that stays, and one that began earlier.
TEST_F(RecurrentKernels, AverageBlocksAsTheProcessor) {
    constexpr std::uint32_t length = 70, position = 6;
    infer::IndexOp op;
    op.length = length;
    op.block = 4;
    const std::vector<float> keys = randomRow(length * 16, 51);
    std::vector<float> sum = randomRow(length, 52), wanted;
    const View state = upload(sum), means = room(length * 16), ofKeys = upload(keys);
    const BlockMeansStep step{&op, ofKeys, state};
    run([&](Recorder& recorder) { return meanBlocks(*device, recorder, batch(position, 9, 16), step, means); });
    for (std::size_t t = 0; t < 9; ++t) {
        const std::size_t inBlock = (position + t) % op.block;
        if (inBlock == 0) std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(t * length), length, sum.begin());
        else scalar.addScaled(sum.data(), keys.data() + t * length, 1, length);
        if (inBlock + 1 == op.block)
            for (const float number : sum) wanted.push_back(number / 4.0F);
    }
    ASSERT_EQ(wanted.size(), 2 * length);
    EXPECT_EQ(readFloats(means, wanted.size()), wanted);
    EXPECT_EQ(readFloats(state, length), sum);
}

// Equal scores, tokens that see all, an incomplete block, and more keys than a workgroup has invocations.
TEST_F(RecurrentKernels, SelectTokensAsTheProcessor) {
    constexpr std::uint32_t heads = 3, length = 6, positions = 256, first = 205;
    for (const std::uint64_t block : {1u, 2u}) {
        infer::IndexOp op;
        op.heads = heads;
        op.length = length;
        op.block = block;
        op.topK = block == 1 ? 100 : 207;
        const std::uint32_t stride = static_cast<std::uint32_t>(op.selected());
        std::vector<float> keys = randomRow(positions * length, 61);
        for (float& key : keys) key = std::round(key); // many equal scores
        const std::vector<float> queries = randomRow(heads * length * recorded, 62), weights = randomRow(heads * recorded, 63);
        const View selected = room(stride * recorded), counts = room(recorded), ofWeights = upload(weights),
                   ofQueries = upload(queries), ofKeys = upload(keys), scores = room(positions * 2);
        const SelectStep step{&op, ofQueries, ofKeys, &ofWeights, infer::CacheType::F32, scores, positions, stride};
        run([&](Recorder& recorder) {
            return selectTokens(*device, recorder, batch(first, tokens, recorded), step, selected, counts);
        });
        const auto list = read(selected, stride * recorded), numbers = read(counts, recorded);
        for (std::size_t t = 0; t < tokens; ++t) {
            const std::size_t position = first + t, all = (position + 1) / block, best = op.topK / block;
            if (!op.selectsAt(position)) {
                EXPECT_EQ(numbers[t], 0u);
                continue;
            }
            std::vector<float> scores(all);
            for (std::size_t k = 0; k < all; ++k)
                for (std::size_t h = 0; h < heads; ++h) {
                    float dot = 0;
                    for (std::size_t d = 0; d < length; ++d)
                        dot = std::fma(queries[(t * heads + h) * length + d], keys[k * length + d], dot);
                    scores[k] += weights[t * heads + h] * std::max(dot, 0.0F);
                }
            std::vector<std::uint32_t> order(all), wanted;
            std::iota(order.begin(), order.end(), 0u);
            std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
            order.resize(best);
            std::ranges::sort(order);
            for (const std::uint32_t key : order)
                for (std::uint32_t i = 0; i < block; ++i) wanted.push_back(key * static_cast<std::uint32_t>(block) + i);
            for (std::size_t p = all * block; p <= position; ++p) wanted.push_back(static_cast<std::uint32_t>(p));
            ASSERT_EQ(numbers[t], wanted.size()) << t;
            EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), list.begin() + static_cast<std::ptrdiff_t>(t * stride))) << t;
        }
    }
}

} // namespace
} // namespace wb::gpu
