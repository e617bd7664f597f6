// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace wb::test {

// How the packer stores matrices, each as the program that publishes such folders does.
enum class Packed {
    Awq,        // casper-hansen/AutoAWQ: awq/modules/linear/gemm.py
    GptqV1,     // AutoGPTQ: zero points less one, with g_idx
    GptqV2,     // ModelCloud/GPTQModel
    Fp8Block,   // deepseek-ai/DeepSeek-V3: inference/fp8_cast_bf16.py
    Compressed, // vllm-project/compressed-tensors: pack-quantized
    Nvfp4,      // NVIDIA/Model-Optimizer, the scale of the whole tensor 0.5
    Mxfp4,      // vllm-project/compressed-tensors: mxfp4-pack-quantized
};

// Writes the folder `from` (unquantized, Hugging Face) twice: into `packed` with its projections quantized, a fitting
// quantization_config and in so many shards, and into `plain` with the same values as F32 tensors, in the same shards.
void packFolder(const std::filesystem::path& from, Packed how, std::size_t shards, const std::filesystem::path& packed,
                const std::filesystem::path& plain);

} // namespace wb::test
