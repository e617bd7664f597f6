// SPDX-License-Identifier: MIT
#include "tests/unit/convert/packed_folder.h"

#include "core/formats/open.h"
#include "core/model/tensor_reader.h"
#include "core/tensor/half.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>

namespace wb::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Entry {
    std::string name, type;
    std::vector<std::uint64_t> shape;
    std::string bytes;
};

template <typename T>
std::string valuesBytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

struct Matrix {
    std::string module; // "model.layers.0.mlp.up_proj."
    std::uint64_t out = 0, in = 0;
    std::vector<float> values; // become those that the parts decode to
};

constexpr std::uint64_t group = 32;

// Codes of 4 bits with a scale and a zero point for each group of inputs of each output.
struct Coded {
    std::uint64_t groups = 0;
    std::vector<std::uint32_t> codes, zeros; // [out, in], [out, groups]
    std::vector<std::uint16_t> scales;       // [out, groups], F16
};

Coded code(Matrix& matrix, bool isSymmetric) {
    Coded coded;
    coded.groups = matrix.in / group;
    coded.codes.resize(matrix.values.size());
    for (std::uint64_t row = 0; row < matrix.out; ++row)
        for (std::uint64_t g = 0; g < coded.groups; ++g) {
            float* const values = &matrix.values[row * matrix.in + g * group];
            const auto [least, most] = std::minmax_element(values, values + group);
            const float largest = std::max(std::abs(*least), std::abs(*most));
            const float span = isSymmetric ? 2 * largest : *most - *least;
            const std::uint16_t scale = f32ToF16(span / 15);
            const float step = f16ToF32(scale);
            const float zero = isSymmetric ? 8 : std::clamp(std::round(-*least / step), 1.0f, 15.0f);
            coded.scales.push_back(scale);
            coded.zeros.push_back(static_cast<std::uint32_t>(zero));
            for (std::uint64_t i = 0; i < group; ++i) {
                const float number = std::clamp(std::round(values[i] / step) + zero, 0.0f, 15.0f);
                coded.codes[row * matrix.in + g * group + i] = static_cast<std::uint32_t>(number);
                values[i] = (number - zero) * step;
            }
        }
    return coded;
}

// Eight numbers a word along the outputs: [lines, out] of a matrix [out, lines] become [lines, out / 8].
std::vector<std::uint32_t> packOutputs(const std::vector<std::uint32_t>& numbers, std::uint64_t out, std::uint64_t lines,
                                       std::span<const unsigned> order) {
    std::vector<std::uint32_t> words(lines * out / 8);
    for (std::uint64_t line = 0; line < lines; ++line)
        for (std::uint64_t word = 0; word < out / 8; ++word)
            for (unsigned i = 0; i < 8; ++i)
                words[line * out / 8 + word] |= numbers[(word * 8 + order[i]) * lines + line] << (4 * i);
    return words;
}

std::vector<std::uint16_t> transposed(const std::vector<std::uint16_t>& scales, std::uint64_t out, std::uint64_t groups) {
    std::vector<std::uint16_t> turned(scales.size());
    for (std::uint64_t row = 0; row < out; ++row)
        for (std::uint64_t g = 0; g < groups; ++g) turned[g * out + row] = scales[row * groups + g];
    return turned;
}

std::vector<Entry> packAwq(Matrix& matrix) {
    constexpr unsigned order[] = {0, 2, 4, 6, 1, 3, 5, 7};
    const Coded coded = code(matrix, false);
    return {{matrix.module + "qweight",
             "I32",
             {matrix.in, matrix.out / 8},
             valuesBytes(packOutputs(coded.codes, matrix.out, matrix.in, order))},
            {matrix.module + "qzeros",
             "I32",
             {coded.groups, matrix.out / 8},
             valuesBytes(packOutputs(coded.zeros, matrix.out, coded.groups, order))},
            {matrix.module + "scales",
             "F16",
             {coded.groups, matrix.out},
             valuesBytes(transposed(coded.scales, matrix.out, coded.groups))}};
}

std::vector<Entry> packGptq(Matrix& matrix, bool isFirstVersion) {
    constexpr unsigned order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    Coded coded = code(matrix, false);
    std::vector<std::uint32_t> words(matrix.in / 8 * matrix.out);
    for (std::uint64_t row = 0; row < matrix.out; ++row)
        for (std::uint64_t i = 0; i < matrix.in; ++i)
            words[i / 8 * matrix.out + row] |= coded.codes[row * matrix.in + i] << (4 * (i % 8));
    if (isFirstVersion)
        for (std::uint32_t& zero : coded.zeros) zero = (zero - 1) & 15;
    std::vector<std::int32_t> groups;
    for (std::uint64_t i = 0; i < matrix.in; ++i) groups.push_back(static_cast<std::int32_t>(i / group));
    return {{matrix.module + "qweight", "I32", {matrix.in / 8, matrix.out}, valuesBytes(words)},
            {matrix.module + "qzeros",
             "I32",
             {coded.groups, matrix.out / 8},
             valuesBytes(packOutputs(coded.zeros, matrix.out, coded.groups, order))},
            {matrix.module + "scales",
             "F16",
             {coded.groups, matrix.out},
             valuesBytes(transposed(coded.scales, matrix.out, coded.groups))},
            {matrix.module + "g_idx", "I32", {matrix.in}, valuesBytes(groups)}};
}

