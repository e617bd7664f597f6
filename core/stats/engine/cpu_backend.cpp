// SPDX-License-Identifier: MIT
#include "core/stats/elements.h"
#include "core/stats/engine/engines.h"
#include "core/stats/rules.h"

namespace wb::stats {
namespace {

struct Engine {
    std::uint64_t passes;
    Result<TensorStats> (*compute)(SlabTask&);
};

Engine engineFor(Dtype dtype) {
    if (isWide(dtype)) return {passesWide(dtype), computeWide};
    if (dtype == Dtype::F32 || info(dtype).kind == DtypeKind::Block) return {passesF32, computeF32};
    return {passesCoded, computeCoded};
}

// Where the engines' tables would cost far more than the elements.
Result<TensorStats> computeSmall(const TensorReader& reader, const Options& options, const Progress& progress) {
    const std::uint64_t bytes = reader.byteCount(reader.elements());
    WB_TRY(progress.at(0, bytes));
    WB_TRY_ASSIGN(TensorStats stats, computeScalar(reader, options));
    WB_TRY(reader.checkUnchanged());
    WB_TRY(progress.at(bytes, bytes));
    return stats;
}

class CpuBackend final : public Backend {
public:
    const char* name() const override { return "cpu"; }

    Result<TensorStats> compute(const TensorReader& reader, const Options& options, const Progress& progress) override {
        if (reader.elements() <= tileElements) return computeSmall(reader, options, progress);
        WB_TRY(check(reader, options));
        const Engine engine = engineFor(reader.dtype());
        SlabTask task(reader, options, progress, engine.passes + (options.channels ? 1 : 0));
        WB_TRY_ASSIGN(TensorStats stats, engine.compute(task));
        if (options.channels) {
            WB_TRY_ASSIGN(stats.channels, computeChannels(task, stats.absmax ? asDouble(*stats.absmax) : 0));
        }
        WB_TRY(task.complete());
        return stats;
    }
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend() { return std::make_unique<CpuBackend>(); }

} // namespace wb::stats
