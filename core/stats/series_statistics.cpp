// SPDX-License-Identifier: MIT
#include "core/stats/series_statistics.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::stats {

const TensorStats* CheckpointStatistics::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(tensors, [&](const Tensor& tensor) { return tensor.name == name && tensor.statistics; });
    return found == tensors.end() ? nullptr : &*found->statistics;
}

Result<void> noteUnreadable(std::vector<Problem>& problems, const TensorInfo& tensor, const Model& model, const Error& error) {
    const bool isOfValues =
        error.code == ErrorCode::Malformed || error.code == ErrorCode::Unsupported || error.code == ErrorCode::TooLarge;
    if (!isOfValues) return std::unexpected(error);
    const std::string file = tensor.file() < model.files.size() ? model.files[tensor.file()].name : io::baseName(model.path);
    Problem problem = makeProblem(Severity::Error, error.reason, file, std::nullopt, WB_TEXT("Cannot read the values of {}: {}"),
                                  toUtf8(tensor.name), error.message());
    const auto isIt = [&](const Problem& known) { return known.code == problem.code && known.arguments == problem.arguments; };
    if (std::ranges::none_of(problems, isIt)) problems.push_back(std::move(problem));
    return {};
}

Result<CheckpointStatistics> measureCheckpoint(const std::filesystem::path& folder, const SeriesEntry& entry, Backend& backend,
                                               const SeriesOptions& options, std::vector<Problem>& problems) {
    CheckpointStatistics own{entry.path, entry.step, entry.epoch, {}};
    const auto opened = options.open(folder / std::u8string(entry.path.begin(), entry.path.end()));
    if (!opened && opened.error().code == ErrorCode::Canceled) return std::unexpected(opened.error());
    if (!opened) {
        problems.push_back(asProblem(Severity::Warning, opened.error().reason, entry.path, opened.error()));
        return own;
    }
    const Model& model = **opened;
    if (!own.step && model.checkpoint) own.step = model.checkpoint->step;
    std::set<std::string_view> missing(options.names.begin(), options.names.end());
    for (const TensorInfo& tensor : model.tensors) {
        if (!options.names.contains(tensor.name)) continue;
        std::optional<TensorStats> statistics;
        if (tensor.isReadable()) {
            auto measured = [&]() -> Result<TensorStats> {
                WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
                WB_TRY_ASSIGN(TensorStats result, backend.compute(reader, options.statistics, options.progress(tensor)));
                WB_TRY(reader.checkUnchanged());
                return result;
            }();
            if (measured) statistics = *std::move(measured);
            else WB_TRY(noteUnreadable(problems, tensor, model, measured.error()));
        }
        if (statistics) missing.erase(tensor.name);
        own.tensors.push_back({tensor.name, tensor.shape, std::move(statistics)});
    }
    if (!missing.empty())
        problems.push_back(makeProblem(Severity::Warning, Reason("stats.series_tensors"), entry.path, std::nullopt,
                                       WB_TEXT("{}: tensors that are missing or cannot be read: {}, for example {}."), entry.path,
                                       missing.size(), toUtf8(*missing.begin())));
    return own;
}

} // namespace wb::stats
