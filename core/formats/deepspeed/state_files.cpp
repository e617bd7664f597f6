// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/state_files.h"

namespace wb::deepspeed {
namespace {

std::string_view baseFromName(const std::string& name) { return std::string_view(name).substr(name.rfind('/') + 1); }

// "global_step3/mp_rank_00_model_states.pt": "mp_rank_00_model_states".
std::string stemFromName(const std::string& name) {
    std::string stem(baseFromName(name));
    if (stem.ends_with(".pt")) stem.resize(stem.size() - 3);
    return stem;
}

} // namespace

Result<std::vector<StateFile>> readStateFiles(const formats::Sources& sources, const std::vector<std::string>& names,
                                              const formats::OpenOptions& options, formats::Index& index) {
    std::vector<StateFile> files;
    training::RankFileReader reader(index, sources, options);
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        const auto id = parseStateName(baseFromName(names[i]));
        if (!id) continue;
        StateFile file;
        file.name = names[i];
        file.id = *id;
        WB_TRY(reader.read(i, stemFromName(names[i]), file, [&file](const pickle::Graph& graph, pickle::NodeId root, const auto&) {
            if (file.id.kind == StateName::Kind::Optimizer) file.optimizer = readOptimizerStates(graph, root);
            else file.model = readModelStates(graph, root);
        }));
        files.push_back(std::move(file));
    }
    index.model.danger = reader.takeDanger();
    return files;
}

} // namespace wb::deepspeed
