// SPDX-License-Identifier: MIT
#include "core/formats/paddle/program.h"

#include "core/base/text.h"
#include "core/formats/proto/proto.h"

#include <algorithm>
#include <array>

// The numbers of fields and types are those of PaddlePaddle/Paddle: paddle/fluid/framework/framework.proto.
namespace wb::paddle {
namespace {

using proto::Message;
using proto::Wire;

constexpr std::uint64_t maxRank = 32, maxName = 64 << 10, maxOperators = 10'000;
constexpr std::uint64_t denseTensor = 7; // VarType.Type; the lists that feed a program have others

// TensorDesc: data_type 1, dims 2.
Result<TensorDescription> readDescription(Message message) {
    TensorDescription out;
    for (;;) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return out;
        if (message.is(1, Wire::Varint)) out.type = message.number();
        else if (message.field() == 2) WB_TRY(message.appendNumbers(out.shape, Wire::Varint, maxRank));
    }
}

// VarType: type 1, lod_tensor 3 {tensor 1}.
Result<bool> readType(Message message, TensorDescription& out) {
    bool isTensor = false;
    for (;;) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return isTensor;
        if (message.is(1, Wire::Varint)) isTensor = message.number() == denseTensor;
        if (!message.is(3, Wire::Bytes)) continue;
        WB_TRY_ASSIGN(Message holder, message.message());
        for (;;) {
            WB_TRY_ASSIGN(const bool inner, holder.next());
            if (!inner) break;
            if (!holder.is(1, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(const Message description, holder.message());
            WB_TRY_ASSIGN(out, readDescription(description));
        }
    }
}

class ProgramReader {
public:
    ProgramReader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_cursor(source) {}

    // ProgramDesc: blocks 1, version 4 {version 1}.
    Result<Program> read() {
        Message message(m_cursor, m_source.size(), m_source.name());
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (message.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message block, message.message());
                WB_TRY(readBlock(block));
            } else if (message.is(4, Wire::Bytes)) {
                WB_TRY_ASSIGN(Message version, message.message());
                WB_TRY_ASSIGN(const bool hasNumber, version.next());
                if (hasNumber && version.is(1, Wire::Varint)) m_program.version = version.number();
                WB_TRY(skipRest(version));
            }
        }
        std::ranges::sort(m_program.variables, {}, &Variable::name);
        const auto same = std::ranges::unique(m_program.variables, {}, &Variable::name);
        m_program.variables.erase(same.begin(), same.end());
        return std::move(m_program);
    }

private:
    static Result<void> skipRest(Message& message) {
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) return {};
        }
    }

    // BlockDesc: vars 3, ops 4.
    Result<void> readBlock(Message block) {
        for (;;) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            WB_TRY_ASSIGN(const bool more, block.next());
            if (!more) return {};
            if (!block.is(3, Wire::Bytes) && !block.is(4, Wire::Bytes)) continue;
            const bool isVariable = block.field() == 3;
            WB_TRY_ASSIGN(const Message inner, block.message());
            WB_TRY(isVariable ? readVariable(inner) : readOperator(inner));
        }
    }

    // VarDesc: name 1, type 2, persistable 3.
    Result<void> readVariable(Message message) {
        Variable variable;
        bool isKept = false, isTensor = false;
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (message.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(variable.name, message.text(maxName));
            } else if (message.is(2, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message type, message.message());
                WB_TRY_ASSIGN(isTensor, readType(type, variable.tensor));
            } else if (message.is(3, Wire::Varint)) {
                isKept = message.number() != 0;
            }
        }
        if (!isKept || !isTensor) return {};
        if (m_program.variables.size() >= m_options.limits.tensorsPerFile)
            return fail(ErrorCode::TooLarge, Reason("paddle.tensor_count"), About{m_source.name()},
                        WB_TEXT("{} contains more than {} tensors."), m_source.name(), m_options.limits.tensorsPerFile);
        m_program.variables.push_back(std::move(variable));
        return {};
    }

    // OpDesc: type 3.
    Result<void> readOperator(Message message) {
        std::string type;
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (!message.is(3, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(type, message.text(maxName));
        }
        type = toUtf8(type);
        if (m_program.operators.size() < maxOperators || m_program.operators.contains(type)) ++m_program.operators[type];
        return {};
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    io::Cursor m_cursor;
    Program m_program;
};

} // namespace

Dtype elementType(std::uint64_t type) {
    struct Row {
        std::uint64_t number;
        Dtype dtype;
    };
    static constexpr std::array rows = {Row{0, Dtype::Bool}, Row{1, Dtype::I16},   Row{2, Dtype::I32},  Row{3, Dtype::I64},
                                        Row{4, Dtype::F16},  Row{5, Dtype::F32},   Row{6, Dtype::F64},  Row{20, Dtype::U8},
                                        Row{21, Dtype::I8},  Row{22, Dtype::BF16}, Row{23, Dtype::C64}, Row{24, Dtype::C128}};
    const auto* const found = std::ranges::find(rows, type, &Row::number);
    return found == rows.end() ? Dtype::Unknown : found->dtype;
}

Result<TensorDescription> readDescription(const io::ByteSource& source, std::uint64_t begin, std::uint64_t bytes) {
    io::Cursor cursor(source, begin);
    return readDescription(Message(cursor, begin + bytes, source.name()));
}

Result<Program> readProgram(const io::ByteSource& source, const formats::OpenOptions& options) {
    return ProgramReader(source, options).read();
}

} // namespace wb::paddle
