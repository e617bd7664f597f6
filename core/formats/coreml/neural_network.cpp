// SPDX-License-Identifier: MIT
#include "core/formats/coreml/context.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::coreml {
namespace {

using proto::Message;
using proto::Wire;

// How the sides of a weight follow from the numbers of its layer.
enum class Sides : std::uint8_t {
    Vector,    // as many as there are
    Dense,     // [field 2, field 1]
    Recurrent, // [field 2, field 2]
    Kernel,    // [field 1, field 2, field 20 …], a transposed one [field 2, field 1 / groups, field 20 …]
    Given      // field 1 lists them
};

struct WeightField {
    std::uint32_t field;
    const char* name;
    Sides sides;
};

struct LayerKind {
    std::uint32_t field; // of the layer's parameters
    const char* name;
    std::vector<WeightField> weights;
    std::uint32_t nested = 0; // a field whose messages have the weights; the sizes are those of the layer
};

const std::vector<LayerKind>& layerKinds() {
    using enum Sides;
    static const std::vector<WeightField> denseAndBias = {{20, "weights", Dense}, {21, "bias", Vector}};
    static const std::vector<WeightField> lstm = {
        {1, "input_gate.weights", Dense},         {2, "forget_gate.weights", Dense},
        {3, "block_input.weights", Dense},        {4, "output_gate.weights", Dense},
        {20, "input_gate.recursion", Recurrent},  {21, "forget_gate.recursion", Recurrent},
        {22, "block_input.recursion", Recurrent}, {23, "output_gate.recursion", Recurrent},
        {40, "input_gate.bias", Vector},          {41, "forget_gate.bias", Vector},
        {42, "block_input.bias", Vector},         {43, "output_gate.bias", Vector},
        {60, "input_gate.peephole", Vector},      {61, "forget_gate.peephole", Vector},
        {62, "output_gate.peephole", Vector}};
    static const std::vector<LayerKind> kinds = {
        {100, "convolution", {{90, "weights", Kernel}, {91, "bias", Vector}}},
        {1471, "convolution3d", {{60, "weights", Vector}, {61, "bias", Vector}}},
        {140, "innerProduct", denseAndBias},
        {150, "embedding", denseAndBias},
        {1040, "embeddingND", denseAndBias},
        {160, "batchnorm", {{15, "gamma", Vector}, {16, "beta", Vector}, {17, "mean", Vector}, {18, "variance", Vector}}},
        {245, "scale", {{2, "scale", Given}, {5, "bias", Vector}}},
        {250, "bias", {{2, "bias", Given}}},
        {290, "loadConstant", {{2, "data", Given}}},
        {1070, "loadConstantND", {{2, "data", Given}}},
        {400, "simpleRecurrent", {{30, "weights", Dense}, {31, "recursion", Recurrent}, {32, "bias", Vector}}},
        {410,
         "gru",
         {{30, "update_gate.weights", Dense},
          {31, "reset_gate.weights", Dense},
          {32, "output_gate.weights", Dense},
          {50, "update_gate.recursion", Recurrent},
          {51, "reset_gate.recursion", Recurrent},
          {52, "output_gate.recursion", Recurrent},
          {70, "update_gate.bias", Vector},
          {71, "reset_gate.bias", Vector},
          {72, "output_gate.bias", Vector}}},
        {420, "uniDirectionalLSTM", lstm, 20},
        {430, "biDirectionalLSTM", lstm, 20},
        {500, "custom", {{20, "weights", Vector}}},
        {1045, "batchedMatmul", {{8, "weights", Vector}, {9, "bias", Vector}}},
        {1350, "layerNormalization", {{3, "gamma", Given}, {4, "beta", Given}}}};
    return kinds;
}

// WeightParams.
struct Stored {
    std::string name;
    Sides sides = Sides::Vector;
    std::optional<Run> floats, halves, raw, int8;
    std::uint64_t bits = 0;
    std::optional<Run> scale, bias, table;
};

struct LayerSizes {
    std::uint64_t first = 0, second = 0, groups = 1; // fields 1, 2 and 10
    std::vector<std::uint64_t> given;                // field 1 as a list
    std::vector<std::uint64_t> kernel;               // field 20 of a convolution
    bool isTransposed = false;                       // field 60 of a convolution
};

constexpr std::uint32_t customLayer = 500, convolution = 100;

Run fieldRun(const Message& message) { return {message.begin(), message.length()}; }

class Network {
public:
    Network(Context& context, const std::string& prefix) : m_context(context), m_prefix(prefix) {}

