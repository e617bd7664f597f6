// SPDX-License-Identifier: MIT
#include "core/memory/shapes.h"

#include "core/arch/family.h"
#include "core/memory/amounts.h"
#include "core/memory/table.h"
#include "core/memory/shapes_table.h"

#include <algorithm>

namespace wb::memory {
namespace {

void setParts(Shape& shape, const arch::Family* family) {
    shape.headNorms = family && family->queryKeyNorm == arch::QueryKeyNorm::Head;
    shape.biases = family && family->projectionBiases;
}

Shape shapeOfRow(const TableRow& row) {
    Shape shape;
    shape.name = row.text(0);
    shape.architecture = row.text(1);
    shape.layers = row.number(2);
    shape.width = row.number(3);
    shape.heads = row.number(4);
    shape.kvHeads = row.number(5);
    shape.headLength = row.number(6);
    shape.feedForward = row.number(7);
    shape.vocabulary = row.number(8);
    shape.context = row.number(9);
    shape.experts = row.number(10);
    shape.expertsUsed = row.number(11);
    shape.tied = row.text(12) == "yes";
    setParts(shape, arch::findFamily(shape.architecture));
    return shape;
}

// Writes a model's tensors one by one.
class Tensors {
public:
    explicit Tensors(Model& model) : m_model(model) {}

    void add(std::string name, std::initializer_list<std::uint64_t> dimensions) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        const bool isRouter = tensor.name.find(".ffn_gate_inp.") != std::string::npos; // which converters keep in 32 bits
        tensor.dtype = dimensions.size() > 1 && !isRouter ? Dtype::F16 : Dtype::F32;
        tensor.shape = wb::Shape::make(dimensions).value_or(wb::Shape{});
        m_model.tensors.push_back(std::move(tensor));
    }

private:
    Model& m_model;
};

void addAttention(Tensors& tensors, const Shape& shape, const std::string& block) {
    const std::uint64_t queries = shape.heads * shape.headLength;
    const std::uint64_t keys = shape.kvHeads * shape.headLength;
    tensors.add(block + "attn_norm.weight", {shape.width});
    tensors.add(block + "attn_q.weight", {queries, shape.width});
    tensors.add(block + "attn_k.weight", {keys, shape.width});
    tensors.add(block + "attn_v.weight", {keys, shape.width});
    tensors.add(block + "attn_output.weight", {shape.width, queries});
    if (shape.biases) {
        tensors.add(block + "attn_q.bias", {queries});
        tensors.add(block + "attn_k.bias", {keys});
        tensors.add(block + "attn_v.bias", {keys});
    }
    if (!shape.headNorms) return;
    tensors.add(block + "attn_q_norm.weight", {shape.headLength});
    tensors.add(block + "attn_k_norm.weight", {shape.headLength});
}

void addFeedForward(Tensors& tensors, const Shape& shape, const std::string& block) {
    const std::uint64_t width = shape.width;
    const std::uint64_t hidden = shape.feedForward;
    tensors.add(block + "ffn_norm.weight", {width});
    if (shape.experts == 0) {
        tensors.add(block + "ffn_gate.weight", {hidden, width});
        tensors.add(block + "ffn_up.weight", {hidden, width});
        tensors.add(block + "ffn_down.weight", {width, hidden});
        return;
    }
    tensors.add(block + "ffn_gate_inp.weight", {shape.experts, width});
    tensors.add(block + "ffn_gate_exps.weight", {shape.experts, hidden, width});
    tensors.add(block + "ffn_up_exps.weight", {shape.experts, hidden, width});
    tensors.add(block + "ffn_down_exps.weight", {shape.experts, width, hidden});
}

void addKeys(Model& model, const Shape& shape) {
    const auto add = [&](const char* key, std::uint64_t number) {
        if (number > 0)
            model.metadata.members.push_back({shape.architecture + "." + key, Value::ofUnsigned(ValueType::U32, number)});
    };
    add("block_count", shape.layers);
    add("context_length", shape.context);
    add("embedding_length", shape.width);
    add("feed_forward_length", shape.feedForward);
    add("attention.head_count", shape.heads);
    add("attention.head_count_kv", shape.kvHeads);
    add("attention.key_length", shape.headLength);
    add("attention.value_length", shape.headLength);
    add("vocab_size", shape.vocabulary);
    add("expert_count", shape.experts);
    add("expert_used_count", shape.expertsUsed);
    add("expert_feed_forward_length", shape.experts > 0 ? shape.feedForward : 0);
    model.metadata.count = model.metadata.members.size();
}

// Whether the tensors of such a layer are those that modelFromShape writes.
bool isPlain(const arch::LayerSpec& layer) {
    return layer.recurrence == arch::Recurrence::None && layer.hasAttention() && layer.keyLength == layer.valueLength &&
           layer.sharedExpertWidth == 0 && !layer.predictsAhead;
}

bool isAlike(const arch::LayerSpec& a, const arch::LayerSpec& b) {
    return a.heads == b.heads && a.kvHeads == b.kvHeads && a.keyLength == b.keyLength && a.feedForward == b.feedForward &&
           a.expertWidth == b.expertWidth && a.expertsUsed == b.expertsUsed;
}

} // namespace

std::uint64_t Shape::parameters() const { return modelFromShape(*this).parameters(); }

std::uint64_t Shape::active() const {
    const std::uint64_t unused = experts > expertsUsed ? experts - expertsUsed : 0;
    return parameters() - std::min(parameters(), product(unused, 3, layers, width, feedForward));
}

std::span<const Shape> knownShapes() {
    static const std::vector<Shape> shapes = [] {
        std::vector<Shape> all;
        for (const TableRow& row : tableRows(shapesTable)) all.push_back(shapeOfRow(row));
        return all;
    }();
    return shapes;
}

Model modelFromShape(const Shape& shape) {
    Model model;
    model.format = FormatId::Gguf;
    model.architecture = shape.architecture;
    addKeys(model, shape);
    Tensors tensors(model);
    tensors.add("token_embd.weight", {shape.vocabulary, shape.width});
    tensors.add("output_norm.weight", {shape.width});
    if (!shape.tied) tensors.add("output.weight", {shape.vocabulary, shape.width});
    for (std::uint64_t i = 0; i < shape.layers; ++i) {
        const std::string block = "blk." + std::to_string(i) + ".";
        addAttention(tensors, shape, block);
        addFeedForward(tensors, shape, block);
    }
    return model;
}

std::optional<Shape> shapeFromSpec(const arch::ModelSpec& spec) {
    if (spec.layers.empty() || spec.latent.keyValueRank > 0 || !spec.gatedFeedForward || spec.perLayerInput > 0) return {};
    const arch::LayerSpec& first = spec.layers.front();
    for (const arch::LayerSpec& layer : spec.layers)
        if (!isPlain(layer) || !isAlike(layer, first)) return {};
    Shape shape;
    shape.architecture = spec.architecture;
    shape.layers = spec.blockCount;
    shape.width = spec.width;
    shape.heads = first.heads;
    shape.kvHeads = first.kvHeads;
    shape.headLength = first.keyLength;
    shape.feedForward = first.expertWidth > 0 ? first.expertWidth : first.feedForward;
    shape.vocabulary = spec.vocabulary;
    shape.context = spec.context;
    shape.experts = spec.experts.count;
    shape.expertsUsed = first.expertsUsed;
    shape.tied = spec.tiedEmbeddings;
    setParts(shape, spec.family);
    return shape;
}

} // namespace wb::memory
