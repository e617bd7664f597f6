// SPDX-License-Identifier: MIT
#include "core/formats/open.h"

#include "core/base/text.h"
#include "core/formats/known_messages.h"
#include "core/formats/lfs/pointer.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/refusals.h"
#include "core/formats/registry.h"
#include "core/formats/series/series.h"
#include "core/formats/sklearn/sklearn.h"
#include "core/formats/stream/unpacked_file.h"
#include "core/formats/tensorflow/tensorflow.h"
#include "core/formats/training/single_file.h"
#include "core/model/checkpoint.h"

#include <algorithm>
#include <array>

namespace wb::formats {
namespace {

using Path = std::filesystem::path;

// Zlib and the older LZMA have too short a sign to be sure.
bool isCompressed(const Sample& file) {
    const stream::StreamKind kind = stream::sniff(file.head());
    return kind != stream::StreamKind::None && kind != stream::StreamKind::Zlib && kind != stream::StreamKind::Lzma &&
           kind != stream::StreamKind::Joblib;
}

// By the first row that can be read from memory; null: none exists.
Result<ModelPtr> openContent(const std::shared_ptr<io::ByteSource>& content, const OpenOptions& options) {
    WB_TRY_ASSIGN(const Sample file, Sample::of(content, options));
    for (const Format& format : formatTable()) {
        if (format.openContent == nullptr || !format.sniff(file)) continue;
        return format.openContent(content, options);
    }
    if (file.failure()) return std::unexpected(*file.failure());
    return nullptr;
}

// The content is named like the file without the ending of the compression, and listed as made of the file (stored_files.h).
Result<ModelPtr> openCompressed(const Path& path, const std::shared_ptr<io::FileSource>& source, const Sample& file,
                                const OpenOptions& options) {
    const std::string name = io::pathText(path.stem());
    WB_TRY_ASSIGN(const auto content, stream::unpackFile(source, stream::sniff(file.head()), name, options.progress));
    WB_TRY_ASSIGN(const ModelPtr inside, openContent(content, options));
    if (!inside) return refuseOther(file);
    auto model = std::make_shared<Model>(*inside);
    model->path = path;
    model->folder = path.parent_path();
    model->files.at(0).name = file.name() + "#unpacked";
    return model;
}

// Networks whose weights have no signature are next to the text that describes them.
std::optional<Path> descriptionBeside(const Path& path) {
    if (path.extension() != ".bin") return std::nullopt;
    for (const char* extension : {".param", ".xml"}) {
        Path description = path;
        std::error_code ignored;
        if (std::filesystem::exists(description.replace_extension(extension), ignored)) return description;
    }
    return std::nullopt;
}

// The values of a TensorFlow checkpoint are a model together with their index.
std::optional<Path> indexBeside(const Path& path) {
    const std::string name = path.filename().string();
    const std::size_t at = name.rfind(".data-");
    if (at == std::string::npos) return std::nullopt;
    const Path index = path.parent_path() / (name.substr(0, at) + ".index");
    std::error_code ignored;
    return std::filesystem::exists(index, ignored) ? std::optional(index) : std::nullopt;
}

Result<ModelPtr> openFile(const Path& path, const OpenOptions& options);

// A file that no content gives away but whose name claims a format is left to that format's reader: it can report the cause.
Result<ModelPtr> openByClaim(const Path& path, const Sample& file, const OpenOptions& options) {
    if (const auto description = descriptionBeside(path)) {
        auto model = openFile(*description, options);
        return model ? std::move(model) : std::unexpected(named(file.name(), model.error()));
    }
    if (const auto index = indexBeside(path)) return tensorflow::open(*index, options);
    const auto claims = [&](const Format& format) { return format.ending != nullptr && path.extension() == format.ending; };
    const auto format = std::ranges::find_if(formatTable(), claims);
    if (format != formatTable().end()) return format->open(path, file, options);
    return refuseOther(file);
}

bool hasErrors(const Model& model) {
    return std::ranges::any_of(model.problems, [](const Problem& problem) { return problem.severity == Severity::Error; });
}

// By the rows of the table; empty where none takes the file.
Result<std::optional<ModelPtr>> openByTable(const Path& path, const Sample& file, const OpenOptions& options) {
    for (const Format& format : formatTable()) {
        const bool isOne = format.sniff(file);
        if (file.failure()) return std::unexpected(*file.failure());
        if (!isOne) continue;
        auto model = format.open(path, file, options);
        if (model) return *std::move(model);
        if (!format.mayDecline || model.error().code != ErrorCode::Unknown) return std::unexpected(std::move(model).error());
    }
    return std::nullopt;
}

// A file may be the checkpoint of a training run.
ModelPtr withAnatomy(const ModelPtr& opened) {
    auto checkpoint = training::describeFile(*opened);
    if (!checkpoint) return opened;
    auto model = std::make_shared<Model>(*opened);
    model->checkpoint = std::make_shared<const Checkpoint>(std::move(*checkpoint));
    return model;
}

Result<ModelPtr> openFile(const Path& path, const OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(const Sample file, Sample::of(source, options));
    if (file.size() == 0)
        return fail(ErrorCode::Malformed, Reason("formats.empty"), About{file.name()},
                    WB_TEXT("{} is empty; download or copy it again."), file.name());
    if (const auto pointer = lfs::readPointer(*source)) return std::unexpected(lfs::pointerError(file.name(), *pointer));
    WB_TRY_ASSIGN(const auto model, openByTable(path, file, options));
    if (model) return withAnatomy(*model);
    if (sklearn::sniff(file.head()) && isCompressed(file)) return openCompressed(path, source, file, options);
    auto known = recognize(file.head(), file.tail());
    if (!known) known = recognizeMessage(*source);
    // Pickles of protocol 0 are text. Only a file that can be followed to its end is one.
    if ((!known || known->isText) && sklearn::sniffUnmarked(file.head(), file.tail()))
        if (auto pickle = sklearn::open(path, options); pickle && !hasErrors(**pickle)) return pickle;
    if (known) return refuseOther(file, known);
    if (onnx::sniffHead(file.head())) return onnx::open(path, options); // a damaged one, as its reader will say
    return openByClaim(path, file, options);
}

// A folder around a model of a format that is not supported yet, by the first file that is one.
const char* foreignFile(const Path& folder) {
    std::error_code ignored;
    std::size_t looked = 0;
    for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end && ++looked < 100;
         at.increment(ignored)) {
        std::error_code none;
        const auto source = at->is_regular_file(none) ? io::FileSource::open(at->path()) : std::unexpected(Error{});
        const auto file = source ? Sample::of(*source, {}) : std::unexpected(Error{});
        if (!file || file->size() == 0) continue;
        auto known = recognize(file->head(), file->tail());
        if (!known) known = recognizeMessage(**source);
        if (known && known->model && std::string_view(known->what).find("Caffe") != std::string_view::npos) return known->what;
    }
    return nullptr;
}

// The one file of a folder that is a model by its name, next to its values and words about it: model.onnx, the index of Keras'
// shards.
std::optional<Path> onlyModel(const Path& folder) {
    static constexpr std::array endings = {".onnx",     ".ort",     ".tflite", ".keras", ".weights.json", ".msgpack", ".pt",
                                           ".pth",      ".npz",     ".ckpt",   ".pkl",   ".joblib",       ".skops",   ".xml",
                                           ".pte",      ".mnn",     ".param",  ".pmml",  ".caffemodel",   ".mlmodel", ".engine",
                                           ".litertlm", ".pdmodel", ".cbm",    ".ubj",   "model.json"};
    std::optional<Path> only;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        if (std::ranges::none_of(endings, [&](const char* ending) { return name.ends_with(ending); })) continue;
        if (only) return std::nullopt;
        only = at->path();
    }
    return only;
}

