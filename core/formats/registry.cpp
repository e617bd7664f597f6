// SPDX-License-Identifier: MIT
#include "core/formats/registry.h"

#include "core/formats/caffe/caffe.h"
#include "core/formats/catboost/catboost.h"
#include "core/formats/coreml/coreml.h"
#include "core/formats/ctranslate2/ctranslate2.h"
#include "core/formats/dcp/dcp.h"
#include "core/formats/deepspeed/deepspeed.h"
#include "core/formats/executorch/executorch.h"
#include "core/formats/fasttext/fasttext.h"
#include "core/formats/flax/flax.h"
#include "core/formats/ggml/ggml.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/hdf5/hdf5.h"
#include "core/formats/huggingface/huggingface.h"
#include "core/formats/keras/keras.h"
#include "core/formats/lightgbm/lightgbm.h"
#include "core/formats/litertlm/litertlm.h"
#include "core/formats/megatron/megatron.h"
#include "core/formats/mnn/mnn.h"
#include "core/formats/ncnn/ncnn.h"
#include "core/formats/nemo/nemo.h"
#include "core/formats/npy/header.h"
#include "core/formats/npy/npy.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/onnx/ort.h"
#include "core/formats/openvino/openvino.h"
#include "core/formats/paddle/paddle.h"
#include "core/formats/pmml/pmml.h"
#include "core/formats/refusals.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/sentencepiece/sentencepiece.h"
#include "core/formats/sklearn/sklearn.h"
#include "core/formats/skops/skops.h"
#include "core/formats/stream/unpacked_file.h"
#include "core/formats/tensorflow/tensorflow.h"
#include "core/formats/tensorrt/tensorrt.h"
#include "core/formats/tfjs/tfjs.h"
#include "core/formats/tflite/tflite.h"
#include "core/formats/torch/torch.h"
#include "core/formats/word2vec/word2vec.h"
#include "core/formats/xgboost/xgboost.h"
#include "core/formats/zarr/zarr.h"
#include "core/formats/zip/member_sums.h"

#include <algorithm>
#include <array>
#include <vector>

