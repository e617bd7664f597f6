// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/join.h"

#include "core/base/checked.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::deepspeed {
namespace {

constexpr std::size_t listedParts = 256; // names of stored tensors that a joined one lists

constexpr std::string_view stage3Weights = "optimizer_state_dict.fp32_flat_groups.";
constexpr std::string_view stage2Weights = "optimizer_state_dict.single_partition_of_fp32_groups.";
// Of stage 3, of stages 1 and 2, and of their elastic form, whose state is a list by group.
constexpr std::array<std::string_view, 3> momentRoots = {"optimizer_state_dict.optimizer_state_dict.state.",
                                                         "optimizer_state_dict.base_optimizer_state.state.",
                                                         "optimizer_state_dict.base_optimizer_state."};

// "3.exp_avg" after one of the roots: group and moment.
std::optional<std::pair<std::size_t, std::string>> momentFromName(std::string_view name) {
    for (const std::string_view root : momentRoots) {
        if (!name.starts_with(root)) continue;
        const std::string_view rest = name.substr(root.size());
        std::size_t group = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), group);
        const std::string_view moment = rest.substr(static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc() || moment.size() < 2 || moment[0] != '.' || moment.find('.', 1) != std::string_view::npos)
            continue;
        return std::pair(group, std::string(moment.substr(1)));
    }
    return std::nullopt;
}

// Bytes of an element, if the type can be divided between any two elements; else 0.
std::uint64_t elementBytes(Dtype dtype) {
    if (dtype == Dtype::Unknown || packedBits(dtype) != 0 || info(dtype).blockElements != 1) return 0;
    return info(dtype).blockBytes;
}

Error unavailable(std::string why) { return makeError(ErrorCode::Malformed, Reason("deepspeed.incomplete"), "{}", std::move(why)); }

Error mismatch() { return unavailable(WB_TEXT("the partitions do not match the parameters")); }

} // namespace

std::size_t Joiner::Flats::at(const Slice& slice) const {
    if (slice.rank >= byRank.size() || slice.group >= byRank[slice.rank].size()) return none;
    return byRank[slice.rank][slice.group];
}

Joiner::Joiner(formats::Index& index, const RankSet& set, const std::vector<std::string>& names, training::PartCounter& counter)
    : m_index(index), m_set(set), m_fileNames(names), m_counter(counter) {
    m_scheme = set.stage ? fmt::format("zero-{} of {}", *set.stage, set.world) : "deepspeed";
    m_usedFiles.assign(static_cast<std::size_t>(CheckpointPart::Other) + 1, std::vector<bool>(index.sources()));
}

void Joiner::fault(Problem problem) {
    m_hasFault = true;
    m_index.model.problems.push_back(std::move(problem));
}

const StateFile* Joiner::firstModel() const {
    for (const auto& [rank, file] : m_set.models)
        if (file->isRead && file->model.hasShapes) return file;
    return m_set.models.empty() ? nullptr : m_set.models.begin()->second;
}

void Joiner::readRankFlats(std::uint32_t rank, const StateFile& file) {
    const std::string root(m_set.stage == 3 ? stage3Weights : stage2Weights);
    auto& groups = m_weights.byRank[rank];
    while (const std::size_t* flat = file.find(root + std::to_string(groups.size()))) groups.push_back(*flat);
    for (const auto& [name, tensor] : file.tensors) {
        const auto moment = momentFromName(name);
        if (!moment || moment->first >= groups.size()) continue;
        Flats& flats = m_moments[moment->second];
        flats.byRank.resize(m_set.world);
        auto& own = flats.byRank[rank];
        if (own.size() <= moment->first) own.resize(moment->first + 1, Flats::none);
        own[moment->first] = tensor;
        m_momentNames.insert(moment->second);
    }
}

void Joiner::readFlats() {
    m_weights.byRank.resize(m_set.world);
    for (const auto& [rank, file] : m_set.optimizers)
        if (file->isRead && rank < m_set.world) readRankFlats(rank, *file);
}

void Joiner::dropRank(std::uint32_t rank) {
    m_weights.byRank[rank].clear();
    for (auto& [moment, flats] : m_moments) flats.byRank[rank].clear();
}

