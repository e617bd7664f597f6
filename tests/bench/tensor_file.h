// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace wb::bench {

inline void putNormal(std::vector<std::byte>& bytes, std::size_t at, std::size_t size, std::mt19937& random) {
    const float value = std::normal_distribution<float>(0, 0.02f)(random);
    std::memcpy(bytes.data() + at, reinterpret_cast<const char*>(&value) + sizeof(float) - size, size); // BF16 is the upper half
}

// Normally distributed codes under f16 scales around 2^-11 … 2^-9, as quantized weights have them.
inline void putBlock(std::vector<std::byte>& bytes, std::size_t at, Dtype dtype, std::mt19937& random) {
    const std::size_t scales = dtype == Dtype::Q4_K ? 2 : 1;
    std::normal_distribution<float> eight(0, 40);
    std::normal_distribution<float> four(7.5f, 2.5f);
    const auto nibble = [&] { return static_cast<unsigned>(std::clamp(four(random), 0.0f, 15.0f)); };
    for (std::size_t i = 0; i < info(dtype).blockBytes; ++i) {
        const int code = static_cast<int>(std::clamp(eight(random), -127.0f, 127.0f));
        bytes[at + i] = dtype == Dtype::Q4_K ? static_cast<std::byte>(nibble() | nibble() << 4) : static_cast<std::byte>(code);
    }
    for (std::size_t i = 0; i < scales; ++i) {
        const auto scale = static_cast<std::uint16_t>(0x1000 + random() % 0x0800);
        std::memcpy(bytes.data() + at + 2 * i, &scale, sizeof scale);
    }
}

// A long stretch of weights, which the file repeats.
inline std::vector<std::byte> stretch(Dtype dtype) {
    std::vector<std::byte> bytes(*rowBytes(dtype, std::uint64_t{1} << 20));
    std::mt19937 random(1);
    const std::size_t block = info(dtype).blockBytes;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        if (info(dtype).kind == DtypeKind::Block) putBlock(bytes, at, dtype, random);
        else putNormal(bytes, at, block, random);
    }
    return bytes;
}

// A tensor of weights of one type, `elements` (a multiple of 2^20) in rows of 4,096, in a file that lives as long as the object.
class TensorFile {
public:
    TensorFile(Dtype dtype, std::uint64_t elements)
        : m_path(std::filesystem::temp_directory_path() / (std::string("weighbridge_bench.") + name(dtype))), m_elements(elements) {
        const auto bytes = stretch(dtype);
        std::ofstream out(m_path, std::ios::binary);
        m_bytes = *rowBytes(dtype, elements);
        for (std::uint64_t written = 0; written < m_bytes; written += bytes.size())
            out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        out.close();
        m_source = io::FileSource::open(m_path).value();
        m_dtype = dtype;
    }
    ~TensorFile() { std::filesystem::remove(m_path); }
    TensorFile(const TensorFile&) = delete;
    TensorFile& operator=(const TensorFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::uint64_t bytes() const { return m_bytes; }

    TensorReader reader() const {
        Model model;
        model.files.push_back({m_path.filename().string(), m_bytes, m_source->identity(), m_source});
        TensorInfo tensor;
        tensor.dtype = m_dtype;
        tensor.shape = *Shape::make({m_elements / 4096, 4096});
        tensor.source = TensorSource::stored(0, 0, m_bytes);
        return TensorReader::open(model, tensor).value();
    }

private:
    std::filesystem::path m_path;
    std::shared_ptr<io::FileSource> m_source;
    std::uint64_t m_elements;
    std::uint64_t m_bytes = 0;
    Dtype m_dtype = Dtype::Unknown;
};

} // namespace wb::bench
