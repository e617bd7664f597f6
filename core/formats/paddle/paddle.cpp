// SPDX-License-Identifier: MIT
#include "core/formats/paddle/paddle.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/index/neighbor.h"
#include "core/formats/paddle/program.h"
#include "core/formats/proto/proto.h"
#include "core/io/cursor.h"

#include <algorithm>

namespace wb::paddle {
namespace {

constexpr formats::Tasks taskNames{"paddle.index"};
constexpr std::uint64_t maxDescription = 4096, maxLevels = 64;
constexpr std::uint64_t leastValue = 4 + 8 + 4 + 4 + 2;

class Reader {
public:
    Reader(const formats::Sources& sources, const formats::OpenOptions& options)
        : m_sources(sources), m_options(options), m_findings(sources.at(0)->name(), options.strictness), m_index(sources.size()) {}

    Result<formats::Index> read() {
        for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
            std::vector<std::byte> head(std::min<std::uint64_t>(m_sources[i]->size(), 4096));
            WB_TRY(m_sources[i]->readAt(0, head));
            if (sniffValues(head)) m_values = i;
            else if (i == 0 || sniff(*m_sources[i])) {
                auto program = readProgram(*m_sources[i], m_options);
                if (!program && i == 0) return std::unexpected(program.error());
                if (program) m_program = *std::move(program);
            }
        }
        if (m_values) WB_TRY(readValues(*m_sources[*m_values]));
        else WB_TRY(listWithoutValues());
        return finish();
    }

private:
    Result<void> cut(std::uint64_t number) {
        return m_findings.defect(Severity::Error, "paddle.cut", std::nullopt,
                                 WB_TEXT("{} is cut: the values end inside of variable {}; get a complete copy."), number);
    }

    // For each variable: u32 version 0, u64 levels and so many (u64 bytes, bytes), u32 version 0, i32 bytes of a TensorDesc,
    // the TensorDesc, the elements.
    Result<void> readValues(const io::ByteSource& source) {
        io::Cursor cursor(source);
        std::uint64_t number = 0;
        for (; cursor.remaining() != 0; ++number) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            if (number >= m_options.limits.tensorsPerFile)
                return m_findings.refuse(ErrorCode::TooLarge, "paddle.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                         m_options.limits.tensorsPerFile);
            if (cursor.remaining() < leastValue) return cut(number);
            WB_TRY_ASSIGN(const bool isRead, readValue(cursor, source, number));
            if (!isRead) return cut(number);
        }
        if (m_program && number != m_program->variables.size())
            WB_TRY(m_findings.defect(Severity::Error, "paddle.count", std::nullopt,
                                     WB_TEXT("{}: the program has {} variables and the file of its values {}, so their names are "
                                             "not known."),
                                     m_program->variables.size(), number));
        return {};
    }

    // False where the file ends before.
    Result<bool> readValue(io::Cursor& cursor, const io::ByteSource& source, std::uint64_t number) {
        WB_TRY_ASSIGN(const auto version, cursor.read<std::uint32_t>());
        WB_TRY_ASSIGN(const auto levels, cursor.read<std::uint64_t>());
        if (version != 0 || levels > maxLevels) return damaged(cursor.position());
        for (std::uint64_t i = 0; i < levels; ++i) {
            if (cursor.remaining() < sizeof(std::uint64_t)) return false;
            WB_TRY_ASSIGN(const auto bytes, cursor.read<std::uint64_t>());
            if (bytes > cursor.remaining()) return false;
            WB_TRY(cursor.skip(bytes));
        }
        if (cursor.remaining() < 2 * sizeof(std::uint32_t)) return false;
        WB_TRY_ASSIGN(const auto tensorVersion, cursor.read<std::uint32_t>());
        WB_TRY_ASSIGN(const auto described, cursor.read<std::int32_t>());
        if (tensorVersion != 0 || described <= 0 || static_cast<std::uint64_t>(described) > maxDescription)
            return damaged(cursor.position());
        if (static_cast<std::uint64_t>(described) > cursor.remaining()) return false;
        WB_TRY_ASSIGN(const auto description, readDescription(source, cursor.position(), static_cast<std::uint64_t>(described)));
        WB_TRY(cursor.skip(static_cast<std::uint64_t>(described)));
        TensorInfo tensor = makeTensor(fmt::format("value {}", number), description);
        const auto bytes =
            tensor.dtype == Dtype::Unknown ? std::nullopt : checked::mul(tensor.shape.elements(), info(tensor.dtype).blockBytes);
        if (!bytes) return damaged(cursor.position());
        const auto extent = io::Extent::make(source.size(), cursor.position(), *bytes);
        if (!extent) return false;
        tensor.source = TensorSource::stored(*m_values, extent->offset(), extent->length());
        m_index.model.tensors.push_back(std::move(tensor));
        WB_TRY(cursor.skip(*bytes));
        return true;
    }

