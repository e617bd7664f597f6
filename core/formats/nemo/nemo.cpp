// SPDX-License-Identifier: MIT
#include "core/formats/nemo/nemo.h"

#include "core/base/checked.h"
#include "core/formats/index/index.h"
#include "core/formats/tar/tar.h"
#include "core/formats/torch/torch.h"
#include "core/formats/yaml/yaml.h"
#include "core/io/range_source.h"

#include <algorithm>

namespace wb::nemo {
namespace {

constexpr std::string_view configName = "model_config.yaml", weightsName = "model_weights.ckpt";

std::string_view plainName(std::string_view member) {
    if (member.starts_with("./")) member.remove_prefix(2);
    return member;
}

// Of the folder of a rank, too.
bool isWeights(std::string_view member) {
    const std::string_view name = plainName(member);
    return name == weightsName || name.ends_with("/" + std::string(weightsName));
}

std::optional<Value> readConfig(const io::ByteSource& source, const io::Extent& data, formats::Findings& findings) {
    const auto refuse = [&findings](const Error& error) {
        findings.add(Severity::Note, "nemo.config", error);
        return std::nullopt;
    };
    if (data.length() > yaml::maxText) {
        findings.add(Severity::Note, "nemo.config", std::nullopt, WB_TEXT("{}: {} is too long to be shown."), configName);
        return std::nullopt;
    }
    std::string text(data.length(), '\0');
    if (const auto read = source.readAt(data.offset(), std::as_writable_bytes(std::span(text))); !read) return refuse(read.error());
    auto config = yaml::parse(text, std::string(configName));
    if (!config) return refuse(config.error());
    return *std::move(config);
}

// From places in the weights to places in the archive.
void shiftPlace(TensorSource& source, std::uint64_t by) {
    if (source.form() == TensorSource::Form::Pieces) {
        std::vector<TensorPiece> pieces = source.pieces();
        for (TensorPiece& piece : pieces)
            if (piece.file == 0) piece.offset += by;
        source = TensorSource::pieces(std::move(pieces), source.place().bytes);
        return;
    }
    TensorPlace place = source.place();
    if (place.file != 0 || !place.offset) return;
    place.offset = checked::add(*place.offset, by);
    if (!place.offset) source.makeUnavailable(Reason("nemo.place"), WB_TEXT("they are outside the file"));
    else if (source.form() == TensorSource::Form::Strided)
        source = TensorSource::strided(0, *place.offset, source.strides(), place.bytes);
    else source.setPlace(place);
}

Result<ModelPtr> openAt(const formats::OpenedFile& opened, const formats::OpenOptions& options) {
    formats::Findings findings(opened.source->name(), options.strictness);
    WB_TRY_ASSIGN(Archive archive, readArchive(*opened.source, options, findings));
    const auto weights = std::make_shared<io::RangeSource>(opened.source, archive.weights, opened.source->name());
    WB_TRY_ASSIGN(const ModelPtr inside, torch::open(weights, options));
    auto model = std::make_shared<Model>(*inside);
    model->files.at(0) = opened.file;
    for (TensorInfo& tensor : model->tensors) shiftPlace(tensor.source, archive.weights.offset());
    if (archive.config) {
        const ValueObject* const config = archive.config->object();
        const Value* const target = config ? config->find("target") : nullptr;
        if (target && target->string()) model->architecture = target->string()->substr(target->string()->rfind('.') + 1);
        model->metadata.members.push_back({std::string(configName), *std::move(archive.config)});
        ++model->metadata.count;
    }
    std::ranges::move(findings.take(), std::back_inserter(model->problems));
    sortProblems(model->problems);
    return model;
}

} // namespace

bool isArchive(const std::vector<std::string>& members) {
    return std::ranges::any_of(members, [](const std::string& member) { return plainName(member) == configName; });
}

Result<Archive> readArchive(const io::ByteSource& source, const formats::OpenOptions& options, formats::Findings& findings) {
    WB_TRY_ASSIGN(const auto members, tar::readArchive(source, options, findings));
    std::vector<const tar::Member*> weights;
    bool isDistributed = false;
    Archive archive;
    for (const tar::Member& member : members) {
        const std::string_view name = plainName(member.name);
        if (isWeights(name)) weights.push_back(&member);
        if (name.starts_with("model_weights/")) isDistributed = true;
        if (name == configName && !archive.config) archive.config = readConfig(source, member.data, findings);
    }
    if (weights.empty() && isDistributed)
        return findings.refuse(
            ErrorCode::Unsupported, "nemo.distributed",
            WB_TEXT("{} contains a distributed checkpoint; unpack the archive and open its folder model_weights."));
    if (weights.empty())
        return findings.refuse(ErrorCode::Malformed, "nemo.no_weights",
                               WB_TEXT("{} is a NeMo archive without {}; get a complete copy."), weightsName);
    if (weights.size() > 1)
        return findings.refuse(ErrorCode::Unsupported, "nemo.ranks",
                               WB_TEXT("{} contains the weights of {} ranks; unpack the archive and open those of one rank."),
                               weights.size());
    archive.weights = weights.front()->data;
    return archive;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const formats::OpenedFile opened, formats::openNamed(path));
    WB_TRY_ASSIGN(const ModelPtr inside, openAt(opened, options));
    auto model = std::make_shared<Model>(*inside);
    model->path = path;
    model->folder = path.parent_path();
    return model;
}

Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options) {
    const formats::OpenedFile opened{source, {source->name(), source->size(), {}, source}};
    return openAt(opened, options);
}

} // namespace wb::nemo
