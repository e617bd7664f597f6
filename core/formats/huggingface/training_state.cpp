// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/training_state.h"

#include "core/formats/huggingface/torch_parts.h"
#include "core/formats/json/json.h"
#include "core/formats/torch/torch.h"
#include "core/formats/training/anatomy.h"
#include "core/model/danger.h"
#include "core/model/parameters.h"

#include <algorithm>
#include <array>

namespace wb::huggingface {
namespace {

constexpr const char* stateName = "trainer_state.json";

const Value* valueMember(const Value* value, std::string_view key) {
    return value != nullptr && value->object() != nullptr ? value->object()->find(key) : nullptr;
}

bool isSet(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    const bool* flag = value != nullptr ? std::get_if<bool>(&value->data) : nullptr;
    return flag != nullptr && *flag;
}

// Reads the files of one checkpoint and adds them to its model.
class TrainerReading {
public:
    TrainerReading(Model& model, const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options)
        : m_model(model), m_folder(folder), m_listing(listing), m_options(options) {}

    Result<void> run() {
        for (const TensorInfo& tensor : m_model.tensors) {
            if (tensor.logical) continue;
            m_counter.add(CheckpointPart::Weights, tensor);
            m_isWhole = m_isWhole && tensor.source.form() != TensorSource::Form::Unavailable;
            if (tensor.file() < m_model.files.size()) m_counter.addFile(CheckpointPart::Weights, m_model.files[tensor.file()].name);
        }
        m_hasWeights = !m_model.tensors.empty();
        m_out.framework = "transformers";
        if (const Value* version = valueMember(m_model.metadata.find("config.json"), "transformers_version"))
            if (version->string() != nullptr) m_out.frameworkVersion = *version->string();
        WB_TRY(readOptimizer());
        WB_TRY(readScheduler());
        WB_TRY(readRandomStates());
        WB_TRY(readArguments());
        readState();
        return finish();
    }

private:
    // Opens the first of these files that exists; null if none exists or it cannot be read, which is a problem.
    Result<ModelPtr> open(std::initializer_list<const char*> names) {
        const auto name = std::ranges::find_if(names, [&](const char* one) { return m_listing.hasFile(one); });
        if (name == names.end()) return nullptr;
        auto part = torch::open(m_folder / *name, m_options);
        if (!part && part.error().code == ErrorCode::Canceled) return std::unexpected(part.error());
        if (part) return *std::move(part);
        m_model.problems.push_back(asProblem(Severity::Error, "huggingface.training_file", *name, part.error()));
        m_damaged.emplace_back(*name);
        return nullptr;
    }

    // Appends the tensors of a part behind `prefix`, and what loading it would do.
    void append(const Model& part, const std::string& prefix, CheckpointPart kind) {
        const auto shift = static_cast<std::uint32_t>(m_model.files.size());
        for (TensorInfo tensor : part.tensors) {
            if (tensor.logical) continue; // recipes use the names of the file
            tensor.name.insert(0, prefix);
            if (!tensor.rawName.empty()) tensor.rawName.insert(0, prefix);
            tensor.source.shiftFiles(shift);
            m_counter.add(kind, tensor);
            m_model.tensors.push_back(std::move(tensor));
        }
        for (const ModelFile& file : part.files) m_counter.addFile(kind, file.name);
        m_model.files.insert(m_model.files.end(), part.files.begin(), part.files.end());
        for (const Problem& problem : part.problems) {
            m_model.problems.push_back(problem);
            if (problem.severity == Severity::Error) m_damaged.push_back(part.files.empty() ? prefix : part.files.front().name);
        }
        auto danger = m_model.danger ? std::make_shared<Danger>(*m_model.danger) : std::make_shared<Danger>();
        if (part.danger) wb::append(*danger, *part.danger);
        m_model.danger = std::move(danger);
    }

    Result<void> readOptimizer() {
        WB_TRY_ASSIGN(const ModelPtr part, open({"optimizer.pt", "optimizer.bin"}));
        if (!part) return {};
        append(*part, "optimizer.", CheckpointPart::Optimizer);
        m_out.optimizerGroups = training::groupsWithoutParameters(part->metadata.find("param_groups"));
        std::set<std::string, std::less<>> moments;
        for (const TensorInfo& tensor : part->tensors) moments.insert(tensor.name.substr(tensor.name.rfind('.') + 1));
        m_out.optimizerName = training::optimizerName(m_out.optimizerGroups, moments);
        m_out.learningRate = training::learningRate(m_out.optimizerGroups);
        m_hasOptimizer = true;
        return {};
    }

    Result<void> readScheduler() {
        WB_TRY_ASSIGN(const ModelPtr part, open({"scheduler.pt", "scheduler.bin"}));
        if (!part) return {};
        append(*part, "scheduler.", CheckpointPart::Scheduler);
        m_out.scheduler = Value::of(part->metadata);
        return {};
    }

