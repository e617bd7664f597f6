// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/join.h"

#include <algorithm>

namespace wb::deepspeed {
namespace {

constexpr std::size_t listedRanks = 50; // missing ones, as problems

std::uint64_t mostPartitions(const OptimizerStates& states) {
    return states.partitions.empty() ? 0 : *std::ranges::max_element(states.partitions);
}

void insert(std::map<std::uint32_t, const StateFile*>& files, const StateFile& file, Model& model) {
    const auto [known, isNew] = files.emplace(file.id.rank.value_or(0), &file);
    if (!isNew)
        model.problems.push_back(makeProblem(Severity::Warning, "deepspeed.rank_twice", file.name, std::nullopt,
                                             WB_TEXT("{} is ignored: {} is of the same rank."), file.name, known->second->name));
}

// Stage and number of ranks from the first readable optimizer file. Files that differ are ignored.
void agree(RankSet& set, std::uint64_t maxWorld, Model& model) {
    const StateFile* first = nullptr;
    for (auto at = set.optimizers.begin(); at != set.optimizers.end();) {
        const StateFile& file = *at->second;
        const std::uint64_t world = mostPartitions(file.optimizer);
        const bool isZero = file.isRead && file.optimizer.stage && world != 0;
        if (isZero && first == nullptr && world <= maxWorld) {
            first = &file;
            set.stage = file.optimizer.stage;
            set.world = static_cast<std::uint32_t>(world);
        }
        const bool isStranger = isZero && (first == nullptr || world != set.world || file.optimizer.stage != set.stage);
        if (isStranger)
            model.problems.push_back(makeProblem(
                Severity::Error, "deepspeed.rank_differs", file.name, std::nullopt,
                WB_TEXT("{} is of another checkpoint or damaged: it is of ZeRO-{} with {} ranks, where {} can be joined."),
                file.name, *file.optimizer.stage, world, first == nullptr ? maxWorld : set.world));
        at = isStranger ? set.optimizers.erase(at) : std::next(at);
    }
    const auto isRanked = [](const auto& entry) { return entry.second->id.rank.has_value(); };
    if (!set.stage && std::ranges::any_of(set.models, isRanked)) set.stage = 3;
}

void reportMissing(RankSet& set, Model& model) {
    std::size_t listed = 0;
    const auto report = [&](std::map<std::uint32_t, const StateFile*>& files, std::uint32_t rank, CheckpointPart part) {
        const auto found = files.find(rank);
        const std::string name = found != files.end() ? found->second->name : nameForRank(files.begin()->second->name, rank);
        if (found != files.end() && found->second->isWhole) return;
        if (listed++ >= listedRanks) return;
        set.missing.push_back({part, fmt::format("rank {}: {}", rank, name)});
        if (found != files.end()) return; // its own problem reports why it is not whole
        model.problems.push_back(makeProblem(
            Severity::Error, "deepspeed.rank_missing", name, std::nullopt,
            WB_TEXT("The file of rank {} of {} is missing: {}. The tensors that it shares cannot be read; copy it to the folder."),
            rank, set.world, name));
    };
    for (std::uint32_t rank = 0; rank < set.world; ++rank) {
        if (!set.optimizers.empty()) report(set.optimizers, rank, CheckpointPart::Optimizer);
        if (!set.models.empty() && (set.stage == 3 || rank == 0)) report(set.models, rank, CheckpointPart::Weights);
    }
    if (set.models.empty()) {
        const std::string name =
            fmt::format("{}mp_rank_{:02}_model_states.pt", set.stage == 3 ? "zero_pp_rank_0_" : "", set.modelRank);
        set.missing.push_back({CheckpointPart::Weights, name});
        model.problems.push_back(makeProblem(
            Severity::Error, "deepspeed.no_model_states", name, std::nullopt,
            WB_TEXT("{} is missing. Without it the parameters have no names and cannot be joined; copy it to the folder."), name));
    }
    if (listed > listedRanks)
        model.problems.push_back(makeProblem(Severity::Error, "deepspeed.ranks_missing", {}, std::nullopt,
                                             WB_TEXT("{} more files of ranks are missing or damaged."), listed - listedRanks));
    for (auto at = set.optimizers.upper_bound(set.world == 0 ? ~0u : set.world - 1); at != set.optimizers.end(); ++at)
        model.problems.push_back(makeProblem(Severity::Warning, "deepspeed.rank_surplus", at->second->name, std::nullopt,
                                             WB_TEXT("{} is ignored: the checkpoint has {} ranks."), at->second->name, set.world));
}

} // namespace

std::vector<RankSet> findRankSets(const std::vector<StateFile>& files, std::uint64_t maxWorld, Model& model) {
    std::map<std::uint32_t, RankSet> sets;
    for (const StateFile& file : files) {
        if (file.id.kind != StateName::Kind::Model && file.id.kind != StateName::Kind::Optimizer) continue;
        RankSet& set = sets[file.id.modelRank];
        set.modelRank = file.id.modelRank;
        insert(file.id.kind == StateName::Kind::Model ? set.models : set.optimizers, file, model);
    }
    std::vector<RankSet> out;
    for (auto& [modelRank, set] : sets) {
        agree(set, maxWorld, model);
        reportMissing(set, model);
        if (sets.size() > 1) set.group = fmt::format("mp_rank_{:02}", modelRank);
        out.push_back(std::move(set));
    }
    return out;
}

} // namespace wb::deepspeed
