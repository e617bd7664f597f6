// SPDX-License-Identifier: MIT
#include "core/formats/quantized/bitsandbytes.h"
#include "core/formats/quantized/scaled_recipe.h"
#include "core/formats/quantized/schemes.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb::quantized {
namespace {

std::string without(const std::string& name, std::string_view ending) { return name.substr(0, name.size() - ending.size()); }

// "<module>." of "<module>.weight".
std::string moduleFromWeight(const std::string& weight) { return weight.substr(0, weight.rfind('.') + 1); }

// The shape with its last dimension replaced.
std::optional<Shape> withLast(const Shape& shape, std::uint64_t last) {
    std::vector<std::uint64_t> dimensions(shape.dimensions().begin(), shape.dimensions().end());
    dimensions.back() = last;
    return Shape::make(dimensions);
}

// Whether the scales have a row for each row of the weight.
bool haveEqualRows(const Shape& weight, const Shape& scales) {
    const auto a = weight.dimensions(), b = scales.dimensions();
    return a.size() == b.size() && !a.empty() && std::equal(a.begin(), a.end() - 1, b.begin());
}

struct Fp4Names {
    std::string weight;
    std::string scheme;
    std::vector<std::string> others;
};

// Codes [.., columns / 2], scales [.., columns / group].
void addFp4(Collector& collector, const Fp4Names& names, const TensorInfo& codes, const TensorInfo& scales,
            const TensorInfo* global, Fp4Recipe::Global use) {
    const auto refuse = [&] { collector.refuse(names.weight, names.scheme.c_str(), codes); };
    if (codes.dtype != Dtype::U8 || !haveEqualRows(codes.shape, scales.shape) || !scaleKind(scales.dtype)) return refuse();
    const std::uint64_t bytes = codes.shape.rowLength(), groups = scales.shape.rowLength();
    if (bytes == 0 || groups == 0 || bytes % groups != 0 || codes.shape.elements() == 0) return refuse();
    const auto shape = withLast(codes.shape, bytes * 2);
    if (!shape || (global && (global->shape.elements() != 1 || !isPlain(global->dtype)))) return refuse();
    const std::uint64_t group = bytes / groups * 2;
    std::vector<PackedPart> parts = {packedPart(codes), packedPart(scales)};
    if (global) parts.push_back(packedPart(*global));
    collector.add(names.weight, *shape,
                  std::make_shared<Fp4Recipe>(fmt::format("{} g{}", names.scheme, group), *shape, std::move(parts), names.others,
                                              group, global ? use : Fp4Recipe::Global::None));
}

const char* elementName(Dtype dtype) {
    switch (dtype) {
    case Dtype::F8_E4M3:
    case Dtype::F8_E5M2:
    case Dtype::F8_E4M3FNUZ:
    case Dtype::F8_E5M2FNUZ: return "fp8";
    case Dtype::I8: return "int8";
    default: return nullptr;
    }
}

std::string scaledScheme(const char* element, const ScaleGrid& grid, bool isExponent) {
    if (isExponent) return fmt::format("mx{} g{}", element, grid.block[2]);
    if (grid.isWhole()) return fmt::format("{} tensor", element);
    if (grid.scales[2] == 1 && grid.block[1] == 1) return fmt::format("{} channel", element);
    if (grid.block[1] == 1) return fmt::format("{} g{}", element, grid.block[2]);
    return fmt::format("{} block {}x{}", element, grid.block[1], grid.block[2]);
}

void addScaledWeight(Collector& collector, const TensorInfo& weight, const TensorInfo& scales) {
    const char* element = elementName(weight.dtype);
    const auto grid = findScaleGrid(weight.shape, scales.shape, collector.config().block);
    const auto kind = scaleKind(scales.dtype);
    const TensorInfo* zeros = collector.find(weight.name + "_zero_point");
    if (!grid || !kind || (zeros && (zeros->shape != scales.shape || !isPlain(zeros->dtype))))
        return collector.refuse(weight.name, element, weight);
    std::vector<PackedPart> parts = {packedPart(weight), packedPart(scales)};
    if (zeros) parts.push_back(packedPart(*zeros));
    collector.add(weight.name, weight.shape,
                  std::make_shared<ScaledRecipe>(
                      scaledScheme(element, *grid, kind == ScaleKind::Exponent), weight.shape, std::move(parts),
                      collector.existing({moduleFromWeight(weight.name) + "input_scale"}), *grid, zeros != nullptr, 1.0f));
}

// Whether the parts of a 4-bit weight have the sizes that its description asks for.
bool fits(const QuantState& state, const TensorInfo& weight, const TensorInfo& maxima, const TensorInfo& map,
          const TensorInfo* nestedMaxima, const TensorInfo* nestedMap) {
    const auto blocks = [](std::uint64_t count, std::uint64_t size) { return count / size + (count % size != 0); };
    const std::uint64_t elements = state.shape.elements(), count = blocks(elements, state.blockSize);
    const DtypeInfo& stored = info(weight.dtype);
    if (elements == 0 || !isPlain(weight.dtype)) return false;
    if (weight.shape.elements() != blocks(elements / 2 + elements % 2, stored.blockBytes)) return false;
    if (maxima.shape.elements() != count || map.shape.elements() != 16 || !isPlain(map.dtype)) return false;
    if (state.nestedBlockSize == 0) return isPlain(maxima.dtype);
    return maxima.dtype == Dtype::U8 && nestedMaxima && isPlain(nestedMaxima->dtype) && nestedMap && isPlain(nestedMap->dtype) &&
           nestedMap->shape.elements() == 256 && nestedMaxima->shape.elements() == blocks(count, state.nestedBlockSize);
}

} // namespace

