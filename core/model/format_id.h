// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb {

// The format of a model or of one of its files. A folder of Hugging Face's layout is HuggingFace whatever its weights are stored
// in; its adapters are Peft, its pipelines Diffusers.
enum class FormatId : std::uint8_t {
    Unknown, // not recognized, or nothing was read
    Gguf,
    Ggml,
    Llama2c,
    Safetensors,
    HuggingFace,
    Diffusers,
    Peft,
    PyTorch,
    TorchScript,
    TorchExport,
    ExecuTorch,
    Pickle,
    Joblib,
    Skops,
    Npy,
    Npz,
    Onnx,
    Ort,
    SavedModel,
    TfCheckpoint,
    TfGraph,
    Keras,
    KerasH5,
    Hdf5,
    TfLite,
    LiteRtLm,
    CoreMl,
    MlPackage,
    MlModelC,
    OpenVino,
    TensorRt,
    Flax,
    Orbax,
    Ocdbt,
    Zarr,
    Pmml,
    Caffe,
    Ncnn,
    Mnn,
    Dcp,
    DeepSpeed,
    Megatron,
    TfJs,
    CTranslate2,
    Paddle,
    XgBoost,
    LightGbm,
    CatBoost,
    SentencePiece,
    FastText,
    Word2Vec
};

// The word for it in JSON documents, "gguf", "tf-checkpoint" …; empty for Unknown.
const char* formatName(FormatId format);

// Its name for people, "GGUF", "TensorFlow checkpoint" …, the same in every language; empty for Unknown.
const char* formatTitle(FormatId format);

// Empty for a word that names no format. The empty word is Unknown.
std::optional<FormatId> formatFromName(std::string_view name);

} // namespace wb
