// SPDX-License-Identifier: MIT
#include "gpu/infer/self_test.h"

#include "core/tensor/half.h"
#include "gpu/device/upload.h"
#include "gpu/infer/kernels.h"
#include "gpu/infer/known_matrix.h"
#include "gpu/infer/recurrent_kernels.h"
#include "gpu/shaders/infer/batch.h"

#include <cmath>

namespace wb::gpu {
namespace {

constexpr std::uint32_t rows = 6, columns = 256, tokens = WB_MAX_COLUMNS, headLength = 16, positions = 128;
constexpr double bound = 1e-3; // activations of 8 bits cost 1e-5, a wrong sum costs all

class SelfTest {
public:
    explicit SelfTest(DevicePtr device) : m_device(std::move(device)) {}

    Result<void> multiplies(const WeightLayout& layout) {
        const KnownMatrix known = KnownMatrix::make(layout.dtype, rows, columns);
        const std::vector<float> x = knownNumbers(columns * tokens, 77);
        WB_TRY_ASSIGN(const DeviceMatrix matrix, known.upload(m_device));
        WB_TRY_ASSIGN(const View input, words(matrixWords(x)));
        const std::vector<float> wanted = products(known.decoded(), x);
        for (const std::uint32_t count : {1u, tokens}) {
            WB_TRY_ASSIGN(const auto ours, multiply(matrix, input, count));
            WB_TRY(compare(ours, std::span(wanted).first(count * rows)));
        }
        return {};
    }

    Result<void> attends() {
        const std::vector<float> query = knownNumbers(headLength, 5);
        const std::vector<std::uint32_t> keys = halves(6), values = halves(7);
        WB_TRY_ASSIGN(const StepSizes sizes, batch(99, 1));
        AttendStep step;
        WB_TRY_ASSIGN(step.queries, words(matrixWords(query)));
        WB_TRY_ASSIGN(step.keys, words(keys));
        WB_TRY_ASSIGN(step.values, words(values));
        step.heads = step.count = 1;
        step.keyLength = step.valueLength = headLength;
        step.context = positions;
        WB_TRY_ASSIGN(step.scores, words(std::vector<std::uint32_t>(positions)));
        WB_TRY_ASSIGN(const View out, words(std::vector<std::uint32_t>(headLength)));
        WB_TRY_ASSIGN(const auto ours,
                      run(out, headLength, [&](Recorder& recorder) { return attend(*m_device, recorder, sizes, step, out); }));
        return compare(ours, mixed(query, keys, values, 100));
    }

    // One head of as many rows as columns.
    Result<void> followsDeltaRule() {
        infer::DeltaNetOp op;
        op.keyHeads = op.valueHeads = 1;
        op.keyLength = op.valueLength = headLength;
        op.keys = headLength;
        op.values = 2 * headLength;
        op.alpha = {3 * headLength, 1, 1};
        op.beta = {3 * headLength + 1, 1, 1};
        const std::vector<float> mixed = knownNumbers(2 * stride, 8), start = knownNumbers(headLength * headLength, 9);
        const float decay = -0.5F, stepBias = 0.25F;
        WB_TRY_ASSIGN(const StepSizes sizes, batch(0, 2));
        DeltaNetStep step;
        step.op = &op;
        step.mixed.stride = stride;
        WB_TRY_ASSIGN(step.mixed.rows, words(matrixWords(mixed)));
        WB_TRY_ASSIGN(step.decay, words(matrixWords({&decay, 1})));
        WB_TRY_ASSIGN(step.stepBias, words(matrixWords({&stepBias, 1})));
        WB_TRY_ASSIGN(step.state, words(matrixWords(start)));
        WB_TRY_ASSIGN(const View out, words(std::vector<std::uint32_t>(2 * headLength)));
        WB_TRY_ASSIGN(const auto ours, run(out, 2 * headLength,
                                           [&](Recorder& recorder) { return applyDelta(*m_device, recorder, sizes, step, out); }));
        std::vector<double> state(start.begin(), start.end());
        std::vector<float> wanted;
        for (std::size_t t = 0; t < 2; ++t) {
            const std::vector<double> row(mixed.begin() + t * stride, mixed.begin() + (t + 1) * stride);
            const double keep = std::exp(decay * std::log1p(std::exp(row[op.alpha.first] + stepBias)));
            const double rate = 1 / (1 + std::exp(-row[op.beta.first]));
            const double queryLength = rootOfSquares(row, 0), keyLength = rootOfSquares(row, headLength);
            for (std::size_t r = 0; r < headLength; ++r) {
                double known = 0, answer = 0;
                for (std::size_t i = 0; i < headLength; ++i) {
                    state[r * headLength + i] *= keep;
                    known += state[r * headLength + i] * row[headLength + i] / keyLength;
                }
                for (std::size_t i = 0; i < headLength; ++i) {
                    double& number = state[r * headLength + i];
                    number += rate * (row[2 * headLength + r] - known) * row[headLength + i] / keyLength;
                    answer += number * row[i] / queryLength / std::sqrt(static_cast<double>(headLength));
                }
                wanted.push_back(static_cast<float>(answer));
            }
        }
        return compare(ours, wanted);
    }

