// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/speed_estimate.h"

#include <algorithm>
#include <utility>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

// A second, but for a small model not much longer than making it would take.
double measuredSeconds(const QuantizePlan& plan) {
    constexpr double elementsOfASecond = 1e8;
    double elements = 0;
    for (const PlannedTensor& tensor : plan.tensors)
        elements += static_cast<double>(plan.model->tensors[tensor.source].shape.elements());
    return std::clamp(elements / elementsOfASecond, 0.05, 1.0);
}

} // namespace

SpeedEstimate::SpeedEstimate(const Services& services) : m_services(services), m_job(services.jobs) {}

void SpeedEstimate::measure(const std::shared_ptr<const QuantizePlan>& plan) {
    const Conditions now{plan->matrix != nullptr, m_services.settings->threads(), m_services.settings->device()};
    if (std::exchange(m_conditions, now) != now) m_speeds.clear();
    if (isKnown(*plan)) return;
    const auto work = [plan, threads = m_services.settings->threads(),
                       quantizer = m_services.quantizer](const Progress& progress) -> Result<Speeds> {
        std::shared_ptr<quant::Backend> backend = quantizer ? quantizer() : nullptr;
        if (!backend) backend = quant::makeCpuBackend();
        const Speeds speeds = calibrate(*plan, *backend, threads, measuredSeconds(*plan), progress.stop);
        if (progress.stop.stop_requested()) return std::unexpected(canceled());
        return speeds;
    };
    const auto done = [this](const Speeds& speeds) {
        for (const auto& [type, speed] : speeds) m_speeds[type] = speed;
        emit changed();
    };
    m_job.start<Speeds>(tr("Estimating speed"), work, done, [](const Error&) {}); // only a stop ends it early
}

bool SpeedEstimate::isKnown(const QuantizePlan& plan) const {
    return std::ranges::all_of(plan.tensors,
                               [this](const PlannedTensor& tensor) { return tensor.copied() || m_speeds.contains(tensor.to); });
}

double SpeedEstimate::planSeconds(const QuantizePlan& plan) const { return isKnown(plan) ? estimateSeconds(plan, m_speeds) : -1; }

} // namespace wb::ui::convert