namespace wb::formats {
namespace {

using Path = std::filesystem::path;
using Content = std::shared_ptr<io::ByteSource>;

// The readers open a path or the content of a file; what was sampled is of no use to most.
template <Result<ModelPtr> (*Open)(const Path&, const OpenOptions&)>
Result<ModelPtr> at(const Path& path, const Sample&, const OpenOptions& options) {
    return Open(path, options);
}

// A container in which none of the rows before has found its format.
template <std::unexpected<Error> (*Refuse)(const Sample&)>
Result<ModelPtr> asOther(const Path&, const Sample& file, const OpenOptions&) {
    return Refuse(file);
}

template <bool (*Sniff)(std::span<const std::byte>)>
bool byHead(const Sample& file) {
    return Sniff(file.head());
}

template <bool (*Sniff)(std::string_view)>
bool byText(const Sample& file) {
    return Sniff(file.text());
}

template <bool (*Sniff)(const io::ByteSource&)>
bool bySource(const Sample& file) {
    return Sniff(*file.source());
}

bool isInTar(const Sample& file) {
    const auto has = [&](std::string_view name) { return std::ranges::find(file.members(), name) != file.members().end(); };
    return file.isTar() && has("pickle") && has("storages");
}

// An array of Python objects is a pickle after the header of the array, and may hold arrays itself.
Result<ModelPtr> openNpy(const Path& path, const Sample& file, const OpenOptions& options) {
    WB_TRY_ASSIGN(ModelPtr array, npy::open(path, options));
    const auto header = npy::parseHeader(file.head(), file.name());
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

// The list of a model's weights is in a long object, or alone as an array.
bool isTfJs(const Sample& file) { return tfjs::sniff(file.isJson() ? std::string_view(file.json()) : file.text()); }

// The manifest of a store stands for its folder.
bool isManifest(const Sample& file) { return file.text().starts_with("\x0C\xDB\x3A\x2A"); }

Result<ModelPtr> openStore(const Path& path, const Sample& file, const OpenOptions& options) {
    auto model = zarr::openOcdbt(path.parent_path().empty() ? Path(".") : path.parent_path(), options);
    return model ? std::move(model) : std::unexpected(named(file.name(), model.error()));
}

std::span<const worker::WorkerTask> torchTasks() {
    static const std::array tasks = {torch::openTask()};
    return tasks;
}

} // namespace

std::span<const Format> formatTable() {
    static const std::array table = {
        Format{FormatId::Gguf, byHead<gguf::sniff>, at<gguf::open>, nullptr,
               [](const Content& content, const OpenOptions& options) { return gguf::open(content, options); }, ".gguf"},
        Format{FormatId::Safetensors, [](const Sample& file) { return safetensors::sniff(file.head(), file.size()); },
               at<safetensors::open>, nullptr,
               [](const Content& content, const OpenOptions& options) { return safetensors::open(content, options); },
               ".safetensors"},
        Format{FormatId::XgBoost, byHead<xgboost::sniff>, at<xgboost::open>, xgboost::tasks},
        Format{FormatId::Keras, [](const Sample& file) { return file.isJson() && keras::isShardIndex(file.name(), file.json()); },
               at<keras::openShards>, keras::tasks},
        Format{FormatId::Safetensors,
               [](const Sample& file) { return file.isJson() && file.json().find("\"weight_map\"") != std::string::npos; },
               at<safetensors::openIndex>},
        Format{FormatId::TfJs, isTfJs, at<tfjs::open>, tfjs::tasks},
        Format{FormatId::Unknown, [](const Sample& file) { return file.isJson(); }, asOther<refuseJson>},
        Format{FormatId::LightGbm, byText<lightgbm::sniff>, at<lightgbm::open>, lightgbm::tasks},
        Format{FormatId::CatBoost, byHead<catboost::sniff>, at<catboost::open>, catboost::tasks},
        Format{FormatId::FastText, byHead<fasttext::sniff>, at<fasttext::open>, fasttext::tasks},
        Format{FormatId::Ocdbt, isManifest, openStore},
        Format{FormatId::Ggml, byHead<ggml::sniff>, at<ggml::open>, ggml::tasks},
        Format{FormatId::ExecuTorch, byHead<executorch::sniff>, at<executorch::open>, executorch::tasks},
        Format{FormatId::Ncnn, byHead<ncnn::sniff>, at<ncnn::open>, ncnn::tasks},
        Format{FormatId::LiteRtLm, byHead<litertlm::sniff>, at<litertlm::open>, litertlm::tasks},
        Format{FormatId::TensorRt, byHead<tensorrt::sniff>, at<tensorrt::open>, tensorrt::tasks},
        Format{FormatId::OpenVino, byText<openvino::sniff>, at<openvino::open>, openvino::tasks},
        Format{FormatId::Pmml, byText<pmml::sniff>, at<pmml::open>, pmml::tasks},
        Format{FormatId::Npy, byHead<npy::sniff>, openNpy, npy::tasks,
               [](const Content& content, const OpenOptions& options) { return npy::open(content, options); }},
        Format{FormatId::Ort, byHead<onnx::sniffOrt>, at<onnx::openOrt>, onnx::tasks},
        Format{FormatId::TfLite, byHead<tflite::sniff>, at<tflite::open>, tflite::tasks},
        Format{FormatId::Hdf5, byHead<hdf5::sniff>, at<keras::open>},
        Format{FormatId::Npz, [](const Sample& file) { return file.isZip() && npy::isArchive(file.members()); },
               at<npy::openArchive>, nullptr,
               [](const Content& content, const OpenOptions& options) { return npy::openArchive(content, options); }},
        Format{FormatId::PyTorch, [](const Sample& file) { return file.isZip() && torch::isArchive(file.members()); },
               at<torch::open>, torchTasks,
               [](const Content& content, const OpenOptions& options) { return torch::open(content, options); }},
        Format{FormatId::Keras, [](const Sample& file) { return file.isZip() && keras::isArchive(file.members()); },
               at<keras::openArchive>},
        Format{FormatId::Skops, [](const Sample& file) { return file.isZip() && skops::isArchive(file.members()); },
               at<skops::open>, skops::tasks},
        Format{FormatId::Unknown, [](const Sample& file) { return file.isZip(); }, asOther<refuseOther>},
        Format{FormatId::PyTorch, byHead<torch::sniffLegacy>, at<torch::open>, nullptr,
               [](const Content& content, const OpenOptions& options) { return torch::open(content, options); }},
        Format{FormatId::PyTorch, isInTar, at<torch::open>},
        Format{FormatId::PyTorch, [](const Sample& file) { return file.isTar() && nemo::isArchive(file.members()); },
               at<nemo::open>, nullptr,
               [](const Content& content, const OpenOptions& options) { return nemo::open(content, options); }},
        Format{FormatId::Unknown, [](const Sample& file) { return file.isTar(); }, asOther<refuseOther>},
        Format{FormatId::TfCheckpoint, [](const Sample& file) { return tensorflow::sniffTable(file.tail()); }, at<tensorflow::open>,
               tensorflow::tasks},
        Format{FormatId::TfGraph, [](const Sample& file) { return tensorflow::sniffText(file.text()); }, at<tensorflow::open>},
        Format{FormatId::CTranslate2, byHead<ctranslate2::sniff>, at<ctranslate2::open>, ctranslate2::tasks},
        Format{FormatId::Paddle,
               [](const Sample& file) { return paddle::sniffValues(file.head()) || paddle::sniff(*file.source()); },
               at<paddle::open>, paddle::tasks},
        Format{FormatId::Flax, bySource<flax::sniff>, at<flax::open>, flax::tasks},
        Format{FormatId::Onnx, bySource<onnx::sniff>, at<onnx::open>},
        Format{FormatId::CoreMl, bySource<coreml::sniff>, at<coreml::open>, coreml::tasks},
        Format{FormatId::SentencePiece, bySource<sentencepiece::sniff>, at<sentencepiece::open>, sentencepiece::tasks},
        Format{FormatId::SavedModel, bySource<tensorflow::sniffSavedModel>, at<tensorflow::open>},
        Format{FormatId::TfGraph, bySource<tensorflow::sniffGraph>, at<tensorflow::open>},
        Format{FormatId::Caffe, bySource<caffe::sniff>, at<caffe::open>, caffe::tasks},
        Format{FormatId::Mnn, bySource<mnn::sniff>, at<mnn::open>, mnn::tasks},
        Format{FormatId::Llama2c, bySource<ggml::sniffLlama2c>, at<ggml::openLlama2c>},
        Format{FormatId::Word2Vec, [](const Sample& file) { return word2vec::sniff(file.head(), file.size()); }, at<word2vec::open>,
               word2vec::tasks},
        Format{FormatId::Pickle, byHead<sklearn::sniff>, at<sklearn::open>, sklearn::tasks, nullptr, nullptr, true}};
    return table;
}

std::span<const FolderFormat> folderTable() {
    static const std::array table = {
        FolderFormat{FormatId::Dcp, dcp::isShardFolder, dcp::openShardFolder},
        FolderFormat{FormatId::CTranslate2, ctranslate2::isFolder, ctranslate2::openFolder},
        FolderFormat{FormatId::HuggingFace, [](const Path&) { return true; }, huggingface::openFolder},
        FolderFormat{FormatId::MlPackage, coreml::isPackage, coreml::openPackage},
        FolderFormat{FormatId::MlModelC, coreml::isCompiled, coreml::openCompiled},
        FolderFormat{FormatId::ExecuTorch, executorch::isFolder, executorch::openFolder},
        FolderFormat{FormatId::Orbax, zarr::isOrbax, zarr::openOrbax, zarr::tasks},
        FolderFormat{FormatId::Ocdbt, zarr::isOcdbt, zarr::openOcdbt},
        FolderFormat{FormatId::Zarr, zarr::isZarr, zarr::openZarr},
        FolderFormat{FormatId::TfCheckpoint, tensorflow::isFolder, tensorflow::openFolder},
        FolderFormat{FormatId::Dcp, dcp::isFolder, dcp::openFolder, dcp::tasks},
        FolderFormat{FormatId::Megatron, megatron::isFolder, megatron::openFolder, megatron::tasks},
        FolderFormat{FormatId::DeepSpeed, deepspeed::isFolder, deepspeed::openFolder, deepspeed::tasks}};
    return table;
}

std::span<const worker::WorkerTask> workerTasks() {
    static const std::vector<worker::WorkerTask> all = [] {
        std::vector<worker::WorkerTask> tasks(stream::tasks().begin(), stream::tasks().end());
        tasks.insert(tasks.end(), zip::tasks().begin(), zip::tasks().end());
        for (const Format& format : formatTable())
            if (format.tasks != nullptr) tasks.insert(tasks.end(), format.tasks().begin(), format.tasks().end());
        for (const FolderFormat& format : folderTable())
            if (format.tasks != nullptr) tasks.insert(tasks.end(), format.tasks().begin(), format.tasks().end());
        return tasks;
    }();
    return all;
}

} // namespace wb::formats
