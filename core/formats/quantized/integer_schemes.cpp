// SPDX-License-Identifier: MIT
#include "core/formats/quantized/group_recipe.h"
#include "core/formats/quantized/schemes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::quantized {
namespace {

std::uint64_t groupsFromWidth(std::uint64_t width, std::uint64_t size) { return width / size + (width % size != 0); }

// The inputs of a group: as the configuration says where that fits the number of groups, else as the shapes say.
std::optional<std::uint64_t> groupSize(const Config& config, std::uint64_t inputs, std::uint64_t groups) {
    if (inputs == 0 || groups == 0 || groups > inputs) return std::nullopt;
    if (groups == 1) return inputs;
    if (config.group.value_or(0) != 0 && groupsFromWidth(inputs, *config.group) == groups) return *config.group;
    if (inputs % groups == 0) return inputs / groups;
    for (std::uint64_t power = 2; power < inputs; power *= 2)
        if (groupsFromWidth(inputs, power) == groups) return power;
    return std::nullopt;
}

std::string schemeName(const char* method, unsigned bits, const Groups& groups) {
    if (groups.count == 1) return fmt::format("{} {} bit", method, bits);
    return fmt::format("{} {} bit g{}", method, bits, groups.size);
}

bool isFloatMatrix(const TensorInfo* tensor) {
    return tensor && tensor->shape.rank() == 2 && info(tensor->dtype).kind == DtypeKind::Float && isPlain(tensor->dtype);
}

bool isWordMatrix(const TensorInfo* tensor) { return tensor && tensor->shape.rank() == 2 && tensor->dtype == Dtype::I32; }

// What is next to "<module>.qweight".
struct Module {
    std::string name; // "<module>."
    const TensorInfo& codes;
    const TensorInfo& scales;
    const TensorInfo& zeros;
    const TensorInfo* order = nullptr;

