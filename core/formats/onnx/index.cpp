// SPDX-License-Identifier: MIT
#include "core/formats/onnx/index.h"

#include "core/base/text.h"
#include "core/formats/findings/graph_facts.h"
#include "core/formats/onnx/block_weights.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/onnx/tensor_proto.h"

#include <bit>
#include <map>
#include <optional>
#include <set>

namespace wb::onnx {
namespace {

using proto::Message;
using proto::Wire;

constexpr std::uint64_t maxText = 64 << 10;
constexpr std::size_t maxInputs = 1 << 20; // with initializers

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness),
          m_tensors(m_index, source, m_findings) {}

    Result<Index> read() {
        io::Cursor cursor(m_source);
        Message model(cursor, m_source.size(), m_source.name());
        ValueObject opsets, properties;
        while (true) {
            WB_TRY_ASSIGN(const bool more, model.next());
            if (!more) break;
            WB_TRY(readModelField(model, opsets, properties));
        }
        if (!m_hasGraph)
            return m_findings.refuse(ErrorCode::Malformed, "onnx.no_graph",
                                     WB_TEXT("{} starts like an ONNX model but has no graph; download it again."));
        add("opset_import", std::move(opsets));
        add("metadata_props", std::move(properties));
        addInputs();
        m_facts.write(m_index.model.metadata);
        m_index.model.format = FormatId::Onnx;
        m_index.model.version = versionText();
        m_index.model.metadata.count = m_index.model.metadata.members.size();
        m_index.model.problems = m_findings.take();
        addBlockWeights(m_blockWeights, m_index.model, m_source.name());
        return std::move(m_index);
    }

private:
    // What one node holds until its type and its output are known.
    struct Node {
        std::string type;
        std::string domain; // of operators that are not ONNX's own
        std::string output;
        std::vector<std::string> inputs;              // the first few
        std::map<std::string, std::uint64_t> numbers; // attributes that are one whole number
        std::vector<TensorInfo> values;               // of its attributes, without names
    };

    // An input or output of the graph.
    struct End {
        std::string name;
        std::string text; // with its type and shape
    };

    std::string versionText() const {
        std::string text = fmt::format("IR {}", m_irVersion);
        if (m_opset != 0) text += fmt::format(", opset {}", m_opset);
        return text;
    }

    void add(const char* key, ValueObject object) {
        object.count = object.members.size();
        if (object.count != 0) m_index.model.metadata.members.push_back({key, Value::of(std::move(object))});
    }

    Result<void> addText(const char* key, Message& message) {
        WB_TRY_ASSIGN(const std::string text, message.text(m_options.limits.jsonText));
        if (!text.empty()) m_index.model.metadata.members.push_back({key, Value::of(toUtf8(text))});
        return {};
    }

    Result<void> readModelField(Message& model, ValueObject& opsets, ValueObject& properties) {
        const bool isBytes = model.wire() == Wire::Bytes;
        switch (model.field()) {
        case 1:
            m_irVersion = model.number();
            m_index.model.metadata.members.push_back({"ir_version", Value::ofUnsigned(ValueType::U64, m_irVersion)});
            return {};
        case 2: return isBytes ? addText("producer_name", model) : Result<void>();
        case 3: return isBytes ? addText("producer_version", model) : Result<void>();
        case 4: return isBytes ? addText("domain", model) : Result<void>();
        case 5:
            m_index.model.metadata.members.push_back({"model_version", Value::ofUnsigned(ValueType::U64, model.number())});
            return {};
        case 6: return isBytes ? addText("doc_string", model) : Result<void>();
        case 7:
        case 8:
        case 14:
        case 25: break;
        default: return {};
        }
        WB_TRY_ASSIGN(Message inner, model.message());
        if (model.field() == 7) {
            m_hasGraph = true;
            return readGraph(inner, true);
        }
        if (model.field() == 25) return readFunction(inner);
        return model.field() == 8 ? readOpset(inner, opsets) : readProperty(inner, properties);
    }

    Result<void> readOpset(Message opset, ValueObject& opsets) {
        std::string domain;
        std::uint64_t version = 0;
        while (true) {
            WB_TRY_ASSIGN(const bool more, opset.next());
            if (!more) break;
            if (opset.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(domain, opset.text(maxText));
            } else if (opset.is(2, Wire::Varint)) {
                version = opset.number();
            }
        }
        if (domain.empty() || domain == "ai.onnx") m_opset = version;
        opsets.members.push_back({domain.empty() ? "ai.onnx" : toUtf8(domain), Value::ofUnsigned(ValueType::U64, version)});
        return {};
    }

    Result<void> readProperty(Message property, ValueObject& properties) {
        std::string key, value;
        while (true) {
            WB_TRY_ASSIGN(const bool more, property.next());
            if (!more) break;
            if (property.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(key, property.text(maxText));
            } else if (property.is(2, Wire::Bytes)) {
                WB_TRY_ASSIGN(value, property.text(m_options.limits.jsonText));
            }
        }
        properties.members.push_back({toUtf8(key), Value::of(toUtf8(value))});
        return {};
    }

