// SPDX-License-Identifier: MIT
#include "core/formats/tflite/tflite.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/findings/graph_facts.h"
#include "core/formats/tflite/operators.h"
#include "core/formats/tflite/sparse.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <array>

namespace wb::tflite {
namespace {

using flat::Table;
using flat::Vector;
using namespace std::string_view_literals;

constexpr formats::Tasks taskNames{"tflite.index", "tflite.unpack"};

// Slots of the tables, by the numbers of the schema.
namespace slot {
namespace model {
constexpr unsigned version = 0, operatorCodes = 1, subgraphs = 2, description = 3, buffers = 4, metadata = 6, signatures = 7,
                   externalGroups = 8;
}
namespace subgraph {
constexpr unsigned tensors = 0, inputs = 1, outputs = 2, operators = 3, name = 4;
}
namespace node {
constexpr unsigned code = 0;
}
namespace tensor {
constexpr unsigned shape = 0, type = 1, buffer = 2, name = 3, quantization = 4, isVariable = 5, sparsity = 6, signature = 7,
                   externalBuffer = 10;
}
namespace buffer {
constexpr unsigned data = 0, offset = 1, size = 2;
}
namespace quantization {
constexpr unsigned scale = 2, zeroPoint = 3, dimension = 6;
}
namespace code {
constexpr unsigned deprecated = 0, custom = 1, version = 2, builtin = 3;
}
} // namespace slot

constexpr std::uint64_t maxEnds = 10'000;

struct ElementType {
    const char* name;
    Dtype dtype;
};

// TensorType, by its number.
constexpr std::array<ElementType, 23> types = {{{"F32", Dtype::F32},         {"F16", Dtype::F16},
                                                {"I32", Dtype::I32},         {"U8", Dtype::U8},
                                                {"I64", Dtype::I64},         {"STRING", Dtype::Unknown},
                                                {"BOOL", Dtype::Bool},       {"I16", Dtype::I16},
                                                {"C64", Dtype::C64},         {"I8", Dtype::I8},
                                                {"F64", Dtype::F64},         {"C128", Dtype::C128},
                                                {"U64", Dtype::U64},         {"RESOURCE", Dtype::Unknown},
                                                {"VARIANT", Dtype::Unknown}, {"U32", Dtype::U32},
                                                {"U16", Dtype::U16},         {"I4", Dtype::I4},
                                                {"BF16", Dtype::BF16},       {"I2", Dtype::I2},
                                                {"U4", Dtype::U4},           {"F8_E4M3", Dtype::F8_E4M3},
                                                {"F8_E5M2", Dtype::F8_E5M2}}};

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_file(source), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        if (!flat::hasIdentifier(m_file, "TFL3"))
            return m_findings.refuse(ErrorCode::Malformed, "tflite.magic", WB_TEXT("{} is not a TensorFlow Lite model."));
        m_root = Table::root(m_file);
        m_buffers = m_root.vector(slot::model::buffers, 4);
        readOperatorCodes();
        const Vector subgraphs = m_root.vector(slot::model::subgraphs, 4);
        for (std::uint64_t i = 0; i < subgraphs.count && m_file.good(); ++i) WB_TRY(readSubgraph(m_root.tableAt(subgraphs, i), i));
        if (m_file.failure()) return std::unexpected(*m_file.failure());
        if (!m_file.good())
            WB_TRY(m_findings.defect(Severity::Error, "tflite.damaged", std::nullopt,
                                     WB_TEXT("{} is corrupted: an offset points outside the file; download it again.")));
        if (!m_file.good() && m_index.model.tensors.empty())
            return m_findings.refuse(ErrorCode::Malformed, "tflite.damaged",
                                     WB_TEXT("{} is corrupted: an offset points outside the file; download it again."));
        finish(subgraphs.count);
        return std::move(m_index);
    }

private:
    void addMember(const char* key, Value value) { m_index.model.metadata.members.push_back({key, std::move(value)}); }

    // Custom operators are code of the model's author; an interpreter needs their libraries.
    void readOperatorCodes() {
        const Vector codes = m_root.vector(slot::model::operatorCodes, 4);
        ValueArray custom;
        for (std::uint64_t i = 0; i < codes.count && m_file.good(); ++i) {
            const Table code = m_root.tableAt(codes, i);
            const std::string name = code.text(slot::code::custom);
            // Numbers from 127 on do not fit the old field.
            const auto number = std::max<std::int64_t>(code.number<std::uint8_t>(slot::code::deprecated),
                                                       code.number<std::int32_t>(slot::code::builtin));
            const bool isKnown = number >= 0 && static_cast<std::uint64_t>(number) < builtinOperators.size();
            m_types.push_back(!name.empty() ? name
                              : isKnown     ? builtinOperators[static_cast<std::size_t>(number)]
                                            : fmt::format("operator {}", number));
            if (name.empty()) continue;
            m_findings.add(Severity::Note, "tflite.custom_operator", std::nullopt,
                           WB_TEXT("{} uses the operator {}, which is not part of TensorFlow Lite; running it requires a library."),
                           formats::shown(name));
            custom.first.push_back(Value::of(toUtf8(name)));
        }
        custom.count = custom.first.size();
        custom.elementType = ValueType::String;
        if (custom.count != 0) addMember("custom_operators", Value::of(std::move(custom)));
    }

