// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/weights.h"

#include "core/base/split_name.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/json/scanner.h"
#include "core/formats/huggingface/torch_parts.h"
#include "core/formats/safetensors/safetensors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace wb::huggingface {
namespace {

constexpr std::array stems = {"model", "diffusion_pytorch_model"};

std::optional<SplitName> partName(std::string_view name) {
    constexpr std::string_view ending = ".safetensors";
    if (!name.ends_with(ending)) return std::nullopt;
    return parseSplitName(name.substr(0, name.size() - ending.size()));
}

// The first missing numbers of a set, as text; empty where it is complete.
std::string missingNumbers(const std::set<std::uint64_t>& numbers, std::uint64_t count) {
    constexpr std::size_t most = 20;
    std::vector<std::string> missing;
    for (std::uint64_t number = 1; number <= count && missing.size() <= most; ++number)
        if (!numbers.contains(number)) missing.push_back(missing.size() < most ? fmt::to_string(number) : "…");
    return fmt::format("{}", fmt::join(missing, ", "));
}

// Parts of a numbered set that do not exist, for folders without an index.
Result<void> checkParts(Model& model, const std::vector<std::string>& names, formats::Strictness strictness) {
    std::map<std::pair<std::string, std::uint64_t>, std::set<std::uint64_t>> sets;
    for (const std::string& name : names)
        if (const auto part = partName(name)) sets[{std::string(part->stem), part->count}].insert(part->number);
    for (const auto& [set, numbers] : sets) {
        const std::string missing = missingNumbers(numbers, set.second);
        if (missing.empty()) continue;
        constexpr const char* sentence = WB_TEXT("Missing from the {} parts of {}, so their tensors are unknown: {}.");
        if (strictness == formats::Strictness::Strict)
            return fail(ErrorCode::Malformed, Reason("huggingface.part_missing"), About{set.first}, sentence, set.second, set.first,
                        missing);
        model.problems.push_back(
            makeProblem(Severity::Error, "huggingface.part_missing", {}, std::nullopt, sentence, set.second, set.first, missing));
    }
    return {};
}

// Weight files of the folder that were not chosen: a second copy, another variant, or another model.
void noteOthers(Model& model, const std::vector<std::string>& candidates) {
    std::vector<std::string> others;
    std::ranges::copy_if(candidates, std::back_inserter(others), [&](const std::string& name) {
        return std::ranges::find(model.files, name, &ModelFile::name) == model.files.end();
    });
    if (others.empty()) return;
    model.problems.push_back(makeProblem(Severity::Note, "huggingface.not_read", {}, std::nullopt,
                                         WB_TEXT("Ignored, because other files make up the model: {}."), fmt::join(others, ", ")));
}

// What transformers' Trainer and accelerate write next to the weights (huggingface/transformers: src/transformers/trainer.py;
// huggingface/accelerate: src/accelerate/utils/constants.py).
bool isTrainingState(std::string_view name) {
    static constexpr std::array names = {"optimizer.pt",  "optimizer.bin", "scheduler.pt",
                                         "scheduler.bin", "scaler.pt",     "training_args.bin"};
    return std::ranges::find(names, name) != names.end() || (name.starts_with("rng_state") && name.ends_with(".pth")) ||
           (name.starts_with("random_states_") && name.ends_with(".pkl"));
}

void noteTrainingState(Model& model, const Listing& listing) {
    std::vector<std::string> names;
    std::ranges::copy_if(listing.files, std::back_inserter(names), isTrainingState);
    if (names.empty()) return;
    model.problems.push_back(
        makeProblem(Severity::Note, "huggingface.training_state", {}, std::nullopt,
                    WB_TEXT("Not part of the model, and not read: the training state in {}. Open such a file by itself."),
                    fmt::join(names, ", ")));
}

Result<Model> loadFiles(const std::filesystem::path& folder, const std::vector<std::string>& names,
                        const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, safetensors::loadFiles(folder, names, options));
    WB_TRY(checkParts(model, names, options.strictness));
    return model;
}