    Result<void> keep(TensorInfo tensor) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "onnx.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    Result<void> readGraph(Message graph, bool isOutermost) {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        while (true) {
            WB_TRY_ASSIGN(const bool more, graph.next());
            if (!more) return {};
            if (graph.wire() != Wire::Bytes) continue;
            if (graph.field() == 2 && isOutermost) {
                WB_TRY(addText("graph_name", graph));
            } else if (graph.field() == 1) {
                WB_TRY_ASSIGN(const Message node, graph.message());
                WB_TRY_ASSIGN(const std::string type, readNode(node));
                m_facts.addOperator(type);
            } else if ((graph.field() == 11 || graph.field() == 12) && isOutermost) {
                WB_TRY_ASSIGN(const Message value, graph.message());
                WB_TRY_ASSIGN(End end, readValueInfo(value));
                if (graph.field() == 12) m_facts.addOutput(std::move(end.text));
                else if (m_inputs.size() < maxInputs) m_inputs.push_back(std::move(end));
            } else if (graph.field() == 5 || graph.field() == 15) {
                WB_TRY_ASSIGN(const Message inner, graph.message());
                WB_TRY_ASSIGN(TensorInfo tensor, graph.field() == 5 ? m_tensors.read(inner) : m_tensors.readSparse(inner));
                WB_TRY(keep(std::move(tensor)));
            }
        }
    }

    Result<void> readFunction(Message function) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, function.next());
            if (!more) return {};
            if (!function.is(7, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(const Message node, function.message());
            WB_TRY(readNode(node));
        }
    }

    // Graphs of IR version 3 and older list their initializers among their inputs, too.
    void addInputs() {
        std::set<std::string_view> initializers;
        for (const TensorInfo& tensor : m_index.model.tensors) initializers.insert(tensor.name);
        for (End& end : m_inputs)
            if (!initializers.contains(end.name)) m_facts.addInput(std::move(end.text));
    }

    // Name and type of an input or output.
    Result<End> readValueInfo(Message value) {
        End end;
        std::string type = "?";
        std::optional<std::vector<std::string>> sides;
        while (true) {
            WB_TRY_ASSIGN(const bool more, value.next());
            if (!more) break;
            if (value.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(const std::string name, value.text(maxText));
                end.name = toUtf8(name);
            } else if (value.is(2, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message proto, value.message());
                WB_TRY(readType(proto, type, sides));
            }
        }
        end.text = formats::GraphFacts::value(end.name, type, sides);
        return end;
    }

    // TypeProto: of tensors and sparse tensors the element type and the shape, of others the kind.
    Result<void> readType(Message message, std::string& type, std::optional<std::vector<std::string>>& sides) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) return {};
            if (message.is(4, Wire::Bytes)) type = "sequence";
            else if (message.is(5, Wire::Bytes)) type = "map";
            else if (message.is(9, Wire::Bytes)) type = "optional";
            if (!message.is(1, Wire::Bytes) && !message.is(8, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(Message tensor, message.message());
            while (true) {
                WB_TRY_ASSIGN(const bool hasMore, tensor.next());
                if (!hasMore) break;
                if (tensor.is(1, Wire::Varint)) {
                    const ElementTypeOfProto element = elementType(tensor.number());
                    type = element.dtype == Dtype::Unknown ? element.text : info(element.dtype).name;
                } else if (tensor.is(2, Wire::Bytes)) {
                    WB_TRY_ASSIGN(const Message shape, tensor.message());
                    WB_TRY_ASSIGN(sides, readSides(shape));
                }
            }
        }
    }

    // TensorShapeProto: numbers, names such as "batch", and unknown sides.
    Result<std::vector<std::string>> readSides(Message shape) {
        std::vector<std::string> sides;
        while (true) {
            WB_TRY_ASSIGN(const bool more, shape.next());
            if (!more) return sides;
            if (!shape.is(1, Wire::Bytes) || sides.size() >= Shape::maximumRank) continue;
            WB_TRY_ASSIGN(Message side, shape.message());
            std::string text;
            while (true) {
                WB_TRY_ASSIGN(const bool hasMore, side.next());
                if (!hasMore) break;
                if (side.is(1, Wire::Varint)) {
                    text = std::to_string(static_cast<std::int64_t>(side.number()));
                } else if (side.is(2, Wire::Bytes)) {
                    WB_TRY_ASSIGN(text, side.text(maxText));
                }
            }
            sides.push_back(std::move(text));
        }
    }

    // The values of a Constant are weights; those of other nodes (a fill value, a threshold) are part of the program. Returns the
    // operator.
    Result<std::string> readNode(Message message) {
        Node node;
        while (true) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (message.is(1, Wire::Bytes) && node.inputs.size() < 4) {
                WB_TRY_ASSIGN(std::string input, message.text(maxText));
                node.inputs.push_back(toUtf8(input));
            } else if (message.is(2, Wire::Bytes) && node.output.empty()) {
                WB_TRY_ASSIGN(node.output, message.text(maxText));
            } else if (message.is(4, Wire::Bytes)) {
                WB_TRY_ASSIGN(node.type, message.text(maxText));
            } else if (message.is(7, Wire::Bytes)) {
                WB_TRY_ASSIGN(node.domain, message.text(maxText));
            } else if (message.is(5, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message attribute, message.message());
                WB_TRY(readAttribute(attribute, node));
            }
        }
        if (node.type == "MatMulNBits") noteBlockWeight(node);
        for (TensorInfo& value : node.values) {
            if (node.type != "Constant") break;
            value.name = toUtf8(node.output);
            WB_TRY(keep(std::move(value)));
        }
        return node.domain.empty() || node.domain == "ai.onnx" ? node.type : node.domain + "." + node.type;
    }

    Result<void> readAttribute(Message attribute, Node& node) {
        std::string name;
        std::vector<std::uint64_t> floats, integers;
        bool isScalar = false;
        while (true) {
            WB_TRY_ASSIGN(const bool more, attribute.next());
            if (!more) break;
            switch (attribute.field()) {
            case 1: {
                WB_TRY_ASSIGN(name, attribute.text(maxText));
                break;
            }
            case 2: floats.assign(1, attribute.number()), isScalar = true; break;
            case 3: integers.assign(1, attribute.number()), isScalar = true; break;
            case 7: WB_TRY(attribute.appendNumbers(floats, Wire::Fixed32, maxCopied / 8)); break;
            case 8: WB_TRY(attribute.appendNumbers(integers, Wire::Varint, maxCopied / 8)); break;
            case 5:
            case 22: {
                WB_TRY_ASSIGN(const Message value, attribute.message());
                WB_TRY_ASSIGN(TensorInfo tensor, attribute.field() == 5 ? m_tensors.read(value) : m_tensors.readSparse(value));
                node.values.push_back(std::move(tensor));
                break;
            }
            case 6:
            case 11: {
                WB_TRY_ASSIGN(const Message graph, attribute.message());
                WB_TRY(readGraph(graph, false));
                break;
            }
            default: break;
            }
        }
        if (isScalar && integers.size() == 1) node.numbers[name] = integers.front();
        if (!name.starts_with("value_")) return {};
        if (!floats.empty()) addNumbers<std::uint32_t>(floats, isScalar, Dtype::F32, node);
        if (!integers.empty()) addNumbers<std::uint64_t>(integers, isScalar, Dtype::I64, node);
        return {};
    }

    // Inputs: activations, codes, scales, zero points, the order of groups.
    void noteBlockWeight(const Node& node) {
        constexpr std::size_t most = 1 << 20;
        if (node.inputs.size() < 3 || m_blockWeights.size() >= most) return;
        const auto number = [&](const char* name, std::uint64_t fallback) {
            const auto found = node.numbers.find(name);
            return found == node.numbers.end() ? fallback : found->second;
        };
        m_blockWeights.push_back({number("N", 0), number("K", 0), number("bits", 4), number("block_size", 0), node.inputs[1],
                                  node.inputs[2], node.inputs.size() > 3 ? node.inputs[3] : std::string()});
    }

    template <class Bits>
    void addNumbers(const std::vector<std::uint64_t>& numbers, bool isScalar, Dtype dtype, Node& node) {
        std::vector<Bits> bits(numbers.begin(), numbers.end());
        const Shape shape = isScalar ? Shape() : *Shape::make({numbers.size()});
        node.values.push_back(m_tensors.copied({}, dtype, shape, std::as_bytes(std::span(bits))));
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    Index m_index;
    TensorReaderOfProto m_tensors;
    std::vector<BlockWeight> m_blockWeights;
    std::vector<End> m_inputs;
    formats::GraphFacts m_facts;
    std::uint64_t m_irVersion = 0;
    std::uint64_t m_opset = 0;
    bool m_hasGraph = false;
};

} // namespace

