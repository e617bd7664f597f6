// SPDX-License-Identifier: MIT
#include "tests/screenshots/file_examples.h"

namespace wb::screenshots {
namespace {

using Side = FileExample::Side;
using Detail = FileExample::Detail;
using Shown = FileExample::Shown;

constexpr FileExample files[] = {
    // PyTorch
    {"torch-metadata", "fixtures/torch/lightning.ckpt", Side::Metadata, Detail::Tensor},
    {"torch-safety", "fixtures/torch/lightning.ckpt", Side::Safety, Detail::Storage, "exp_avg", Shown::All, 100, true},
    {"torch-aliases", "fixtures/torch/views.pt", Side::Totals, Detail::Storage, "transposed"},
    {"torch-sparse", "fixtures/torch/sparse.pt", Side::Problems, Detail::Storage, "csr"},
    {"torch-quantized", "fixtures/torch/quantized.pt", Side::Metadata, Detail::Tensor},
    {"torch-unavailable", "fixtures/torch/meta_nested_conj.pt", Side::Problems, Detail::Tensor, "meta"},
    {"torch-module", "fixtures/torch/module_whole.pt", Side::Safety, Detail::Distribution},
    {"torchscript", "fixtures/torch/torchscript_script.pt", Side::Metadata, Detail::Storage},
    {"torch-legacy", "corpus/picklescan/data/pytorch_model.bin", Side::Totals, Detail::Trend},
    // pickles and NumPy
    {"pickle", "fixtures/runtime/sklearn/mlp_p4.pkl", Side::Safety, Detail::Storage},
    {"joblib", "fixtures/runtime/sklearn/pipeline_xz.joblib", Side::Metadata, Detail::Tensor},
    {"npz", "fixtures/jax/numpy/deflated.npz", Side::Metadata, Detail::Storage},
    {"npz-objects", "corpus/picklescan/data2/object_arrays.npz", Side::Problems, Detail::Storage},
    // ONNX
    {"onnx", "fixtures/runtime/onnx/external", Side::Metadata, Detail::Storage},
    {"onnx-logical", "fixtures/runtime/onnx/matmul_4bits_asym.onnx", Side::Totals, Detail::Storage, "", Shown::Logical},
    {"onnx-safety", "corpus/silero_vad/silero_vad_16k_op15.onnx", Side::Safety, Detail::Tensor},
    // TensorFlow, Keras, Flax
    {"keras", "fixtures/tensorflow/conv.keras", Side::Metadata, Detail::Tensor},
    {"keras-safety", "corpus/keras3/pre_pr22362_nested_container.keras", Side::Safety, Detail::Storage},
    {"keras-h5", "fixtures/tensorflow/conv.h5", Side::Totals, Detail::Map},
    {"tflite", "fixtures/tensorflow/full_int8.tflite", Side::Metadata, Detail::Storage, "", Shown::Logical},
    {"savedmodel", "fixtures/tensorflow/saved_model", Side::Metadata, Detail::Storage},
    {"tf-checkpoint", "fixtures/tensorflow/checkpoint_v2", Side::Totals, Detail::Storage},
    {"tf-frozen", "fixtures/tensorflow/frozen_v1.pb", Side::Safety, Detail::Tensor},
    {"flax", "fixtures/jax/flax_train_state.msgpack", Side::Metadata, Detail::Storage},
    // adapters, quantized folders, GGUF, safetensors
    {"adapter", "fixtures/torch/peft/lora", Side::Metadata, Detail::Storage, "delta", Shown::Logical},
    {"quantized-logical", "fixtures/quantized/awq_gemm_g32", Side::Totals, Detail::Storage, "", Shown::Logical},
    {"quantized-stored", "fixtures/quantized/gptq_v2_4bit_asym_descact", Side::Safety, Detail::Storage, "qweight", Shown::Stored},
    {"quantized-statistics", "fixtures/quantized/nvfp4_modelopt", Side::Metadata, Detail::Tensor, "", Shown::Logical},
    {"gguf", "corpus/llm/stories260K.gguf", Side::Safety, Detail::Storage},
    {"safetensors", "fixtures/safetensors/sharded", Side::Metadata, Detail::Storage},
    {"coreml", "fixtures/runtime/coreml/palettized_4bit.mlpackage", Side::Metadata, Detail::Storage, "", Shown::Logical},
    {"openvino", "fixtures/runtime/openvino/int4_asym_g64.xml", Side::Metadata, Detail::Storage, "", Shown::Logical},
    {"orbax", "fixtures/jax/orbax_ocdbt", Side::Metadata, Detail::Storage},
    {"other", "corpus/face_detector/caffe/model/RFB-320/RFB-320.prototxt", Side::Problems, Detail::Storage},
    // checkpoints of training runs
    {"checkpoint-zero3", "fixtures/distributed/zero3_w4_bf16_groups", Side::Metadata, Detail::Checkpoint, "", Shown::Logical},
    {"checkpoint-series", "fixtures/torch/trainer", Side::Metadata, Detail::Checkpoint},
    {"checkpoint-series-measured", "fixtures/torch/trainer", Side::Metadata, Detail::Checkpoint, "norm", Shown::All, 100, false,
     true},
    {"checkpoint-series-keras", "corpus/keras_series", Side::Totals, Detail::Checkpoint, "", Shown::All, 100, false, true},
    {"checkpoint-orbax", "fixtures/jax/orbax_manager", Side::Metadata, Detail::Checkpoint, "kernel", Shown::All, 100, false, true},
    {"checkpoint-lightning", "fixtures/torch/lightning.ckpt", Side::Totals, Detail::Checkpoint},
    {"integrity", "fixtures/torch/lightning.ckpt", Side::Metadata, Detail::Integrity},
    {"integrity-intact", "corpus/llm/stories260K.gguf", Side::Metadata, Detail::Integrity, "", Shown::All, 100, false, false, true},
    {"integrity-damaged", "corpus/llm/stories260K.gguf", Side::Problems, Detail::Integrity, "", Shown::All, 60, false, false, true},
    // broken
    {"broken-integrity", "corpus/burn/mnist.safetensors", Side::Problems, Detail::Integrity, "fc", Shown::All, 60},
    {"broken-checkpoint", "fixtures/torch/lightning.ckpt", Side::Problems, Detail::Checkpoint, "", Shown::All, 97},
    {"broken-spectrum", "corpus/burn/mnist.safetensors", Side::Problems, Detail::Spectrum, "fc1.weight", Shown::All, 99},
    {"broken-torch", "fixtures/torch/checkpoint_dict.pt", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-torch-legacy", "corpus/picklescan/data/pytorch_model.bin", Side::Problems, Detail::Storage, "fc", Shown::All, 60},
    {"broken-pickle", "fixtures/runtime/sklearn/mlp_p4.pkl", Side::Safety, Detail::Tensor, "", Shown::All, 60},
    {"broken-npz", "corpus/picklescan/data2/int_arrays.npz", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-onnx", "corpus/silero_vad/silero_vad_16k_op15.onnx", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-keras", "fixtures/tensorflow/conv.keras", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-h5", "fixtures/tensorflow/conv.h5", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-tflite", "fixtures/tensorflow/float32.tflite", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-flax", "fixtures/jax/flax_train_state.msgpack", Side::Problems, Detail::Tensor, "", Shown::All, 60},
    {"broken-gguf", "corpus/llm/stories260K.gguf", Side::Problems, Detail::Tensor, "output_norm", Shown::All, 60},
    {"broken-safetensors", "corpus/burn/mnist.safetensors", Side::Safety, Detail::Storage, "fc", Shown::All, 60},
    {"broken-shards", "fixtures/safetensors/sharded_missing", Side::Problems, Detail::Storage},
    // dangerous
    {"dangerous-torch", "corpus/modelaudit/tests/assets/samples/pytorch/malicious_eval.pt", Side::Safety, Detail::Storage, "",
     Shown::All, 100, true},
    {"dangerous-pickle", "corpus/modelaudit/tests/assets/exploits/exploit_ultimate_50pct.pkl", Side::Safety, Detail::Tensor, "",
     Shown::All, 100, true},
    {"dangerous-keras", "corpus/modelaudit/tests/assets/samples/keras/malicious_lambda.h5", Side::Safety, Detail::Storage},
    {"dangerous-npy", "corpus/picklescan/data2/dns_exfiltration.npy", Side::Safety, Detail::Storage, "", Shown::All, 100, true},
    {"dangerous-zip", "corpus/picklescan/data/malicious1_0x1.zip", Side::Safety, Detail::Storage},
    {"dangerous-nested", "corpus/modelaudit/tests/assets/samples/pickles/nested_pickle_multistage.pkl", Side::Safety,
     Detail::Storage, "", Shown::All, 100, true},
    {"refused", "corpus/picklescan/data/malicious1.7z"},
};

constexpr QuestionExample questions[] = {
    {"convert-unknown", "fixtures/torch/module_whole.pt", false},
    {"convert-dangerous", "corpus/modelaudit/tests/assets/samples/pytorch/malicious_eval.pt", false},
    {"chat-dangerous", "corpus/picklescan/data/malicious1_v4.pkl", true},
};

} // namespace

std::span<const FileExample> fileExamples() { return files; }

std::span<const QuestionExample> questionExamples() { return questions; }

} // namespace wb::screenshots
