// SPDX-License-Identifier: MIT
#include "core/stats/value_problems.h"

#include "core/model/stored_files.h"

namespace wb::stats {
namespace {

std::string tensorFile(const Model& model, const TensorInfo& tensor) {
    return tensor.file() < model.files.size() ? storedPlace(model, tensor.file()).file : std::string();
}

} // namespace

std::vector<Problem> valueProblems(const Model& model, const TensorInfo& tensor, const TensorStats& stats) {
    std::vector<Problem> problems;
    if (stats.nan > 0 || stats.inf > 0)
        problems.push_back(makeProblem(Severity::Warning, Reason("stats.not_finite"), tensorFile(model, tensor), std::nullopt,
                                       WB_TEXT("{} contains {} NaN and {} infinite elements; the other statistics are of the {} "
                                               "finite ones."),
                                       tensor.name, stats.nan, stats.inf, stats.finite));
    if (info(tensor.dtype).kind == DtypeKind::Complex)
        problems.push_back(makeProblem(Severity::Note, Reason("stats.complex"), tensorFile(model, tensor), std::nullopt,
                                       WB_TEXT("The elements of {} are complex; the statistics are of their magnitudes."),
                                       tensor.name));
    return problems;
}

} // namespace wb::stats
