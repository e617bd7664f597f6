// SPDX-License-Identifier: MIT
#include "core/scan/scan.h"

#include "core/formats/open.h"
#include "core/scan/examine.h"
#include "core/worker/model_wire.h"

#include <algorithm>
#include <array>
#include <map>

namespace wb::scan {
namespace {

constexpr const char* taskName = "scan.file";

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    if (input.sources.size() != 1)
        return fail(ErrorCode::Internal, Reason("scan.request"), WB_TEXT("Internal error: no file was given to read."));
    Options options;
    options.progress = input.progress;
    options.disassembles = !input.request.empty();
    worker::WireWriter out;
    worker::writeDanger(out, scanSource(input.sources[0], options));
    return out.take();
}

// The result for a file whose worker did not return, or that cannot be opened.
Danger unjudged(const std::string& name, const Error& error) {
    Danger danger;
    ScannedFile file;
    file.path = name;
    file.isMalformed = file.isIncomplete = true;
    danger.files.push_back(std::move(file));
    danger.findings.push_back({Problem{Severity::Warning, error.reason, name, std::nullopt, error.format, error.arguments}, ""});
    return danger;
}

// The same with the name of the file below the folder that was asked for.
void rename(Danger& danger, const std::string& name) {
    for (ScannedFile& file : danger.files) file.path = name;
    for (DangerFinding& finding : danger.findings) finding.problem.file = name;
}

Result<Danger> scanFile(const std::filesystem::path& path, const std::string& name, const Options& options) {
    const auto source = io::FileSource::open(path);
    if (!source) return unjudged(name, source.error());
    worker::Request request{taskName, (*source)->name(), {}, {*source}};
    if (options.disassembles) request.request.push_back(std::byte{1});
    const auto reply = worker::run(request, options.progress);
    if (!reply && reply.error().code == ErrorCode::Canceled) return std::unexpected(reply.error());
    if (!reply) return unjudged(name, reply.error());
    worker::WireReader in(*reply);
    const auto danger = worker::readDanger(in);
    if (!in.good() || !in.atEnd()) return unjudged(name, worker::garbledModel((*source)->name()).error());
    Danger out = *danger;
    rename(out, name);
    return out;
}

// Regular files below the folder, by their names, bytewise.
Result<std::vector<std::pair<std::string, std::filesystem::path>>> filesBelow(const std::filesystem::path& folder) {
    std::vector<std::pair<std::string, std::filesystem::path>> files;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_regular_file(ignored)) continue;
        files.emplace_back(io::pathText(std::filesystem::relative(entry->path(), folder, ignored)), entry->path());
    }
    if (error)
        return fail(ErrorCode::NotReadable, Reason("scan.folder"), About{io::baseName(folder)}, WB_TEXT("Cannot read {}: {}."),
                    io::baseName(folder), error.message());
    std::ranges::sort(files);
    return files;
}

struct FolderSign {
    const char* file;
    const char* format; // as `wb scan` prints it
};

// Files of formats that are folders hold plain bytes: chunks of arrays, shards of tables. The format of the nearest such folder.
std::optional<std::string> folderFormat(const std::filesystem::path& file, const std::filesystem::path& root) {
    static constexpr FolderSign signs[] = {{".zarray", "zarr"},
                                           {"zarr.json", "zarr"},
                                           {".zgroup", "zarr"},
                                           {".metadata", "dcp"},
                                           {"saved_model.pb", "savedmodel"},
                                           {"manifest.ocdbt", "ocdbt"},
                                           {"_METADATA", "orbax"},
                                           {"checkpoint", "tf-checkpoint"},
                                           {"Manifest.json", "mlpackage"},
                                           {"model.mil", "mlmodelc"}};
    for (std::filesystem::path folder = file.parent_path();; folder = folder.parent_path()) {
        std::error_code ignored;
        for (const FolderSign& sign : signs)
            if (std::filesystem::exists(folder / sign.file, ignored)) return sign.format;
        if (folder == root || folder == folder.parent_path()) return std::nullopt;
    }
}

// The same of values that are next to the file which describes them.
std::optional<std::string> neighborFormat(const std::filesystem::path& file) {
    const auto has = [&](const std::string& name) {
        std::error_code ignored;
        return std::filesystem::exists(file.parent_path() / name, ignored);
    };
    const std::string stem = io::pathText(file.stem()), name = io::pathText(file.filename());
    if ((file.extension() == ".data" && stem.ends_with(".onnx") && has(stem)) ||
        (file.extension() == ".onnx_data" && has(stem + ".onnx")))
        return "onnx";
    if (file.extension() == ".bin" && has(stem + ".param")) return "ncnn";
    if (file.extension() == ".bin" && has(stem + ".xml")) return "openvino";
    const std::size_t shard = name.rfind(".data-");
    if (shard != std::string::npos && has(name.substr(0, shard) + ".index")) return "tf-checkpoint";
    return std::nullopt;
}

// Bytes that no format knows and nothing accuses.
bool isUnknown(const Danger& danger) {
    const auto isUnknownFormat = [](const DangerFinding& finding) { return finding.problem.code == unknownFormat; };
    return danger.files.size() == 1 && danger.verdict() == Verdict::NotChecked &&
           std::ranges::all_of(danger.findings, isUnknownFormat);
}