    Result<void> read(Message network) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, network.next());
            if (!more) break;
            if (!network.is(1, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(const Message layer, network.message());
            WB_TRY(readLayer(layer));
        }
        ValueObject counts;
        for (const auto& [kind, count] : m_counts) counts.members.push_back({kind, Value::ofUnsigned(ValueType::U64, count)});
        counts.count = counts.members.size();
        m_context.addFact(m_prefix + "layers", Value::of(std::move(counts)));
        return {};
    }

private:
    Result<void> readLayer(Message layer) {
        if (m_context.options().progress.stop.stop_requested()) return std::unexpected(canceled());
        std::string name;
        while (true) {
            WB_TRY_ASSIGN(const bool more, layer.next());
            if (!more) return {};
            if (layer.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(const std::string text, layer.text(maxName));
                name = toUtf8(text);
            }
            if (layer.wire() != Wire::Bytes || layer.field() < 100) continue;
            const auto kind = std::ranges::find(layerKinds(), layer.field(), &LayerKind::field);
            ++m_counts[kind == layerKinds().end() ? fmt::format("type {}", layer.field()) : kind->name];
            if (kind == layerKinds().end()) continue;
            WB_TRY_ASSIGN(const Message parameters, layer.message());
            WB_TRY(readParameters(parameters, *kind, name));
        }
    }

    Result<void> readParameters(Message parameters, const LayerKind& kind, const std::string& layer) {
        LayerSizes sizes;
        std::vector<Stored> found;
        unsigned nested = 0, customs = 0;
        while (true) {
            WB_TRY_ASSIGN(const bool more, parameters.next());
            if (!more) break;
            if (kind.field == customLayer && parameters.is(10, Wire::Bytes)) {
                WB_TRY_ASSIGN(const std::string type, parameters.text(maxName));
                m_context.findings().add(Severity::Note, "coreml.custom_layer", std::nullopt,
                                         WB_TEXT("{} uses the layer {}, which is code of an app; running it requires that app."),
                                         formats::shown(toUtf8(type)));
                continue;
            }
            if (kind.nested != 0 && parameters.is(kind.nested, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message inner, parameters.message());
                const std::string direction = kind.field == 430 ? (nested == 0 ? "forward." : "backward.") : "";
                ++nested;
                WB_TRY(readWeights(inner, kind, direction, found));
                continue;
            }
            const auto weight = std::ranges::find(kind.weights, parameters.field(), &WeightField::field);
            if (kind.nested == 0 && weight != kind.weights.end() && parameters.wire() == Wire::Bytes) {
                const std::string suffix = kind.field == customLayer ? fmt::format("{}", customs++) : "";
                WB_TRY(readWeight(parameters, *weight, suffix, found));
                continue;
            }
            WB_TRY(readSize(parameters, kind, sizes));
        }
        for (const Stored& weight : found) WB_TRY(addWeight(weight, layer, sizes));
        return {};
    }

    static Result<void> readSize(Message& parameters, const LayerKind& kind, LayerSizes& sizes) {
        constexpr std::uint64_t most = Shape::maximumRank;
        switch (parameters.field()) {
        case 1:
            if (parameters.wire() == Wire::Varint) sizes.first = parameters.number();
            return parameters.appendNumbers(sizes.given, Wire::Varint, most);
        case 2: sizes.second = parameters.number(); return {};
        case 10: sizes.groups = parameters.wire() == Wire::Varint ? parameters.number() : 1; return {};
        case 20: return kind.field == convolution ? parameters.appendNumbers(sizes.kernel, Wire::Varint, most) : Result<void>();
        case 60: sizes.isTransposed = parameters.number() != 0; return {};
        default: return {};
        }
    }