// The same for all ranks. ZeRO-1 and 2 store no padding, ZeRO-3 does.
std::vector<std::uint64_t> Joiner::groupSizes() {
    std::vector<std::uint64_t> sizes;
    const auto& tensors = m_index.model.tensors;
    std::uint32_t model = 0; // the rank that gave the sizes of stage 3
    for (auto& [rank, file] : m_set.optimizers) {
        if (rank >= m_set.world) break;
        auto& groups = m_weights.byRank[rank];
        std::vector<std::uint64_t> own;
        for (const std::size_t flat : groups) own.push_back(tensors[flat].shape.elements());
        if (own.empty()) continue;
        if (m_set.stage != 3) {
            sizes.resize(std::max(sizes.size(), own.size()));
            for (std::size_t i = 0; i < own.size(); ++i) {
                const std::uint64_t padding = i < file->optimizer.paddings.size() ? file->optimizer.paddings[i] : 0;
                sizes[i] = std::max(sizes[i], checked::add(own[i], padding).value_or(own[i]));
            }
        } else if (sizes.empty()) {
            sizes = std::move(own);
            model = rank;
        } else if (sizes != own) {
            dropRank(rank);
            fault(makeProblem(
                Severity::Error, "deepspeed.partitions_differ", file->name, std::nullopt,
                WB_TEXT("{} is of another checkpoint or damaged: its partitions have other sizes than those of rank {}."),
                file->name, model));
        }
    }
    return sizes;
}

void Joiner::run() {
    const StateFile* model = firstModel();
    if (model == nullptr || !model->isRead) return;
    const ModelStates& states = model->model;
    joinBuffers(states);
    if (m_set.world != 0 && states.hasPartitionedExperts)
        fault(makeProblem(Severity::Error, "deepspeed.experts", model->name, std::nullopt,
                          WB_TEXT("{}: the experts of this checkpoint are divided over other ranks than the rest, which is not "
                                  "supported; its tensors are listed as stored."),
                          model->name));
    else if (m_set.world != 0) {
        joinFrozen(states);
        readFlats();
        const auto partitions = Partitions::make(m_set.world, groupSizes());
        if (partitions && m_set.stage == 3) joinStage3(states, *partitions);
        else if (partitions) joinStage2(states, *partitions);
    }
    if (m_set.world == 0 && m_set.stage)
        for (const auto& group : states.groups)
            for (const NamedShape& parameter : group)
                joinParameter(parameter, std::unexpected(unavailable(WB_TEXT("no file of the optimizer can be read"))));
    joinShared();
    if (!states.hasPartitionedExperts) joinRest();
    for (std::size_t part = 0; part < m_usedFiles.size(); ++part)
        for (std::size_t file = 0; file < m_usedFiles[part].size(); ++file)
            if (m_usedFiles[part][file]) m_counter.addFile(static_cast<CheckpointPart>(part), m_fileNames[file]);
}

void Joiner::joinStage3(const ModelStates& states, const Partitions& partitions) {
    std::optional<std::uint64_t> needed = 0;
    for (const auto& group : states.groups)
        for (const NamedShape& parameter : group)
            needed = needed ? checked::add(*needed, partitions.share(parameter.shape.elements())) : std::nullopt;
    const bool isSound = needed == partitions.elementsPerRank() && !states.isCut;
    if (!isSound && partitions.elementsPerRank() != 0)
        fault(makeProblem(Severity::Error, "deepspeed.elements", {}, std::nullopt,
                          WB_TEXT("The partitions of a rank hold {} elements, but the parameters need {}; they cannot be joined."),
                          partitions.elementsPerRank(), needed.value_or(~0ull)));
    std::uint64_t offset = 0;
    for (const auto& group : states.groups)
        for (const NamedShape& parameter : group) {
            if (!isSound) {
                joinParameter(parameter, std::unexpected(mismatch()));
                continue;
            }
            joinParameter(parameter,
                          partitions.acrossRanks(offset, parameter.shape.elements(), maxPieces - std::min(maxPieces, m_pieces)));
            offset += partitions.share(parameter.shape.elements()); // fits, as `needed` does
        }
}

// Whether the parameters of a group fill its partitions but for the padding, which both are aligned by: to twice the number of
// ranks. Of a group with missing partitions that is not known.
bool Joiner::isGroupSound(const std::vector<NamedShape>& parameters, std::uint32_t group) {
    const std::uint64_t alignment = 2ull * m_set.world;
    const auto aligned = [alignment](std::uint64_t elements) { return elements / alignment + (elements % alignment != 0 ? 1 : 0); };
    std::optional<std::uint64_t> needed = 0;
    for (const NamedShape& parameter : parameters)
        needed = needed ? checked::add(*needed, parameter.shape.elements()) : std::nullopt;
    std::optional<std::uint64_t> present = 0;
    for (const auto& groups : m_weights.byRank) {
        if (group >= groups.size()) return true;
        present = present ? checked::add(*present, m_index.model.tensors[groups[group]].shape.elements()) : std::nullopt;
    }
    if (needed && present && aligned(*needed) == aligned(*present)) return true;
    fault(makeProblem(Severity::Error, "deepspeed.group_elements", {}, std::nullopt,
                      WB_TEXT("The partitions of group {} hold {} elements, but its parameters need {}; they cannot be joined."),
                      group, present.value_or(~0ull), needed.value_or(~0ull)));
    return false;
}