Result<Model> loadGguf(const std::filesystem::path& folder, const Weights& weights, const formats::OpenOptions& options) {
    const std::string& name = weights.names.front();
    const auto opened = gguf::open(folder / name, options);
    if (opened) return **opened;
    if (options.strictness == formats::Strictness::Strict) return std::unexpected(opened.error());
    Model model;
    model.problems.push_back(asProblem(Severity::Error, "huggingface.gguf", name, opened.error()));
    return model;
}

Result<Model> loadChosen(const std::filesystem::path& folder, const Weights& weights, const formats::OpenOptions& options) {
    switch (weights.kind) {
    case Weights::Kind::Index: return safetensors::loadIndex(folder, weights.names.front(), options);
    case Weights::Kind::Files: return loadFiles(folder, weights.names, options);
    case Weights::Kind::Gguf: return loadGguf(folder, weights, options);
    case Weights::Kind::Torch: return loadTorch(folder, weights.names.front(), options);
    case Weights::Kind::TorchParts: return loadTorchParts(folder, weights.names, options);
    case Weights::Kind::None: break;
    }
    return Model{};
}

bool isIndex(const std::string& name) { return name.ends_with(".json") && name.find(".safetensors.index.") != std::string::npos; }

bool isVariant(const std::string& name) {
    return std::ranges::any_of(stems, [&](const char* stem) { return name.starts_with(std::string(stem) + "."); });
}

constexpr const char* adapterWeights = "adapter_model.safetensors";
constexpr const char* adapterPickle = "adapter_model.bin"; // of PEFT before 0.6

} // namespace

bool isAdapter(const Listing& listing) {
    return listing.hasFile("adapter_config.json") && (listing.hasFile(adapterWeights) || listing.hasFile(adapterPickle));
}

Weights chooseWeights(const Listing& listing) {
    if (isAdapter(listing) && listing.hasFile(adapterWeights)) return {Weights::Kind::Files, {adapterWeights}};
    if (isAdapter(listing)) return {Weights::Kind::Torch, {adapterPickle}};
    for (const std::string stem : stems)
        if (listing.hasFile(stem + ".safetensors")) return {Weights::Kind::Files, {stem + ".safetensors"}};
    for (const std::string stem : stems)
        if (listing.hasFile(stem + ".safetensors.index.json")) return {Weights::Kind::Index, {stem + ".safetensors.index.json"}};
    if (const auto index = std::ranges::find_if(listing.files, isIndex); index != listing.files.end())
        return {Weights::Kind::Index, {*index}};
    auto files = listing.filesEndingWith(".safetensors");
    if (const auto variant = std::ranges::find_if(files, isVariant); variant != files.end())
        return {Weights::Kind::Files, {*variant}};
    if (!files.empty()) return {Weights::Kind::Files, std::move(files)};
    auto ggufs = listing.filesEndingWith(".gguf");
    std::ranges::stable_partition(ggufs, [](const std::string& name) { return !name.starts_with("mmproj"); });
    if (!ggufs.empty()) return {Weights::Kind::Gguf, {ggufs.front()}};
    for (const char* name : {"pytorch_model.bin", "diffusion_pytorch_model.bin"})
        if (listing.hasFile(name)) return {Weights::Kind::Torch, {name}};
    if (auto parts = torchParts(listing); !parts.empty()) return {Weights::Kind::TorchParts, std::move(parts)};
    return {};
}

Result<Model> loadWeights(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options) {
    const Weights weights = chooseWeights(listing);
    WB_TRY_ASSIGN(Model model, loadChosen(folder, weights, options));
    model.folder = folder;
    if (options.strictness == formats::Strictness::Strict) noteTrainingState(model, listing); // else it is read
    const bool isTorch = weights.kind == Weights::Kind::Torch || weights.kind == Weights::Kind::TorchParts;
    if (weights.kind == Weights::Kind::None || isTorch) return model;
    noteOthers(model, listing.filesEndingWith(weights.kind == Weights::Kind::Gguf ? ".gguf" : ".safetensors"));
    return model;
}

} // namespace wb::huggingface