    Result<void> readWeights(Message message, const LayerKind& kind, const std::string& direction, std::vector<Stored>& found) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) return {};
            const auto weight = std::ranges::find(kind.weights, message.field(), &WeightField::field);
            if (weight == kind.weights.end() || message.wire() != Wire::Bytes) continue;
            WB_TRY(readWeight(message, *weight, "", found));
            found.back().name.insert(0, direction);
        }
    }

    static Result<void> readWeight(Message& parameters, const WeightField& field, const std::string& suffix,
                                   std::vector<Stored>& found) {
        Stored weight{field.name + suffix, field.sides, {}, {}, {}, {}, 0, {}, {}, {}};
        WB_TRY_ASSIGN(Message message, parameters.message());
        while (true) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (message.wire() != Wire::Bytes) continue;
            switch (message.field()) {
            case 1: weight.floats = fieldRun(message); break;
            case 2: weight.halves = fieldRun(message); break;
            case 30: weight.raw = fieldRun(message); break;
            case 31: weight.int8 = fieldRun(message); break;
            case 40: {
                WB_TRY_ASSIGN(const Message quantization, message.message());
                WB_TRY(readQuantization(quantization, weight));
                break;
            }
            default: break;
            }
        }
        found.push_back(std::move(weight));
        return {};
    }

    // numberOfBits 1, linearQuantization 101 {scale 1, bias 2}, lookupTableQuantization 102 {floatValue 1}.
    static Result<void> readQuantization(Message message, Stored& weight) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) return {};
            if (message.is(1, Wire::Varint)) weight.bits = message.number();
            const bool isLinear = message.is(101, Wire::Bytes), isTable = message.is(102, Wire::Bytes);
            if (!isLinear && !isTable) continue;
            WB_TRY_ASSIGN(Message inner, message.message());
            while (true) {
                WB_TRY_ASSIGN(const bool any, inner.next());
                if (!any) break;
                if (inner.is(1, Wire::Bytes)) (isLinear ? weight.scale : weight.table) = fieldRun(inner);
                if (inner.is(2, Wire::Bytes) && isLinear) weight.bias = fieldRun(inner);
            }
        }
    }

    // The sides of `count` elements; a vector where the layer's numbers do not fit.
    static Shape weightShape(Sides sides, std::uint64_t count, const LayerSizes& sizes) {
        std::vector<std::uint64_t> out;
        if (sides == Sides::Dense) out = {sizes.second, sizes.first};
        if (sides == Sides::Recurrent) out = {sizes.second, sizes.second};
        if (sides == Sides::Given) out = sizes.given;
        if (sides == Sides::Kernel) {
            out = {sizes.first, sizes.second};
            if (sizes.isTransposed) out = {sizes.second, sizes.groups > 1 ? sizes.first / sizes.groups : sizes.first};
            out.insert(out.end(), sizes.kernel.begin(), sizes.kernel.end());
        }
        const auto shape = out.empty() || out.size() > Shape::maximumRank ? std::nullopt : Shape::make(out);
        return shape && shape->elements() == count ? *shape : Shape::make({count}).value_or(Shape());
    }

    Result<void> addPlain(const std::string& name, Dtype dtype, const Run& run, Sides sides, const LayerSizes& sizes) {
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = dtype;
        const std::uint64_t width = info(dtype).blockBytes;
        tensor.shape = weightShape(sides, run.bytes / width, sizes);
        tensor.source = TensorSource::stored(0, run.begin, run.bytes);
        if (run.bytes % width != 0) m_context.makeUnavailable(tensor, WB_TEXT("they do not end with a whole number"));
        return m_context.add(std::move(tensor));
    }

    Result<void> addWeight(const Stored& weight, const std::string& layer, const LayerSizes& sizes) {
        const std::string name = m_prefix + layer + "." + weight.name;
        if (weight.floats && weight.floats->bytes != 0) return addPlain(name, Dtype::F32, *weight.floats, weight.sides, sizes);
        if (weight.halves && weight.halves->bytes != 0) return addPlain(name, Dtype::F16, *weight.halves, weight.sides, sizes);
        if (weight.int8 && weight.int8->bytes != 0 && weight.bits == 0)
            return addPlain(name, Dtype::I8, *weight.int8, weight.sides, sizes);
        const auto raw = weight.raw && weight.raw->bytes != 0 ? weight.raw : weight.int8;
        if (!raw || raw->bytes == 0) return {};
        return addQuantized(weight, *raw, name, sizes);
    }

    Result<void> addQuantized(const Stored& weight, const Run& raw, const std::string& name, const LayerSizes& sizes) {
        const bool isInt8 = !weight.raw || weight.raw->bytes == 0;
        const std::uint64_t bits = weight.bits;
        if (bits < 1 || bits > 8 || (isInt8 && bits != 8)) {
            m_context.findings().add(Severity::Warning, "coreml.quantization", std::nullopt,
                                     WB_TEXT("{}: {} is quantized in an unsupported way."), formats::shown(name));
            return addPlain(name, Dtype::U8, raw, Sides::Vector, sizes);
        }
        // The bits of the last byte may be filled up, so that the number of codes follows from the layer's numbers alone.
        const std::uint64_t most = raw.bytes / bits * 8 + raw.bytes % bits * 8 / bits;
        Shape shape = Shape::make({most}).value_or(Shape());
        for (std::uint64_t count = most; count > 0 && most - count < 8 && weight.sides != Sides::Vector; --count)
            if (const Shape fitting = weightShape(weight.sides, count, sizes); fitting.rank() > 1 || bits == 8) {
                shape = fitting;
                break;
            }
        const std::uint64_t outputs = sizes.kernel.empty() ? sizes.second : sizes.first;
        if (weight.sides == Sides::Vector && most >= outputs && most - outputs < 8 && outputs != 0) shape = *Shape::make({outputs});
        TensorInfo codes;
        codes.name = name;
        codes.dtype = bits != 8 ? Dtype::Unknown : isInt8 ? Dtype::I8 : Dtype::U8;
        if (bits != 8) codes.typeText = fmt::format("U{}", bits);
        codes.shape = shape;
        codes.source = TensorSource::stored(0, raw.begin, raw.bytes);
        WB_TRY(m_context.add(codes));
        return addValues(weight, raw, name, shape, isInt8);
    }

    packed::Part floatPart(const Run& run, std::vector<std::uint64_t> shape) const {
        packed::Part part;
        part.isThere = true;
        part.offset = run.begin;
        part.shape = std::move(shape);
        return part;
    }

    Result<void> addValues(const Stored& weight, const Run& raw, const std::string& name, const Shape& shape, bool isInt8) {
        packed::Weight packedWeight;
        packedWeight.shape.assign(shape.dimensions().begin(), shape.dimensions().end());
        packed::Part& codes = packedWeight.codes;
        codes.isThere = true;
        codes.encoding = isInt8 ? packed::Encoding::Signed : packed::Encoding::HighFirst;
        codes.bits = static_cast<std::uint8_t>(weight.bits);
        codes.offset = raw.begin;
        std::vector<std::string> parts = {name};
        std::uint64_t bytes = raw.bytes;
        std::vector<std::uint64_t> ones(shape.rank(), 1);
        // A number for each row or one for all.
        const auto addList = [&](const std::optional<Run>& run, packed::Part& part, const char* kind) -> Result<void> {
            if (!run) return {};
            std::vector<std::uint64_t> sides = ones;
            if (!sides.empty()) sides[0] = run->bytes / sizeof(float);
            part = floatPart(*run, sides);
            bytes += run->bytes;
            parts.push_back(name + kind);
            return addPlain(name + kind, Dtype::F32, *run, Sides::Vector, {});
        };
        WB_TRY(addList(weight.scale, packedWeight.scale, ".scale"));
        WB_TRY(addList(weight.bias, packedWeight.shift, ".shift"));
        if (weight.table) {
            std::vector<std::uint64_t> sides = ones;
            sides.push_back(weight.table->bytes / sizeof(float));
            packedWeight.codebook = floatPart(*weight.table, sides);
            bytes += weight.table->bytes;
            parts.push_back(name + ".table");
            WB_TRY(addPlain(name + ".table", Dtype::F32, *weight.table, Sides::Vector, {}));
        }
        if (!packed::isSound(packedWeight, m_context.source().size()) || (!weight.table && !weight.scale)) {
            m_context.findings().add(Severity::Warning, "coreml.quantization", std::nullopt,
                                     WB_TEXT("{}: {} does not match its quantization; only its components are listed."),
                                     formats::shown(name));
            return {};
        }
        const std::string scheme = fmt::format("{} bit {}", weight.bits, weight.table ? "lookup table" : "linear");
        return m_context.add(
            packed::logicalTensor(m_context.index(), 0, packedWeight, name, shape, scheme, std::move(parts), bytes));
    }

    Context& m_context;
    std::string m_prefix;
    std::map<std::string, std::uint64_t> m_counts;
};

} // namespace

Result<void> readNeuralNetwork(Context& context, proto::Message network, const std::string& prefix) {
    return Network(context, prefix).read(network);
}

} // namespace wb::coreml
