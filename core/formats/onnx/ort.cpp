// SPDX-License-Identifier: MIT
#include "core/formats/onnx/ort.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/flat/flat.h"
#include "core/formats/onnx/tensor_proto.h"

namespace wb::onnx {
namespace {

using flat::Table;
using flat::Vector;

constexpr unsigned maxDepth = 32; // graphs in the attributes of nodes

// Slots of the tables, by the order of the schema.
namespace slot {
namespace session {
constexpr unsigned version = 0, model = 1;
}
namespace model {
constexpr unsigned irVersion = 0, opsets = 1, producer = 2, producerVersion = 3, domain = 4, graph = 7;
}
namespace graph {
constexpr unsigned initializers = 0, nodes = 2, sparse = 7;
}
namespace tensor {
constexpr unsigned name = 0, dims = 2, type = 3, raw = 4, external = 6;
}
namespace node {
constexpr unsigned type = 5, outputs = 9, attributes = 10;
}
namespace attribute {
constexpr unsigned tensor = 6, graph = 7, tensors = 11, graphs = 12;
}
} // namespace slot

class OrtReader {
public:
    OrtReader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_file(source), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        const Table session = Table::root(m_file);
        const Table model = session.table(slot::session::model);
        WB_TRY(readGraph(model.table(slot::model::graph), 0));
        if (m_file.failure()) return std::unexpected(*m_file.failure());
        describe(session, model);
        constexpr const char* damaged = WB_TEXT("{} is corrupted: an offset points outside the file; download it again.");
        if (!m_file.good() && m_index.model.tensors.empty()) return m_findings.refuse(ErrorCode::Malformed, "ort.damaged", damaged);
        if (!m_file.good()) WB_TRY(m_findings.defect(Severity::Error, "ort.damaged", std::nullopt, damaged));
        m_index.model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    Result<void> readGraph(const Table& graph, unsigned depth) {
        if (depth > maxDepth)
            return m_findings.refuse(ErrorCode::TooLarge, "ort.depth", WB_TEXT("{} nests its graphs too deeply."));
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        const Vector initializers = graph.vector(slot::graph::initializers, 4);
        for (std::uint64_t i = 0; i < initializers.count && m_file.good(); ++i) WB_TRY(keep(graph.tableAt(initializers, i), ""));
        if (const Vector sparse = graph.vector(slot::graph::sparse, 4); sparse.count != 0)
            m_findings.add(Severity::Warning, "ort.sparse", std::nullopt,
                           WB_TEXT("{} contains {} sparse tensors, which are not supported."), sparse.count);
        const Vector nodes = graph.vector(slot::graph::nodes, 4);
        for (std::uint64_t i = 0; i < nodes.count && m_file.good(); ++i) WB_TRY(readNode(graph.tableAt(nodes, i), depth));
        return {};
    }

    Result<void> readNode(const Table& node, unsigned depth) {
        const Vector attributes = node.vector(slot::node::attributes, 4);
        if (++m_visited > m_options.limits.tensorsPerFile) return tooMany();
        for (std::uint64_t i = 0; i < attributes.count && m_file.good(); ++i) {
            const Table attribute = node.tableAt(attributes, i);
            if (const Table value = attribute.table(slot::attribute::tensor);
                value.isThere() && node.text(slot::node::type) == "Constant") {
                const Vector outputs = node.vector(slot::node::outputs, 4);
                WB_TRY(keep(value, node.textAt(outputs, 0)));
            }
            if (const Table graph = attribute.table(slot::attribute::graph); graph.isThere()) WB_TRY(readGraph(graph, depth + 1));
            const Vector graphs = attribute.vector(slot::attribute::graphs, 4);
            for (std::uint64_t k = 0; k < graphs.count && m_file.good(); ++k)
                WB_TRY(readGraph(attribute.tableAt(graphs, k), depth + 1));
        }
        return {};
    }

    std::unexpected<Error> tooMany() const {
        return m_findings.refuse(ErrorCode::TooLarge, "ort.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                 m_options.limits.tensorsPerFile);
    }

    Result<void> keep(const Table& table, const std::string& name) {
        if (++m_visited > m_options.limits.tensorsPerFile) return tooMany();
        TensorInfo tensor;
        tensor.name = toUtf8(name.empty() ? table.text(slot::tensor::name) : name);
        const auto type = elementType(static_cast<std::uint64_t>(table.number<std::int32_t>(slot::tensor::type)));
        tensor.dtype = type.dtype;
        tensor.typeText = type.text;
        const auto sides = table.numbers<std::int64_t>(slot::tensor::dims, Shape::maximumRank);
        const auto shape = Shape::make(std::vector<std::uint64_t>(sides.begin(), sides.end())); // a negative one is too large
        const Vector raw = table.vector(slot::tensor::raw, 1);
        if (!m_file.good()) return {};
        if (shape) tensor.shape = *shape;
        tensor.source = TensorSource::stored(0, raw.begin, raw.count);
        if (!shape) makeUnavailable(tensor, WB_TEXT("its shape is invalid"));
        else if (table.number<std::int64_t>(slot::tensor::external, -1) >= 0)
            makeUnavailable(tensor, WB_TEXT("they are in another file"));
        else if (tensor.dtype != Dtype::Unknown && storedBytes(tensor.dtype, shape->elements()) != raw.count)
            makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    void makeUnavailable(TensorInfo& tensor, const char* why) {
        m_findings.add(Severity::Error, "ort.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                       formats::shown(tensor.name), why);
        tensor.source.makeUnavailable(Reason("ort.values"), why);
    }

    void describe(const Table& session, const Table& model) {
        Model& out = m_index.model;
        out.format = FormatId::Ort;
        out.version = toUtf8(session.text(slot::session::version));
        const auto addText = [&](const char* key, unsigned at) {
            if (const std::string text = model.text(at); !text.empty())
                out.metadata.members.push_back({key, Value::of(toUtf8(text))});
        };
        out.metadata.members.push_back(
            {"ir_version", Value::ofSigned(ValueType::I64, model.number<std::int64_t>(slot::model::irVersion))});
        addText("producer_name", slot::model::producer);
        addText("producer_version", slot::model::producerVersion);
        addText("domain", slot::model::domain);
        const Vector opsets = model.vector(slot::model::opsets, 4);
        ValueObject versions;
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(opsets.count, 256) && m_file.good(); ++i) {
            const Table opset = model.tableAt(opsets, i);
            const std::string domain = opset.text(0);
            versions.members.push_back(
                {domain.empty() ? "ai.onnx" : toUtf8(domain), Value::ofSigned(ValueType::I64, opset.number<std::int64_t>(1))});
        }
        versions.count = versions.members.size();
        if (versions.count != 0) out.metadata.members.push_back({"opset_import", Value::of(std::move(versions))});
        out.metadata.count = out.metadata.members.size();
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    flat::File m_file;
    formats::Findings m_findings;
    formats::Index m_index;
    std::uint64_t m_visited = 0;
};

constexpr formats::Tasks taskNames{"ort.index"};

} // namespace

bool sniffOrt(std::span<const std::byte> head) {
    return head.size() >= 8 && std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).substr(4, 4) == "ORTM";
}

Result<formats::Index> readOrtIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return OrtReader(*sources.at(0), options).read();
}

worker::WorkerTask ortTask() { return {taskNames.index, formats::indexTask<readOrtIndex>}; }

Result<ModelPtr> openOrt(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::onnx