void Joiner::joinStage2(const ModelStates& states, const Partitions& partitions) {
    const auto firstFile = std::ranges::find_if(m_set.optimizers, [](const auto& entry) { return entry.second->isRead; });
    const auto* counts = firstFile == m_set.optimizers.end() ? nullptr : &firstFile->second->optimizer.partitions;
    for (std::uint32_t group = 0; group < states.groups.size(); ++group) {
        // Experts are divided over fewer ranks than the rest.
        const bool isOfAll = counts == nullptr || group >= counts->size() || (*counts)[group] == m_set.world;
        const bool isSound = isOfAll && isGroupSound(states.groups[group], group) && !states.isCut;
        std::uint64_t offset = 0;
        for (const NamedShape& parameter : states.groups[group]) {
            const std::uint64_t elements = parameter.shape.elements();
            if (!isOfAll)
                joinParameter(parameter,
                              std::unexpected(unavailable(WB_TEXT("its group is divided over other ranks than the rest"))));
            else if (!isSound) joinParameter(parameter, std::unexpected(mismatch()));
            else
                joinParameter(parameter, partitions.alongRanks(group, offset, elements, maxPieces - std::min(maxPieces, m_pieces)));
            offset = checked::add(offset, elements).value_or(~0ull); // outside of all partitions
        }
    }
}

void Joiner::joinParameter(const NamedShape& parameter, const Result<std::vector<Slice>>& slices) {
    if (!isNew(parameter.name)) return;
    const auto tensors = m_index.model.tensors.size();
    if (slices) addPieces(parameter.name, parameter.shape, *slices, m_weights, CheckpointPart::Weights);
    else addUnavailable(parameter.name, parameter.shape, slices.error(), CheckpointPart::Weights);
    if (m_index.model.tensors.size() > tensors) m_joined.emplace(parameter.name, tensors);
    for (const auto& [moment, flats] : m_moments) {
        if (isFull()) return;
        const std::string name = "optimizer.state." + parameter.name + "." + moment;
        const std::size_t first = slices && !slices->empty() ? flats.at(slices->front()) : Flats::none;
        const bool isScalar = first != Flats::none && m_index.model.tensors[first].shape.rank() == 0;
        if (isScalar || moment == "step") {
            if (first != Flats::none) addCopy(name, {first}, CheckpointPart::Optimizer);
        } else if (slices) addPieces(name, parameter.shape, *slices, flats, CheckpointPart::Optimizer);
        else addUnavailable(name, parameter.shape, slices.error(), CheckpointPart::Optimizer);
    }
}

// In stage 3 each rank has a piece of a frozen parameter in its own tensor; in earlier stages every rank has the whole parameter.
void Joiner::joinFrozen(const ModelStates& states) {
    for (const NamedShape& frozen : states.frozen) {
        const std::string stored = "frozen_param_fragments." + frozen.name;
        if (m_set.stage != 3) {
            const StateFile* file = firstModel();
            const std::size_t* whole = file->find(stored);
            if (whole == nullptr || m_index.model.tensors[*whole].shape != frozen.shape || !isNew(frozen.name)) continue;
            m_joined.emplace(frozen.name, m_index.model.tensors.size());
            addCopy(frozen.name, {*whole}, CheckpointPart::Weights);
            continue;
        }
        if (!isNew(frozen.name)) continue;
        const std::uint64_t elements = frozen.shape.elements();
        const std::uint64_t share = elements / m_set.world + (elements % m_set.world != 0 ? 1 : 0);
        Flats flats;
        flats.isOfModels = true;
        std::vector<Slice> slices;
        if (m_pieces >= maxPieces) {
            addUnavailable(frozen.name, frozen.shape, unavailable(WB_TEXT("the tensors consist of too many pieces")),
                           CheckpointPart::Weights);
            continue;
        }
        for (std::uint32_t rank = 0; rank < m_set.world && share * rank < elements; ++rank) { // fits: share * world < 2^63 + 2^32
            const auto file = m_set.models.find(rank);
            const std::size_t* piece = file == m_set.models.end() ? nullptr : file->second->find(stored);
            flats.byRank.push_back({piece != nullptr ? *piece : Flats::none});
            slices.push_back({rank, 0, 0, std::min(share, elements - share * rank)});
        }
        const auto tensors = m_index.model.tensors.size();
        addPieces(frozen.name, frozen.shape, slices, flats, CheckpointPart::Weights);
        if (m_index.model.tensors.size() > tensors) m_joined.emplace(frozen.name, tensors);
    }
}

