// SPDX-License-Identifier: MIT
#include "core/memory/serving/recurrent.h"

#include "core/memory/amounts.h"

#include <algorithm>

namespace wb::memory {
namespace {

using arch::Recurrence;

std::uint64_t convolved(const arch::RecurrentSpec& recurrent) { return std::max<std::uint64_t>(1, recurrent.convolution) - 1; }

void setStateSpace(RecurrentShape& shape, const arch::RecurrentSpec& recurrent) {
    const std::uint64_t groups = 2 * recurrent.groups * recurrent.state;
    shape.inner = recurrent.inner;
    shape.mixed = shape.inner + groups;
    shape.convolution = convolved(recurrent) * shape.mixed;
    shape.state = recurrent.state * shape.inner;
    shape.projected = 2 * shape.inner + recurrent.steps + (shape.kind == Recurrence::Mamba ? 2 * recurrent.state : groups);
}

} // namespace

RecurrentShape specRecurrentShape(const arch::ModelSpec& spec) {
    const arch::RecurrentSpec& recurrent = spec.recurrent;
    RecurrentShape shape;
    shape.kind = recurrent.kind;
    shape.layers = static_cast<std::uint64_t>(
        std::ranges::count_if(spec.layers, [](const arch::LayerSpec& layer) { return layer.recurrence != Recurrence::None; }));
    switch (shape.kind) {
    case Recurrence::None: break;
    case Recurrence::Rwkv:
        shape.convolution = recurrent.shifts * spec.width;
        shape.state = spec.width * recurrent.headLength;
        break;
    case Recurrence::ShortConvolution: shape.convolution = convolved(recurrent) * spec.width; break;
    case Recurrence::Kda:
        shape.convolution = 3 * convolved(recurrent) * spec.headCount * recurrent.headLength;
        shape.state = recurrent.headLength * recurrent.headLength * spec.headCount;
        break;
    default: setStateSpace(shape, recurrent);
    }
    return shape;
}

std::uint64_t stateBytes(const arch::ModelSpec& spec, std::uint64_t sequences) {
    const RecurrentShape shape = specRecurrentShape(spec);
    return product(4, shape.layers, sum(shape.convolution, shape.state), sequences);
}

} // namespace wb::memory
