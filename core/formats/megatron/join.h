// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/megatron/rules.h"
#include "core/formats/training/anatomy.h"
#include "core/formats/training/rank_file.h"

#include <map>
#include <unordered_set>

namespace wb::megatron {

struct MegatronFile : training::RankFile {
    std::uint32_t tensorRank = 0;
    std::uint32_t pipelineRank = 0;
    bool isOptimizer = false; // distrib_optim.pt: listed as stored
};

// The division as the arguments of the run describe it.
struct Arguments {
    std::uint32_t tensor = 1;
    std::uint32_t pipeline = 1;
    std::uint64_t layers = 0;
    std::uint64_t layersOfVirtualStage = 0; // 0: stages are not interleaved
    bool isGated = false;
    bool isTied = false; // the output layer is the embedding
};

Arguments megatronArguments(const ValueObject& metadata, const std::vector<MegatronFile>& files);

// Joins the parameters of all ranks: appends the logical tensors to the index.
class Joiner {
public:
    Joiner(formats::Index& index, const std::vector<MegatronFile>& files, const Arguments& arguments,
           training::PartCounter& counter);

    void run();
    std::size_t joined() const { return m_names.size(); }

private:
    void joinStage(std::uint32_t stage, std::uint64_t firstLayer, const std::string& root);
    void joinParameter(std::uint32_t stage, const std::string& stored, const std::string& name);
    TensorSource divided(const TensorInfo& first, const std::vector<std::size_t>& shares, Division division, Shape& shape) const;
    void tieOutput();

    formats::Index& m_index;
    const Arguments& m_arguments;
    training::PartCounter& m_counter;
    std::string m_scheme;
    std::map<std::pair<std::uint32_t, std::uint32_t>, const MegatronFile*> m_ranks; // by stage and tensor rank
    std::unordered_set<std::string> m_names;
};

} // namespace wb::megatron