Result<Index> readIndex(const io::ByteSource& source, const formats::OpenOptions& options) {
    return Reader(source, options).read();
}

// ir_version, then the producer, the graph or the operator sets: how every known writer starts.
bool sniffHead(std::span<const std::byte> head) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned>(head[i]); };
    return head.size() > 4 && at(0) == 0x08 && at(1) > 0 && at(1) < 32 && (at(2) == 0x12 || at(2) == 0x3A || at(2) == 0x42);
}

bool sniff(const io::ByteSource& source) {
    io::Cursor cursor(source);
    Message model(cursor, source.size(), source.name());
    bool hasGraph = false, hasVersion = false;
    while (true) {
        const auto more = model.next();
        if (!more) return false;
        if (!*more) return hasGraph && hasVersion;
        const bool isNumber = model.wire() == Wire::Varint, isBytes = model.wire() == Wire::Bytes;
        switch (model.field()) {
        case 1: hasVersion = isNumber && model.number() < 1000; break;
        case 5: break;
        case 7: hasGraph = isBytes; break;
        case 2:
        case 3:
        case 4:
        case 6:
        case 8:
        case 14:
        case 20:
        case 25:
        case 26: break;
        default: return false;
        }
        if (model.field() == 1 || model.field() == 5 ? !isNumber : !isBytes) return false;
    }
}

} // namespace wb::onnx