    std::unexpected<Error> damaged(std::uint64_t at) const {
        return m_findings.refuse(
            ErrorCode::Malformed, "paddle.damaged",
            WB_TEXT("{} is damaged: no variable of PaddlePaddle is at byte {} of the values; download it again."), at);
    }

    static TensorInfo makeTensor(std::string name, const TensorDescription& description) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = elementType(description.type);
        const auto shape = Shape::make(description.shape);
        if (shape) tensor.shape = *shape;
        else tensor.dtype = Dtype::Unknown;
        return tensor;
    }

    Result<void> listWithoutValues() {
        if (!m_program) return {};
        for (const Variable& variable : m_program->variables) {
            TensorInfo tensor = makeTensor(toUtf8(variable.name), variable.tensor);
            tensor.source = TensorSource::unavailable(Reason("paddle.no_values"), WB_TEXT("the file of the values is missing"));
            m_index.model.tensors.push_back(std::move(tensor));
        }
        return m_findings.defect(Severity::Error, "paddle.no_values", std::nullopt,
                                 WB_TEXT("{}: the .pdiparams file with its values is missing; put it next to this file."));
    }

    Result<formats::Index> finish() {
        Model& model = m_index.model;
        const bool isNamed = m_program && m_values && m_program->variables.size() == model.tensors.size();
        for (std::size_t i = 0; isNamed && i < model.tensors.size(); ++i)
            model.tensors[i].name = toUtf8(m_program->variables[i].name);
        if (m_values && !m_program)
            m_findings.add(Severity::Note, "paddle.no_names", std::nullopt,
                           WB_TEXT("{}: the names of its variables are in the .pdmodel file, which is missing."));
        model.format = FormatId::Paddle;
        if (m_program) {
            if (m_program->version != 0) model.version = std::to_string(m_program->version);
            ValueObject counts;
            for (const auto& [type, count] : m_program->operators)
                counts.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
            counts.count = counts.members.size();
            model.metadata.members.push_back({"types", Value::of(std::move(counts))});
        }
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    std::optional<std::uint32_t> m_values; // index of the source
    std::optional<Program> m_program;
};

} // namespace

bool sniffValues(std::span<const std::byte> head) {
    const auto number = [&](std::size_t at, std::size_t bytes) {
        std::uint64_t out = 0;
        for (std::size_t i = bytes; i-- > 0;) out = out << 8 | std::to_integer<std::uint64_t>(head[at + i]);
        return out;
    };
    if (head.size() < leastValue || number(0, 4) != 0 || number(4, 8) != 0 || number(12, 4) != 0) return false;
    // The first field of the description is data_type, which has a small number.
    const std::uint64_t described = number(16, 4);
    return described >= 2 && described <= maxDescription && head[20] == std::byte{0x08} &&
           elementType(number(21, 1)) != Dtype::Unknown;
}

// blocks 1, version 4, op_version_map 5. A block starts with its number, where a node of TensorFlow's graph has a name.
bool sniff(const io::ByteSource& source) {
    constexpr std::byte blockNumber{0x08};
    constexpr std::uint64_t most = 1 << 20;
    io::Cursor cursor(source);
    proto::Message message(cursor, source.size(), source.name());
    for (std::uint64_t count = 0; count < most; ++count) {
        const auto more = message.next();
        if (!more) return false;
        if (!*more) return count != 0;
        const bool isKnown =
            message.is(1, proto::Wire::Bytes) || message.is(4, proto::Wire::Bytes) || message.is(5, proto::Wire::Bytes);
        if (!isKnown || (count == 0 && message.field() != 1)) return false;
        if (count != 0) continue;
        std::array<std::byte, 1> first{};
        if (message.length() == 0 || !source.readAt(message.begin(), first) || first[0] != blockNumber) return false;
    }
    return false;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    auto index = Reader(sources, options).read();
    if (index) return index;
    return std::unexpected(wb::named(sources[0]->name(), std::move(index).error())); // it may be about the other file
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openWithNeighbor(taskNames, path, path.extension() == ".pdmodel" ? ".pdiparams" : ".pdmodel", options);
}

} // namespace wb::paddle