// Every rank has a copy of each buffer.
void Joiner::joinBuffers(const ModelStates& states) {
    for (const std::string& buffer : states.buffers) {
        std::vector<std::size_t> copies;
        for (const auto& [rank, file] : m_set.models)
            if (const std::size_t* copy = file->find("module." + buffer)) copies.push_back(*copy);
        if (copies.empty() || !isNew(buffer)) continue;
        m_joined.emplace(buffer, m_index.model.tensors.size());
        addCopy(buffer, copies, CheckpointPart::Weights);
    }
}

// Tied parameters are another name of one that is stored. Rank 0 alone lists them; in stage 3 the placeholders of tied parameters
// in the module share a storage in every rank.
void Joiner::joinShared() {
    constexpr std::string_view module = "module.";
    for (const auto& [rank, file] : m_set.models)
        for (const auto& [alias, name] : file->model.shared) joinAlias(alias, name);
    const StateFile* file = firstModel();
    if (m_set.stage != 3) return;
    for (const auto& [stored, index] : file->tensors) {
        const TensorInfo& tensor = m_index.model.tensors[index];
        if (!stored.starts_with(module) || tensor.shape.elements() != 0 || !tensor.details) continue;
        const std::size_t prefix = tensor.name.size() - stored.size() + module.size(); // the file's name in front
        const auto details = tensor.details;
        for (const std::string& other : details->aliases)
            if (other.size() > prefix) joinAlias(stored.substr(module.size()), other.substr(prefix));
    }
}

void Joiner::joinAlias(const std::string& alias, const std::string& name) {
    const auto known = m_joined.find(name);
    if (known == m_joined.end() || alias == name || !isNew(alias)) return;
    const TensorInfo original = m_index.model.tensors[known->second];
    auto details = std::make_shared<TensorDetails>(*original.details);
    details->aliases.push_back(alias);
    m_index.model.tensors[known->second].details = details;
    TensorDetails own = *original.details;
    own.aliases.push_back(name);
    own.isRepeated = true;
    TensorInfo tensor = original;
    tensor.name = alias;
    tensor.details = std::make_shared<const TensorDetails>(std::move(own));
    ++m_added;
    m_index.model.tensors.push_back(std::move(tensor));
}

// Other tensors of the module: in stage 1 the frozen parameters, without ZeRO all parameters. In stage 3 the parameters have no
// elements there.
void Joiner::joinRest() {
    constexpr std::string_view module = "module.";
    const StateFile* file = firstModel();
    std::vector<std::pair<std::size_t, std::string>> rest;
    for (const auto& [name, tensor] : file->tensors)
        if (name.starts_with(module) && m_index.model.tensors[tensor].shape.elements() != 0)
            rest.emplace_back(tensor, name.substr(module.size()));
    std::ranges::sort(rest);
    for (const auto& [tensor, name] : rest) {
        if (!isNew(name)) continue;
        m_joined.emplace(name, m_index.model.tensors.size());
        addCopy(name, {tensor}, CheckpointPart::Weights);
    }
}

bool Joiner::isNew(const std::string& name) { return !isFull() && m_names.insert(name).second; }

std::string Joiner::missingPiece(std::uint32_t rank, bool isOfModels) const {
    const auto& files = isOfModels ? m_set.models : m_set.optimizers;
    const auto file = files.find(rank);
    const bool isThere = file != files.end() && file->second->isRead;
    return fragmentText(isThere ? fragment::pieceOfRank : fragment::fileOfRank, rank);
}

Dtype Joiner::flatsType(const Flats& flats) const {
    for (const auto& groups : flats.byRank)
        for (const std::size_t flat : groups)
            if (flat != Flats::none && m_index.model.tensors[flat].dtype != Dtype::Unknown)
                return m_index.model.tensors[flat].dtype;
    return Dtype::F32;
}