    Result<void> readSubgraph(const Table& graph, std::uint64_t number) {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        const Vector operators = graph.vector(slot::subgraph::operators, 4);
        for (std::uint64_t i = 0; i < operators.count && m_file.good(); ++i) {
            const auto code = graph.tableAt(operators, i).number<std::uint32_t>(slot::node::code);
            if (code < m_types.size()) m_facts.addOperator(m_types[code]);
        }
        const Vector tensors = graph.vector(slot::subgraph::tensors, 4);
        if (number == 0) { // the others are bodies of branches and loops
            for (const std::int32_t input : graph.numbers<std::int32_t>(slot::subgraph::inputs, maxEnds))
                m_facts.addInput(endText(graph, tensors, input));
            for (const std::int32_t output : graph.numbers<std::int32_t>(slot::subgraph::outputs, maxEnds))
                m_facts.addOutput(endText(graph, tensors, output));
        }
        for (std::uint64_t i = 0; i < tensors.count && m_file.good(); ++i) {
            if (++m_visited > m_options.limits.tensorsPerFile)
                return m_findings.refuse(ErrorCode::TooLarge, "tflite.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                         m_options.limits.tensorsPerFile);
            readTensor(graph.tableAt(tensors, i), number, i);
        }
        return {};
    }

    // An input or output of the graph; sides that are known at run time alone are negative in the signature of its shape.
    static std::string endText(const Table& graph, const Vector& tensors, std::int32_t number) {
        if (number < 0 || static_cast<std::uint64_t>(number) >= tensors.count) return fmt::format("tensor {}", number);
        const Table tensor = graph.tableAt(tensors, static_cast<std::uint64_t>(number));
        auto sides = tensor.numbers<std::int32_t>(slot::tensor::signature, Shape::maximumRank);
        if (sides.empty()) sides = tensor.numbers<std::int32_t>(slot::tensor::shape, Shape::maximumRank);
        std::vector<std::string> shown;
        for (const std::int32_t side : sides) shown.push_back(side < 0 ? std::string() : std::to_string(side));
        const auto type = tensor.number<std::uint8_t>(slot::tensor::type);
        return formats::GraphFacts::value(tensor.text(slot::tensor::name),
                                          type < types.size() ? types[type].name : fmt::format("type {}", type), shown);
    }

    // Where the values of a buffer lie: in the buffer itself, or after it where the file is too large for offsets of 32 bits.
    std::optional<TensorPlace> placeFromNumber(std::uint64_t number) {
        if (number == 0 || number >= m_buffers.count) return std::nullopt;
        const Table buffer = m_root.tableAt(m_buffers, number);
        const Vector data = buffer.vector(slot::buffer::data, 1);
        if (data.count != 0) return TensorPlace{0, data.begin, data.count};
        const auto offset = buffer.number<std::uint64_t>(slot::buffer::offset);
        const auto size = buffer.number<std::uint64_t>(slot::buffer::size);
        if (offset <= 1 || size == 0) return std::nullopt;
        return TensorPlace{0, offset, size};
    }

    void readTensor(const Table& table, std::uint64_t graph, std::uint64_t number) {
        const auto place = placeFromNumber(table.number<std::uint32_t>(slot::tensor::buffer));
        const bool isExternal = table.number<std::uint32_t>(slot::tensor::externalBuffer) != 0;
        if ((!place && !isExternal) || !m_file.good()) return;
        TensorInfo tensor;
        tensor.name = toUtf8(table.text(slot::tensor::name));
        if (tensor.name.empty()) tensor.name = fmt::format("tensor {}", number);
        if (graph != 0) tensor.name = fmt::format("subgraph {}/{}", graph, tensor.name);
        const auto type = table.number<std::uint8_t>(slot::tensor::type);
        tensor.dtype = type < types.size() ? types[type].dtype : Dtype::Unknown;
        if (tensor.dtype == Dtype::Unknown) tensor.typeText = type < types.size() ? types[type].name : fmt::format("type {}", type);
        tensor.details = tableDetails(table, number);
        placeValues(tensor, table, place, isExternal);
        m_index.model.tensors.push_back(std::move(tensor));
    }

    void placeValues(TensorInfo& tensor, const Table& table, const std::optional<TensorPlace>& place, bool isExternal) {
        const auto sides = table.numbers<std::int32_t>(slot::tensor::shape, Shape::maximumRank);
        std::vector<std::uint64_t> dimensions;
        for (const std::int32_t side : sides) dimensions.push_back(side < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(side));
        const auto shape = Shape::make(dimensions);
        if (shape) tensor.shape = *shape;
        tensor.source = TensorSource::stored(0, place ? *place->offset : 0, place ? place->bytes : 0);
        if (isExternal) return makeUnavailable(tensor, WB_TEXT("they are in another file"));
        if (!shape) return makeUnavailable(tensor, WB_TEXT("its shape is invalid"));
        if (!io::Extent::make(m_source.size(), *place->offset, place->bytes))
            return makeUnavailable(tensor, WB_TEXT("the file ends before them"));
        if (tensor.dtype == Dtype::Unknown) return;
        if (const Table sparsity = table.table(slot::tensor::sparsity); sparsity.isThere())
            return placeSparse(tensor, sparsity, *place);
        if (storedBytes(tensor.dtype, shape->elements()) != place->bytes)
            return makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
    }

    void placeSparse(TensorInfo& tensor, const Table& sparsity, const TensorPlace& place) {
        const auto type = info(tensor.dtype);
        const auto rows =
            type.blockElements == 1 ? readSparsity(sparsity, tensor.shape, type.blockBytes, place, m_source) : std::nullopt;
        if (!rows) {
            tensor.source.makeUnavailable(Reason("tflite.sparse"), WB_TEXT("it is sparse in a form that is not supported"));
            m_findings.add(Severity::Note, "tflite.sparse", std::nullopt,
                           WB_TEXT("{}: {} is sparse in a form that is not supported; it is listed without values."),
                           formats::shown(tensor.name));
            return;
        }
        auto details = std::make_shared<TensorDetails>(*tensor.details);
        details->notes.push_back(fragmentText(fragment::sparse, rows->count, tensor.shape.elements()));
        tensor.details = std::move(details);
        tensor.source = TensorSource::stored(addDense(m_index, *rows), 0, rows->denseBytes());
    }

    void makeUnavailable(TensorInfo& tensor, const char* why) {
        m_findings.add(Severity::Error, "tflite.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                       formats::shown(tensor.name), why);
        tensor.source.makeUnavailable(Reason("tflite.values"), why);
    }

    // Quantization as sentences: of many scales the range.
    std::shared_ptr<const TensorDetails> tableDetails(const Table& table, std::uint64_t number) {
        auto details = std::make_shared<TensorDetails>();
        details->notes.push_back(fragmentText(fragment::graphTensor, number));
        const Table quantization = table.table(slot::tensor::quantization);
        constexpr std::uint64_t most = 1 << 20;
        const auto scales =
            quantization.isThere() ? quantization.numbers<float>(slot::quantization::scale, most) : std::vector<float>();
        if (scales.empty()) return details;
        const auto zeros = quantization.numbers<std::int64_t>(slot::quantization::zeroPoint, most);
        const auto [low, high] = std::ranges::minmax(scales);
        const bool isCentred = std::ranges::all_of(zeros, [](std::int64_t zero) { return zero == 0; });
        if (scales.size() == 1)
            details->notes.push_back(fragmentText(fragment::scale, shortest(scales[0]), zeros.empty() ? 0 : zeros[0]));
        else
            details->notes.push_back(fragmentText(isCentred ? fragment::scales : fragment::scalesAndZeros, scales.size(),
                                                  shortest(low), shortest(high),
                                                  quantization.number<std::int32_t>(slot::quantization::dimension)));
        return details;
    }

    void finish(std::uint64_t subgraphs) {
        Model& model = m_index.model;
        model.format = FormatId::TfLite;
        model.version = fmt::format("{}", m_root.number<std::uint32_t>(slot::model::version));
        if (const std::string text = m_root.text(slot::model::description); !text.empty())
            addMember("description", Value::of(toUtf8(text)));
        addMember("subgraphs", Value::ofUnsigned(ValueType::U64, subgraphs));
        m_facts.write(model.metadata);
        const Vector entries = m_root.vector(slot::model::metadata, 4);
        ValueArray names;
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(entries.count, 64) && m_file.good(); ++i)
            names.first.push_back(Value::of(toUtf8(m_root.tableAt(entries, i).text(0))));
        names.count = names.first.size();
        names.elementType = ValueType::String;
        if (names.count != 0) addMember("metadata", Value::of(std::move(names)));
        if (m_root.vector(slot::model::externalGroups, 4).count != 0)
            m_findings.add(Severity::Warning, "tflite.external", std::nullopt,
                           WB_TEXT("{} references other files to load values from; they are not opened."));
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    flat::File m_file;
    formats::Findings m_findings;
    formats::Index m_index;
    Table m_root;
    Vector m_buffers;
    formats::GraphFacts m_facts;
    std::vector<std::string> m_types; // of operators, by the number of their code
    std::uint64_t m_visited = 0;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    return head.size() >= 8 && std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).substr(4, 4) == "TFL3"sv;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::tflite