    std::string weight() const { return name + "weight"; }
};

// casper-hansen/AutoAWQ: awq/modules/linear/gemm.py, awq/utils/packing_utils.py
void addAwq(Collector& collector, const Module& module) {
    const std::uint64_t inputs = module.codes.shape[0], outputs = module.scales.shape[1], groups = module.scales.shape[0];
    const auto size = groupSize(collector.config(), inputs, groups);
    const auto shape = Shape::make({outputs, inputs});
    const bool fits = size && shape && module.zeros.shape[0] == groups && module.zeros.shape[1] == module.codes.shape[1];
    if (!fits) return collector.refuse(module.weight(), "AWQ", module.codes);
    const Groups layout{*size, groups, 1, 2, std::nullopt, 0, 0};
    std::vector<PackedPart> parts = {transposedPackedPart(module.codes), transposedPackedPart(module.scales),
                                     transposedPackedPart(module.zeros)};
    collector.add(
        module.weight(), *shape,
        std::make_shared<AwqRecipe>(schemeName("awq", 4, layout), *shape, std::move(parts), std::vector<std::string>(), layout));
}

// The bits of a GPTQ code with which the packed codes and zero points have the widths that they have. Two may fit narrow matrices;
// the configuration decides then.
std::optional<unsigned> gptqBits(const Config& config, const Module& module) {
    std::vector<unsigned> fitting;
    for (unsigned bits = 2; bits <= 8; ++bits) {
        const CodeLayout layout{Packing::Dense, bits};
        if (wordsFor(layout, module.scales.shape[1]) != module.zeros.shape[1]) continue;
        const std::uint64_t words = module.codes.shape[0];
        const bool fits = module.order ? wordsFor(layout, module.order->shape[0]) == words : words * 32 % bits == 0;
        if (fits) fitting.push_back(bits);
    }
    if (config.bits && std::ranges::find(fitting, *config.bits) != fitting.end()) return static_cast<unsigned>(*config.bits);
    return fitting.size() == 1 ? std::optional(fitting.front()) : std::nullopt;
}

void noteBits(Collector& collector, const Module& module, unsigned bits) {
    const auto& named = collector.config().bits;
    if (!named || *named == bits) return;
    collector.note(
        makeProblem(Severity::Note, "quantized.bits", {}, std::nullopt,
                    WB_TEXT("The configuration specifies {} bits, but according to its shape {} has {} bits per weight."), *named,
                    module.weight(), bits));
}

// Version 1 stores a zero point less one. Where that is -1, programs disagree whether it was 0 or 2^bits.
void noteWrappedZeros(Collector& collector, const Module& module, unsigned bits, CodeLayout layout) {
    if (collector.config().isSymmetric) return;
    const std::vector<std::byte> bytes = collector.sample(module.zeros);
    if (bytes.empty()) return;
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    const std::uint64_t width = module.zeros.shape[1];
    std::vector<std::uint8_t> codes(module.scales.shape[1]);
    std::uint64_t wrapped = 0;
    for (std::uint64_t group = 0; group < module.zeros.shape[0]; ++group) {
        unpack(layout, std::span(words).subspan(group * width, width), 0, codes);
        wrapped += static_cast<std::uint64_t>(std::ranges::count(codes, static_cast<std::uint8_t>((1u << bits) - 1)));
    }
    if (wrapped == 0) return;
    collector.note(makeProblem(Severity::Warning, "quantized.wrapped_zeros", {}, std::nullopt,
                               WB_TEXT("{} zero points of {} are stored as {}: read as 0 here, but some programs read {}."),
                               wrapped, module.weight(), (1u << bits) - 1, 1u << bits));
}

// ModelCloud/GPTQModel: gptqmodel/nn_modules/qlinear/__init__.py
void addGptq(Collector& collector, const Module& module) {
    const auto bits = gptqBits(collector.config(), module);
    if (!bits) return collector.refuse(module.weight(), "GPTQ", module.codes);
    noteBits(collector, module, *bits);
    const std::string& format = collector.config().format;
    const bool isPlanar = format == "gptq_p" || *bits == 5 || *bits == 6 || *bits == 7;
    const CodeLayout layout{isPlanar ? Packing::Planar : Packing::Dense, *bits};
    const std::uint64_t outputs = module.scales.shape[1], groups = module.scales.shape[0];
    const std::uint64_t inputs = module.order ? module.order->shape[0] : module.codes.shape[0] * 32 / *bits;
    const auto size = groupSize(collector.config(), inputs, groups);
    const auto shape = Shape::make({outputs, inputs});
    const bool isWhole = !isPlanar || (inputs % 32 == 0 && outputs % 32 == 0);
    if (!size || !shape || !isWhole || module.zeros.shape[0] != groups)
        return collector.refuse(module.weight(), "GPTQ", module.codes);
    const bool isFirstVersion = format.empty() || format == "gptq";
    Groups described{*size, groups, 1, 2, std::nullopt, 0, isFirstVersion ? 1u : 0u};
    std::vector<PackedPart> parts = {transposedPackedPart(module.codes), transposedPackedPart(module.scales),
                                     transposedPackedPart(module.zeros)};
    if (module.order) {
        described.order = parts.size();
        parts.push_back(packedPart(*module.order));
    }
    if (isFirstVersion) noteWrappedZeros(collector, module, *bits, layout);
    collector.add(module.weight(), *shape,
                  std::make_shared<PackedRecipe>(schemeName("gptq", *bits, described), *shape, std::move(parts),
                                                 std::vector<std::string>(), described, layout, layout));
}

} // namespace

void addIntegerGroups(Collector& collector, const TensorInfo& qweight) {
    const std::string name = qweight.name.substr(0, qweight.name.size() - std::strlen("qweight"));
    const TensorInfo* scales = collector.find(name + "scales");
    const TensorInfo* zeros = collector.find(name + "qzeros");
    const TensorInfo* order = collector.find(name + "g_idx");
    if (!isWordMatrix(&qweight) || !isFloatMatrix(scales) || !isWordMatrix(zeros))
        return collector.refuse(name + "weight", "AWQ, GPTQ", qweight);
    if (order && (order->dtype != Dtype::I32 || order->shape.rank() != 1)) order = nullptr;
    const Module module{name, qweight, *scales, *zeros, order};
    const std::string& method = collector.config().method;
    const bool isOther = collector.config().format == "marlin" || collector.config().format == "gemv" ||
                         (!method.empty() && method != "awq" && method != "gptq");
    if (isOther) return collector.refuse(module.weight(), "AWQ, GPTQ", qweight);
    if (qweight.shape[1] == scales->shape[1]) return addGptq(collector, module);
    if (qweight.shape[1] * 8 == scales->shape[1]) return addAwq(collector, module);
    collector.refuse(module.weight(), "AWQ, GPTQ", qweight);
}

