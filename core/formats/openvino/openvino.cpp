// SPDX-License-Identifier: MIT
#include "core/formats/openvino/openvino.h"

#include "core/base/text.h"
#include "core/formats/index/neighbor.h"
#include "core/formats/openvino/network.h"
#include "core/formats/packed/packed.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::openvino {
namespace {

constexpr formats::Tasks taskNames{"openvino.index", "openvino.unpack"};
constexpr std::uint32_t binFile = 1;
constexpr std::uint64_t maxText = 512 << 20;

struct ElementType {
    std::string_view name; // in lower case
    Dtype dtype;
    packed::Encoding encoding;
    std::uint8_t bits;
};

using enum packed::Encoding;

// The spellings of version 10 and later, then those before.
constexpr std::array types = {ElementType{"f64", Dtype::F64, Plain, 0},         ElementType{"f32", Dtype::F32, Plain, 0},
                              ElementType{"f16", Dtype::F16, Plain, 0},         ElementType{"bf16", Dtype::BF16, Plain, 0},
                              ElementType{"f8e4m3", Dtype::F8_E4M3, Plain, 0},  ElementType{"f8e5m2", Dtype::F8_E5M2, Plain, 0},
                              ElementType{"f8e8m0", Dtype::F8_E8M0, Plain, 0},  ElementType{"f4e2m1", Dtype::F4, Plain, 0},
                              ElementType{"i64", Dtype::I64, Plain, 0},         ElementType{"i32", Dtype::I32, Plain, 0},
                              ElementType{"i16", Dtype::I16, Plain, 0},         ElementType{"i8", Dtype::I8, Plain, 0},
                              ElementType{"i4", Dtype::I4, Signed, 4},          ElementType{"u64", Dtype::U64, Plain, 0},
                              ElementType{"u32", Dtype::U32, Plain, 0},         ElementType{"u16", Dtype::U16, Plain, 0},
                              ElementType{"u8", Dtype::U8, Plain, 0},           ElementType{"u4", Dtype::U4, Unsigned, 4},
                              ElementType{"u2", Dtype::U2, Unsigned, 2},        ElementType{"boolean", Dtype::Bool, Plain, 0},
                              ElementType{"u1", Dtype::Unknown, HighFirst, 1},  ElementType{"u3", Dtype::Unknown, OpenVinoU3, 3},
                              ElementType{"u6", Dtype::Unknown, OpenVinoU6, 6}, ElementType{"nf4", Dtype::Unknown, NormalFloat4, 4},
                              ElementType{"fp32", Dtype::F32, Plain, 0},        ElementType{"fp16", Dtype::F16, Plain, 0},
                              ElementType{"bool", Dtype::Bool, Plain, 0}};

std::string inCase(std::string text, bool isUpper) {
    for (char& c : text)
        if (isUpper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z') c = static_cast<char>(c ^ 0x20);
    return text;
}

const ElementType* findType(const std::string& name) {
    const auto* const row = std::ranges::find(types, inCase(name, false), &ElementType::name);
    return row == types.end() ? nullptr : row;
}

packed::Part asPart(const Blob& blob, const ElementType& type) {
    packed::Part part;
    part.isThere = true;
    part.encoding = type.encoding;
    part.dtype = type.dtype == Dtype::Bool ? Dtype::U8 : type.dtype;
    part.bits = type.bits;
    part.offset = blob.offset;
    part.shape = *blob.shape;
    return part;
}

// A constant behind conversions, a zero point and a scale.
struct Chain {
    const Blob* codes = nullptr;
    const Blob* scale = nullptr;
    const Blob* zero = nullptr;
    bool isConverted = false; // by any layer at all
};

class ChainFinder {
public:
    ChainFinder(const Graph& graph, const std::vector<Blob>& blobs) : m_graph(graph), m_blobs(blobs) {}

    // The constant that feeds the layer of this number; empty where another operator is on the way.
    std::optional<Chain> find(std::uint64_t id) const {
        Chain chain;
        bool canScale = true, canShift = true; // still, on the way to the codes
        for (unsigned step = 0; step < 16; ++step) {
            const Layer* layer = at(id);
            if (!layer) return std::nullopt;
            if (layer->blob) {
                chain.codes = &m_blobs[*layer->blob];
                return chain.codes->shape ? std::optional(chain) : std::nullopt;
            }
            chain.isConverted = true;
            const bool isScale = layer->type == "Multiply", isShift = layer->type == "Subtract";
            if (isScale && canScale) {
                if (!(chain.scale = constant(*layer, 1))) return std::nullopt;
                canScale = false;
            } else if (isShift && canShift) {
                if (!(chain.zero = constant(*layer, 1))) return std::nullopt;
                canScale = canShift = false;
            } else if (layer->type == "Reshape" && !chain.scale && !chain.zero) {
            } else if (layer->type != "Convert") {
                return std::nullopt;
            }
            const auto next = layer->inputs.find(0);
            if (next == layer->inputs.end()) return std::nullopt;
            id = next->second;
        }
        return std::nullopt;
    }

private:
    const Layer* at(std::uint64_t id) const {
        const auto found = m_graph.layers.find(id);
        return found == m_graph.layers.end() ? nullptr : &found->second;
    }

    // The constant at this input, perhaps converted.
    const Blob* constant(const Layer& layer, std::uint64_t port) const {
        const Layer* from = &layer;
        for (unsigned step = 0; step < 4; ++step) {
            const auto input = from->inputs.find(step == 0 ? port : 0);
            from = input == from->inputs.end() ? nullptr : at(input->second);
            if (!from) return nullptr;
            if (from->blob) return m_blobs[*from->blob].shape ? &m_blobs[*from->blob] : nullptr;
            if (from->type != "Convert") return nullptr;
        }
        return nullptr;
    }

    const Graph& m_graph;
    const std::vector<Blob>& m_blobs;
};

// Operators whose constants are the weights of a model.
bool isWeighted(std::string_view type) {
    return type == "MatMul" || type == "FullyConnected" || type == "Gather" || type.find("Convolution") != std::string_view::npos ||
           type.find("LSTM") != std::string_view::npos || type.find("GRU") != std::string_view::npos ||
           type.find("RNN") != std::string_view::npos || type.starts_with("EmbeddingBag");
}

class Reader {
public:
    Reader(const formats::Sources& sources, const formats::OpenOptions& options)
        : m_sources(sources), m_options(options), m_findings(sources.at(0)->name(), options.strictness), m_index(sources.size()) {}

    Result<formats::Index> read() {
        const io::ByteSource& source = *m_sources[0];
        if (source.size() > maxText)
            return m_findings.refuse(ErrorCode::TooLarge, "openvino.size", WB_TEXT("{} is longer than {} bytes."), maxText);
        std::string text(source.size(), '\0');
        WB_TRY(source.readAt(0, std::as_writable_bytes(std::span(text))));
        WB_TRY_ASSIGN(m_network, readNetwork(text, m_findings, m_options));
        for (const Blob& blob : m_network.blobs) addTensor(blob);
        for (const Graph& graph : m_network.graphs) addWeights(graph);
        if (!hasValues() && !m_network.blobs.empty())
            WB_TRY(m_findings.defect(Severity::Error, "openvino.no_values", std::nullopt,
                                     WB_TEXT("{}: the .bin file with its values is missing; put it next to this file.")));
        finish();
        return std::move(m_index);
    }

private:
    bool hasValues() const { return m_sources.size() > binFile; }

    void makeUnavailable(TensorInfo& tensor, const char* why) {
        m_findings.add(Severity::Error, "openvino.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                       formats::shown(tensor.name), why);
        tensor.source.makeUnavailable(Reason("openvino.values"), why);
    }

    void addTensor(const Blob& blob) {
        TensorInfo tensor;
        tensor.name = blob.name;
        const ElementType* type = findType(blob.type);
        tensor.dtype = type ? type->dtype : Dtype::Unknown;
        if (tensor.dtype == Dtype::Unknown) tensor.typeText = inCase(blob.type, true);
        const std::uint64_t width = info(tensor.dtype).blockBytes;
        const auto shape = blob.shape ? Shape::make(*blob.shape) : Shape::make({width == 0 ? blob.bytes : blob.bytes / width});
        if (shape) tensor.shape = *shape;
        if (!hasValues()) {
            tensor.source = TensorSource::unavailable(Reason("openvino.no_values"), WB_TEXT("the .bin file is missing"));
        } else {
            tensor.source = TensorSource::stored(binFile, blob.offset, blob.bytes);
            if (!shape) makeUnavailable(tensor, WB_TEXT("its shape is invalid"));
            else if (!io::Extent::make(m_sources[binFile]->size(), blob.offset, blob.bytes))
                makeUnavailable(tensor, WB_TEXT("the .bin file ends before them"));
            else if (tensor.dtype != Dtype::Unknown && storedBytes(tensor.dtype, shape->elements()) != blob.bytes)
                makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
        }
        m_index.model.tensors.push_back(std::move(tensor));
    }

    void addWeights(const Graph& graph) {
        if (!hasValues()) return;
        const ChainFinder chains(graph, m_network.blobs);
        for (const auto& [id, layer] : graph.layers) {
            if (!isWeighted(layer.type)) continue;
            unsigned count = 0;
            for (const auto& [port, from] : layer.inputs) {
                const auto chain = chains.find(from);
                const auto feeding = graph.layers.find(from);
                if (!chain || !chain->isConverted || feeding == graph.layers.end()) continue;
                const std::string name = graph.prefix + layer.name + ".weight" + (count == 0 ? "" : fmt::format(".{}", count));
                if (addWeight(name, *chain, feeding->second.output)) ++count;
            }
        }
    }

    bool addWeight(const std::string& name, const Chain& chain, const std::vector<std::uint64_t>& sides) {
        packed::Weight weight;
        const ElementType* type = findType(chain.codes->type);
        if (!type) return false;
        weight.shape = *chain.codes->shape;
        weight.codes = asPart(*chain.codes, *type);
        std::vector<std::string> parts = {chain.codes->name};
        std::uint64_t bytes = chain.codes->bytes;
        const auto addPart = [&](const Blob* blob, packed::Part& part) {
            const ElementType* own = blob ? findType(blob->type) : nullptr;
            if (!blob) return true;
            if (!own) return false;
            part = asPart(*blob, *own);
            // Shorter shapes stand for the last axes, as in NumPy.
            while (part.shape.size() < weight.shape.size()) part.shape.insert(part.shape.begin(), 1);
            parts.push_back(blob->name);
            bytes += blob->bytes;
            return true;
        };
        if (!addPart(chain.zero, weight.zero) || !addPart(chain.scale, weight.scale)) return false;
        const auto stored = Shape::make(weight.shape), shape = Shape::make(sides);
        if (!stored || !shape || stored->elements() != shape->elements()) return false;
        if (!packed::isSound(weight, m_sources[binFile]->size())) {
            m_findings.add(Severity::Warning, "openvino.chain", std::nullopt,
                           WB_TEXT("{}: {} does not match its scale or zero point; only its components are listed."),
                           formats::shown(name));
            return false;
        }
        const bool isPlain = !chain.scale && !chain.zero;
        m_index.model.tensors.push_back(packed::logicalTensor(
            m_index, binFile, weight, name, *shape, isPlain ? "converted " + chain.codes->type : "compressed " + chain.codes->type,
            std::move(parts), bytes));
        return true;
    }

    void finish() {
        Model& model = m_index.model;
        model.format = FormatId::OpenVino;
        if (!m_network.version.empty()) model.version = m_network.version;
        const auto add = [&](std::string key, Value value) {
            model.metadata.members.push_back({std::move(key), std::move(value)});
        };
        add("name", Value::of(m_network.name));
        add("layers", Value::ofUnsigned(ValueType::U64, m_network.layerCount));
        add("operators", Value::of(operatorCounts()));
        for (auto& [key, value] : m_network.facts) add(key, Value::of(value));
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
    }

    // How often each type of layer occurs. Layers of other sets than OpenVINO's own are code of the model's author.
    ValueObject operatorCounts() {
        std::map<std::string, std::uint64_t> counts;
        std::set<std::string> custom;
        for (const Graph& graph : m_network.graphs)
            for (const auto& [id, layer] : graph.layers) {
                ++counts[layer.type];
                const bool isOwn = layer.opset.empty() || layer.opset.starts_with("opset") || layer.opset == "experimental" ||
                                   layer.opset == "ie_internal_opset";
                if (!isOwn && custom.insert(layer.type).second)
                    m_findings.add(
                        Severity::Note, "openvino.custom_operator", std::nullopt,
                        WB_TEXT("{} uses the operator {}, which is not part of OpenVINO; running it requires a library."),
                        formats::shown(layer.type));
            }
        ValueObject out;
        for (const auto& [type, count] : counts) {
            ++out.count;
            if (out.members.size() < 1000) out.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
        }
        return out;
    }

    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    Network m_network;
};

} // namespace

bool sniff(std::string_view head) { return xml::rootName(head) == "net"; }

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(sources, options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, packed::unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openWithNeighbor(taskNames, path, ".bin", options);
}

} // namespace wb::openvino
