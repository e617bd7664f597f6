// SPDX-License-Identifier: MIT
#include "core/formats/coreml/context.h"

#include "core/io/random_reader.h"

#include <array>

namespace wb::coreml {
namespace {

using enum packed::Encoding;

// BlobDataType, by its number.
constexpr std::array blobTypes = {BlobType{Dtype::F16},
                                  BlobType{Dtype::F32},
                                  BlobType{Dtype::U8},
                                  BlobType{Dtype::I8},
                                  BlobType{Dtype::BF16},
                                  BlobType{Dtype::I16},
                                  BlobType{Dtype::U16},
                                  BlobType{Dtype::I4, "", Signed, 4},
                                  BlobType{Dtype::Unknown, "U1", Unsigned, 1},
                                  BlobType{Dtype::U2, "", Unsigned, 2},
                                  BlobType{Dtype::U4, "", Unsigned, 4},
                                  BlobType{Dtype::Unknown, "U3", Unsigned, 3},
                                  BlobType{Dtype::Unknown, "U6", Unsigned, 6},
                                  BlobType{Dtype::I32},
                                  BlobType{Dtype::U32},
                                  BlobType{Dtype::F8_E4M3},
                                  BlobType{Dtype::F8_E5M2}};

} // namespace

Context::Context(const formats::Sources& sources, std::string_view weightFiles, const formats::OpenOptions& options)
    : m_sources(sources), m_options(options), m_findings(sources.at(0)->name(), options.strictness), m_index(sources.size()) {
    for (std::uint32_t file = 1; file < sources.size() && !weightFiles.empty(); ++file) {
        const std::size_t end = std::min(weightFiles.find('\n'), weightFiles.size());
        m_weightFiles.emplace(weightFiles.substr(0, end), file);
        weightFiles.remove_prefix(std::min(end + 1, weightFiles.size()));
    }
}

Result<void> Context::add(TensorInfo tensor) {
    if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
        return m_findings.refuse(ErrorCode::TooLarge, "coreml.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                 m_options.limits.tensorsPerFile);
    m_index.model.tensors.push_back(std::move(tensor));
    return {};
}

void Context::makeUnavailable(TensorInfo& tensor, const char* why) {
    m_findings.add(Severity::Error, "coreml.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                   formats::shown(tensor.name), why);
    tensor.source.makeUnavailable(Reason("coreml.values"), why);
}

void Context::addFact(std::string key, Value value) {
    constexpr std::size_t most = 10'000;
    ValueObject& metadata = m_index.model.metadata;
    ++metadata.count;
    if (metadata.members.size() < most) metadata.members.push_back({std::move(key), std::move(value)});
}

std::optional<std::uint32_t> Context::weightFile(const std::string& name) {
    constexpr std::string_view folder = "@model_path/weights/";
    const std::string_view file = std::string_view(name).starts_with(folder) ? std::string_view(name).substr(folder.size()) : "";
    const auto found = m_weightFiles.find(file);
    if (found != m_weightFiles.end()) return found->second;
    const std::string_view own = std::string_view(name).starts_with("@model_path/") ? std::string_view(name).substr(12) : name;
    if (!io::isPlainRelativeName(own))
        m_findings.add(Severity::Error, "path.traversal", std::nullopt,
                       WB_TEXT("{}: it loads values from {}, which is outside its folder."), formats::shown(name));
    return std::nullopt;
}

std::optional<BlobInfo> readBlob(const io::ByteSource& file, std::uint64_t offset) {
    constexpr std::uint64_t headBytes = 64;
    constexpr std::uint32_t sentinel = 0xDEADBEEF;
    if (!io::Extent::make(file.size(), offset, headBytes)) return std::nullopt;
    io::RandomReader reader(file);
    BlobInfo blob;
    const auto sign = reader.read<std::uint32_t>(offset);
    blob.type = reader.read<std::uint32_t>(offset + 4);
    blob.bytes = reader.read<std::uint64_t>(offset + 8);
    blob.offset = reader.read<std::uint64_t>(offset + 16);
    const bool isFine = reader.good() && sign == sentinel && io::Extent::make(file.size(), blob.offset, blob.bytes);
    return isFine ? std::optional(blob) : std::nullopt;
}

std::optional<BlobType> blobType(std::uint32_t type) {
    return type >= 1 && type <= blobTypes.size() ? std::optional(blobTypes[type - 1]) : std::nullopt;
}

} // namespace wb::coreml
