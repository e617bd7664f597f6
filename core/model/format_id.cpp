// SPDX-License-Identifier: MIT
#include "core/model/format_id.h"

#include <algorithm>
#include <array>

namespace wb {
namespace {

struct FormatNames {
    FormatId id;
    const char* name;
    const char* title;
};

// In the order of FormatId.
constexpr std::array formatTable = {FormatNames{FormatId::Unknown, "", ""},
                                    FormatNames{FormatId::Gguf, "gguf", "GGUF"},
                                    FormatNames{FormatId::Ggml, "ggml", "GGML"},
                                    FormatNames{FormatId::Llama2c, "llama2c", "llama2.c"},
                                    FormatNames{FormatId::Safetensors, "safetensors", "safetensors"},
                                    FormatNames{FormatId::HuggingFace, "huggingface", "Hugging Face"},
                                    FormatNames{FormatId::Diffusers, "diffusers", "Diffusers"},
                                    FormatNames{FormatId::Peft, "peft", "PEFT"},
                                    FormatNames{FormatId::PyTorch, "pytorch", "PyTorch"},
                                    FormatNames{FormatId::TorchScript, "torchscript", "TorchScript"},
                                    FormatNames{FormatId::TorchExport, "pt2", "torch.export"},
                                    FormatNames{FormatId::ExecuTorch, "executorch", "ExecuTorch"},
                                    FormatNames{FormatId::Pickle, "pickle", "pickle"},
                                    FormatNames{FormatId::Joblib, "joblib", "joblib"},
                                    FormatNames{FormatId::Skops, "skops", "skops"},
                                    FormatNames{FormatId::Npy, "npy", "NumPy npy"},
                                    FormatNames{FormatId::Npz, "npz", "NumPy npz"},
                                    FormatNames{FormatId::Onnx, "onnx", "ONNX"},
                                    FormatNames{FormatId::Ort, "ort", "ONNX Runtime"},
                                    FormatNames{FormatId::SavedModel, "savedmodel", "SavedModel"},
                                    FormatNames{FormatId::TfCheckpoint, "tf-checkpoint", "TensorFlow checkpoint"},
                                    FormatNames{FormatId::TfGraph, "tf-graph", "TensorFlow graph"},
                                    FormatNames{FormatId::Keras, "keras", "Keras"},
                                    FormatNames{FormatId::KerasH5, "keras-h5", "Keras HDF5"},
                                    FormatNames{FormatId::Hdf5, "hdf5", "HDF5"},
                                    FormatNames{FormatId::TfLite, "tflite", "TensorFlow Lite"},
                                    FormatNames{FormatId::LiteRtLm, "litertlm", "LiteRT-LM"},
                                    FormatNames{FormatId::CoreMl, "coreml", "Core ML"},
                                    FormatNames{FormatId::MlPackage, "mlpackage", "Core ML package"},
                                    FormatNames{FormatId::MlModelC, "mlmodelc", "compiled Core ML"},
                                    FormatNames{FormatId::OpenVino, "openvino", "OpenVINO"},
                                    FormatNames{FormatId::TensorRt, "tensorrt", "TensorRT"},
                                    FormatNames{FormatId::Flax, "flax", "Flax"},
                                    FormatNames{FormatId::Orbax, "orbax", "Orbax"},
                                    FormatNames{FormatId::Ocdbt, "ocdbt", "OCDBT"},
                                    FormatNames{FormatId::Zarr, "zarr", "Zarr"},
                                    FormatNames{FormatId::Pmml, "pmml", "PMML"},
                                    FormatNames{FormatId::Caffe, "caffe", "Caffe"},
                                    FormatNames{FormatId::Ncnn, "ncnn", "ncnn"},
                                    FormatNames{FormatId::Mnn, "mnn", "MNN"},
                                    FormatNames{FormatId::Dcp, "dcp", "PyTorch distributed checkpoint"},
                                    FormatNames{FormatId::DeepSpeed, "deepspeed", "DeepSpeed"},
                                    FormatNames{FormatId::Megatron, "megatron", "Megatron"},
                                    FormatNames{FormatId::TfJs, "tfjs", "TensorFlow.js"},
                                    FormatNames{FormatId::CTranslate2, "ctranslate2", "CTranslate2"},
                                    FormatNames{FormatId::Paddle, "paddle", "PaddlePaddle"},
                                    FormatNames{FormatId::XgBoost, "xgboost", "XGBoost"},
                                    FormatNames{FormatId::LightGbm, "lightgbm", "LightGBM"},
                                    FormatNames{FormatId::CatBoost, "catboost", "CatBoost"},
                                    FormatNames{FormatId::SentencePiece, "sentencepiece", "SentencePiece"},
                                    FormatNames{FormatId::FastText, "fasttext", "fastText"},
                                    FormatNames{FormatId::Word2Vec, "word2vec", "word2vec"}};

constexpr bool isInOrder() {
    for (std::size_t i = 0; i < formatTable.size(); ++i)
        if (static_cast<std::size_t>(formatTable[i].id) != i) return false;
    return formatTable.size() == static_cast<std::size_t>(FormatId::Word2Vec) + 1;
}
static_assert(isInOrder());

} // namespace

const char* formatName(FormatId format) { return formatTable[static_cast<std::size_t>(format)].name; }

const char* formatTitle(FormatId format) { return formatTable[static_cast<std::size_t>(format)].title; }

std::optional<FormatId> formatFromName(std::string_view name) {
    const auto* const found = std::ranges::find_if(formatTable, [&](const FormatNames& row) { return name == row.name; });
    return found == formatTable.end() ? std::nullopt : std::optional(found->id);
}

} // namespace wb
