// SPDX-License-Identifier: MIT
#include "tests/unit/support/truth.h"

#include "core/io/digests/sha256.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

namespace wb::test {
namespace {

using nlohmann::json;

// Of two F4 the first is the low half of the byte.
std::vector<std::byte> oneByteEach(std::span<const std::byte> packed, std::uint64_t elements) {
    std::vector<std::byte> bytes(elements);
    for (std::uint64_t i = 0; i < elements; ++i) bytes[i] = (i % 2 == 0 ? packed[i / 2] : packed[i / 2] >> 4) & std::byte{15};
    return bytes;
}

std::vector<std::byte> tensorValues(const Model& model, const TensorInfo& tensor) {
    const auto reader = TensorReader::open(model, tensor);
    if (!reader) throw std::runtime_error(reader.error().message());
    std::vector<std::byte> bytes(reader->byteCount(reader->elements()));
    if (const auto read = reader->readRaw(0, reader->elements(), bytes); !read) throw std::runtime_error(read.error().message());
    return bytes;
}

std::string bytesHash(std::span<const std::byte> bytes) {
    io::Sha256 hash;
    hash.update(bytes);
    return io::hexText(*hash.finish());
}

// A logical tensor goes before a stored one of the same name.
const TensorInfo* find(const Model& model, const std::string& name, bool logical) {
    for (const bool wanted : {logical, false})
        for (const TensorInfo& tensor : model.tensors)
            if (tensor.name == name && tensor.logical == wanted) return &tensor;
    return nullptr;
}

double valueNumber(const json& value) {
    if (value == "nan") return std::nan("");
    if (value == "inf") return HUGE_VAL;
    if (value == "-inf") return -HUGE_VAL;
    return value.get<double>();
}

void expectClose(const Model& model, const TensorInfo& tensor, const json& wanted, double tolerance) {
    const std::vector<std::byte> bytes = tensorValues(model, tensor);
    if (bytesHash(bytes) == wanted["sha256"].get<std::string>()) return;
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    float largest = 0;
    for (const float value : values) largest = std::max(largest, std::fabs(value));
    for (std::size_t i = 0; i < wanted["first"].size(); ++i)
        EXPECT_NEAR(values[i], valueNumber(wanted["first"][i]), tolerance * static_cast<double>(largest)) << i;
}

// OpenVINO's spellings.
std::string ownName(const std::string& dtype) {
    if (dtype == "F4E2M1") return "F4";
    if (dtype == "BOOLEAN") return "BOOL";
    if (dtype.starts_with("F8E")) return "F8_" + dtype.substr(2);
    return dtype;
}

std::string storedHash(const Model& model, const TensorInfo& tensor) {
    const auto source = openFile(model, tensor.file());
    if (!source) throw std::runtime_error(source.error().message());
    std::vector<std::byte> bytes(tensor.bytes());
    if (const auto read = (*source)->readAt(tensor.offset().value_or(0), bytes); !read)
        throw std::runtime_error(read.error().message());
    return bytesHash(bytes);
}

// False where the values could not be compared, because this program does not decode the type.
bool expectTensor(const Model& model, const json& wanted, double tolerance) {
    const auto name = wanted["name"].get<std::string>();
    SCOPED_TRACE(name);
    const TensorInfo* tensor = find(model, name, wanted.value("logical", false));
    EXPECT_TRUE(tensor) << "is not in the model";
    if (!tensor) return true;
    if (wanted.contains("unavailable")) {
        EXPECT_EQ(tensor->source.form(), TensorSource::Form::Unavailable);
        return true;
    }
    auto dtype = wanted["dtype"].get<std::string>();
    if (dtype == "f4_e2m1") dtype = "f4";
    std::ranges::transform(dtype, dtype.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    EXPECT_EQ(tensor->dtypeName(), dtype);
    EXPECT_TRUE(std::ranges::equal(tensor->shape.dimensions(), wanted["shape"].get<std::vector<std::uint64_t>>()))
        << tensor->shape.toString();
    if (tensor->dtype == Dtype::Unknown) return false;
    if (!wanted.contains("sha256") || wanted["sha256"].is_null()) return true;
    if (tolerance != 0 && tensor->logical) {
        expectClose(model, *tensor, wanted, tolerance);
    } else {
        EXPECT_EQ(hashOfValues(model, *tensor), wanted["sha256"].get<std::string>());
    }
    return true;
}

} // namespace

std::string hashOfValues(const Model& model, const TensorInfo& tensor) {
    const std::vector<std::byte> bytes = tensorValues(model, tensor);
    return bytesHash(tensor.dtype == Dtype::F4 ? oneByteEach(bytes, tensor.shape.elements()) : bytes);
}

std::size_t expectStoredTruth(const Model& model, const std::string& fixture) {
    std::ifstream in(shared() / "fixtures" / (fixture + ".expected.json"));
    EXPECT_TRUE(in) << fixture;
    if (!in) return 0;
    const json wanted = json::parse(in);
    const double tolerance = wanted.value("relative_tolerance", 0.0);
    std::size_t notDecoded = 0;
    for (const json& one : wanted["tensors"]) {
        if (one.value("logical", false)) {
            notDecoded += expectTensor(model, one, tolerance) ? 0 : 1;
            continue;
        }
        const auto name = one["name"].get<std::string>();
        SCOPED_TRACE(name);
        const TensorInfo* tensor = find(model, name, false);
        EXPECT_TRUE(tensor) << "is not in the model";
        if (!tensor) continue;
        auto dtype = one["dtype"].get<std::string>();
        std::ranges::transform(dtype, dtype.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        EXPECT_EQ(tensor->dtypeName(), ownName(dtype));
        EXPECT_TRUE(std::ranges::equal(tensor->shape.dimensions(), one["shape"].get<std::vector<std::uint64_t>>()));
        EXPECT_EQ(storedHash(model, *tensor), one["sha256"].get<std::string>());
    }
    return notDecoded;
}

std::size_t expectTruth(const Model& model, const std::string& fixture) {
    std::ifstream in(shared() / "fixtures" / (fixture + ".expected.json"));
    EXPECT_TRUE(in) << fixture;
    if (!in) return 0;
    const json wanted = json::parse(in);
    const double tolerance = wanted.value("relative_tolerance", 0.0);
    std::size_t notDecoded = 0;
    for (const json& tensor : wanted["tensors"]) notDecoded += expectTensor(model, tensor, tolerance) ? 0 : 1;
    return notDecoded;
}

} // namespace wb::test
