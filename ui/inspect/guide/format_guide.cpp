// SPDX-License-Identifier: MIT
#include "ui/inspect/guide/format_guide.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

// Facts: docs/reference/formats.md and docs/reference/safety.md.
namespace wb::ui::inspect {
namespace {

const char* const dataOnly = QT_TRANSLATE_NOOP("FormatGuide", "Data only: opening it runs no code.");
const char* const runsCode =
    QT_TRANSLATE_NOOP("FormatGuide", "Pickle: loading it can run any code; scan it first, and convert it to safetensors.");
const char* const tensorsOnly =
    QT_TRANSLATE_NOOP("FormatGuide", "Tensors only; Python files in the folder run if the loader trusts remote code.");
const char* const graphSafety =
    QT_TRANSLATE_NOOP("FormatGuide", "A graph of known operations; custom operations need libraries of their author.");

const std::vector<GuideEntry> guideTable = {
    {FormatId::Gguf,
     "GGUF",
     {Goal::RunLocally},
     {Target::Any},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Running language models on one computer, also partly on a GPU"),
     QT_TRANSLATE_NOOP("FormatGuide", "Weights, mostly quantized, metadata, tokenizer and chat template in one file"),
     dataOnly,
     "llama.cpp, Ollama, LM Studio, Weighbridge",
     true},
    {FormatId::TensorRt,
     "TensorRT",
     {Goal::Serve},
     {Target::Nvidia},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Serving on one type of NVIDIA GPU; built on the target computer from another format"),
     QT_TRANSLATE_NOOP("FormatGuide", "Compiled device code with weights, for one GPU type and one version of TensorRT"),
     QT_TRANSLATE_NOOP("FormatGuide", "Contains device code; use engines that you built yourself."),
     "TensorRT, TensorRT-LLM"},
    {FormatId::HuggingFace,
     "safetensors (Hugging Face)",
     {Goal::FineTune, Goal::Serve},
     {Target::Any},
     Stage::Release,
     QT_TRANSLATE_NOOP("FormatGuide", "Publishing, fine-tuning and serving on GPUs; the source of most conversions"),
     QT_TRANSLATE_NOOP("FormatGuide", "A folder: weights in shards, config.json, tokenizer files, chat template"),
     tensorsOnly,
     "Transformers, vLLM, SGLang, MLX",
     true},
    {FormatId::Peft,
     "LoRA (PEFT)",
     {Goal::ShareChange},
     {Target::Any},
     Stage::Release,
     QT_TRANSLATE_NOOP("FormatGuide", "Sharing a fine-tune as a small difference from its base model"),
     QT_TRANSLATE_NOOP("FormatGuide", "Low-rank matrices and adapter_config.json; needs the base model"),
     tensorsOnly,
     "PEFT, vLLM, llama.cpp (as GGUF)"},
    {FormatId::Dcp,
     "DCP, DeepSpeed, Megatron",
     {Goal::ResumeTraining},
     {Target::Any},
     Stage::Training,
     QT_TRANSLATE_NOOP("FormatGuide", "Resuming a training run on many GPUs"),
     QT_TRANSLATE_NOOP("FormatGuide", "A folder: weights and optimizer moments of each rank, scheduler, step, random states"),
     runsCode,
     "PyTorch FSDP, DeepSpeed, Megatron-LM"},
    {FormatId::MlPackage,
     "Core ML",
     {Goal::Mobile, Goal::RunLocally},
     {Target::Apple},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Apps on Apple devices, also on the Neural Engine"),
     QT_TRANSLATE_NOOP("FormatGuide", "A graph with weights in a package"),
     graphSafety,
     "Core ML"},
    {FormatId::TfLite,
     "LiteRT (TensorFlow Lite)",
     {Goal::Mobile},
     {Target::Android},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Apps on Android and small devices"),
     QT_TRANSLATE_NOOP("FormatGuide", "A graph with weights, often with 8-bit integers"),
     graphSafety,
     "LiteRT, MediaPipe"},
    {FormatId::OpenVino,
     "OpenVINO",
     {Goal::Serve, Goal::RunLocally},
     {Target::Intel},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Intel CPUs, GPUs and NPUs"),
     QT_TRANSLATE_NOOP("FormatGuide", "A graph (.xml) and its weights (.bin)"),
     graphSafety,
     "OpenVINO"},
    {FormatId::ExecuTorch,
     "ExecuTorch",
     {Goal::Mobile},
     {Target::Any},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "PyTorch models in apps and on embedded devices"),
     QT_TRANSLATE_NOOP("FormatGuide", "A compiled program (.pte), weights inside or next to it"),
     QT_TRANSLATE_NOOP("FormatGuide", "A program of the runtime's own operations and delegates."),
     "ExecuTorch"},
    {FormatId::Onnx,
     "ONNX",
     {Goal::Exchange},
     {Target::Any},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Exchange between frameworks; inference from many languages and in browsers"),
     QT_TRANSLATE_NOOP("FormatGuide", "A graph with weights, large ones in files next to it"),
     graphSafety,
     "ONNX Runtime, OpenVINO, TensorRT"},
    {FormatId::TfJs,
     "TensorFlow.js",
     {},
     {Target::Any},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Models that run in a browser or in Node.js"),
     QT_TRANSLATE_NOOP("FormatGuide", "A topology (model.json) and weights in binary shards"),
     graphSafety,
     "TensorFlow.js"},
    {FormatId::CTranslate2,
     "CTranslate2",
     {},
     {Target::Any},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Fast translation and speech recognition (faster-whisper) on CPUs and GPUs"),
     QT_TRANSLATE_NOOP("FormatGuide", "Weights, often with 8-bit integers (model.bin), and vocabularies"),
     dataOnly,
     "CTranslate2, faster-whisper"},
    {FormatId::Paddle,
     "PaddlePaddle (.pdmodel)",
     {},
     {Target::Any},
     Stage::Deployment,
     QT_TRANSLATE_NOOP("FormatGuide", "Inference with PaddlePaddle, for example PaddleOCR"),
     QT_TRANSLATE_NOOP("FormatGuide", "A program (.pdmodel) and the values of its variables (.pdiparams)"),
     graphSafety,
     "Paddle Inference, Paddle Lite"},
    {FormatId::XgBoost,
     "XGBoost, LightGBM, CatBoost",
     {},
     {Target::Any},
     Stage::Release,
     QT_TRANSLATE_NOOP("FormatGuide", "Gradient boosting on tables of numbers and categories"),
     QT_TRANSLATE_NOOP("FormatGuide", "Decision trees as text or in binary form, with the parameters of the training"),
     dataOnly,
     "XGBoost, LightGBM, CatBoost, Treelite"},
    {FormatId::FastText,
     "fastText, word2vec",
     {},
     {Target::Any},
     Stage::Release,
     QT_TRANSLATE_NOOP("FormatGuide", "Word vectors and text classification"),
     QT_TRANSLATE_NOOP("FormatGuide", "A dictionary and the vectors of words and labels"),
     dataOnly,
     "fastText, Gensim"},
    {FormatId::PyTorch,
     "PyTorch (.pt, .pth, .bin)",
     {},
     {Target::Any},
     Stage::Training,
     QT_TRANSLATE_NOOP("FormatGuide", "Checkpoints of PyTorch training"),
     QT_TRANSLATE_NOOP("FormatGuide", "A pickle of tensors, often with optimizer state"),
     runsCode,
     "PyTorch"},
    {FormatId::Keras,
     "Keras (.keras)",
     {},
     {Target::Any},
     Stage::Training,
     QT_TRANSLATE_NOOP("FormatGuide", "Training and saving Keras models"),
     QT_TRANSLATE_NOOP("FormatGuide", "Layers as JSON, weights as HDF5, in one archive"),
     QT_TRANSLATE_NOOP("FormatGuide", "Lambda layers contain code."),
     "Keras"},
    {FormatId::SavedModel,
     "SavedModel",
     {},
     {Target::Any},
     Stage::Release,
     QT_TRANSLATE_NOOP("FormatGuide", "Serving TensorFlow models"),
     QT_TRANSLATE_NOOP("FormatGuide", "A folder: graph, variables and assets"),
     graphSafety,
     "TensorFlow Serving, TensorFlow"},
    {FormatId::Joblib,
     "pickle, joblib",
     {},
     {Target::Any},
     Stage::Release,
     QT_TRANSLATE_NOOP("FormatGuide", "scikit-learn models"),
     QT_TRANSLATE_NOOP("FormatGuide", "Python objects"),
     runsCode,
     "scikit-learn"},
};

constexpr std::array guideFileNames = {
    FileNameEntry{"config.json", QT_TRANSLATE_NOOP("FormatGuide", "Architecture of the model: layers, heads, sizes")},
    FileNameEntry{"model.safetensors.index.json", QT_TRANSLATE_NOOP("FormatGuide", "The shard of each tensor")},
    FileNameEntry{"tokenizer.json", QT_TRANSLATE_NOOP("FormatGuide", "Tokens, merges and rules of the tokenizer")},
    FileNameEntry{"tokenizer_config.json", QT_TRANSLATE_NOOP("FormatGuide", "Special tokens, often the chat template")},
    FileNameEntry{"tokenizer.model", QT_TRANSLATE_NOOP("FormatGuide", "A SentencePiece tokenizer")},
    FileNameEntry{"chat_template.jinja", QT_TRANSLATE_NOOP("FormatGuide", "The chat template as a separate file")},
    FileNameEntry{"generation_config.json", QT_TRANSLATE_NOOP("FormatGuide", "Sampling settings that the author recommends")},
    FileNameEntry{"adapter_config.json",
                  QT_TRANSLATE_NOOP("FormatGuide", "Settings of a LoRA adapter, such as rank and target modules")},
    FileNameEntry{"mmproj-*.gguf", QT_TRANSLATE_NOOP("FormatGuide", "Projector: the image or audio encoder of a model in GGUF")},
    FileNameEntry{"*-00001-of-00005.*", QT_TRANSLATE_NOOP("FormatGuide", "One shard of a model; all are needed")},
    FileNameEntry{"*.imatrix, imatrix.dat", QT_TRANSLATE_NOOP("FormatGuide", "Importance matrix for quantizing")},
    FileNameEntry{"optimizer.pt, scheduler.pt", QT_TRANSLATE_NOOP("FormatGuide", "Training state, for resuming only")},
    FileNameEntry{"*-Q4_K_M.gguf", QT_TRANSLATE_NOOP("FormatGuide", "GGUF with the quantization type in its name")},
};

} // namespace

