// SPDX-License-Identifier: MIT
#include "core/formats/dcp/flat_form.h"

#include "core/formats/training/anatomy.h"
#include "core/formats/training/rank_file.h"
#include "core/model/checkpoint.h"

#include <algorithm>

namespace wb::dcp {
namespace {

constexpr std::string_view flatPrefix = "pytorch_model_fsdp_rank";

} // namespace

bool isFlatFile(std::string_view name) {
    if (!name.starts_with(flatPrefix) || !name.ends_with(".bin")) return false;
    name.remove_prefix(flatPrefix.size());
    name.remove_suffix(4);
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<formats::Index> readFlatFiles(const formats::Sources& sources, const std::vector<std::string>& names,
                                     const formats::OpenOptions& options) {
    formats::Index index(sources.size());
    training::RankFileReader reader(index, sources, options);
    Checkpoint checkpoint;
    checkpoint.framework = "pytorch";
    checkpoint.world.data = sources.size();
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        training::RankFile file;
        file.name = names[i];
        WB_TRY(reader.read(i, names[i].substr(0, names[i].size() - 4), file));
        if (!file.isWhole) checkpoint.missing.push_back({CheckpointPart::Weights, names[i]});
        if (i == 0) index.model.metadata = std::move(file.metadata);
    }
    training::PartCounter counter;
    for (const TensorInfo& tensor : index.model.tensors)
        if (!tensor.isUncounted()) counter.add(CheckpointPart::Weights, tensor);
    for (const std::string& name : names) counter.addFile(CheckpointPart::Weights, name);
    for (const CheckpointPart part : {CheckpointPart::Optimizer, CheckpointPart::Scheduler, CheckpointPart::Rng})
        checkpoint.missing.push_back({part, ""});
    checkpoint.parts = counter.take();
    Model& model = index.model;
    model.format = FormatId::Dcp;
    model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
    model.danger = reader.takeDanger();
    model.problems.push_back(makeProblem(
        Severity::Note, "dcp.flat", {}, std::nullopt,
        WB_TEXT("The parameters are stored as flat partitions without their shapes; they are listed as each rank has them.")));
    return index;
}

} // namespace wb::dcp
