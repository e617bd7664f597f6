// SPDX-License-Identifier: MIT
#include "core/formats/coreml/program.h"

#include "core/base/text.h"

namespace wb::coreml {
namespace {

using proto::Message;
using proto::Wire;

constexpr std::uint64_t maxInlined = 64 << 10; // bytes of a short value

struct MilType {
    std::uint64_t number;
    Dtype dtype;
    const char* name; // of an Unknown one
};

// MIL.proto, DataType.
constexpr MilType milTypes[] = {
    {1, Dtype::Bool, ""},     {2, Dtype::Unknown, "STRING"}, {10, Dtype::F16, ""},       {11, Dtype::F32, ""},
    {12, Dtype::F64, ""},     {13, Dtype::BF16, ""},         {21, Dtype::I8, ""},        {22, Dtype::I16, ""},
    {23, Dtype::I32, ""},     {24, Dtype::I64, ""},          {25, Dtype::I4, ""},        {31, Dtype::U8, ""},
    {32, Dtype::U16, ""},     {33, Dtype::U32, ""},          {34, Dtype::U64, ""},       {35, Dtype::U4, ""},
    {36, Dtype::U2, ""},      {37, Dtype::Unknown, "U1"},    {38, Dtype::Unknown, "U6"}, {39, Dtype::Unknown, "U3"},
    {40, Dtype::F8_E4M3, ""}, {41, Dtype::F8_E5M2, ""}};

// Calls `visit` for every field of a message.
template <class Visit>
Result<void> eachField(Message message, Visit visit) {
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return {};
        WB_TRY(visit(message));
    }
}

class ProgramReader {
public:
    ProgramReader(Context& context, const std::string& prefix) : m_context(context), m_prefix(prefix) {}

    // version 1, functions 2 map {1, 2}.
    Result<void> read(const Message& program) {
        return eachField(program, [&](Message& field) -> Result<void> {
            if (!field.is(2, Wire::Bytes)) return {};
            WB_TRY_ASSIGN(const Message entry, field.message());
            std::string name;
            return eachField(entry, [&](Message& part) -> Result<void> {
                if (part.is(1, Wire::Bytes)) return assignText(part, name);
                if (!part.is(2, Wire::Bytes)) return {};
                WB_TRY_ASSIGN(const Message function, part.message());
                return readFunction(function, m_prefix + (name.empty() || name == "main" ? "" : name + "/"));
            });
        });
    }

private:
    static Result<void> assignText(Message& field, std::string& out) {
        WB_TRY_ASSIGN(const std::string text, field.text(maxName));
        out = toUtf8(text);
        return {};
    }

    // inputs 1, opset 2, block_specializations 3 map {1, 2 Block}.
    Result<void> readFunction(const Message& function, const std::string& prefix) {
        ProgramTensors tensors(m_context, prefix);
        WB_TRY(eachField(function, [&](Message& field) -> Result<void> {
            if (field.is(2, Wire::Bytes)) {
                std::string opset;
                WB_TRY(assignText(field, opset));
                m_context.addFact(prefix + "opset", Value::of(opset));
            }
            if (!field.is(3, Wire::Bytes)) return {};
            WB_TRY_ASSIGN(const Message entry, field.message());
            return eachField(entry, [&](Message& part) -> Result<void> {
                if (!part.is(2, Wire::Bytes)) return {};
                WB_TRY_ASSIGN(const Message block, part.message());
                return readBlock(block, tensors);
            });
        }));
        tensors.finish();
        return {};
    }

    // operations 3.
    Result<void> readBlock(const Message& block, ProgramTensors& tensors) {
        return eachField(block, [&](Message& field) -> Result<void> {
            if (!field.is(3, Wire::Bytes)) return {};
            WB_TRY_ASSIGN(const Message operation, field.message());
            return readOperation(operation, tensors);
        });
    }

    // type 1, inputs 2 map, outputs 3, blocks 4, attributes 5 map.
    Result<void> readOperation(const Message& message, ProgramTensors& tensors) {
        MilOperation operation;
        WB_TRY(eachField(message, [&](Message& field) -> Result<void> {
            if (field.is(1, Wire::Bytes)) return assignText(field, operation.type);
            if (field.wire() != Wire::Bytes) return {};
            WB_TRY_ASSIGN(const Message inner, field.message());
            switch (field.field()) {
            case 2: return readArgument(inner, operation, true);
            case 3: return operation.output.empty() ? readOutput(inner, operation) : Result<void>();
            case 4: return readBlock(inner, tensors);
            case 5: return readArgument(inner, operation, false);
            default: return {};
            }
        }));
        return tensors.add(operation);
    }

    // NamedValueType: name 1, type 2.
    static Result<void> readOutput(const Message& message, MilOperation& operation) {
        return eachField(message, [&](Message& field) -> Result<void> {
            if (field.is(1, Wire::Bytes)) return assignText(field, operation.output);
            if (!field.is(2, Wire::Bytes)) return {};
            WB_TRY_ASSIGN(const Message type, field.message());
            return readType(type, operation.result);
        });
    }

