// SPDX-License-Identifier: MIT
#include "core/formats/ctranslate2/ctranslate2.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/packed/packed.h"
#include "core/io/cursor.h"

#include <algorithm>
#include <array>

namespace wb::ctranslate2 {
namespace {

constexpr formats::Tasks taskNames{"ctranslate2.index", "ctranslate2.unpack"};
constexpr std::uint32_t newestVersion = 6;
constexpr std::uint64_t leastVariable = 2 + 1 + 1 + 4; // a name of no characters, a rank, a type, a number of bytes
constexpr std::size_t maxFacts = 10'000, maxAliases = 64;
constexpr std::string_view scaleEnd = "_scale";
constexpr const char* fileName = "model.bin";

// DataType, by its number.
constexpr std::array types = {Dtype::F32, Dtype::I8, Dtype::I16, Dtype::I32, Dtype::F16, Dtype::BF16};

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness), m_index(1), m_cursor(source) {}

    Result<formats::Index> read() {
        WB_TRY_ASSIGN(m_version, m_cursor.read<std::uint32_t>());
        if (m_version == 0 || m_version > newestVersion)
            return m_findings.refuse(ErrorCode::Unsupported, "ctranslate2.version",
                                     WB_TEXT("{} is a CTranslate2 model of version {}, which is not supported."), m_version);
        Model& model = m_index.model;
        model.format = FormatId::CTranslate2;
        model.version = std::to_string(m_version);
        if (m_version >= 2) {
            WB_TRY_ASSIGN(const std::string specification, text());
            WB_TRY_ASSIGN(const auto revision, m_cursor.read<std::uint32_t>());
            model.architecture = toUtf8(specification);
            addFact("spec", Value::of(toUtf8(specification)));
            addFact("spec_revision", Value::ofUnsigned(ValueType::U32, revision));
        }
        WB_TRY(readVariables());
        if (m_version >= 3 && !m_isCut) WB_TRY(readAliases());
        if (!m_isCut && m_cursor.remaining() != 0)
            m_findings.add(Severity::Warning, "ctranslate2.trailing", m_cursor.position(),
                           WB_TEXT("{} has {} bytes after its last variable."), m_cursor.remaining());
        addDecoded();
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    void addFact(std::string key, Value value) {
        auto& members = m_index.model.metadata.members;
        if (members.size() < maxFacts) members.push_back({std::move(key), std::move(value)});
    }

    // A length that includes the zero at the end.
    Result<std::string> text() {
        WB_TRY_ASSIGN(const auto bytes, m_cursor.read<std::uint16_t>());
        std::string out(bytes, '\0');
        WB_TRY(m_cursor.read(std::as_writable_bytes(std::span(out))));
        out.resize(std::min(out.find('\0'), out.size()));
        return out;
    }

    Result<void> readVariables() {
        WB_TRY_ASSIGN(const auto count, m_cursor.read<std::uint32_t>());
        if (count > m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "ctranslate2.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        if (!m_cursor.canHold(count, leastVariable)) return cut();
        for (std::uint32_t i = 0; i < count && !m_isCut; ++i) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            if (m_cursor.remaining() < leastVariable) return cut();
            WB_TRY(readVariable());
        }
        return {};
    }

    Result<void> cut() {
        m_isCut = true;
        return m_findings.defect(Severity::Error, "ctranslate2.cut", std::nullopt,
                                 WB_TEXT("{} is cut: its variables continue after the end of the file; get a complete copy."));
    }

    Result<void> readVariable() {
        TensorInfo tensor;
        auto name = text();
        if (!name) return cut();
        tensor.name = toUtf8(*name);
        WB_TRY_ASSIGN(const auto rank, m_cursor.read<std::uint8_t>());
        if (rank > Shape::maximumRank || !m_cursor.canHold(rank + 1, sizeof(std::uint32_t))) return cut();
        std::vector<std::uint64_t> sides;
        for (unsigned axis = 0; axis < rank; ++axis) {
            WB_TRY_ASSIGN(const auto side, m_cursor.read<std::uint32_t>());
            sides.push_back(side);
        }
        WB_TRY_ASSIGN(const auto bytes, readType(tensor));
        const auto shape = Shape::make(sides);
        const auto expected =
            shape && tensor.dtype != Dtype::Unknown ? checked::mul(shape->elements(), info(tensor.dtype).blockBytes) : std::nullopt;
        if (!expected || *expected != bytes)
            return m_findings.refuse(ErrorCode::Malformed, "ctranslate2.shape",
                                     WB_TEXT("{} is damaged: the variable {} has {} bytes, which do not fit its shape."),
                                     formats::shown(tensor.name), bytes);
        tensor.shape = *shape;
        const auto extent = io::Extent::make(m_cursor.size(), m_cursor.position(), bytes);
        if (!extent) return cut();
        tensor.source = TensorSource::stored(0, extent->offset(), extent->length());
        if (rank == 0) WB_TRY(addNumber(tensor));
        WB_TRY(m_cursor.skip(extent->offset() + extent->length() - m_cursor.position()));
        m_byName.emplace(tensor.name, m_index.model.tensors.size());
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    // The number of bytes. Before version 4 the type follows from the size of an element.
    Result<std::uint64_t> readType(TensorInfo& tensor) {
        WB_TRY_ASSIGN(const auto type, m_cursor.read<std::uint8_t>());
        WB_TRY_ASSIGN(const auto count, m_cursor.read<std::uint32_t>());
        if (m_version >= 4) {
            tensor.dtype = type < types.size() ? types[type] : Dtype::Unknown;
            return count;
        }
        tensor.dtype = type == 4 ? Dtype::F32 : type == 2 ? Dtype::I16 : type == 1 ? Dtype::I8 : Dtype::Unknown;
        return std::uint64_t{count} * type;
    }

    // The hyperparameters of the model are variables of one number.
    Result<void> addNumber(const TensorInfo& tensor) {
        io::Cursor at(m_source, m_cursor.position());
        if (tensor.dtype == Dtype::F32) {
            WB_TRY_ASSIGN(const auto value, at.read<float>());
            addFact(tensor.name, Value::ofFloat(ValueType::F32, value));
        } else if (tensor.dtype == Dtype::I8) {
            WB_TRY_ASSIGN(const auto value, at.read<std::int8_t>());
            addFact(tensor.name, Value::ofSigned(ValueType::I8, value));
        } else if (tensor.dtype == Dtype::I16) {
            WB_TRY_ASSIGN(const auto value, at.read<std::int16_t>());
            addFact(tensor.name, Value::ofSigned(ValueType::I16, value));
        } else if (tensor.dtype == Dtype::I32) {
            WB_TRY_ASSIGN(const auto value, at.read<std::int32_t>());
            addFact(tensor.name, Value::ofSigned(ValueType::I32, value));
        }
        return {};
    }

    Result<void> readAliases() {
        if (m_cursor.remaining() < sizeof(std::uint32_t)) return cut();
        WB_TRY_ASSIGN(const auto count, m_cursor.read<std::uint32_t>());
        if (!m_cursor.canHold(count, 4)) return cut();
        std::map<std::size_t, std::vector<std::string>> aliases;
        for (std::uint32_t i = 0; i < count; ++i) {
            auto alias = text();
            auto name = alias ? text() : std::move(alias);
            if (!name) return cut();
            const auto found = m_byName.find(toUtf8(*name));
            if (found == m_byName.end()) {
                m_findings.add(Severity::Warning, "ctranslate2.alias", std::nullopt,
                               WB_TEXT("{}: the alias {} leads to a variable that does not exist."), formats::shown(*alias));
            } else if (auto& list = aliases[found->second]; list.size() < maxAliases) {
                list.push_back(toUtf8(*alias));
            }
        }
        for (auto& [tensor, list] : aliases) {
            auto details = std::make_shared<TensorDetails>();
            details->aliases = std::move(list);
            m_index.model.tensors[tensor].details = std::move(details);
        }
        return {};
    }

    // value = code / scale, a scale for each row or one for all.
    void addDecoded() {
        const std::size_t stored = m_index.model.tensors.size();
        for (std::size_t i = 0; i < stored; ++i) {
            const TensorInfo codes = m_index.model.tensors[i];
            if ((codes.dtype != Dtype::I8 && codes.dtype != Dtype::I16) || codes.shape.rank() == 0) continue;
            const auto found = m_byName.find(codes.name + std::string(scaleEnd));
            if (found == m_byName.end()) continue;
            const TensorInfo scale = m_index.model.tensors[found->second];
            if (scale.dtype != Dtype::F32 || scale.source.form() != TensorSource::Form::Stored) continue;
            addDecoded(codes, scale);
        }
    }

    void addDecoded(const TensorInfo& codes, const TensorInfo& scale) {
        const std::uint64_t rows = codes.shape.dimensions()[0], scales = scale.shape.elements();
        if (scales != 1 && scales != rows) return;
        // The reciprocals, since packed::Weight multiplies. They are few: one a row.
        constexpr std::uint64_t mostScales = 16 << 20;
        if (scales > mostScales) return;
        std::vector<float> values(scales);
        if (!m_source.readAt(*scale.offset(), std::as_writable_bytes(std::span(values)))) return;
        for (float& value : values) value = value == 0 ? 0 : 1 / value;
        packed::Weight weight;
        weight.shape.assign(codes.shape.dimensions().begin(), codes.shape.dimensions().end());
        weight.codes = {packed::Encoding::Plain, codes.dtype, 0, *codes.offset(), {}, {}, true};
        std::vector<std::uint64_t> sides(weight.shape.size(), 1);
        sides[0] = scales;
        const auto bytes = std::as_bytes(std::span(values));
        weight.scale = {packed::Encoding::Plain, Dtype::F32, 0, 0, {bytes.begin(), bytes.end()}, sides, true};
        if (!packed::isSound(weight, m_source.size())) return;
        m_index.model.tensors.push_back(packed::logicalTensor(m_index, 0, weight, codes.name, codes.shape,
                                                              codes.dtype == Dtype::I8 ? "int8" : "int16", {codes.name, scale.name},
                                                              codes.bytes() + scale.bytes()));
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    io::Cursor m_cursor;
    std::uint32_t m_version = 0;
    bool m_isCut = false;
    std::map<std::string, std::size_t> m_byName;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(head[at]); };
    if (head.size() < 16 || byte(0) < 2 || byte(0) > newestVersion || byte(1) != 0 || byte(2) != 0 || byte(3) != 0) return false;
    const std::size_t length = byte(4) | byte(5) << 8;
    constexpr std::size_t longestName = 128;
    if (length < 4 || length > longestName || head.size() < 6 + length + 8 || byte(6 + length - 1) != 0) return false;
    for (std::size_t i = 0; i + 1 < length; ++i) {
        const char c = static_cast<char>(byte(6 + i));
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') return false;
    }
    return true;
}

bool isFolder(const std::filesystem::path& folder) {
    const auto source = io::FileSource::open(folder / fileName);
    if (!source) return false;
    std::vector<std::byte> head(std::min<std::uint64_t>((*source)->size(), 4096));
    return (*source)->readAt(0, head) && sniff(head);
}

Result<ModelPtr> openFolder(const std::filesystem::path& folder, const formats::OpenOptions& options) {
    return open(folder / fileName, options);
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, packed::unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::ctranslate2
