// SPDX-License-Identifier: MIT
#include "gpu/infer/fast_test.h"

#include "gpu/device/upload.h"
#include "gpu/infer/kernels.h"
#include "gpu/infer/known_matrix.h"
#include "gpu/infer/timed_runs.h"
#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_attend_fast.spv.h"
#include "gpu/shaders/infer_multiply_codes_followed.spv.h"
#include "gpu/shaders/infer_multiply_fast.spv.h"
#include "gpu/shaders/infer_multiply_fast_followed.spv.h"
#include "gpu/shaders/infer_multiply_floats_followed.spv.h"
#include "gpu/shaders/infer_multiply_packed.spv.h"
#include "gpu/shaders/infer_multiply_packed_followed.spv.h"

#include <algorithm>

namespace wb::gpu {
namespace {

Result<View> words(const DevicePtr& device, std::span<const std::uint32_t> content) {
    WB_TRY_ASSIGN(const BufferPtr buffer, uploadWords(device, content));
    return buffer->view();
}

Result<View> room(const DevicePtr& device, std::size_t count) { return words(device, std::vector<std::uint32_t>(count)); }

class ProductTest {
public:
    ProductTest(DevicePtr device, Dtype dtype) : m_device(std::move(device)), m_dtype(dtype) {}

    Result<std::vector<FastVerdict>> run() {
        WB_TRY(prepareInputs());
        WB_TRY_ASSIGN(const TimedRuns exact, time(nullptr, 1));
        WB_TRY_ASSIGN(const TimedRuns exactBatch, time(nullptr, WB_MAX_COLUMNS));
        std::vector<FastVerdict> verdicts;
        for (const FastForm form : {FastForm::Packed, FastForm::Float}) {
            if (form == FastForm::Packed && !m_device->offers(Feature::IntegerDot)) continue;
            const FastTypes types{{{m_dtype, form, true}}};
            WB_TRY_ASSIGN(const TimedRuns fast, time(&types, 1));
            WB_TRY_ASSIGN(const TimedRuns fastBatch, time(&types, WB_MAX_COLUMNS));
            const double error = relativeError(fast.numbers, exact.numbers),
                         batchError = relativeError(fastBatch.numbers, exactBatch.numbers);
            verdicts.push_back({m_dtype, form, batchError <= error ? error : batchError, exact.seconds / fast.seconds,
                                exactBatch.seconds / fastBatch.seconds});
        }
        return verdicts;
    }

private:
    static constexpr std::uint32_t rows = 1024, columns = 1024;

    Result<void> prepareInputs() {
        constexpr std::uint32_t tokens = WB_MAX_COLUMNS;
        WB_TRY_ASSIGN(m_matrix, KnownMatrix::make(m_dtype, rows, columns).upload(m_device));
        WB_TRY_ASSIGN(m_batch, words(m_device, std::vector<std::uint32_t>{0, tokens, 0, 0}));
        WB_TRY_ASSIGN(const View x, words(m_device, matrixWords(knownNumbers(std::size_t{columns} * tokens, 77))));
        WB_TRY_ASSIGN(m_x.floats, room(m_device, std::size_t{columns} * tokens));
        WB_TRY_ASSIGN(m_x.codes, room(m_device, std::size_t{columns} / WB_RECORD_COLUMNS * WB_RECORD_WORDS * tokens));
        WB_TRY_ASSIGN(m_out, room(m_device, std::size_t{rows} * tokens));
        Recorder recorder(m_device);
        const StepSizes sizes{m_batch, tokens};
        WB_TRY(prepare(*m_device, recorder, sizes, {.rows = x, .columns = columns, .codes = true}, m_x));
        WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
        return ticket.wait();
    }

    Result<TimedRuns> time(const FastTypes* fast, std::uint32_t tokens) {
        const int repeats = tokens == 1 ? 8 : 2;
        const StepSizes sizes{m_batch, tokens};
        return timeRuns(m_device, m_out, std::size_t{rows} * tokens, repeats, [&](Recorder& recorder) {
            return multiply(*m_device, recorder, sizes, {.matrix = &m_matrix, .epilogue = WB_STORE, .fast = fast}, m_x, m_out);
        });
    }