    // ValueType: tensorType 1 {dataType 1, rank 2, dimensions 3 {constant 1 {size 1}}}.
    static Result<void> readType(const Message& message, MilValue& value) {
        return eachField(message, [&](Message& field) -> Result<void> {
            if (!field.is(1, Wire::Bytes)) return {};
            WB_TRY_ASSIGN(const Message tensor, field.message());
            return eachField(tensor, [&](Message& part) -> Result<void> {
                if (part.is(1, Wire::Varint)) {
                    value.typeText = fmt::format("type {}", part.number());
                    for (const MilType& type : milTypes)
                        if (type.number == part.number()) value.dtype = type.dtype, value.typeText = type.name;
                }
                if (!part.is(3, Wire::Bytes)) return {};
                std::uint64_t side = ~std::uint64_t{0};
                WB_TRY_ASSIGN(const Message dimension, part.message());
                WB_TRY(eachField(dimension, [&](Message& kind) -> Result<void> {
                    if (!kind.is(1, Wire::Bytes)) return {};
                    side = 0;
                    WB_TRY_ASSIGN(const Message constant, kind.message());
                    return eachField(constant, [&](Message& size) -> Result<void> {
                        if (size.is(1, Wire::Varint)) side = size.number();
                        return {};
                    });
                }));
                if (value.sides.size() <= Shape::maximumRank) value.sides.push_back(side);
                return {};
            });
        });
    }

    // A map's entry of a name and an Argument {1 Binding {name 1, value 2}} or a Value.
    Result<void> readArgument(const Message& entry, MilOperation& operation, bool isInput) {
        std::string key;
        MilArgument argument;
        WB_TRY(eachField(entry, [&](Message& field) -> Result<void> {
            if (field.is(1, Wire::Bytes)) return assignText(field, key);
            if (!field.is(2, Wire::Bytes)) return {};
            WB_TRY_ASSIGN(const Message inner, field.message());
            if (!isInput) return readValue(inner, argument.value.emplace());
            return eachField(inner, [&](Message& binding) -> Result<void> {
                if (!binding.is(1, Wire::Bytes)) return {};
                WB_TRY_ASSIGN(const Message bound, binding.message());
                return eachField(bound, [&](Message& kind) -> Result<void> {
                    if (kind.is(1, Wire::Bytes)) return assignText(kind, argument.name);
                    if (!kind.is(2, Wire::Bytes)) return {};
                    WB_TRY_ASSIGN(const Message value, kind.message());
                    return readValue(value, argument.value.emplace());
                });
            });
        }));
        constexpr std::size_t most = 1000;
        if (operation.arguments.size() < most) operation.arguments[key] = std::move(argument);
        return {};
    }

    // Value: type 2, immediateValue 3 {tensor 1}, blobFileValue 5 {fileName 1, offset 2}.
    Result<void> readValue(const Message& message, MilValue& value) {
        return eachField(message, [&](Message& field) -> Result<void> {
            if (field.wire() != Wire::Bytes) return {};
            WB_TRY_ASSIGN(const Message inner, field.message());
            if (field.field() == 2) return readType(inner, value);
            if (field.field() == 5)
                return eachField(inner, [&](Message& part) -> Result<void> {
                    if (part.is(1, Wire::Bytes)) return assignText(part, value.blobFile.emplace());
                    if (part.is(2, Wire::Varint)) value.blobOffset = part.number();
                    return {};
                });
            if (field.field() != 3) return {};
            return eachField(inner, [&](Message& kind) -> Result<void> {
                if (!kind.is(1, Wire::Bytes)) return {};
                WB_TRY_ASSIGN(const Message tensor, kind.message());
                return readNumbers(tensor, value);
            });
        });
    }

    // TensorValue: floats 1, ints 2, bools 3, strings 4, longInts 5, doubles 6, bytes 7, each a list in field 1.
    Result<void> readNumbers(const Message& tensor, MilValue& value) {
        return eachField(tensor, [&](Message& kind) -> Result<void> {
            if (kind.wire() != Wire::Bytes) return {};
            const std::uint32_t list = kind.field();
            WB_TRY_ASSIGN(const Message inner, kind.message());
            return eachField(inner, [&](Message& values) -> Result<void> {
                if (values.field() != 1) return {};
                if ((list == 1 || list == 6 || list == 7) && values.wire() == Wire::Bytes) {
                    value.run = Run{values.begin(), values.length()};
                    if (values.length() > maxInlined) return {};
                    value.bytes.resize(values.length());
                    return m_context.source().readAt(values.begin(), value.bytes);
                }
                if (list != 2 && list != 5) return {};
                std::vector<std::uint64_t> numbers;
                WB_TRY(values.appendNumbers(numbers, Wire::Varint, maxInlined));
                const std::size_t width = info(value.dtype).blockBytes == 0 ? 4 : info(value.dtype).blockBytes;
                for (const std::uint64_t number : numbers)
                    for (std::size_t i = 0; i < std::min<std::size_t>(width, 8); ++i)
                        value.bytes.push_back(static_cast<std::byte>(number >> 8 * i & 0xFF));
                return {};
            });
        });
    }

    Context& m_context;
    const std::string& m_prefix;
};

} // namespace

Result<void> readProgram(Context& context, proto::Message program, const std::string& prefix) {
    return ProgramReader(context, prefix).read(program);
}

} // namespace wb::coreml