    Result<void> keepsStateSpace() {
        infer::StateSpaceOp op;
        op.heads = op.groups = 1;
        op.valueLength = op.stateLength = headLength;
        op.inputs = headLength;
        op.outputs = 2 * headLength;
        op.steps = 3 * headLength;
        const std::vector<float> mixed = knownNumbers(2 * stride, 10), start = knownNumbers(headLength * headLength, 11);
        const float decay = -0.5F, stepBias = 0.25F, skip = 0.75F;
        WB_TRY_ASSIGN(const StepSizes sizes, batch(0, 2));
        StateSpaceStep step;
        step.op = &op;
        step.mixed.stride = stride;
        WB_TRY_ASSIGN(step.mixed.rows, words(matrixWords(mixed)));
        WB_TRY_ASSIGN(step.decay, words(matrixWords({&decay, 1})));
        WB_TRY_ASSIGN(step.stepBias, words(matrixWords({&stepBias, 1})));
        WB_TRY_ASSIGN(step.skip, words(matrixWords({&skip, 1})));
        WB_TRY_ASSIGN(step.state, words(matrixWords(start)));
        WB_TRY_ASSIGN(const View out, words(std::vector<std::uint32_t>(2 * headLength)));
        WB_TRY_ASSIGN(const auto ours, run(out, 2 * headLength, [&](Recorder& recorder) {
                          return applyStateSpace(*m_device, recorder, sizes, step, out);
                      }));
        std::vector<double> state(start.begin(), start.end());
        std::vector<float> wanted;
        for (std::size_t t = 0; t < 2; ++t) {
            const std::vector<double> row(mixed.begin() + t * stride, mixed.begin() + (t + 1) * stride);
            const double rate = std::log1p(std::exp(row[op.steps] + stepBias)), keep = std::exp(decay * rate);
            for (std::size_t r = 0; r < headLength; ++r) {
                double answer = skip * row[r];
                for (std::size_t i = 0; i < headLength; ++i) {
                    double& number = state[r * headLength + i];
                    number = keep * number + rate * row[r] * row[op.inputs + i];
                    answer += number * row[op.outputs + i];
                }
                wanted.push_back(static_cast<float>(answer));
            }
        }
        return compare(ours, wanted);
    }

private:
    static constexpr std::uint32_t stride = 3 * headLength + 2; // of the numbers of a recurrent layer

    static double rootOfSquares(const std::vector<double>& row, std::size_t first) {
        double sum = 0;
        for (std::size_t i = first; i < first + headLength; ++i) sum += row[i] * row[i];
        return std::sqrt(sum);
    }

    static std::vector<float> products(std::span<const float> weights, std::span<const float> x) {
        std::vector<float> out;
        for (std::size_t t = 0; t < tokens; ++t)
            for (std::size_t r = 0; r < rows; ++r) {
                double sum = 0;
                for (std::size_t c = 0; c < columns; ++c)
                    sum += static_cast<double>(weights[r * columns + c]) * static_cast<double>(x[t * columns + c]);
                out.push_back(static_cast<float>(sum));
            }
        return out;
    }