std::vector<Entry> packCompressed(Matrix& matrix) {
    const Coded coded = code(matrix, true);
    std::vector<std::uint32_t> words(matrix.out * matrix.in / 8);
    for (std::uint64_t i = 0; i < matrix.values.size(); ++i) words[i / 8] |= coded.codes[i] << (4 * (i % 8));
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(matrix.out), static_cast<std::int64_t>(matrix.in)};
    return {{matrix.module + "weight_packed", "I32", {matrix.out, matrix.in / 8}, valuesBytes(words)},
            {matrix.module + "weight_scale", "F16", {matrix.out, coded.groups}, valuesBytes(coded.scales)},
            {matrix.module + "weight_shape", "I64", {2}, valuesBytes(shape)}};
}

// Codes that follow the values' places, since only what they decode to counts.
std::vector<Entry> packFp8(Matrix& matrix) {
    constexpr std::uint64_t side = 128;
    const std::uint64_t lines = (matrix.out + side - 1) / side, blocks = (matrix.in + side - 1) / side;
    std::vector<float> scales;
    for (std::uint64_t i = 0; i < lines * blocks; ++i) scales.push_back(0.001f * static_cast<float>(i % 7 + 1));
    std::string codes;
    for (std::uint64_t i = 0; i < matrix.values.size(); ++i) {
        const unsigned bits = static_cast<unsigned>(i * 37 % 127) | static_cast<unsigned>(i * 11 % 2) << 7;
        const unsigned exponent = bits >> 3 & 15, mantissa = bits & 7;
        const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                              : std::ldexp(static_cast<float>(8 + mantissa), static_cast<int>(exponent) - 10);
        const float scale = scales[i / matrix.in / side * blocks + i % matrix.in / side];
        codes += static_cast<char>(bits);
        matrix.values[i] = (bits & 128 ? -magnitude : magnitude) * scale;
    }
    return {{matrix.module + "weight", "F8_E4M3", {matrix.out, matrix.in}, codes},
            {matrix.module + "weight_scale_inv", "F32", {lines, blocks}, valuesBytes(scales)},
            {matrix.module + "input_scale", "F32", {1}, valuesBytes(std::vector<float>{1})}};
}

