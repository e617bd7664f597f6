// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/deepspeed/layout.h"
#include "core/formats/deepspeed/state_files.h"
#include "core/formats/training/anatomy.h"

#include <map>
#include <memory>
#include <unordered_set>

namespace wb::deepspeed {

// The files of one model rank (of tensor parallelism), by the rank of data parallelism.
struct RankSet {
    std::uint32_t modelRank = 0;
    std::map<std::uint32_t, const StateFile*> models; // one file of stages 0 to 2 is that of rank 0
    std::map<std::uint32_t, const StateFile*> optimizers;
    std::optional<std::uint64_t> stage;
    std::uint32_t world = 0;          // ranks; 0: not known
    std::string group;                // of the joined tensors; empty where there is one set
    std::vector<MissingPart> missing; // files of ranks
};

// Groups the files, finds stage and number of ranks, and reports ranks without a file and files that contradict the others (which
// are ignored).
std::vector<RankSet> findRankSets(const std::vector<StateFile>& files, std::uint64_t maxWorld, Model& model);

// The joined tensors of one set, appended to the index as logical ones: parameters, buffers, frozen and tied
// parameters under their own names, and what the optimizer keeps for each parameter as "optimizer.state.<parameter>.<moment>".
// Nothing is read. A tensor of which a piece is in a file that is missing or damaged is unavailable.
class Joiner {
public:
    // `names` are those of the sources.
    Joiner(formats::Index& index, const RankSet& set, const std::vector<std::string>& names, training::PartCounter& counter);

    void run();

    const std::set<std::string, std::less<>>& moments() const { return m_momentNames; }
    std::size_t joined() const { return m_joined.size(); }
    bool hasFault() const { return m_hasFault; }

    // What all sets of a checkpoint together may have: a hostile one would fill the memory with pieces of no elements.
    static constexpr std::uint64_t maxPieces = 16'000'000;
    static constexpr std::uint64_t maxJoined = 1'000'000; // tensors

private:
    // The shares of all ranks in the same division: the weights, or one moment. Indices into the tensors of the model by flat
    // group.
    struct Flats {
        static constexpr std::size_t none = ~std::size_t{0};
        std::vector<std::vector<std::size_t>> byRank;
        bool isOfModels = false; // in the model files, else in those of the optimizer
        std::size_t at(const Slice& slice) const;
    };

    void readFlats();
    void readRankFlats(std::uint32_t rank, const StateFile& file);
    std::vector<std::uint64_t> groupSizes();
    void dropRank(std::uint32_t rank);
    bool isGroupSound(const std::vector<NamedShape>& parameters, std::uint32_t group);
    void joinStage3(const ModelStates& states, const Partitions& partitions);
    void joinStage2(const ModelStates& states, const Partitions& partitions);
    void joinParameter(const NamedShape& parameter, const Result<std::vector<Slice>>& slices);
    void joinFrozen(const ModelStates& states);
    void joinBuffers(const ModelStates& states);
    void joinShared();
    void joinAlias(const std::string& alias, const std::string& name);
    void joinRest();

    bool isNew(const std::string& name);
    bool isFull() const { return m_added >= maxJoined; }
    void addPieces(const std::string& name, const Shape& shape, const std::vector<Slice>& slices, const Flats& flats,
                   CheckpointPart part);
    void addCopy(const std::string& name, const std::vector<std::size_t>& copies, CheckpointPart part);
    void addUnavailable(const std::string& name, const Shape& shape, const Error& why, CheckpointPart part);
    void add(TensorInfo tensor, TensorDetails details, CheckpointPart part);
    std::string missingPiece(std::uint32_t rank, bool isOfModels) const;
    void fault(Problem problem);
    const StateFile* firstModel() const; // that has the shapes
    Dtype flatsType(const Flats& flats) const;

    formats::Index& m_index;
    const RankSet& m_set;
    const std::vector<std::string>& m_fileNames;
    training::PartCounter& m_counter;
    std::string m_scheme;
    Flats m_weights;
    std::map<std::string, Flats, std::less<>> m_moments;
    std::set<std::string, std::less<>> m_momentNames;
    std::unordered_map<std::string, std::size_t> m_joined; // weights by name
    std::unordered_set<std::string> m_names;
    std::vector<std::vector<bool>> m_usedFiles; // by part and file
    std::uint64_t m_pieces = 0;
    std::uint64_t m_added = 0;
    bool m_hasFault = false;
};

} // namespace wb::deepspeed
