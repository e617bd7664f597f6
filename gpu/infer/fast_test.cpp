// SPDX-License-Identifier: MIT
#include "gpu/infer/fast_test.h"

#include "gpu/device/recorder.h"
#include "gpu/device/upload.h"
#include "gpu/infer/kernels.h"
#include "gpu/infer/known_matrix.h"
#include "gpu/shaders/infer/batch.h"

#include <chrono>
#include <limits>

namespace wb::gpu {
namespace {

constexpr std::uint32_t rows = 1024, columns = 1024;
constexpr int products = 8, rounds = 3; // timed: the best of the rounds

class FastTest {
public:
    FastTest(DevicePtr device, Dtype dtype) : m_device(std::move(device)), m_dtype(dtype) {}

    Result<FastVerdict> run() {
        WB_TRY(prepareInputs());
        WB_TRY_ASSIGN(const Timed exact, time(nullptr));
        FastVerdict best{m_dtype, FastForm::Float, std::numeric_limits<double>::infinity(), 0};
        for (const FastForm form : {FastForm::Packed, FastForm::Float}) {
            if (form == FastForm::Packed && !m_device->offers(Feature::IntegerDot)) continue;
            const FastTypes types{{{m_dtype, form}}};
            WB_TRY_ASSIGN(const Timed fast, time(&types));
            const FastVerdict verdict{m_dtype, form, relativeError(fast.numbers, exact.numbers), exact.seconds / fast.seconds};
            const bool isFirst = best.speedup == 0;
            if (isFirst || (verdict.isRight() && (!best.isRight() || verdict.speedup > best.speedup))) best = verdict;
        }
        return best;
    }

private:
    struct Timed {
        std::vector<float> numbers; // [rows]
        double seconds = 0;
    };

    Result<View> words(std::span<const std::uint32_t> content) {
        WB_TRY_ASSIGN(const BufferPtr buffer, uploadWords(m_device, content));
        return buffer->view();
    }

    Result<void> prepareInputs() {
        WB_TRY_ASSIGN(m_matrix, KnownMatrix::make(m_dtype, rows, columns).upload(m_device));
        WB_TRY_ASSIGN(m_sizes.batch, words(std::vector<std::uint32_t>{0, 1, 0, 0}));
        WB_TRY_ASSIGN(const View x, words(matrixWords(knownNumbers(columns, 77))));
        WB_TRY_ASSIGN(m_x.floats, words(std::vector<std::uint32_t>(columns)));
        WB_TRY_ASSIGN(m_x.codes, words(std::vector<std::uint32_t>(columns / WB_RECORD_COLUMNS * WB_RECORD_WORDS)));
        WB_TRY_ASSIGN(m_out, words(std::vector<std::uint32_t>(rows)));
        WB_TRY_ASSIGN(m_back, m_device->buffer(rows * sizeof(float), Memory::Readback));
        Recorder recorder(m_device);
        WB_TRY(prepare(*m_device, recorder, m_sizes, {.rows = x, .columns = columns, .codes = true}, m_x));
        WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
        return ticket.wait();
    }

    // The first run compiles the kernel and gives the numbers.
    Result<Timed> time(const FastTypes* fast) {
        Timed timed{{}, std::numeric_limits<double>::infinity()};
        WB_TRY(submit(fast, 1));
        const auto numbers = m_back->map<float>().first(rows);
        timed.numbers.assign(numbers.begin(), numbers.end());
        for (int round = 0; round < rounds; ++round) {
            WB_TRY_ASSIGN(const double seconds, submit(fast, products));
            timed.seconds = std::min(timed.seconds, seconds);
        }
        return timed;
    }

    Result<double> submit(const FastTypes* fast, int count) {
        Recorder recorder(m_device);
        for (int i = 0; i < count; ++i)
            WB_TRY(multiply(*m_device, recorder, m_sizes, {.matrix = &m_matrix, .epilogue = WB_STORE, .fast = fast}, m_x, m_out));
        recorder.copy(m_out, m_back->view(0, rows * sizeof(float)));
        const auto begin = std::chrono::steady_clock::now();
        WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
        WB_TRY(ticket.wait());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    DevicePtr m_device;
    Dtype m_dtype;
    DeviceMatrix m_matrix;
    StepSizes m_sizes;
    Prepared m_x;
    View m_out;
    BufferPtr m_back;
};

} // namespace

Result<FastVerdict> testFast(const DevicePtr& device, Dtype dtype) {
    const DeviceInfo& info = device->info();
    if (!info.subgroupSums || info.subgroup < 8 || info.subgroup > WB_LANES)
        return fail(ErrorCode::Unsupported, Reason("infer.no_fast_kernels"),
                    WB_TEXT("The GPU {} has no subgroups that the fast kernels can use."), info.name);
    return FastTest(device, dtype).run();
}

} // namespace wb::gpu
