// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/universal.h"

#include <algorithm>

namespace wb::deepspeed {
namespace {

constexpr std::string_view folderName = "zero/";

// What is behind "zero/" in the name; empty where it is in no such folder.
std::string_view insideZero(std::string_view name) {
    const std::size_t at = name.rfind(folderName);
    return at != std::string_view::npos && (at == 0 || name[at - 1] == '/') ? name.substr(at + folderName.size())
                                                                            : std::string_view();
}

// "embed.weight/exp_avg.pt": the parameter and its state.
struct ParameterFile {
    std::string parameter;
    std::string state;
};

std::optional<ParameterFile> parameterFile(std::string_view name) {
    const std::string_view inside = insideZero(name);
    const std::size_t slash = inside.rfind('/');
    if (slash == std::string_view::npos || slash == 0 || !inside.ends_with(".pt")) return std::nullopt;
    return ParameterFile{std::string(inside.substr(0, slash)), std::string(inside.substr(slash + 1, inside.size() - slash - 4))};
}

class UniversalReading {
public:
    UniversalReading(const formats::Sources& sources, const std::vector<std::string>& names, const formats::OpenOptions& options)
        : m_names(names), m_index(sources.size()), m_reader(m_index, sources, options) {}

    Result<void> readFiles() {
        for (std::uint32_t i = 0; i < m_names.size(); ++i) {
            if (const auto own = parameterFile(m_names[i])) WB_TRY(readParameter(i, *own));
            else WB_TRY(readState(i));
        }
        return {};
    }

    Result<formats::Index> finish(const formats::OpenOptions& options) {
        Model& model = m_index.model;
        tieShared();
        const auto missing = reportMissing();
        Joined joined{m_moments, false, m_weights.size()};
        RankSet set;
        set.missing = missing;
        for (const StateFile& file : m_files)
            if (file.optimizer.stage) set.stage = file.optimizer.stage;
        Checkpoint checkpoint = describe(m_files, {set}, joined, m_counter);
        model.format = FormatId::DeepSpeed;
        model.version = "universal";
        for (StateFile& file : m_files) model.metadata.members.push_back({file.name, Value::of(std::move(file.metadata))});
        model.metadata.count = model.metadata.members.size();
        model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
        model.danger = m_reader.takeDanger();
        if (options.strictness == formats::Strictness::Strict)
            for (const Problem& problem : model.problems)
                if (problem.severity == Severity::Error) return std::unexpected(asError(ErrorCode::Malformed, problem));
        return std::move(m_index);
    }

private:
    // The file holds {"param": tensor, …}, or the tensor alone.
    Result<void> readParameter(std::uint32_t source, const ParameterFile& own) {
        training::RankFile file;
        file.name = m_names[source];
        const std::string prefix = own.parameter + "/" + own.state;
        WB_TRY(m_reader.read(source, prefix, file));
        const std::size_t* stored = file.find("param");
        if (stored == nullptr) stored = file.find("");
        if (!file.isWhole)
            m_missing.push_back({own.state == "fp32" ? CheckpointPart::Weights : CheckpointPart::Optimizer, file.name});
        if (stored == nullptr) return {};
        auto& tensors = m_index.model.tensors;
        tensors[*stored].name = prefix;
        TensorInfo tensor = tensors[*stored];
        const bool isWeight = own.state == "fp32";
        tensor.name = isWeight ? own.parameter : "optimizer.state." + own.parameter + "." + own.state;
        tensor.logical = true;
        TensorDetails details;
        details.scheme = "zero universal";
        details.parts = {prefix};
        if (tensor.shape.elements() != 0)
            details.bitsPerWeight = static_cast<double>(tensor.bytes()) * 8 / static_cast<double>(tensor.shape.elements());
        tensor.details = std::make_shared<const TensorDetails>(std::move(details));
        const CheckpointPart part = isWeight ? CheckpointPart::Weights : CheckpointPart::Optimizer;
        m_counter.add(part, tensor);
        m_counter.addFile(part, file.name);
        if (isWeight) m_weights.emplace(own.parameter, tensors.size());
        else m_moments.insert(own.state);
        tensors.push_back(std::move(tensor));
        return {};
    }

    Result<void> readState(std::uint32_t source) {
        const std::string& name = m_names[source];
        const std::string base = name.substr(name.rfind('/') + 1);
        const bool isOptimizer = base == "optimizer_state.pt";
        const auto id = parseStateName(base);
        if (!isOptimizer && !id) return {};
        StateFile file;
        file.name = name;
        file.id = isOptimizer ? StateName{StateName::Kind::Optimizer, std::nullopt, 0} : *id;
        WB_TRY(m_reader.read(source, base.substr(0, base.size() - 3), file,
                             [&](const pickle::Graph& graph, pickle::NodeId root, const auto&) {
                                 if (isOptimizer) file.optimizer = readOptimizerEntries(graph, root);
                                 else file.model = readModelStates(graph, root);
                             }));
        m_files.push_back(std::move(file));
        return {};
    }

    void tieShared() {
        auto& tensors = m_index.model.tensors;
        for (const StateFile& file : m_files)
            for (const auto& [alias, name] : file.model.shared) {
                const auto one = m_weights.find(alias), other = m_weights.find(name);
                if (one == m_weights.end() || other == m_weights.end() || alias == name) continue;
                auto own = std::make_shared<TensorDetails>(*tensors[one->second].details);
                auto stored = std::make_shared<TensorDetails>(*tensors[other->second].details);
                own->aliases.push_back(name);
                own->isRepeated = true;
                stored->aliases.push_back(alias);
                tensors[one->second].details = std::move(own);
                tensors[other->second].details = std::move(stored);
            }
    }

    // Parameters that the model file names and that have no weight.
    std::vector<MissingPart> reportMissing() {
        constexpr std::size_t listed = 50;
        for (const StateFile& file : m_files)
            for (const auto& group : file.model.groups)
                for (const NamedShape& parameter : group) {
                    if (m_weights.contains(parameter.name) || m_missing.size() >= listed) continue;
                    const std::string name = std::string(folderName) + parameter.name + "/fp32.pt";
                    m_missing.push_back({CheckpointPart::Weights, name});
                    m_index.model.problems.push_back(makeProblem(
                        Severity::Error, "deepspeed.parameter_missing", name, std::nullopt,
                        WB_TEXT("{} is missing; the parameter {} cannot be read. Copy it to the folder."), name, parameter.name));
                }
        return m_missing;
    }

    const std::vector<std::string>& m_names;
    formats::Index m_index;
    training::RankFileReader m_reader;
    training::PartCounter m_counter;
    std::vector<StateFile> m_files;
    std::unordered_map<std::string, std::size_t> m_weights; // joined ones by name
    std::set<std::string, std::less<>> m_moments;
    std::vector<MissingPart> m_missing;
};

} // namespace

bool isUniversalFile(std::string_view name) { return !insideZero(name).empty(); }

Result<formats::Index> readUniversal(const formats::Sources& sources, const std::vector<std::string>& names,
                                     const formats::OpenOptions& options) {
    UniversalReading reading(sources, names, options);
    WB_TRY(reading.readFiles());
    return reading.finish(options);
}

} // namespace wb::deepspeed
