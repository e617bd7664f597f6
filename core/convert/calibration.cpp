// SPDX-License-Identifier: MIT
#include "core/convert/calibration.h"

#include "core/convert/error_sums.h"
#include "core/quant/quantize.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>

namespace wb::convert {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t rowLength = 4096; // as many as the fast forms take at once
constexpr double copySpeed = 1e9; // elements a second; the disk is slower

// A pass of the pipeline without the disk: quantize a row, decode it again, compare. The first row does not count: tables are built
// for it.
double speedOf(Dtype type, bool weighted, std::span<const float> row, double seconds, const std::stop_token& stop) {
    const std::vector<float> weights(weighted ? row.size() : 0, 1.0f);
    std::vector<std::byte> packed(rowBytes(type, row.size()).value_or(0));
    std::vector<float> decoded(row.size());
    quant::quantizeRow(type, row, weights, packed);
    const auto begin = Clock::now();
    std::size_t elements = 0;
    double passed = 0;
    ErrorSums sums;
    do {
        quant::quantizeRow(type, row, weights, packed);
        decode(type, packed, decoded);
        sums += errorSums(row, decoded);
        elements += row.size();
        passed = std::chrono::duration<double>(Clock::now() - begin).count();
    } while (passed < seconds && !stop.stop_requested());
    return static_cast<double>(elements) / std::max(passed, 1e-9);
}

} // namespace

Speeds calibrate(const QuantizePlan& plan, double seconds, const std::stop_token& stop) {
    std::minstd_rand random(1);
    std::normal_distribution<float> normal(0, 0.02f);
    std::vector<float> row(rowLength);
    for (float& value : row) value = normal(random);
    std::set<Dtype> types;
    for (const PlannedTensor& tensor : plan.tensors)
        if (!tensor.copied() && quant::canQuantize(tensor.to)) types.insert(tensor.to);
    Speeds speeds;
    for (const Dtype type : types) {
        const bool weighted = plan.matrix != nullptr || quant::weightUse(type) == quant::WeightUse::Required;
        speeds[type] = speedOf(type, weighted, row, seconds / static_cast<double>(types.size()), stop);
    }
    return speeds;
}

double estimateSeconds(const QuantizePlan& plan, const Speeds& speeds, unsigned threads) {
    const double workers = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    double seconds = 0;
    for (const PlannedTensor& tensor : plan.tensors) {
        const auto speed = speeds.find(tensor.to);
        const auto elements = static_cast<double>(plan.model->tensors[tensor.source].shape.elements());
        seconds += elements / (tensor.copied() || speed == speeds.end() ? copySpeed : speed->second);
    }
    return seconds / workers;
}

} // namespace wb::convert
