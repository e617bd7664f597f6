// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/writer.h"

#include "core/base/checked.h"
#include "core/base/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace wb::safetensors {
namespace {

constexpr std::uint64_t longestHeader = 100'000'000; // the library's own limit
constexpr std::uint64_t alignment = 8;

// The library's order of types.
constexpr std::array writtenOrder = {
    Dtype::U64, Dtype::I64, Dtype::F64,     Dtype::C64,         Dtype::F32,         Dtype::U32,     Dtype::I32,     Dtype::BF16,
    Dtype::F16, Dtype::U16, Dtype::I16,     Dtype::F8_E5M2FNUZ, Dtype::F8_E4M3FNUZ, Dtype::F8_E8M0, Dtype::F8_E4M3, Dtype::F8_E5M2,
    Dtype::I8,  Dtype::U8,  Dtype::F6_E3M2, Dtype::F6_E2M3,     Dtype::F4,          Dtype::Bool};

auto dtypeRank(Dtype dtype) { return std::ranges::find(writtenOrder, dtype) - writtenOrder.begin(); }

// Indices of the tensors as they are in the file.
std::vector<std::size_t> fileOrder(std::span<const WrittenTensor> tensors) {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return std::pair(dtypeRank(tensors[i].dtype), std::string_view(tensors[i].name)); });
    return order;
}

Result<std::uint64_t> tensorBytes(const WrittenTensor& tensor) {
    const auto bytes = canHold(tensor.dtype) ? rowBytes(tensor.dtype, tensor.shape.elements()) : std::nullopt;
    if (bytes) return *bytes;
    return fail(ErrorCode::Unsupported, Reason("safetensors.type"), About{tensor.name},
                WB_TEXT("{} has the type {}, which safetensors does not support."), tensor.name, name(tensor.dtype));
}

Result<void> checkNames(std::span<const WrittenTensor> tensors, std::span<const std::size_t> order) {
    std::vector<std::string_view> names = {"__metadata__"};
    for (const std::size_t i : order) names.push_back(tensors[i].name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return {};
    return fail(ErrorCode::Invalid, Reason("safetensors.name_twice"), About{std::string(*twice)},
                WB_TEXT("Two tensors of the new file would be named {}."), *twice);
}

void writeTensor(JsonWriter& out, const WrittenTensor& tensor, std::uint64_t begin, std::uint64_t end) {
    out.key(tensor.name), out.beginObject();
    out.key("dtype"), out.string(tensor.dtype == Dtype::Bool ? "BOOL" : name(tensor.dtype));
    out.key("shape"), out.beginArray();
    for (const std::uint64_t dimension : tensor.shape.dimensions()) out.integer(dimension);
    out.endArray();
    out.key("data_offsets"), out.beginArray();
    out.integer(begin), out.integer(end);
    out.endArray();
    out.endObject();
}

void writeMetadata(JsonWriter& out, const Metadata& metadata) {
    if (metadata.empty()) return;
    out.key("__metadata__"), out.beginObject();
    for (const auto& [key, text] : metadata) out.key(key), out.string(text);
    out.endObject();
}

std::string withLength(std::string json) {
    json.resize((json.size() + alignment - 1) / alignment * alignment, ' ');
    std::string header(alignment, '\0');
    for (std::size_t i = 0; i < alignment; ++i) header[i] = static_cast<char>(json.size() >> (8 * i) & 0xFF);
    return header + json;
}

} // namespace

bool canHold(Dtype dtype) { return std::ranges::find(writtenOrder, dtype) != writtenOrder.end(); }

Result<Layout> layOut(std::span<const WrittenTensor> tensors, const Metadata& metadata) {
    const auto tooLarge = [] {
        return fail(ErrorCode::TooLarge, Reason("safetensors.size"), About{},
                    WB_TEXT("Too many or too large tensors for one safetensors file; split them into shards."));
    };
    const auto order = fileOrder(tensors);
    WB_TRY(checkNames(tensors, order));
    Layout layout;
    layout.offsets.resize(tensors.size());
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    writeMetadata(out, metadata);
    std::uint64_t at = 0;
    for (const std::size_t i : order) {
        WB_TRY_ASSIGN(const std::uint64_t bytes, tensorBytes(tensors[i]));
        const auto end = checked::add(at, bytes);
        if (!end || *end >> 62 != 0) return tooLarge();
        writeTensor(out, tensors[i], at, *end);
        layout.offsets[i] = at;
        at = *end;
    }
    out.endObject();
    out.finish();
    json.resize(json.find_last_of('}') + 1); // without the writer's line break
    if (json.size() > longestHeader - alignment) return tooLarge();
    layout.header = withLength(std::move(json));
    for (std::uint64_t& offset : layout.offsets) offset += layout.header.size();
    layout.fileBytes = layout.header.size() + at;
    return layout;
}

std::vector<std::size_t> divide(std::span<const std::uint64_t> bytes, std::uint64_t maxBytes, std::uint64_t maxTensors) {
    std::vector<std::size_t> files(bytes.size());
    std::size_t next = 0;
    std::optional<std::size_t> open; // the file that takes more
    std::uint64_t filled = 0, count = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (maxBytes > 0 && bytes[i] > maxBytes) {
            files[i] = next++;
            continue;
        }
        const bool isFull = (maxBytes > 0 && filled + bytes[i] > maxBytes) || (maxTensors > 0 && count == maxTensors);
        if (!open || isFull) {
            open = next++;
            filled = count = 0;
        }
        files[i] = *open;
        filled += bytes[i];
        ++count;
    }
    return files;
}

std::string shardName(const std::string& stem, std::size_t index, std::size_t count) {
    return count == 1 ? stem + ".safetensors" : fmt::format("{}-{:05}-of-{:05}.safetensors", stem, index + 1, count);
}

std::string indexText(std::span<const WrittenTensor> tensors, std::span<const std::string> files) {
    std::map<std::string_view, std::string_view> map;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        map.emplace(tensors[i].name, files[i]);
        total += rowBytes(tensors[i].dtype, tensors[i].shape.elements()).value_or(0);
    }
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.newline(), out.key("metadata"), out.beginObject();
    out.key("total_size"), out.integer(total);
    out.endObject();
    out.newline(), out.key("weight_map"), out.beginObject();
    for (const auto& [name, file] : map) out.newline(), out.key(name), out.string(file);
    out.newline(), out.endObject();
    out.newline(), out.endObject();
    out.finish();
    return json;
}

} // namespace wb::safetensors
