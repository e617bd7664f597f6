// SPDX-License-Identifier: MIT
#include "core/arch/family.h"
#include "core/base/ascii.h"
#include "core/memory/shapes.h"

#include <array>
#include <charconv>

namespace wb::memory {
namespace {

struct Field {
    const char* name;
    std::uint64_t Shape::* number;
    std::uint64_t most;
    bool isNeeded;
};

constexpr std::array fields = {
    Field{"layers", &Shape::layers, arch::maxLayers, true},        Field{"hidden", &Shape::width, arch::maxWidth, true},
    Field{"heads", &Shape::heads, arch::maxHeads, true},           Field{"kv-heads", &Shape::kvHeads, arch::maxHeads, false},
    Field{"head", &Shape::headLength, arch::maxHeadLength, false}, Field{"ffn", &Shape::feedForward, arch::maxWidth, true},
    Field{"vocab", &Shape::vocabulary, arch::maxVocabulary, true}, Field{"context", &Shape::context, arch::maxContext, false},
    Field{"experts", &Shape::experts, arch::maxExperts, false},    Field{"used", &Shape::expertsUsed, arch::maxExperts, false},
};

Error wrongPart(std::string_view part, const char* sentence) {
    return makeError(ErrorCode::Invalid, Reason("memory.shape_text"), About{std::string(part)}, sentence, part);
}

Result<void> readPart(std::string_view part, Shape& shape) {
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    if (ascii::same(name, "tied")) {
        if (!ascii::same(value, "yes") && !ascii::same(value, "no"))
            return std::unexpected(wrongPart(part, WB_TEXT("In --shape, {} must be tied=yes or tied=no.")));
        shape.tied = ascii::same(value, "yes");
        return {};
    }
    for (const Field& field : fields) {
        if (!ascii::same(name, field.name)) continue;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size() || number > field.most)
            return std::unexpected(wrongPart(part, WB_TEXT("In --shape, {} is not a valid number.")));
        shape.*field.number = number;
        return {};
    }
    return std::unexpected(wrongPart(part, WB_TEXT("--shape has no field {}; use layers=, hidden=, heads=, kv-heads=, head=, ffn=, "
                                                   "vocab=, context=, experts=, used= and tied=.")));
}

} // namespace

Result<Shape> shapeFromText(std::string_view text) {
    Shape shape;
    shape.name = text;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        WB_TRY(readPart(text.substr(0, comma), shape));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    for (const Field& field : fields)
        if (field.isNeeded && shape.*field.number == 0)
            return std::unexpected(wrongPart(field.name, WB_TEXT("--shape requires {} of at least 1.")));
    if (shape.kvHeads == 0) shape.kvHeads = shape.heads;
    if (shape.headLength == 0) shape.headLength = shape.width / shape.heads;
    if (shape.headLength == 0 || shape.kvHeads > shape.heads || shape.heads % shape.kvHeads != 0)
        return std::unexpected(
            wrongPart("kv-heads", WB_TEXT("In --shape, {} must divide heads, and heads must not exceed hidden.")));
    if ((shape.experts > 0) != (shape.expertsUsed > 0) || shape.expertsUsed > shape.experts)
        return std::unexpected(wrongPart("used", WB_TEXT("In --shape, {} must be between 1 and experts, or 0 without experts.")));
    shape.architecture = arch::plainArchitecture;
    return shape;
}

} // namespace wb::memory