void Joiner::addPieces(const std::string& name, const Shape& shape, const std::vector<Slice>& slices, const Flats& flats,
                       CheckpointPart part) {
    if (isFull()) return;
    if (slices.size() > maxPieces - std::min(maxPieces, m_pieces))
        return addUnavailable(name, shape, unavailable(WB_TEXT("the tensors consist of too many pieces")), part);
    const auto& tensors = m_index.model.tensors;
    TensorInfo tensor;
    tensor.name = name;
    tensor.shape = shape;
    tensor.dtype = flatsType(flats);
    const std::uint64_t each = elementBytes(tensor.dtype);
    const std::uint64_t bytes = checked::mul(shape.elements(), each).value_or(0);
    TensorDetails details;
    std::vector<TensorPiece> pieces;
    std::string why = each == 0 ? WB_TEXT("its type is not supported") : "";
    for (const Slice& slice : slices) {
        const std::size_t flat = flats.at(slice);
        if (flat == Flats::none) {
            if (why.empty()) why = missingPiece(slice.rank, flats.isOfModels);
            continue;
        }
        const TensorInfo& stored = tensors[flat];
        if (details.parts.size() < listedParts && (details.parts.empty() || details.parts.back() != stored.name))
            details.parts.push_back(stored.name);
        const std::uint64_t all = stored.shape.elements();
        const bool isInside = slice.first <= all && slice.count <= all - slice.first;
        const bool isPlain = stored.source.form() == TensorSource::Form::Stored && stored.offset() && stored.dtype == tensor.dtype;
        const auto offset = isPlain && isInside ? checked::add(*stored.offset(), slice.first * each) : std::nullopt;
        if (offset) pieces.push_back({stored.file(), *offset, slice.count});
        else if (why.empty()) why = missingPiece(slice.rank, flats.isOfModels);
        m_usedFiles[static_cast<std::size_t>(part)][stored.file()] = true;
    }
    m_pieces += slices.size();
    if (!why.empty()) {
        tensor.source = TensorSource::unavailable("deepspeed.incomplete", std::move(why));
        tensor.source.setPlace({noFile, std::nullopt, bytes});
    } else if (pieces.size() == 1) tensor.source = TensorSource::stored(pieces[0].file, pieces[0].offset, bytes);
    else tensor.source = TensorSource::pieces(std::move(pieces), bytes);
    details.bitsPerWeight = static_cast<double>(each * 8);
    add(std::move(tensor), std::move(details), part);
}

void Joiner::addCopy(const std::string& name, const std::vector<std::size_t>& copies, CheckpointPart part) {
    if (isFull()) return;
    const auto& tensors = m_index.model.tensors;
    const auto readable = std::ranges::find_if(copies, [&](std::size_t copy) { return tensors[copy].isReadable(); });
    TensorInfo tensor = tensors[readable == copies.end() ? copies.front() : *readable];
    tensor.name = name;
    tensor.rawName.clear();
    TensorDetails details;
    for (const std::size_t copy : copies)
        if (details.parts.size() < listedParts) details.parts.push_back(tensors[copy].name);
    details.bitsPerWeight = static_cast<double>(elementBytes(tensor.dtype) * 8);
    if (tensor.file() < m_index.sources()) m_usedFiles[static_cast<std::size_t>(part)][tensor.file()] = true;
    add(std::move(tensor), std::move(details), part);
}

void Joiner::addUnavailable(const std::string& name, const Shape& shape, const Error& why, CheckpointPart part) {
    if (isFull()) return;
    TensorInfo tensor;
    tensor.name = name;
    tensor.shape = shape;
    tensor.dtype = flatsType(m_weights);
    tensor.source = TensorSource::unavailable(why.reason, why.message());
    tensor.source.setPlace({noFile, std::nullopt, checked::mul(shape.elements(), elementBytes(tensor.dtype)).value_or(0)});
    TensorDetails details;
    if (!m_weights.byRank.empty() && !m_weights.byRank[0].empty())
        details.parts.push_back(m_index.model.tensors[m_weights.byRank[0][0]].name);
    details.bitsPerWeight = static_cast<double>(elementBytes(tensor.dtype) * 8);
    add(std::move(tensor), std::move(details), part);
}

void Joiner::add(TensorInfo tensor, TensorDetails details, CheckpointPart part) {
    ++m_added;
    tensor.logical = true;
    details.scheme = m_scheme;
    details.group = m_set.group;
    m_counter.add(part, tensor);
    tensor.details = std::make_shared<const TensorDetails>(std::move(details));
    m_index.model.tensors.push_back(std::move(tensor));
}

} // namespace wb::deepspeed
