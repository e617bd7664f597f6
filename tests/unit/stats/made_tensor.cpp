// SPDX-License-Identifier: MIT
#include "made_tensor.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace wb::test {
namespace {

// Weights as networks have them, with now and then something that is not.
double weight(std::mt19937& random) {
    const auto kind = random() % 2000;
    if (kind == 0) return std::numeric_limits<double>::quiet_NaN();
    if (kind == 1) return std::numeric_limits<double>::infinity();
    if (kind == 2) return -std::numeric_limits<double>::infinity();
    if (kind < 20) return kind % 2 == 0 ? 0.0 : -0.0;
    if (kind < 30) return 1e-41 * static_cast<double>(kind);
    const double normal = std::normal_distribution<double>(0.01, 0.05)(random);
    return kind < 40 ? normal * 40 : normal;
}

template <typename T>
void fillWeights(std::vector<std::byte>& bytes, std::mt19937& random) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
        const auto value = static_cast<T>(weight(random));
        std::memcpy(bytes.data() + at, &value, sizeof(T));
    }
}

void fillRandom(std::vector<std::byte>& bytes, std::mt19937& random) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
}

} // namespace

TensorReader makeReader(Dtype dtype, const Shape& shape, std::vector<std::byte> bytes) {
    Model model;
    TensorInfo tensor;
    tensor.name = "made";
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.source = TensorSource::stored(0, 0, bytes.size());
    model.files.push_back({"made.bin", bytes.size(), {}, std::make_shared<io::MemorySource>("made.bin", std::move(bytes))});
    auto reader = TensorReader::open(model, tensor);
    if (!reader) {
        std::fprintf(stderr, "%s\n", reader.error().message().c_str());
        std::abort();
    }
    return *reader;
}

std::vector<std::byte> randomBytes(Dtype dtype, std::uint64_t elements, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(rowBytes(dtype, elements).value());
    switch (dtype) {
    case Dtype::F64:
    case Dtype::C128: fillWeights<double>(bytes, random); break;
    case Dtype::F32:
    case Dtype::C64: fillWeights<float>(bytes, random); break;
    default: fillRandom(bytes, random); break;
    }
    return bytes;
}

} // namespace wb::test
