// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/model/danger.h"
#include "core/worker/model_wire.h"

#include <algorithm>
#include <array>
#include <cstring>

// Metadata, problems and dangers in messages.
namespace wb::worker {
namespace {

constexpr std::uint32_t maxArguments = 64;
constexpr std::uint64_t smallestValue = 8;

void writePosition(WireWriter& out, const std::optional<std::uint64_t>& position) {
    out.flag(position.has_value());
    out.u64(position.value_or(0));
}

std::optional<std::uint64_t> readPosition(WireReader& in) {
    const bool isThere = in.flag();
    const std::uint64_t position = in.u64();
    return isThere ? std::optional(position) : std::nullopt;
}

void writeArray(WireWriter& out, const ValueArray& array) {
    out.u8(static_cast<std::uint8_t>(array.elementType));
    out.u64(array.count);
    writePosition(out, array.position);
    out.u64(array.first.size());
    for (const Value& value : array.first) writeValue(out, value);
}

void writeObject(WireWriter& out, const ValueObject& object) {
    out.u64(object.count);
    out.u64(object.members.size());
    for (const Member& member : object.members) {
        out.text(member.key);
        writeValue(out, member.value);
    }
}

ValueType readType(WireReader& in) {
    const std::uint8_t type = in.u8();
    if (type <= static_cast<std::uint8_t>(ValueType::Object)) return static_cast<ValueType>(type);
    in.reject();
    return ValueType::Null;
}

Value readArray(WireReader& in, std::uint32_t depth) {
    ValueArray array;
    array.elementType = readType(in);
    array.count = in.u64();
    array.position = readPosition(in);
    const std::uint64_t kept = in.count(1);
    for (std::uint64_t i = 0; i < kept && in.good(); ++i) array.first.push_back(readValue(in, depth));
    if (array.first.size() > array.count) in.reject();
    return Value::of(std::move(array));
}

Value readObject(WireReader& in, std::uint32_t depth) {
    ValueObject object;
    object.count = in.u64();
    const std::uint64_t kept = in.count(smallestValue);
    for (std::uint64_t i = 0; i < kept && in.good(); ++i) {
        std::string key = toUtf8(in.text());
        object.members.push_back({std::move(key), readValue(in, depth)});
    }
    if (object.members.size() > object.count) in.reject();
    return Value::of(std::move(object));
}

template <class Enum>
Enum readEnum(WireReader& in, Enum last) {
    const std::uint8_t value = in.u8();
    if (value > static_cast<std::uint8_t>(last)) in.reject();
    return value > static_cast<std::uint8_t>(last) ? Enum{} : static_cast<Enum>(value);
}

void writeScanned(WireWriter& out, const ScannedFile& file) {
    out.text(file.path);
    out.text(file.member);
    out.text(file.format);
    out.u8(static_cast<std::uint8_t>(file.level));
    out.flag(file.isIncomplete);
    out.flag(file.isUnscannable);
    out.flag(file.isMalformed);
    out.flag(file.isUnchecked);
    out.text(file.why);
    out.u32(file.streams);
    out.u64(file.opcodes);
    out.u8(static_cast<std::uint8_t>(file.weightsOnlyLoads + 1));
    out.u64(file.globals.size());
    for (const DangerousName& name : file.globals) {
        out.text(name.module);
        out.text(name.name);
        out.u8(static_cast<std::uint8_t>(name.level));
        out.u64(name.position);
    }
    out.u64(file.disassembly.size());
    for (const ShownOpcode& line : file.disassembly) {
        out.u32(line.stream);
        out.u64(line.position);
        out.text(line.name);
        out.text(line.argument);
    }
}

ScannedFile readScanned(WireReader& in) {
    ScannedFile file;
    file.path = toUtf8(in.text());
    file.member = toUtf8(in.text());
    file.format = toUtf8(in.text());
    file.level = readEnum(in, DangerLevel::D);
    file.isIncomplete = in.flag();
    file.isUnscannable = in.flag();
    file.isMalformed = in.flag();
    file.isUnchecked = in.flag();
    file.why = toUtf8(in.text());
    file.streams = in.u32();
    file.opcodes = in.u64();
    file.weightsOnlyLoads = static_cast<int>(std::min<unsigned>(in.u8(), 2)) - 1;
    const std::uint64_t names = in.count(smallestValue);
    for (std::uint64_t i = 0; i < names && in.good(); ++i) {
        DangerousName name{toUtf8(in.text()), toUtf8(in.text()), readEnum(in, DangerLevel::D), 0};
        name.position = in.u64();
        file.globals.push_back(std::move(name));
    }
    const std::uint64_t lines = in.count(smallestValue);
    for (std::uint64_t i = 0; i < lines && in.good(); ++i) {
        const std::uint32_t stream = in.u32();
        const std::uint64_t position = in.u64();
        std::string name = toUtf8(in.text());
        file.disassembly.push_back({stream, position, std::move(name), toUtf8(in.text())});
    }
    return file;
}

void writeCall(WireWriter& out, const DangerousCall& call) {
    out.u32(call.file);
    out.u32(call.stream);
    out.u64(call.position);
    out.text(call.module);
    out.text(call.name);
    out.u8(static_cast<std::uint8_t>(call.level));
    out.text(call.how);
    out.text(call.arguments);
    out.flag(call.isBeyondStop);
}

// The literal of the closed list that the text equals.
const char* readHow(WireReader& in) {
    static constexpr std::array hows = {"import", "reduce", "newobj", "inst", "obj", "build", "setitem", "persid", "ext"};
    const std::string_view text = in.text();
    const auto* how = std::ranges::find_if(hows, [&](const char* h) { return text == h; });
    if (how == hows.end()) in.reject();
    return how == hows.end() ? hows[0] : *how;
}

DangerousCall readCall(WireReader& in, std::size_t files) {
    DangerousCall call;
    call.file = in.u32();
    call.stream = in.u32();
    call.position = in.u64();
    call.module = toUtf8(in.text());
    call.name = toUtf8(in.text());
    call.level = readEnum(in, DangerLevel::D);
    call.how = readHow(in);
    call.arguments = toUtf8(in.text());
    call.isBeyondStop = in.flag();
    if (call.file >= files) in.reject();
    return call;
}

} // namespace

void writeValue(WireWriter& out, const Value& value) {
    out.u8(static_cast<std::uint8_t>(value.type));
    out.u8(static_cast<std::uint8_t>(value.data.index()));
    if (const auto* flag = std::get_if<bool>(&value.data)) out.flag(*flag);
    else if (const auto* s = std::get_if<std::int64_t>(&value.data)) out.u64(static_cast<std::uint64_t>(*s));
    else if (const auto* u = std::get_if<std::uint64_t>(&value.data)) out.u64(*u);
    else if (const auto* number = std::get_if<double>(&value.data)) out.f64(*number);
    else if (const auto* text = value.string()) out.text(*text);
    else if (const auto* array = value.array()) writeArray(out, *array);
    else if (const auto* object = value.object()) writeObject(out, *object);
}

Value readValue(WireReader& in, std::uint32_t depth) {
    const ValueType type = readType(in);
    const std::uint8_t kind = in.u8();
    if (depth == 0) in.reject();
    if (!in.good()) return Value::null();
    const auto is = [type](std::initializer_list<ValueType> types) { return std::ranges::find(types, type) != types.end(); };
    using enum ValueType;
    switch (kind) {
    case 0:
        if (is({Null})) return Value::null();
        break;
    case 1:
        if (is({Bool})) return Value::of(in.flag());
        break;
    case 2:
        if (is({I8, I16, I32, I64})) return Value::ofSigned(type, static_cast<std::int64_t>(in.u64()));
        break;
    case 3:
        if (is({U8, U16, U32, U64})) return Value::ofUnsigned(type, in.u64());
        break;
    case 4:
        if (is({F32, F64})) return Value::ofFloat(type, in.f64());
        break;
    case 5:
        if (is({String})) return Value::of(toUtf8(in.text()));
        break;
    case 6:
        if (is({Array})) return readArray(in, depth - 1);
        break;
    case 7:
        if (is({Object})) return readObject(in, depth - 1);
        break;
    default: break;
    }
    in.reject();
    return Value::null();
}

void writeProblem(WireWriter& out, const Problem& problem) {
    out.u8(static_cast<std::uint8_t>(problem.severity));
    out.text(problem.code.id());
    out.text(problem.file);
    writePosition(out, problem.offset);
    out.text(problem.format);
    out.u32(static_cast<std::uint32_t>(problem.arguments.size()));
    for (const std::string& argument : problem.arguments) out.text(argument);
}

Problem readProblem(WireReader& in) {
    Problem problem;
    problem.severity = readEnum(in, Severity::Error);
    problem.code = keptReason(in.text());
    problem.file = toUtf8(in.text());
    problem.offset = readPosition(in);
    problem.format = keptSentence(in.text());
    const std::uint32_t arguments = in.u32();
    if (arguments > maxArguments) in.reject();
    for (std::uint32_t i = 0; i < arguments && in.good(); ++i) problem.arguments.push_back(toUtf8(in.text()));
    return problem;
}

void writeDanger(WireWriter& out, const Danger& danger) {
    out.u64(danger.files.size());
    for (const ScannedFile& file : danger.files) writeScanned(out, file);
    out.u64(danger.calls.size());
    for (const DangerousCall& call : danger.calls) writeCall(out, call);
    out.u64(danger.findings.size());
    for (const DangerFinding& finding : danger.findings) {
        out.text(finding.member);
        writeProblem(out, finding.problem);
    }
}

std::shared_ptr<const Danger> readDanger(WireReader& in) {
    Danger danger;
    const std::uint64_t files = in.count(smallestValue);
    for (std::uint64_t i = 0; i < files && in.good(); ++i) danger.files.push_back(readScanned(in));
    const std::uint64_t calls = in.count(smallestValue);
    for (std::uint64_t i = 0; i < calls && in.good(); ++i) danger.calls.push_back(readCall(in, danger.files.size()));
    const std::uint64_t findings = in.count(smallestValue);
    for (std::uint64_t i = 0; i < findings && in.good(); ++i) {
        std::string member = toUtf8(in.text());
        danger.findings.push_back({readProblem(in), std::move(member)});
    }
    return std::make_shared<const Danger>(std::move(danger));
}

} // namespace wb::worker