namespace {

// The layout in which `inputs` codes take so many words: the dense one of the named bits, the dense one of any, the old one.
std::optional<CodeLayout> packedLayout(const Config& config, std::uint64_t inputs, std::uint64_t words) {
    std::vector<CodeLayout> fitting;
    for (const Packing packing : {Packing::Dense, Packing::WholeCodes})
        for (unsigned bits = 1; bits <= 8; ++bits)
            if (wordsFor({packing, bits}, inputs) == words) fitting.push_back({packing, bits});
    const auto named = std::ranges::find_if(fitting, [&](CodeLayout layout) {
        return std::ranges::find(config.groupBits, std::uint64_t{layout.bits}) != config.groupBits.end();
    });
    if (named != fitting.end()) return *named;
    const bool isOne = !fitting.empty() && std::ranges::all_of(fitting, [&](CodeLayout l) { return l.bits == fitting[0].bits; });
    return isOne ? std::optional(fitting.front()) : std::nullopt;
}

std::optional<Shape> storedShape(const Collector& collector, const TensorInfo* tensor) {
    if (!tensor || (tensor->dtype != Dtype::I64 && tensor->dtype != Dtype::I32) || tensor->shape.elements() != 2)
        return std::nullopt;
    const std::vector<std::byte> bytes = collector.read(*tensor, 16);
    const std::size_t width = info(tensor->dtype).blockBytes;
    if (bytes.size() != 2 * width) return std::nullopt;
    std::array<std::uint64_t, 2> sides{}; // little endian, and a negative one is far too large
    for (std::size_t i = 0; i < 2; ++i) std::memcpy(&sides[i], bytes.data() + i * width, width);
    return Shape::make(sides);
}

} // namespace

// vllm-project/compressed-tensors: src/compressed_tensors/compressors/
void addPackedIntegers(Collector& collector, const std::string& name, const TensorInfo& packed, const TensorInfo& scales) {
    const auto refuse = [&] { collector.refuse(name + "weight", "compressed-tensors pack-quantized", packed); };
    const TensorInfo* shapePart = collector.find(name + "weight_shape");
    const TensorInfo* zeros = collector.find(name + "weight_zero_point");
    const TensorInfo* order = collector.find(name + "weight_g_idx");
    const auto shape = storedShape(collector, shapePart);
    if (!isWordMatrix(&packed) || !shape || shape->elements() == 0 || packed.shape[0] != (*shape)[0]) return refuse();
    const std::uint64_t outputs = (*shape)[0], inputs = (*shape)[1];
    const auto layout = packedLayout(collector.config(), inputs, packed.shape[1]);
    const std::uint64_t groups = scales.shape.elements() / outputs;
    const auto size = groupSize(collector.config(), inputs, groups);
    const bool areScales = info(scales.dtype).kind == DtypeKind::Float && isPlain(scales.dtype) && scales.shape.rank() >= 1 &&
                           scales.shape[0] == outputs;
    if (!layout || !size || !areScales || scales.shape.rank() > 2) return refuse();
    if (zeros && (!isWordMatrix(zeros) || zeros->shape[0] != wordsFor(*layout, outputs) || zeros->shape[1] != groups))
        return refuse();
    if (order && (order->dtype != Dtype::I32 || order->shape != *Shape::make({inputs}))) return refuse();
    Groups described{*size, groups, 1, std::nullopt, std::nullopt, 1u << (layout->bits - 1), 0};
    std::vector<PackedPart> parts = {packedPart(packed), packedPart(scales)};
    if (zeros) {
        described.zeros = parts.size();
        parts.push_back(packedPart(*zeros));
    }
    if (order) {
        described.order = parts.size();
        parts.push_back(packedPart(*order));
    }
    collector.add(name + "weight", *shape,
                  std::make_shared<PackedRecipe>(schemeName("compressed-tensors pack-quantized", layout->bits, described), *shape,
                                                 std::move(parts), std::vector<std::string>{shapePart->name}, described, *layout,
                                                 *layout));
}

} // namespace wb::quantized
