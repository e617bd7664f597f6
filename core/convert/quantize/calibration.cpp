// SPDX-License-Identifier: MIT
#include "core/convert/quantize/calibration.h"

#include "core/convert/quantize/error_sums.h"
#include "core/convert/quantize/work_items.h"
#include "core/jobs/thread_pool.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <set>
#include <thread>

namespace wb::quantize {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t rowLength = 4096;
constexpr double copySpeed = 2e9; // elements per second; the disk is slower

std::vector<float> madeUpRows(std::uint64_t elements) {
    std::minstd_rand random(1);
    std::normal_distribution<float> normal(0, 0.02f);
    std::vector<float> values(elements / rowLength * rowLength);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i < rowLength ? normal(random) : values[i - rowLength];
    return values;
}

// What becomes of rows in a run, between reading and writing.
class Pass {
public:
    Pass(quant::Backend& backend, Dtype type, const quant::Rows& rows)
        : m_backend(backend), m_type(type), m_rows(rows), m_packed(*rowBytes(type, rows.columns) * rows.count()) {}

    Result<void> operator()() {
        const quant::StoredRows stored{std::as_bytes(m_rows.values), Dtype::F32, m_rows.columns, m_rows.weights};
        WB_TRY_ASSIGN(const auto sums, m_backend.quantizeStored(m_type, stored, m_packed));
        if (sums) return {};
        WB_TRY(m_backend.quantize(m_type, m_rows, m_packed));
        m_decoded.resize(m_rows.values.size());
        decode(m_type, m_packed, m_decoded);
        m_sums += errorSums(m_rows.values, m_decoded);
        return {};
    }

private:
    quant::Backend& m_backend;
    Dtype m_type;
    quant::Rows m_rows;
    std::vector<std::byte> m_packed;
    std::vector<float> m_decoded;
    ErrorSums m_sums;
};

// The first pass does not count: tables are built for it, and a device is tested.
Result<double> backendSpeed(quant::Backend& backend, Dtype type, const quant::Rows& rows, unsigned threads, double seconds,
                            const std::stop_token& stop) {
    WB_TRY(Pass(backend, type, {rows.values.first(rows.columns), rows.columns, rows.weights})());
    const auto begin = Clock::now();
    const auto passed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    std::atomic<std::uint64_t> elements = 0;
    const auto work = [&](std::uint64_t) -> Result<void> {
        Pass pass(backend, type, rows);
        do {
            WB_TRY(pass());
            elements += rows.values.size();
        } while (passed() < seconds && !stop.stop_requested());
        return {};
    };
    WB_TRY(jobs::parallelFor(threads, threads, stop, work));
    return static_cast<double>(elements) / std::max(passed(), 1e-9);
}

} // namespace

Speeds calibrate(const QuantizePlan& plan, quant::Backend& backend, unsigned threads, double seconds, const std::stop_token& stop) {
    const unsigned workers = threads > 0 ? threads : jobs::machineThreads();
    const std::vector<float> values = madeUpRows(std::min(backend.bestValues(), itemElements(plan)));
    const std::vector<float> weights(rowLength, 1.0f);
    std::set<Dtype> types;
    for (const PlannedTensor& tensor : plan.tensors)
        if (!tensor.copied() && quant::canQuantize(tensor.to)) types.insert(tensor.to);
    backend.expect(plan.parameters());
    Speeds speeds;
    for (const Dtype type : types) {
        const bool weighted = plan.matrix != nullptr || quant::weightUse(type) == quant::WeightUse::Required;
        const quant::Rows rows{values, rowLength, weighted ? std::span<const float>(weights) : std::span<const float>()};
        const auto speed = backendSpeed(backend, type, rows, workers, seconds / static_cast<double>(types.size()), stop);
        if (speed) speeds[type] = *speed;
    }
    return speeds;
}

double estimateSeconds(const QuantizePlan& plan, const Speeds& speeds) {
    double seconds = 0;
    for (const PlannedTensor& tensor : plan.tensors) {
        const auto speed = speeds.find(tensor.to);
        const auto elements = static_cast<double>(plan.model->tensors[tensor.source].shape.elements());
        seconds += elements / (tensor.copied() || speed == speeds.end() ? copySpeed : speed->second);
    }
    return seconds;
}

} // namespace wb::quantize
