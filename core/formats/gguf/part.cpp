// SPDX-License-Identifier: MIT
#include "core/formats/gguf/part.h"

#include "core/formats/gguf/metadata.h"

namespace wb::gguf {
namespace {

constexpr std::uint64_t defaultAlignment = 32;

// Empty where the stored alignment does not determine the offset of the data.
Result<std::optional<std::uint64_t>> readAlignment(const Pairs& pairs, Findings& findings) {
    std::uint64_t position = 0;
    const Value* value = pairs.find("general.alignment", position);
    if (!value) return defaultAlignment;
    const auto alignment = value->unsignedNumber();
    const bool usable = alignment && std::has_single_bit(*alignment);
    if (usable && value->type == ValueType::U32) return alignment;
    WB_TRY(findings.defect(Severity::Error, "gguf.alignment", position,
                           WB_TEXT("{} has the invalid alignment {} ({}); it must be a u32 power of two. Download it again."),
                           shown(summary(*value)), valueTypeName(value->type)));
    return usable ? alignment : std::nullopt;
}

} // namespace

Result<GgufPart> readPart(const io::ByteSource& source, const std::string& name, const formats::OpenOptions& options) {
    io::Cursor cursor(source);
    GgufPart part{Findings(name, options.strictness), {}, {}, {}};
    Findings& findings = part.findings;
    WB_TRY_ASSIGN(part.header, readHeader(cursor, options.limits, findings));
    WB_TRY_ASSIGN(Pairs pairs, readPairs(cursor, part.header, options, findings));
    WB_TRY_ASSIGN(TensorList list, readTensorList(cursor, part.header, options, findings));
    WB_TRY_ASSIGN(const auto alignment, readAlignment(pairs, findings));
    WB_TRY(placeTensors(list, alignment, source.size(), findings));
    part.metadata = std::move(pairs.metadata);
    part.tensors.reserve(list.entries.size());
    for (Entry& entry : list.entries) part.tensors.push_back(std::move(entry.tensor));
    return part;
}

std::vector<Problem> takeProblems(Findings& findings) {
    std::vector<Problem> problems = findings.take();
    if (findings.hasDefect())
        problems.push_back(makeProblem(Severity::Error, "gguf.not_loadable", findings.file(), std::nullopt,
                                       WB_TEXT("{} cannot be loaded: you can inspect it, but it violates rules that every loader "
                                               "enforces. Download it again to chat with it, convert it or quantize it."),
                                       findings.file()));
    return problems;
}

} // namespace wb::gguf
