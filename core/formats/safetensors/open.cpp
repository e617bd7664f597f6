// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/safetensors.h"

#include "core/formats/safetensors/header.h"

#include <algorithm>

namespace wb::safetensors {
namespace {

Result<Model> load(const io::ByteSource& source, const formats::OpenOptions& options) {
    Findings findings(source.name(), options.strictness);
    WB_TRY_ASSIGN(Header header, readHeader(source, options, findings));
    Model model;
    model.format = FormatId::Safetensors;
    model.tensors = std::move(header.tensors);
    if (header.metadata) model.metadata = {1, {{"__metadata__", std::move(*header.metadata)}}};
    model.problems = findings.take();
    sortProblems(model.problems);
    return model;
}

} // namespace

bool sniff(std::span<const std::byte> head, std::uint64_t size) {
    if (head.size() <= textStart || size <= textStart) return false;
    const auto text = head.subspan(textStart);
    const auto isBlank = [](std::byte b) {
        return b == std::byte{' '} || b == std::byte{'\n'} || b == std::byte{'\r'} || b == std::byte{'\t'};
    };
    const auto first = std::ranges::find_if_not(text, isBlank);
    if (first == text.end() || *first != std::byte{'{'}) return false;
    // Eight bytes of text before the brace are text of another format, not the length of a header.
    return !std::ranges::all_of(head.first(textStart), [](std::byte b) {
        return (b >= std::byte{' '} && b < std::byte{0x7F}) || b == std::byte{'\n'} || b == std::byte{'\t'};
    });
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Model model, load(*source, options));
    model.path = path;
    model.folder = path.parent_path();
    model.files.push_back(namedFile(path, source));
    return std::make_shared<const Model>(std::move(model));
}

Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, load(*source, options));
    model.path = source->name();
    model.files.push_back({source->name(), source->size(), {}, std::move(source)});
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::safetensors
