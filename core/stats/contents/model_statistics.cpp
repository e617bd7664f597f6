// SPDX-License-Identifier: MIT
#include "core/stats/contents/model_statistics.h"

#include <algorithm>

namespace wb::stats {
namespace {

constexpr std::size_t keptHistograms = 4096; // about 8 MB

std::vector<std::uint32_t> missing(const Contents& contents) {
    std::vector<std::uint32_t> tensors;
    for (std::uint32_t i = 0; i < contents.count(); ++i)
        if (!contents.stats[i] && contents.tensor(i).source.unavailableWhy().empty()) tensors.push_back(i);
    std::ranges::stable_sort(tensors, {}, [&](std::uint32_t i) {
        return std::pair(contents.tensor(i).file(), contents.tensor(i).offset().value_or(0));
    });
    return tensors;
}

// A tensor's own progress as a stretch of the whole.
Progress within(const Progress& whole, std::uint64_t before, std::uint64_t bytes, std::uint64_t total) {
    return {whole.stop, [&whole, before, bytes, total](std::uint64_t done, std::uint64_t all) {
                const double part = all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
                if (whole.report) whole.report(before + static_cast<std::uint64_t>(part * static_cast<double>(bytes)), total);
            }};
}

StatsPtr withoutHistogram(const StatsPtr& stats) {
    auto copy = std::make_shared<TensorStats>(*stats);
    copy->histogram.reset();
    return copy;
}

} // namespace

Result<TensorResult> computeTensor(Backend& backend, const Model& model, const zip::MemberChecksums& checksums,
                                   std::uint32_t tensor, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, model.tensors[tensor]));
    Options options;
    options.threads = threads;
    WB_TRY_ASSIGN(TensorStats stats, backend.compute(reader, options, progress));
    const std::size_t read = tensor;
    WB_TRY_ASSIGN(auto problems, checksums.compare(std::span(&read, 1), {progress.stop, {}}));
    return TensorResult{tensor, std::make_shared<const TensorStats>(std::move(stats)), std::move(problems)};
}

Result<void> computeMissing(Backend& backend, const Contents& contents, unsigned threads, const Progress& progress,
                            const std::function<void(TensorResult result)>& deliver) {
    WB_TRY_ASSIGN(const auto checksums, zip::MemberChecksums::read(*contents.model));
    const std::vector<std::uint32_t> tensors = missing(contents);
    std::uint64_t total = 0;
    for (const std::uint32_t tensor : tensors) total += contents.tensor(tensor).bytes();
    const bool keepHistograms = contents.count() <= keptHistograms;

    std::uint64_t before = 0;
    for (const std::uint32_t tensor : tensors) {
        WB_TRY(progress.at(before, total));
        const std::uint64_t bytes = contents.tensor(tensor).bytes();
        auto result = computeTensor(backend, *contents.model, checksums, tensor, threads, within(progress, before, bytes, total));
        before += bytes;
        if (!result && result.error().code != ErrorCode::Unsupported) return std::unexpected(result.error());
        if (!result) continue;
        if (!keepHistograms) result->stats = withoutHistogram(result->stats);
        deliver(std::move(*result));
    }
    return progress.at(total, total);
}

} // namespace wb::stats