    // Of several ranks the first is read; all of them are named.
    Result<void> readRandomStates() {
        std::set<std::string, std::less<>> generators;
        WB_TRY_ASSIGN(const ModelPtr part, open({"rng_state.pth", "rng_state_0.pth"}));
        if (part) {
            append(*part, "rng_state.", CheckpointPart::Rng);
            for (const Member& member : part->metadata.members)
                if (const char* name = training::generatorName(member.key); name && member.value.type != ValueType::Null)
                    generators.insert(name);
            for (const TensorInfo& tensor : part->tensors)
                if (const char* name = training::generatorName(tensor.name.substr(0, tensor.name.find('.'))))
                    generators.insert(name);
        }
        for (const std::string& name : m_listing.files)
            if ((name.starts_with("rng_state_") && name.ends_with(".pth")) || name.starts_with("random_states_"))
                m_counter.addFile(CheckpointPart::Rng, name);
        m_out.rng.assign(generators.begin(), generators.end());
        return {};
    }

    Result<void> readArguments() {
        WB_TRY_ASSIGN(const ModelPtr scaler, open({"scaler.pt"}));
        if (scaler) append(*scaler, "scaler.", CheckpointPart::Scaler);
        WB_TRY_ASSIGN(const ModelPtr part, open({"training_args.bin"}));
        if (!part) return {};
        append(*part, "training_args.", CheckpointPart::Arguments);
        if (!part->files.empty()) m_counter.addBytes(CheckpointPart::Arguments, part->files.front().bytes);
        m_out.precision = isSet(part->metadata, "bf16") ? "bf16" : isSet(part->metadata, "fp16") ? "fp16" : "fp32";
        return {};
    }

    // The metadata keep the beginning of the history alone; the loss is at its end.
    void readState() {
        if (!m_listing.hasFile(stateName)) return;
        formats::Limits limits = m_options.limits;
        limits.keptJsonMembers = json::keptValues;
        std::vector<Problem> ignored; // reported by the companions
        const auto source = io::FileSource::open(m_folder / stateName);
        const auto state = source ? json::readFile(**source, stateName, limits, ignored) : std::unexpected(source.error());
        if (!state) {
            m_damaged.emplace_back(stateName);
            return;
        }
        m_counter.addFile(CheckpointPart::Data, stateName);
        if (const Value* step = valueMember(&*state, "global_step")) m_out.step = step->unsignedNumber();
        if (const Value* epoch = valueMember(&*state, "epoch")) m_out.epoch = epoch->number();
        m_out.loss = lastLoss(valueMember(&*state, "log_history"));
    }

    // eval_loss of the last entry that has one, else loss.
    static std::optional<double> lastLoss(const Value* history) {
        std::optional<double> found;
        for (const char* key : {"eval_loss", "loss"}) {
            if (history == nullptr || history->array() == nullptr || found) break;
            for (const Value& entry : history->array()->first)
                if (const Value* loss = valueMember(&entry, key)) found = loss->number();
        }
        return found;
    }

    Result<void> finish() {
        const bool hasScheduler = m_out.scheduler.type != ValueType::Null;
        const auto need = [&](bool isThere, CheckpointPart part, const char* file) {
            if (!isThere && std::ranges::find(m_damaged, file) == m_damaged.end()) m_out.missing.push_back({part, file});
        };
        for (const std::string& file : m_damaged) m_out.missing.push_back({CheckpointPart::Other, file});
        need(m_hasWeights, CheckpointPart::Weights, "model.safetensors");
        need(m_hasOptimizer, CheckpointPart::Optimizer, "optimizer.pt");
        need(hasScheduler, CheckpointPart::Scheduler, "scheduler.pt");
        need(m_out.step.has_value(), CheckpointPart::Data, stateName);
        m_out.isResumable = m_out.missing.empty() && m_isWhole;
        need(!m_out.rng.empty(), CheckpointPart::Rng, "rng_state.pth");
        m_out.parts = m_counter.take();
        m_model.checkpoint = std::make_shared<const Checkpoint>(std::move(m_out));
        return {};
    }

    Model& m_model;
    const std::filesystem::path& m_folder;
    const Listing& m_listing;
    const formats::OpenOptions& m_options;
    Checkpoint m_out;
    training::PartCounter m_counter;
    std::vector<std::string> m_damaged; // files
    bool m_isWhole = true, m_hasWeights = false, m_hasOptimizer = false;
};

} // namespace

Result<void> addTrainingState(Model& model, const std::filesystem::path& folder, const Listing& listing,
                              const formats::OpenOptions& options) {
    static constexpr std::array signs = {stateName, "optimizer.pt", "optimizer.bin", "scheduler.pt", "scheduler.bin"};
    if (std::ranges::none_of(signs, [&](const char* name) { return listing.hasFile(name); })) return {};
    return TrainerReading(model, folder, listing, options).run();
}

} // namespace wb::huggingface
