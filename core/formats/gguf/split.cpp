// SPDX-License-Identifier: MIT
#include "core/formats/gguf/split.h"

#include "core/base/split_name.h"
#include "core/formats/gguf/part.h"

#include <unordered_map>

namespace wb::gguf {
namespace {

struct SplitKeys {
    std::uint64_t number = 0; // counted from 0
    std::uint64_t count = 1;
    std::optional<std::uint64_t> tensors; // in all parts together
};

std::optional<std::uint64_t> metadataNumber(const ValueObject& metadata, std::string_view key) {
    const Value* value = metadata.find(key);
    return value ? value->unsignedNumber() : std::nullopt;
}

SplitKeys splitKeys(const ValueObject& metadata) {
    return {metadataNumber(metadata, "split.no").value_or(0), metadataNumber(metadata, "split.count").value_or(1),
            metadataNumber(metadata, "split.tensors.count")};
}

std::string suffix(std::uint64_t number, std::uint64_t count) { return splitSuffix(number + 1, count) + ".gguf"; }

// Opens one part and joins it to the model; any failure is one of the part, not yet of the model.
Result<void> addPart(Model& model, const io::BeneathDirectory& folder, const std::string& name, const SplitKeys& due,
                     const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const std::shared_ptr<io::FileSource> source, folder.openFile(name));
    WB_TRY_ASSIGN(GgufPart part, readPart(*source, name, options));
    if (part.header.bigEndian != model.bigEndian)
        return part.findings.refuse(ErrorCode::Malformed, Reason("gguf.split.byte_order"),
                                    WB_TEXT("{} has a different byte order than the first part."));
    const SplitKeys keys = splitKeys(part.metadata);
    if (keys.number != due.number || keys.count != due.count)
        WB_TRY(
            part.findings.defect(Severity::Error, "gguf.split.number", std::nullopt,
                                 WB_TEXT("{} declares itself part {} of {}, but its file name says {} of {}; get the right file."),
                                 keys.number + 1, keys.count, due.number + 1, due.count));
    if (model.tensors.size() + part.tensors.size() > options.limits.tensorsPerModel)
        return part.findings.refuse(ErrorCode::TooLarge, Reason("gguf.split.too_many"),
                                    WB_TEXT("{} brings the model to more than {} tensors."), options.limits.tensorsPerModel);
    for (TensorInfo& tensor : part.tensors) {
        tensor.source.shiftFiles(static_cast<std::uint32_t>(model.files.size()));
        model.tensors.push_back(std::move(tensor));
    }
    model.files.push_back({name, source->size(), source->identity(), nullptr});
    std::ranges::move(takeProblems(part.findings), std::back_inserter(model.problems));
    return {};
}

Result<void> checkTotal(const Model& model, const SplitKeys& keys, Findings& findings) {
    if (keys.tensors && *keys.tensors != model.tensors.size() && model.files.size() == keys.count)
        WB_TRY(findings.defect(
            Severity::Error, "gguf.split.tensors", std::nullopt,
            WB_TEXT("{} declares {} tensors across all parts, but the parts contain {}; get all parts of the same model."),
            *keys.tensors, model.tensors.size()));
    std::unordered_map<std::string_view, std::uint32_t> seen;
    seen.reserve(model.tensors.size());
    for (const TensorInfo& tensor : model.tensors)
        if (const auto [first, added] = seen.emplace(tensor.storedName(), tensor.file()); !added && first->second != tensor.file())
            WB_TRY(findings.defect(Severity::Error, "gguf.split.duplicate", std::nullopt,
                                   WB_TEXT("{}: the tensor {} is in two parts, {} and {}; get all parts of the same model."),
                                   shown(tensor.name), model.files[first->second].name, model.files[tensor.file()].name));
    return {};
}

Result<void> addAllParts(Model& model, const SplitKeys& first, const std::string& prefix, Findings& findings,
                         const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(model.folder));
    for (std::uint64_t i = 1; i < first.count; ++i) {
        WB_TRY(options.progress.at(i, first.count));
        const std::string name = prefix + suffix(i, first.count);
        auto added = addPart(model, folder, name, {i, first.count, {}}, options);
        if (added) continue;
        if (added.error().code == ErrorCode::Canceled) return added;
        WB_TRY(findings.defect(
            Severity::Error, added.error().code == ErrorCode::NotFound ? Reason("gguf.split.missing") : Reason("gguf.split.part"),
            std::nullopt, WB_TEXT("{} is missing part {}, so its tensors are unknown: {}"), name, added.error().message()));
    }
    return checkTotal(model, first, findings);
}

} // namespace

Result<void> addOtherParts(Model& model, Findings& findings, const formats::OpenOptions& options) {
    const SplitKeys keys = splitKeys(model.metadata);
    if (keys.count <= 1) return {};
    if (keys.count > options.limits.filesPerModel)
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.split.count"),
                               WB_TEXT("{} declares itself one of {} parts; download it again."), keys.count);
    const std::string name = findings.file();
    const std::string end = suffix(0, keys.count);
    if (keys.number != 0) {
        if (findings.strict())
            return findings.refuse(ErrorCode::Unsupported, Reason("gguf.split.later"),
                                   WB_TEXT("{} is part {} of {}; open the first part instead, whose name ends with {}."),
                                   keys.number + 1, keys.count, end);
        findings.add(
            Severity::Warning, "gguf.split.later", std::nullopt,
            WB_TEXT("{} is part {} of {}, and only its own tensors are shown; open the first part, whose name ends with {}."),
            keys.number + 1, keys.count, end);
        return {};
    }
    if (model.folder.empty())
        return findings.defect(
            Severity::Error, "gguf.split.alone", std::nullopt,
            WB_TEXT("{} is the first of {} parts; the other parts cannot be located here, so their tensors are unknown."),
            keys.count);
    if (!name.ends_with(end))
        return findings.defect(Severity::Error, "gguf.split.name", std::nullopt,
                               WB_TEXT("{} is the first of {} parts, but the other parts cannot be located because its name does "
                                       "not end with {}; rename it back."),
                               keys.count, end);
    return addAllParts(model, keys, name.substr(0, name.size() - end.size()), findings, options);
}

} // namespace wb::gguf
