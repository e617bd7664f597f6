// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/torch_parts.h"

#include "core/base/split_name.h"
#include "core/formats/lfs/pointer.h"
#include "core/formats/torch/torch.h"
#include "core/model/danger.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace wb::huggingface {
namespace {

constexpr std::string_view ending = ".bin";

std::optional<SplitName> torchPartName(std::string_view name) {
    if (!name.ends_with(ending)) return std::nullopt;
    return parseSplitName(name.substr(0, name.size() - ending.size()));
}

// A pointer to the file is not a model; it is reported elsewhere.
bool isPointer(const std::filesystem::path& path) {
    const auto source = io::FileSource::open(path);
    return source && lfs::readPointer(**source).has_value();
}

void addPart(Model& model, Model part) {
    const auto shift = static_cast<std::uint32_t>(model.files.size());
    if (model.format == FormatId::Unknown) {
        model.format = part.format;
        model.version = part.version;
        model.bigEndian = part.bigEndian;
    }
    if (part.danger) {
        auto danger = model.danger ? std::make_shared<Danger>(*model.danger) : std::make_shared<Danger>();
        append(*danger, *part.danger);
        model.danger = std::move(danger);
    }
    for (TensorInfo& tensor : part.tensors) {
        tensor.source.shiftFiles(shift);
        model.tensors.push_back(std::move(tensor));
    }
    std::ranges::move(part.files, std::back_inserter(model.files));
    std::ranges::move(part.problems, std::back_inserter(model.problems));
}

Result<void> report(Model& model, const formats::OpenOptions& options, Error error) {
    if (options.strictness == formats::Strictness::Strict) return std::unexpected(std::move(error));
    model.problems.push_back(asProblem(Severity::Error, error.reason, {}, error));
    return {};
}

Result<void> checkNumbers(Model& model, const std::vector<std::string>& names, const formats::OpenOptions& options) {
    constexpr std::size_t most = 20; // that are named
    std::set<std::uint64_t> numbers;
    for (const std::string& name : names) numbers.insert(torchPartName(name)->number);
    const SplitName set = *torchPartName(names.front());
    std::vector<std::uint64_t> missing;
    for (std::uint64_t number = 1; number <= set.count && missing.size() < most; ++number)
        if (!numbers.contains(number)) missing.push_back(number);
    if (missing.empty()) return {};
    return report(model, options,
                  makeError(ErrorCode::Malformed, Reason("huggingface.part_missing"), About{std::string(set.stem)},
                            WB_TEXT("Missing from the {} parts of {}, so their tensors are unknown: {}."), set.count, set.stem,
                            fmt::format("{}", fmt::join(missing, ", "))));
}

Result<void> checkOneFileEach(Model& model, const formats::OpenOptions& options) {
    std::map<std::string_view, std::uint32_t> files;
    for (const TensorInfo& tensor : model.tensors) {
        const auto [known, isNew] = files.emplace(tensor.name, tensor.file());
        if (isNew || known->second == tensor.file()) continue;
        return report(model, options,
                      makeError(ErrorCode::Malformed, Reason("huggingface.two_files"), About{tensor.name},
                                WB_TEXT("The tensor {} is in both {} and {}."), tensor.name, model.files[known->second].name,
                                model.files[tensor.file()].name));
    }
    return {};
}

} // namespace

std::vector<std::string> torchParts(const Listing& listing) {
    for (const std::string_view stem : {"pytorch_model", "diffusion_pytorch_model"}) {
        std::vector<std::string> names;
        std::ranges::copy_if(listing.files, std::back_inserter(names), [stem](const std::string& name) {
            const auto part = torchPartName(name);
            return part && part->stem == stem;
        });
        if (!names.empty()) return names;
    }
    return {};
}

Result<Model> loadTorch(const std::filesystem::path& folder, const std::string& name, const formats::OpenOptions& options) {
    if (isPointer(folder / name)) return Model{};
    const auto opened = torch::open(folder / name, options);
    if (opened) return **opened;
    if (options.strictness == formats::Strictness::Strict || opened.error().code == ErrorCode::Canceled)
        return std::unexpected(opened.error());
    Model model;
    model.problems.push_back(asProblem(Severity::Error, "huggingface.torch", name, opened.error()));
    return model;
}

Result<Model> loadTorchParts(const std::filesystem::path& folder, const std::vector<std::string>& names,
                             const formats::OpenOptions& options) {
    Model model;
    WB_TRY(checkNumbers(model, names, options));
    for (const std::string& name : names) {
        WB_TRY_ASSIGN(Model part, loadTorch(folder, name, options));
        if (model.tensors.size() + part.tensors.size() > options.limits.tensorsPerModel)
            return fail(ErrorCode::TooLarge, Reason("huggingface.tensor_count"), About{name},
                        WB_TEXT("{} lists more than {} tensors."), name, options.limits.tensorsPerModel);
        addPart(model, std::move(part));
    }
    WB_TRY(checkOneFileEach(model, options));
    return model;
}

} // namespace wb::huggingface