void takeAsData(ScannedFile& file, const std::string& format) {
    file.isUnchecked = false;
    file.format = format;
    file.why = "data of " + format;
}

// These are the data of their model.
void takeAsData(Danger& danger, const std::optional<std::string>& format) {
    if (!isUnknown(danger) || !format) return;
    takeAsData(danger.files[0], *format);
    danger.findings.clear();
}

std::filesystem::path pathFrom(const std::string& name) { return std::u8string(name.begin(), name.end()); }

// The files below `folder` that models in it name as the places of their values, whatever these files are called, each with the
// format of its model.
Result<std::map<std::string, std::string>> namedData(const Danger& all, const std::filesystem::path& folder,
                                                     const Options& options) {
    std::map<std::string, std::string> names;
    for (const ScannedFile& file : all.files) {
        if ((file.format != "onnx" && file.format != "tfjs") || !file.member.empty() || file.isMalformed) continue;
        const std::filesystem::path relative = pathFrom(file.path);
        formats::OpenOptions open;
        open.limits = options.limits;
        open.progress.stop = options.progress.stop;
        const auto model = formats::open(folder / relative, open);
        if (!model && model.error().code == ErrorCode::Canceled) return std::unexpected(model.error());
        if (!model) continue;
        for (const ModelFile& data : (*model)->files)
            names.emplace(io::pathText(relative.parent_path() / pathFrom(data.name)), file.format);
    }
    return names;
}

Result<void> takeNamedData(Danger& all, const std::vector<std::size_t>& unknown, const std::filesystem::path& folder,
                           const Options& options) {
    if (unknown.empty()) return {};
    WB_TRY_ASSIGN(const auto names, namedData(all, folder, options));
    for (const std::size_t file : unknown) {
        const auto named = names.find(all.files[file].path);
        if (named == names.end()) continue;
        takeAsData(all.files[file], named->second);
        std::erase_if(all.findings, [&](const DangerFinding& finding) { return finding.problem.file == all.files[file].path; });
    }
    return {};
}

// Of these the scan looks for code and passes over the values.
bool isPassedOver(const Danger& danger) {
    static constexpr std::array names = {"gguf",          "safetensors",   "tflite",   "ort",      "npy",      "flax",
                                         "tf-checkpoint", "keras-h5",      "npz",      "coreml",   "openvino", "executorch",
                                         "ncnn",          "caffe",         "mnn",      "pmml",     "ggml",     "llama2c",
                                         "litertlm",      "ocdbt",         "xgboost",  "lightgbm", "catboost", "ctranslate2",
                                         "paddle",        "sentencepiece", "fasttext", "word2vec", "tfjs"};
    if (danger.files.empty() || !danger.files[0].member.empty()) return false; // what is compressed is read as a whole
    const std::string& format = danger.files[0].format;
    const bool isLegacyTorch = format == "pytorch" && danger.files.size() == 1;
    return isLegacyTorch || std::ranges::find(names, format) != names.end();
}

// A file that the reader of its format finds corrupted is corrupted here, too, though nothing accuses it.
Result<void> takeDamage(Danger& danger, const std::filesystem::path& path, const std::string& name, const Options& options) {
    if (!isPassedOver(danger) || danger.verdict() != Verdict::Clean) return {};
    formats::OpenOptions open;
    open.limits = options.limits;
    open.progress.stop = options.progress.stop;
    const auto model = formats::open(path, open);
    if (!model && model.error().code == ErrorCode::Canceled) return std::unexpected(model.error());
    const auto add = [&](Problem problem) {
        problem.severity = Severity::Warning;
        problem.file = name;
        danger.files[0].isMalformed = true;
        danger.findings.push_back({std::move(problem), ""});
    };
    if (!model) add(asProblem(Severity::Warning, model.error().reason, name, model.error()));
    else
        for (const Problem& problem : (*model)->problems)
            if (problem.severity == Severity::Error) add(problem);
    return {};
}

} // namespace

worker::WorkerTask scanTask() { return {taskName, runTask}; }

Result<Danger> scan(const std::filesystem::path& path, const Options& options) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
        WB_TRY(io::FileSource::open(path)); // a file that cannot be read at all is no finding
        WB_TRY_ASSIGN(Danger danger, scanFile(path, io::baseName(path), options));
        WB_TRY(takeDamage(danger, path, io::baseName(path), options));
        takeAsData(danger, neighborFormat(path));
        return danger;
    }
    WB_TRY_ASSIGN(const auto files, filesBelow(path));
    Danger all;
    all.isFolder = true;
    std::vector<std::size_t> unknown; // of all.files
    for (std::size_t i = 0; i < files.size(); ++i) {
        WB_TRY(options.progress.at(i, files.size()));
        Options one = options;
        one.progress.report = nullptr;
        WB_TRY_ASSIGN(Danger danger, scanFile(files[i].second, files[i].first, one));
        WB_TRY(takeDamage(danger, files[i].second, files[i].first, one));
        const auto neighbor = neighborFormat(files[i].second);
        takeAsData(danger, neighbor ? neighbor : folderFormat(files[i].second, path));
        if (isUnknown(danger)) unknown.push_back(all.files.size());
        append(all, std::move(danger));
    }
    WB_TRY(takeNamedData(all, unknown, path, options));
    judgeRemoteCode(all);
    return all;
}

} // namespace wb::scan