    static std::vector<std::uint32_t> halves(std::uint32_t seed) {
        const std::vector<float> numbers = knownNumbers(positions * headLength, seed);
        std::vector<std::uint32_t> packed(numbers.size() / 2);
        for (std::size_t i = 0; i < packed.size(); ++i)
            packed[i] = f32ToF16(numbers[2 * i]) | std::uint32_t{f32ToF16(numbers[2 * i + 1])} << 16;
        return packed;
    }

    static double halfAt(const std::vector<std::uint32_t>& packed, std::size_t index) {
        return static_cast<double>(f16ToF32(static_cast<std::uint16_t>(packed[index / 2] >> 16 * (index % 2))));
    }

    static std::vector<float> mixed(std::span<const float> query, const std::vector<std::uint32_t>& keys,
                                    const std::vector<std::uint32_t>& values, std::size_t count) {
        std::vector<double> sums(headLength);
        double total = 0;
        for (std::size_t p = 0; p < count; ++p) {
            double score = 0;
            for (std::size_t d = 0; d < headLength; ++d) score += static_cast<double>(query[d]) * halfAt(keys, p * headLength + d);
            const double weight = std::exp(score);
            total += weight;
            for (std::size_t d = 0; d < headLength; ++d) sums[d] += weight * halfAt(values, p * headLength + d);
        }
        std::vector<float> out;
        for (const double sum : sums) out.push_back(static_cast<float>(sum / total));
        return out;
    }

    Result<View> words(std::span<const std::uint32_t> content) {
        WB_TRY_ASSIGN(const BufferPtr buffer, uploadWords(m_device, content));
        return buffer->view();
    }

    Result<StepSizes> batch(std::uint32_t position, std::uint32_t count) {
        WB_TRY_ASSIGN(const View view, words(std::vector<std::uint32_t>{position, count, 0, 0}));
        return StepSizes{view, count};
    }

    Result<std::vector<float>> multiply(const DeviceMatrix& matrix, const View& input, std::uint32_t count) {
        WB_TRY_ASSIGN(const StepSizes sizes, batch(0, count));
        Prepared prepared;
        WB_TRY_ASSIGN(prepared.floats, words(std::vector<std::uint32_t>(columns * count)));
        WB_TRY_ASSIGN(prepared.codes, words(std::vector<std::uint32_t>(columns / WB_RECORD_COLUMNS * WB_RECORD_WORDS * count)));
        WB_TRY_ASSIGN(const View out, words(std::vector<std::uint32_t>(rows * count)));
        return run(out, rows * count, [&](Recorder& recorder) -> Result<void> {
            WB_TRY(
                prepare(*m_device, recorder, sizes, {.rows = input, .columns = columns, .floats = true, .codes = true}, prepared));
            return gpu::multiply(*m_device, recorder, sizes, {.matrix = &matrix, .epilogue = WB_STORE}, prepared, out);
        });
    }

    template <class Record>
    Result<std::vector<float>> run(const View& out, std::size_t count, Record record) {
        WB_TRY_ASSIGN(const BufferPtr back, m_device->buffer(count * 4, Memory::Readback));
        Recorder recorder(m_device);
        WB_TRY(record(recorder));
        recorder.copy({out.buffer, out.offset, count * 4}, back->view(0, count * 4));
        WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
        WB_TRY(ticket.wait());
        const auto numbers = back->map<float>().first(count);
        return std::vector<float>(numbers.begin(), numbers.end());
    }

    Result<void> compare(std::span<const float> ours, std::span<const float> wanted) const {
        if (relativeError(ours, wanted) <= bound) return {}; // not where it is not a number
        return fail(ErrorCode::Unsupported, Reason("infer.device_self_test"),
                    WB_TEXT("The GPU {} produces wrong inference results; models run on the CPU."), m_device->info().name);
    }

    DevicePtr m_device;
};

} // namespace

Result<void> testInference(const DevicePtr& device, const WeightLayout& layout) {
    SelfTest test(device);
    WB_TRY(test.multiplies(layout));
    return test.attends();
}

Result<void> testRecurrence(const DevicePtr& device) {
    SelfTest test(device);
    WB_TRY(test.followsDeltaRule());
    return test.keepsStateSpace();
}

} // namespace wb::gpu
