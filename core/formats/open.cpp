// SPDX-License-Identifier: MIT
#include "core/formats/open.h"

#include "core/base/text.h"
#include "core/formats/flax/flax.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/huggingface/huggingface.h"
#include "core/formats/hdf5/hdf5.h"
#include "core/formats/keras/keras.h"
#include "core/formats/known_files.h"
#include "core/formats/known_messages.h"
#include "core/formats/lfs/pointer.h"
#include "core/formats/npy/header.h"
#include "core/formats/npy/npy.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/onnx/ort.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/sklearn/sklearn.h"
#include "core/formats/skops/skops.h"
#include "core/formats/stream/unpacked_file.h"
#include "core/formats/tar/tar.h"
#include "core/formats/tensorflow/tensorflow.h"
#include "core/formats/tflite/tflite.h"
#include "core/formats/torch/torch.h"
#include "core/formats/zip/zip.h"

#include <algorithm>
#include <array>

namespace wb::formats {
namespace {

using Path = std::filesystem::path;

struct Sample {
    std::string name;
    std::uint64_t size = 0;
    std::vector<std::byte> head;
    std::vector<std::byte> tail;

    std::string_view text() const { return {reinterpret_cast<const char*>(head.data()), head.size()}; }
};

Result<Sample> sample(const io::ByteSource& file) {
    constexpr std::uint64_t headBytes = 4096;
    constexpr std::uint64_t tailBytes = 512;
    Sample out{file.name(), file.size(), {}, {}};
    out.head.resize(std::min(out.size, headBytes));
    out.tail.resize(std::min(out.size, tailBytes));
    WB_TRY(file.readAt(0, out.head));
    WB_TRY(file.readAt(out.size - out.tail.size(), out.tail));
    return out;
}

bool startsJson(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

// An index may be long, and its writer may put the map last, so the whole text is searched. Empty where it is too long.
Result<std::string> wholeText(const io::ByteSource& file, const Limits& limits) {
    if (file.size() > limits.jsonText) return std::string();
    std::string text(file.size(), '\0');
    WB_TRY(file.readAt(0, std::as_writable_bytes(std::span(text))));
    return text;
}

std::unexpected<Error> refuseNotRead(const std::string& name, const char* what) {
    return fail(ErrorCode::Unsupported, Reason("formats.not_supported"), About{name},
                WB_TEXT("{} is {}, which this program does not read yet; open a safetensors or GGUF version of it."), name, what);
}

std::unexpected<Error> refuseOther(const Sample& file, const std::optional<KnownFile>& known) {
    if (known && known->model) return refuseNotRead(file.name, known->what);
    if (known)
        return fail(ErrorCode::Unknown, Reason("formats.no_model"), About{file.name},
                    WB_TEXT("{} is {}, not a model; open a GGUF or safetensors file or a model's folder."), file.name, known->what);
    return fail(ErrorCode::Unknown, Reason("formats.unknown"), About{file.name},
                WB_TEXT("{} is in no format that this program knows; open a GGUF or safetensors file or a model's folder."),
                file.name);
}

std::unexpected<Error> refuseOther(const Sample& file) { return refuseOther(file, recognise(file.head, file.tail)); }

Result<ModelPtr> openJson(const Path& path, const io::ByteSource& file, const OpenOptions& options) {
    WB_TRY_ASSIGN(const std::string text, wholeText(file, options.limits));
    if (keras::isShardIndex(file.name(), text)) return keras::openShards(path, options);
    if (text.find("\"weight_map\"") != std::string::npos) return safetensors::openIndex(path, options);
    if (text.find("\"weightsManifest\"") != std::string::npos) return refuseNotRead(file.name(), WB_TEXT("a TensorFlow.js model"));
    return fail(ErrorCode::Unknown, Reason("formats.no_weights"), About{file.name()},
                WB_TEXT("{} is a JSON file that names no weights; open its folder instead."), file.name());
}

// An array of Python objects is a pickle after the header of the array, and may hold arrays itself.
Result<ModelPtr> openNpy(const Path& path, const Sample& file, const OpenOptions& options) {
    WB_TRY_ASSIGN(ModelPtr array, npy::open(path, options));
    const auto header = npy::parseHeader(file.head, file.name);
    if (!header || !header->holdsObjects) return array;
    WB_TRY_ASSIGN(const ModelPtr objects, sklearn::openAt(path, header->bytes, options));
    auto model = std::make_shared<Model>(*objects);
    model->format = array->format;
    model->version = array->version;
    model->metadata.members.insert(model->metadata.members.begin(), array->metadata.members.begin(), array->metadata.members.end());
    model->metadata.count = model->metadata.members.size();
    model->problems.insert(model->problems.end(), array->problems.begin(), array->problems.end());
    sortProblems(model->problems);
    return model;
}

Result<std::vector<std::string>> memberNames(const io::ByteSource& source, const OpenOptions& options) {
    Findings findings(source.name(), options.strictness);
    WB_TRY_ASSIGN(const zip::Archive archive, zip::readArchive(source, options, findings));
    std::vector<std::string> names;
    names.reserve(archive.members.size());
    for (const zip::Member& member : archive.members) names.push_back(member.name);
    return names;
}

// Which format an archive is shows in the names of its members.
Result<ModelPtr> openZip(const Path& path, const io::ByteSource& source, const Sample& file, const OpenOptions& options) {
    WB_TRY_ASSIGN(const auto names, memberNames(source, options));
    if (npy::isArchive(names)) return npy::openArchive(path, options);
    if (torch::isArchive(names)) return torch::open(path, options);
    if (keras::isArchive(names)) return keras::openArchive(path, options);
    if (skops::isArchive(names)) return skops::open(path, options);
    return refuseOther(file);
}

Result<ModelPtr> openTar(const Path& path, const io::ByteSource& source, const Sample& file, const OpenOptions& options) {
    Findings findings(file.name, options.strictness);
    WB_TRY_ASSIGN(const auto members, tar::readArchive(source, options, findings));
    const auto has = [&](std::string_view name) { return std::ranges::find(members, name, &tar::Member::name) != members.end(); };
    return has("pickle") && has("storages") ? torch::open(path, options) : refuseOther(file);
}

// Zlib and the older LZMA have too short a sign to be sure.
bool isCompressed(const Sample& file) {
    const stream::Kind kind = stream::sniff(file.head);
    return kind != stream::Kind::None && kind != stream::Kind::Zlib && kind != stream::Kind::Lzma && kind != stream::Kind::Joblib;
}

// Formats that can be read from memory; null for others.
Result<ModelPtr> openContent(const std::shared_ptr<io::ByteSource>& content, const OpenOptions& options) {
    WB_TRY_ASSIGN(const Sample file, sample(*content));
    if (gguf::sniff(file.head)) return gguf::open(content, options);
    if (safetensors::sniff(file.head, file.size)) return safetensors::open(content, options);
    if (npy::sniff(file.head)) return npy::open(content, options);
    if (torch::sniffLegacy(file.head)) return torch::open(content, options);
    if (!zip::sniff(file.head)) return nullptr;
    WB_TRY_ASSIGN(const auto names, memberNames(*content, options));
    if (npy::isArchive(names)) return npy::openArchive(content, options);
    if (torch::isArchive(names)) return torch::open(content, options);
    return nullptr;
}

// The content is named like the file without the ending of the compression, and listed as made of the file (stored_files.h).
Result<ModelPtr> openCompressed(const Path& path, const std::shared_ptr<io::FileSource>& source, const Sample& file,
                                const OpenOptions& options) {
    const std::string name = io::pathText(path.stem());
    WB_TRY_ASSIGN(const auto content, stream::unpackFile(source, stream::sniff(file.head), name, options.progress));
    WB_TRY_ASSIGN(const ModelPtr inside, openContent(content, options));
    if (!inside) return refuseOther(file);
    auto model = std::make_shared<Model>(*inside);
    model->path = path;
    model->folder = path.parent_path();
    model->files.at(0).name = file.name + "#unpacked";
    return model;
}

// Networks whose weights have no sign of their own lie beside the text that describes them.
std::optional<KnownFile> besideDescription(const Path& path) {
    if (path.extension() != ".bin") return std::nullopt;
    const auto has = [&](const char* extension) {
        Path description = path;
        std::error_code ignored;
        return std::filesystem::exists(description.replace_extension(extension), ignored);
    };
    if (has(".param")) return KnownFile{WB_TEXT("weights of an ncnn network"), true};
    if (has(".xml")) return KnownFile{WB_TEXT("weights of an OpenVINO network"), true};
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

// A file that no content gives away but whose name claims a format is left to that format's reader: it can say what is wrong.
Result<ModelPtr> openByClaim(const Path& path, const Sample& file, const OpenOptions& options) {
    if (const auto known = besideDescription(path)) return refuseOther(file, known);
    if (const auto index = indexBeside(path)) return tensorflow::open(*index, options);
    if (path.extension() == ".gguf") return gguf::open(path, options);
    if (path.extension() == ".safetensors") return safetensors::open(path, options);
    return refuseOther(file);
}

bool hasErrors(const Model& model) {
    return std::ranges::any_of(model.problems, [](const Problem& problem) { return problem.severity == Severity::Error; });
}

Result<ModelPtr> openFile(const Path& path, const OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(const Sample file, sample(*source));
    if (file.size == 0)
        return fail(ErrorCode::Malformed, Reason("formats.empty"), About{file.name},
                    WB_TEXT("{} is empty; download or copy it again."), file.name);
    if (const auto pointer = lfs::readPointer(*source)) return std::unexpected(lfs::pointerError(file.name, *pointer));
    if (gguf::sniff(file.head)) return gguf::open(path, options);
    if (safetensors::sniff(file.head, file.size)) return safetensors::open(path, options);
    if (startsJson(file.text())) return openJson(path, *source, options);
    if (npy::sniff(file.head)) return openNpy(path, file, options);
    if (onnx::sniffOrt(file.head)) return onnx::openOrt(path, options);
    if (tflite::sniff(file.head)) return tflite::open(path, options);
    if (hdf5::sniff(file.head)) return keras::open(path, options);
    if (zip::sniff(file.head)) return openZip(path, *source, file, options);
    if (torch::sniffLegacy(file.head)) return torch::open(path, options);
    if (tar::sniff(file.head)) return openTar(path, *source, file, options);
    if (tensorflow::sniffTable(file.tail) || tensorflow::sniffText(file.text())) return tensorflow::open(path, options);
    if (flax::sniff(*source)) return flax::open(path, options);
    if (onnx::sniff(*source)) return onnx::open(path, options);
    if (tensorflow::sniffSavedModel(*source) || tensorflow::sniffGraph(*source)) return tensorflow::open(path, options);
    if (sklearn::sniff(file.head)) {
        auto model = sklearn::open(path, options);
        // A compressed file of something else, or bytes that only begin like a pickle.
        if (model || model.error().code != ErrorCode::Unknown) return model;
        if (isCompressed(file)) return openCompressed(path, source, file, options);
    }
    auto known = recognise(file.head, file.tail);
    if (!known) known = recogniseMessage(*source);
    // Pickles of protocol 0 are text. Only a file that can be followed to its end is one.
    if ((!known || known->isText) && sklearn::sniffUnmarked(file.head, file.tail))
        if (auto model = sklearn::open(path, options); model && !hasErrors(**model)) return model;
    if (known) return refuseOther(file, known);
    if (onnx::sniffHead(file.head)) return onnx::open(path, options); // a damaged one, as its reader will say
    return openByClaim(path, file, options);
}

// A topology with the list of its weights, or only the list, which may be at the end of a long text.
bool isTensorFlowJs(const io::ByteSource& source, const Sample& file) {
    if (!startsJson(file.text())) return false;
    const auto text = wholeText(source, {});
    return text && text->find("\"weightsManifest\"") != std::string::npos;
}

// A folder around a model of a format that is not read yet, by the first file that is one.
const char* foreignFile(const Path& folder) {
    static constexpr std::array notRead = {"ExecuTorch", "OpenVINO", "PMML", "Core ML",      "ncnn",         "MNN",
                                           "Caffe",      "TensorRT", "GGML", "PaddlePaddle", "TensorFlow.js"};
    std::error_code ignored;
    std::size_t looked = 0;
    for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end && ++looked < 100;
         at.increment(ignored)) {
        std::error_code none;
        const auto source = at->is_regular_file(none) ? io::FileSource::open(at->path()) : std::unexpected(Error{});
        const auto file = source ? sample(**source) : std::unexpected(Error{});
        if (!file || file->size == 0) continue;
        auto known = recognise(file->head, file->tail);
        if (!known) known = recogniseMessage(**source);
        if (!known || !known->model) {
            if (isTensorFlowJs(**source, *file)) return WB_TEXT("a TensorFlow.js model");
            continue;
        }
        const std::string_view what = known->what;
        const auto isIn = [&](std::string_view name) { return what.find(name) != std::string_view::npos; };
        if (std::ranges::any_of(notRead, isIn)) return known->what;
    }
    return nullptr;
}

// Other programs' folders, by the file that gives them away (docs/reference/docs/reference/formats.md, "Recognizing a file").
const char* foreignFolder(const Path& folder) {
    struct Sign {
        const char* file;
        const char* what;
    };
    static constexpr std::array signs = {Sign{".metadata", WB_TEXT("a PyTorch distributed checkpoint")},
                                         Sign{"latest_checkpointed_iteration.txt", WB_TEXT("a Megatron checkpoint")},
                                         Sign{"manifest.ocdbt", WB_TEXT("a JAX checkpoint")},
                                         Sign{"_METADATA", WB_TEXT("a JAX checkpoint")},
                                         Sign{"latest", WB_TEXT("a DeepSpeed checkpoint")},
                                         Sign{"latest_universal", WB_TEXT("a DeepSpeed checkpoint")},
                                         Sign{"pytorch_model_fsdp_rank0.bin", WB_TEXT("a PyTorch distributed checkpoint")},
                                         Sign{"_CHECKPOINT_METADATA", WB_TEXT("a JAX checkpoint")},
                                         Sign{".zarray", WB_TEXT("a zarr array")},
                                         Sign{"zarr.json", WB_TEXT("a zarr array")},
                                         Sign{"model.mil", WB_TEXT("a compiled Core ML model")},
                                         Sign{"Manifest.json", WB_TEXT("a Core ML package")}};
    std::error_code ignored;
    const auto* sign =
        std::ranges::find_if(signs, [&](const Sign& s) { return std::filesystem::exists(folder / s.file, ignored); });
    if (sign != signs.end()) return sign->what;
    // Steps of a JAX training run, each a folder.
    std::size_t looked = 0;
    for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end && ++looked < 100;
         at.increment(ignored))
        if (std::error_code none; std::filesystem::exists(at->path() / "_CHECKPOINT_METADATA", none))
            return WB_TEXT("a JAX checkpoint");
    return foreignFile(folder);
}

// The one file of a folder that is a model by its name, beside its values and words about it: model.onnx, the index of Keras'
// shards.
std::optional<Path> onlyModel(const Path& folder) {
    static constexpr std::array endings = {".onnx", ".ort", ".tflite", ".keras", ".weights.json", ".msgpack", ".pt",
                                           ".pth",  ".npz", ".ckpt",   ".pkl",   ".joblib",       ".skops"};
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

Result<ModelPtr> openFolder(const Path& path, const OpenOptions& options) {
    auto model = huggingface::openFolder(path, options);
    if (model || model.error().code != ErrorCode::Unknown) return model;
    if (tensorflow::isFolder(path)) return tensorflow::openFolder(path, options);
    if (const char* what = foreignFolder(path)) return refuseNotRead(io::pathText(path.filename()), what);
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