// A folder with the configuration of a model may hold the weights as a checkpoint of several ranks alone.
Result<ModelPtr> openKnownFolder(const Path& path, const OpenOptions& options) {
    Result<ModelPtr> unknown = nullptr;
    ModelPtr withoutTensors;
    for (const FolderFormat& format : folderTable()) {
        if (!format.isOne(path)) continue;
        auto model = format.open(path, options);
        if (model && !(*model)->tensors.empty()) return model;
        if (model && !withoutTensors) withoutTensors = *model;
        else if (!model && model.error().code != ErrorCode::Unknown && !withoutTensors) return model;
        else if (!model && unknown) unknown = std::move(model);
    }
    if (withoutTensors) return withoutTensors;
    return unknown;
}

// With the other checkpoints of the folder.
ModelPtr withSeries(Model model, std::vector<SeriesEntry> entries) {
    model.series = std::make_shared<const std::vector<SeriesEntry>>(std::move(entries));
    return std::make_shared<const Model>(std::move(model));
}

// Names files from the folder above the one that the model was opened from.
void nameFromAbove(Model& model, const Path& above, const std::string& name) {
    const std::string prefix = name + "/";
    for (ModelFile& file : model.files) file.name.insert(0, prefix);
    for (Problem& problem : model.problems)
        if (!problem.file.empty()) problem.file.insert(0, prefix);
    model.path = model.folder = above;
    if (!model.checkpoint) return;
    auto checkpoint = std::make_shared<Checkpoint>(*model.checkpoint);
    for (PartSummary& part : checkpoint->parts)
        for (std::string& file : part.files) file.insert(0, prefix);
    model.checkpoint = std::move(checkpoint);
}

Result<ModelPtr> openNewest(const Path& path, std::vector<SeriesEntry> entries, const OpenOptions& options) {
    const std::string name = entries.back().path;
    const Path newest = path / Path(std::u8string(name.begin(), name.end()));
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(newest, ignored);
    WB_TRY_ASSIGN(const ModelPtr opened, isFolder ? openKnownFolder(newest, options) : openFile(newest, options));
    Model model = *opened;
    if (isFolder) nameFromAbove(model, path, name);
    return withSeries(std::move(model), std::move(entries));
}

Result<ModelPtr> openFolder(const Path& path, const OpenOptions& options) {
    auto model = openKnownFolder(path, options);
    if (!model && model.error().code != ErrorCode::Unknown) return model;
    auto entries = series::list(path, options);
    // The folder of a model may contain the checkpoints that led to it, too; one of orbax' steps has the tensors of all.
    const auto mayHaveSeries = [&](const Model& known) {
        return entries.size() >= 2 && (known.format == FormatId::Orbax || (known.checkpoint && known.checkpoint->isJoined));
    };
    if (model && !mayHaveSeries(**model)) return model;
    if (model) return withSeries(**model, std::move(entries));
    if (!entries.empty()) return openNewest(path, std::move(entries), options);
    if (const char* what = foreignFile(path)) return refuseNotRead(io::pathText(path.filename()), what);
    if (const auto file = onlyModel(path)) return openFile(*file, options);
    return model;
}

} // namespace

Result<ModelPtr> open(const Path& path, const OpenOptions& options) {
    std::error_code error;
    // "folder/" names the folder, but has no last component that a sentence could show.
    const Path& target = path.has_filename() ? path : path.parent_path();
    auto model = std::filesystem::is_directory(path, error) ? openFolder(target, options) : openFile(path, options);
    if (model) return model;
    return std::unexpected(wb::named(io::pathText(target.filename()), std::move(model).error())); // it may be about a shard
}

} // namespace wb::formats