    const DevicePtr m_device;
    const Dtype m_dtype;
    DeviceMatrix m_matrix;
    View m_batch;
    Prepared m_x;
    View m_out;
};

} // namespace

Dtype testedDtype(Dtype dtype) {
    if (std::ranges::find(fastDtypes, dtype) != fastDtypes.end()) return dtype;
    const WeightLayout* const layout = findWeightLayout(dtype);
    if (!layout || !layout->isCoded) return Dtype::Unknown;
    return layout->shaderType() == WB_CODED_WHOLE ? Dtype::TQ2_0 : Dtype::NVFP4;
}

const FastVerdict* bestForm(std::span<const FastVerdict> verdicts, Dtype dtype) {
    const FastVerdict* best = nullptr;
    for (const FastVerdict& verdict : verdicts) {
        if (verdict.dtype != dtype) continue;
        if (!best || (verdict.isRight() && (!best->isRight() || verdict.speedup > best->speedup))) best = &verdict;
    }
    return best;
}

Result<std::vector<FastVerdict>> testForms(const DevicePtr& device, Dtype dtype) {
    const DeviceInfo& info = device->info();
    if (!info.subgroupSums || info.subgroup < 8 || info.subgroup > WB_LANES)
        return fail(ErrorCode::Unsupported, Reason("infer.no_fast_kernels"),
                    WB_TEXT("The GPU {} has no subgroups that the fast kernels can use."), info.name);
    return ProductTest(device, dtype).run();
}

// Half the heads that a usual layer has, at the end of a context.
Result<FastVerdict> testFastAttention(const DevicePtr& device) {
    constexpr std::uint32_t heads = 16, kvHeads = 4, length = 64, context = 2048;
    AttendStep step;
    WB_TRY_ASSIGN(step.queries, words(device, matrixWords(knownNumbers(heads * length, 5))));
    WB_TRY_ASSIGN(step.keys, words(device, matrixWords(knownNumbers(kvHeads * context * length, 6))));
    WB_TRY_ASSIGN(step.values, words(device, matrixWords(knownNumbers(kvHeads * context * length, 7))));
    WB_TRY_ASSIGN(step.scores, room(device, heads * context));
    step.keyType = step.valueType = infer::CacheType::F32;
    step.heads = step.count = heads;
    step.group = heads / kvHeads;
    step.keyLength = step.valueLength = length;
    step.context = context;
    FastAttention space;
    WB_TRY_ASSIGN(space.parts, room(device, heads * attentionParts(length)));
    WB_TRY_ASSIGN(space.counters, room(device, heads));
    WB_TRY_ASSIGN(const View batch, words(device, std::vector<std::uint32_t>{context - 1, 1, 0, 0}));
    WB_TRY_ASSIGN(const View out, room(device, heads * length));
    const StepSizes sizes{batch, 1};
    WB_TRY_ASSIGN(const TimedRuns exact, timeRuns(device, out, heads * length, 2,
                                                  [&](Recorder& recorder) { return attend(*device, recorder, sizes, step, out); }));
    WB_TRY_ASSIGN(const TimedRuns fast, timeRuns(device, out, heads * length, 2, [&](Recorder& recorder) {
                      return attendFast(*device, recorder, sizes, step, space, out);
                  }));
    return FastVerdict{.error = relativeError(fast.numbers, exact.numbers), .speedup = exact.seconds / fast.seconds};
}

// FNV-1a of 64 bits, over words (http://www.isthe.com/chongo/tech/comp/fnv).
std::uint64_t testedShadersHash() {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&hash](std::span<const std::uint32_t> shader) {
        for (const std::uint32_t word : shader) hash = (hash ^ word) * 0x100000001b3;
    };
    add(shaders::infer_multiply_fast);
    add(shaders::infer_multiply_packed);
    add(shaders::infer_attend_fast);
    add(shaders::infer_multiply_codes_followed);
    add(shaders::infer_multiply_fast_followed);
    add(shaders::infer_multiply_floats_followed);
    add(shaders::infer_multiply_packed_followed);
    return hash;
}

} // namespace wb::gpu