// Codes and scales that follow the values' places.
std::vector<Entry> packFp4(Matrix& matrix, bool isNv) {
    constexpr float levels[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    const std::uint64_t side = isNv ? 16 : 32;
    std::string codes(matrix.values.size() / 2, '\0'), scales;
    for (std::uint64_t i = 0; i < matrix.values.size(); ++i) {
        if (i % side == 0) scales += static_cast<char>(isNv ? 0x20 + i / side * 5 % 0x50 : 118 + i / side % 9);
        const auto scale = static_cast<unsigned char>(scales.back());
        const float factor = isNv ? std::ldexp(static_cast<float>(8 + (scale & 7)), static_cast<int>(scale >> 3) - 10) / 2
                                  : std::ldexp(1.0f, static_cast<int>(scale) - 127);
        const unsigned level = static_cast<unsigned>(i * 5 % 8), sign = level == 0 ? 0 : static_cast<unsigned>(i / 3 % 2);
        codes[i / 2] = static_cast<char>(static_cast<unsigned char>(codes[i / 2]) | (level | sign << 3) << (i % 2 * 4));
        matrix.values[i] = (sign ? -levels[level] : levels[level]) * factor;
    }
    const std::vector<std::uint64_t> shape = {matrix.out, matrix.in / 2}, groups = {matrix.out, matrix.in / side};
    if (!isNv)
        return {{matrix.module + "weight_packed", "U8", shape, codes}, {matrix.module + "weight_scale", "U8", groups, scales}};
    return {{matrix.module + "weight", "U8", shape, codes},
            {matrix.module + "weight_scale", "F8_E4M3", groups, scales},
            {matrix.module + "weight_scale_2", "F32", {1}, valuesBytes(std::vector<float>{0.5f})},
            {matrix.module + "input_scale", "F32", {1}, valuesBytes(std::vector<float>{1})}};
}

std::vector<Entry> pack(Matrix& matrix, Packed how) {
    switch (how) {
    case Packed::Awq: return packAwq(matrix);
    case Packed::GptqV1: return packGptq(matrix, true);
    case Packed::GptqV2: return packGptq(matrix, false);
    case Packed::Fp8Block: return packFp8(matrix);
    case Packed::Compressed: return packCompressed(matrix);
    case Packed::Nvfp4: return packFp4(matrix, true);
    case Packed::Mxfp4: return packFp4(matrix, false);
    }
    return {};
}

json configuration(Packed how) {
    const json weights = {{"num_bits", 4}, {"type", "int"}, {"symmetric", true}, {"group_size", group}, {"strategy", "group"}};
    switch (how) {
    case Packed::Awq:
        return {{"quant_method", "awq"}, {"bits", 4}, {"group_size", group}, {"zero_point", true}, {"version", "gemm"}};
    case Packed::GptqV1:
        return {{"quant_method", "gptq"}, {"bits", 4}, {"group_size", group}, {"sym", false}, {"checkpoint_format", "gptq"}};
    case Packed::GptqV2:
        return {{"quant_method", "gptq"}, {"bits", 4}, {"group_size", group}, {"sym", false}, {"checkpoint_format", "gptq_v2"}};
    case Packed::Fp8Block:
        return {{"quant_method", "fp8"}, {"fmt", "e4m3"}, {"activation_scheme", "dynamic"}, {"weight_block_size", {128, 128}}};
    case Packed::Nvfp4: return {{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}};
    case Packed::Mxfp4: return {{"quant_method", "compressed-tensors"}, {"format", "mxfp4-pack-quantized"}};
    case Packed::Compressed:
        return {{"quant_method", "compressed-tensors"},
                {"format", "pack-quantized"},
                {"config_groups", {{"group_0", {{"weights", weights}}}}}};
    }
    return {};
}

void writeFile(const fs::path& path, const std::vector<Entry>& entries) {
    json header;
    std::string data;
    for (const Entry& entry : entries) {
        header[entry.name] = {
            {"dtype", entry.type}, {"shape", entry.shape}, {"data_offsets", {data.size(), data.size() + entry.bytes.size()}}};
        data += entry.bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    std::ofstream(path, std::ios::binary) << std::string(reinterpret_cast<const char*>(&length), sizeof length) << text << data;
}

void writeShards(const fs::path& folder, const std::vector<std::vector<Entry>>& shards) {
    if (shards.size() == 1) return writeFile(folder / "model.safetensors", shards[0]);
    json map;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const std::string name = fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, shards.size());
        writeFile(folder / name, shards[i]);
        for (const Entry& entry : shards[i]) map[entry.name] = name;
    }
    std::ofstream(folder / "model.safetensors.index.json") << json{{"metadata", json::object()}, {"weight_map", map}};
}

} // namespace

void packFolder(const fs::path& from, Packed how, std::size_t shards, const fs::path& packed, const fs::path& plain) {
    fs::create_directories(packed);
    fs::create_directories(plain);
    for (const auto& file : fs::directory_iterator(from)) {
        const std::string name = file.path().filename().string();
        if (name.ends_with(".safetensors") || name == "config.json") continue;
        for (const fs::path& to : {packed, plain})
            std::ofstream(to / name, std::ios::binary) << std::ifstream(file.path(), std::ios::binary).rdbuf();
    }
    json config = json::parse(std::ifstream(from / "config.json"));
    std::ofstream(plain / "config.json") << config.dump(1);
    config["quantization_config"] = configuration(how);
    std::ofstream(packed / "config.json") << config.dump(1);
    const auto model = formats::open(from, {});
    ASSERT_TRUE(model) << model.error().message();
    std::map<std::string, const TensorInfo*> tensors; // by name, as shards are cut
    for (const TensorInfo& tensor : (*model)->tensors) tensors.emplace(tensor.name, &tensor);
    std::vector<std::vector<Entry>> packedShards(shards), plainShards(shards);
    std::size_t count = 0;
    for (const auto& [name, tensor] : tensors) {
        const std::size_t shard = count++ * shards / tensors.size();
        const auto reader = TensorReader::open(**model, *tensor);
        ASSERT_TRUE(reader);
        const std::vector<std::uint64_t> shape(tensor->shape.dimensions().begin(), tensor->shape.dimensions().end());
        if (!name.ends_with("_proj.weight")) {
            Entry copy{name, wb::name(tensor->dtype), shape, std::string(reader->byteCount(reader->elements()), '\0')};
            ASSERT_TRUE(reader->readRaw(0, reader->elements(), std::as_writable_bytes(std::span(copy.bytes))));
            packedShards[shard].push_back(copy);
            plainShards[shard].push_back(std::move(copy));
            continue;
        }
        Matrix matrix{name.substr(0, name.size() - 6), shape[0], shape[1], std::vector<float>(reader->elements())};
        std::vector<std::byte> scratch;
        ASSERT_TRUE(reader->readF32(0, matrix.values, scratch));
        for (Entry& entry : pack(matrix, how)) packedShards[shard].push_back(std::move(entry));
        plainShards[shard].push_back({name, "F32", shape, valuesBytes(matrix.values)});
    }
    writeShards(packed, packedShards);
    writeShards(plain, plainShards);
}

} // namespace wb::test