void addCompressed(Collector& collector, const TensorInfo& packed) {
    const std::string name = without(packed.name, "weight_packed");
    const TensorInfo* scales = collector.find(name + "weight_scale");
    if (!scales) return collector.refuse(name + "weight", "compressed-tensors", packed);
    if (packed.dtype != Dtype::U8) return addPackedIntegers(collector, name, packed, *scales);
    const TensorInfo* global = collector.find(name + "weight_global_scale");
    const auto others = collector.existing({name + "input_global_scale"});
    addFp4(collector, {name + "weight", global ? "compressed-tensors nvfp4" : "compressed-tensors mxfp4", others}, packed, *scales,
           global, Fp4Recipe::Global::Divides);
}

void addScaled(Collector& collector, const TensorInfo& scales) {
    const bool isInverse = scales.name.ends_with("_scale_inv");
    const TensorInfo* weight = collector.find(without(scales.name, isInverse ? "_scale_inv" : "_scale"));
    if (!weight) return;
    const TensorInfo* global = collector.find(weight->name + "_scale_2");
    if (weight->dtype == Dtype::U8 && global)
        return addFp4(collector, {weight->name, "nvfp4", collector.existing({moduleFromWeight(weight->name) + "input_scale"})},
                      *weight, scales, global, Fp4Recipe::Global::Multiplies);
    if (elementName(weight->dtype)) addScaledWeight(collector, *weight, scales);
}

// openai/gpt-oss: gpt_oss/torch/weights.py
void addBlocks(Collector& collector, const TensorInfo& blocks) {
    const std::string name = without(blocks.name, "_blocks");
    const TensorInfo* scales = collector.find(name + "_scales");
    if (!scales || blocks.dtype != Dtype::U8 || scales->dtype != Dtype::U8) return;
    const std::size_t rank = blocks.shape.rank();
    const auto sides = blocks.shape.dimensions();
    if (rank < 2 || blocks.shape.elements() == 0 || scales->shape.rank() + 1 != rank ||
        !std::equal(sides.begin(), sides.end() - 1, scales->shape.dimensions().begin()))
        return collector.refuse(name, "mxfp4", blocks);
    std::vector<std::uint64_t> joined(sides.begin(), sides.end() - 1);
    joined.back() *= sides.back() * 2;
    const auto shape = Shape::make(joined);
    if (!shape) return collector.refuse(name, "mxfp4", blocks);
    const std::uint64_t group = sides.back() * 2;
    collector.add(name, *shape,
                  std::make_shared<Fp4Recipe>(fmt::format("mxfp4 g{}", group), *shape,
                                              std::vector{packedPart(blocks), packedPart(*scales)}, std::vector<std::string>(),
                                              group, Fp4Recipe::Global::None));
}

// bitsandbytes-foundation/bitsandbytes: bitsandbytes/backends/default/ops.py, int8_vectorwise_dequant
void addInt8(Collector& collector, const TensorInfo& scales) {
    const std::string name = without(scales.name, "SCB");
    const TensorInfo* weight = collector.find(name + "weight");
    if (!weight || weight->dtype != Dtype::I8) return;
    constexpr float factor = 7.874015718698502e-3f; // 1/127 as it is written there
    const auto grid = findScaleGrid(weight->shape, scales.shape, {});
    if (!grid || weight->shape.rank() != 2 || scaleKind(scales.dtype) != ScaleKind::Factor)
        return collector.refuse(weight->name, "bitsandbytes int8", *weight);
    collector.add(weight->name, weight->shape,
                  std::make_shared<ScaledRecipe>("bitsandbytes int8", weight->shape,
                                                 std::vector{packedPart(*weight), packedPart(scales)},
                                                 collector.existing({name + "weight_format"}), *grid, false, factor));
}

void addBitsAndBytes(Collector& collector, const TensorInfo& state) {
    constexpr std::uint64_t maxBytes = 4 << 10;
    const std::string name = state.name.substr(0, state.name.find(".quant_state."));
    const TensorInfo* weight = collector.find(name);
    const TensorInfo* maxima = collector.find(name + ".absmax");
    const TensorInfo* map = collector.find(name + ".quant_map");
    const TensorInfo* nestedMaxima = collector.find(name + ".nested_absmax");
    const TensorInfo* nestedMap = collector.find(name + ".nested_quant_map");
    const std::vector<std::byte> bytes = collector.read(state, maxBytes);
    const auto parsed = parseQuantState({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!parsed || !weight || !maxima || !map || !fits(*parsed, *weight, *maxima, *map, nestedMaxima, nestedMap))
        return collector.refuse(name, "bitsandbytes", state);
    std::vector<PackedPart> parts = {packedPart(*weight), packedPart(*maxima), packedPart(*map)};
    if (parsed->nestedBlockSize != 0) {
        parts.push_back(packedPart(*nestedMaxima));
        parts.push_back(packedPart(*nestedMap));
    }
    std::string scheme = fmt::format("bitsandbytes {} b{}", parsed->type, parsed->blockSize);
    if (parsed->nestedBlockSize != 0) scheme += " nested";
    collector.add(name, parsed->shape,
                  std::make_shared<BitsAndBytesRecipe>(std::move(scheme), std::move(parts), std::vector{state.name}, *parsed));
}

} // namespace wb::quantized
