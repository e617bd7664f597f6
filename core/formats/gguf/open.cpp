// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"

#include "core/formats/gguf/content_checks.h"
#include "core/formats/gguf/part.h"
#include "core/formats/gguf/split.h"

namespace wb::gguf {
namespace {

std::shared_ptr<Model> startModel(GgufPart& part, ModelFile file, std::filesystem::path folder) {
    auto model = std::make_shared<Model>();
    model->format = FormatId::Gguf;
    model->version = fmt::format("{}", part.header.version);
    model->bigEndian = part.header.bigEndian;
    model->folder = std::move(folder);
    model->files.push_back(std::move(file));
    model->metadata = std::move(part.metadata);
    model->tensors = std::move(part.tensors);
    if (const Value* architecture = model->metadata.find("general.architecture"); architecture && architecture->string())
        model->architecture = *architecture->string();
    return model;
}

// Takes in the other parts of a split and looks at what all the metadata say.
Result<ModelPtr> finish(std::shared_ptr<Model> model, Findings findings, const formats::OpenOptions& options) {
    WB_TRY(addOtherParts(*model, findings, options));
    checkContent(*model, findings);
    std::ranges::move(takeProblems(findings), std::back_inserter(model->problems));
    sortProblems(model->problems);
    return model;
}

} // namespace

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(GgufPart part, readPart(*source, source->name(), options));
    auto model = startModel(part, namedFile(path, source), path.has_parent_path() ? path.parent_path() : ".");
    model->path = path;
    return finish(std::move(model), std::move(part.findings), options);
}

Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(GgufPart part, readPart(*source, source->name(), options));
    ModelFile file{source->name(), source->size(), {}, source};
    return finish(startModel(part, std::move(file), {}), std::move(part.findings), options);
}

} // namespace wb::gguf
