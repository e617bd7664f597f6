// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstdint>
#include <string>

namespace wb::screenshots {

// A llama of invented weights, for pictures that need models of every size without their bytes.
struct ExampleModel {
    const char* name;
    unsigned layers, width, heads, keyHeads, inner, words, context;
};

inline constexpr ExampleModel maple8b{"Maple-8B-Instruct", 32, 4096, 32, 8, 14'336, 128'256, 131'072};
inline constexpr ExampleModel birch3b{"Birch-3B-Coder", 28, 3072, 24, 8, 8192, 128'256, 32'768};
inline constexpr ExampleModel birch160m{"Birch-160M-Coder", 12, 768, 12, 4, 3072, 32'000, 8192};
inline constexpr ExampleModel sprig{"Sprig-8M", 4, 256, 8, 8, 1024, 8192, 2048};

// How a file of it is quantized: every matrix has the one type. `fileType` is GGUF's general.file_type.
struct ExampleQuant {
    const char* name;
    Dtype matrices;
    std::uint32_t fileType;
};

inline constexpr ExampleQuant quantOf3{"Q3_K_M", Dtype::Q3_K, 12}, quantOf4{"Q4_K_M", Dtype::Q4_K, 15},
    quantOf5{"Q5_K_M", Dtype::Q5_K, 17}, quantOf6{"Q6_K", Dtype::Q6_K, 18}, quantOf8{"Q8_0", Dtype::Q8_0, 7};

// The file before its data, and the size of the whole.
struct ExampleFile {
    std::string header;
    std::uint64_t bytes = 0;
};
ExampleFile exampleFile(const ExampleModel& model, const ExampleQuant& quant);

std::uint64_t exampleParameters(const ExampleModel& model);

} // namespace wb::screenshots