std::span<const GuideEntry> guideEntries() { return guideTable; }

std::span<const FileNameEntry> fileNameEntries() { return guideFileNames; }

const GuideEntry& recommendedFormat(Goal goal, Target target) {
    const auto find = [&](Target wanted) {
        return std::ranges::find_if(guideTable, [&](const GuideEntry& entry) {
            return std::ranges::find(entry.goals, goal) != entry.goals.end() &&
                   std::ranges::find(entry.targets, wanted) != entry.targets.end();
        });
    };
    const auto exact = find(target);
    return exact != guideTable.end() ? *exact : *find(Target::Any);
}

QString goalText(Goal goal) {
    switch (goal) {
    case Goal::RunLocally: return QCoreApplication::translate("FormatGuide", "Chat with a model on this computer");
    case Goal::Serve: return QCoreApplication::translate("FormatGuide", "Serve many users");
    case Goal::FineTune: return QCoreApplication::translate("FormatGuide", "Fine-tune or publish a model");
    case Goal::ShareChange: return QCoreApplication::translate("FormatGuide", "Share a fine-tune in a small file");
    case Goal::ResumeTraining: return QCoreApplication::translate("FormatGuide", "Resume a training run");
    case Goal::Mobile: return QCoreApplication::translate("FormatGuide", "Use a model in a mobile app");
    case Goal::Exchange: return QCoreApplication::translate("FormatGuide", "Move a model between frameworks");
    }
    return {};
}

QString targetText(Target target) {
    switch (target) {
    case Target::Any: return QCoreApplication::translate("FormatGuide", "Any device");
    case Target::Nvidia: return QStringLiteral("NVIDIA");
    case Target::Apple: return QStringLiteral("Apple");
    case Target::Android: return QStringLiteral("Android");
    case Target::Intel: return QStringLiteral("Intel");
    }
    return {};
}

QString stageText(Stage stage) {
    switch (stage) {
    case Stage::Training: return QCoreApplication::translate("FormatGuide", "training");
    case Stage::Release: return QCoreApplication::translate("FormatGuide", "release");
    case Stage::Deployment: return QCoreApplication::translate("FormatGuide", "deployment");
    }
    return {};
}

QString guideText(const char* marked) { return QCoreApplication::translate("FormatGuide", marked); }

} // namespace wb::ui::inspect
