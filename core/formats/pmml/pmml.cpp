// SPDX-License-Identifier: MIT
#include "core/formats/pmml/pmml.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/xml/xml.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

namespace wb::pmml {
namespace {

using xml::Scanner;
using xml::Token;

constexpr formats::Tasks taskNames{"pmml.index"};
constexpr std::uint64_t maxText = 512 << 20;
constexpr std::size_t maxFacts = 10'000;
constexpr std::size_t maxNumbers = 32 << 20; // of one model

bool isModel(std::string_view name) {
    static constexpr std::array names = {"RegressionModel",
                                         "GeneralRegressionModel",
                                         "NeuralNetwork",
                                         "TreeModel",
                                         "MiningModel",
                                         "ClusteringModel",
                                         "SupportVectorMachineModel",
                                         "NaiveBayesModel",
                                         "NearestNeighborModel",
                                         "Scorecard",
                                         "RuleSetModel",
                                         "AssociationModel",
                                         "BayesianNetworkModel",
                                         "GaussianProcessModel",
                                         "TimeSeriesModel",
                                         "AnomalyDetectionModel",
                                         "BaselineModel",
                                         "TextModel",
                                         "SequenceModel"};
    return std::ranges::find(names, name) != names.end();
}

// A model while its elements are read; those inside it (segments of a MiningModel) have their own.
struct OpenModel {
    std::string name, kind;
    std::size_t depth = 0;
    std::uint64_t tables = 0, layers = 0, nodes = 0, deepest = 0, level = 0, clusters = 0;
    std::vector<double> numbers, biases; // of the present table or layer
    std::size_t rows = 0;
    bool isRagged = false;
};

class Reader {
public:
    Reader(const io::ByteSource& source, std::string_view text, const formats::OpenOptions& options)
        : m_options(options), m_findings(source.name(), options.strictness), m_index(1), m_scanner(text) {}

    Result<formats::Index> read() {
        for (Token token = m_scanner.next(); token != Token::Finish; token = m_scanner.next()) {
            if (token == Token::Bad)
                return m_findings.refuse(ErrorCode::Malformed, "pmml.xml",
                                         WB_TEXT("{} is not a valid PMML document: its XML is damaged at byte {}."),
                                         m_scanner.position());
            if (token == Token::Begin) WB_TRY(began());
            if (token == Token::End) WB_TRY(ended());
            if (token == Token::Text && m_isArray && !m_models.empty()) takeArray();
        }
        Model& model = m_index.model;
        model.format = FormatId::Pmml;
        if (!m_version.empty()) model.version = m_version;
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    void addFact(std::string key, Value value) {
        auto& members = m_index.model.metadata.members;
        if (members.size() < maxFacts) members.push_back({std::move(key), std::move(value)});
    }

    double numberAt(std::string_view attribute) { return parseDouble(m_scanner.attribute(attribute)).value_or(0); }

    Result<void> began() {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        const std::string_view name = m_scanner.name();
        if (m_scanner.depth() == 1) {
            if (name != "PMML") return m_findings.refuse(ErrorCode::Malformed, "pmml.root", WB_TEXT("{} is not a PMML document."));
            m_version = toUtf8(m_scanner.attribute("version"));
        }
        if (name == "Application") addFact("application", Value::of(toUtf8(m_scanner.attribute("name"))));
        if (name == "DataField" && m_models.empty())
            addFact("field " + toUtf8(m_scanner.attribute("name")), Value::of(toUtf8(m_scanner.attribute("dataType"))));
        if (name == "Extension") noteExtension();
        if (isModel(name)) return beginModel(name);
        if (m_models.empty()) return {};
        OpenModel& model = m_models.back();
        if (name == "RegressionTable") {
            model.numbers.clear();
            model.biases = {numberAt("intercept")};
        } else if (name == "NumericPredictor" || name == "CategoricalPredictor") {
            WB_TRY(push(model, numberAt("coefficient")));
        } else if (name == "NeuralLayer") {
            model.numbers.clear(), model.biases.clear();
            model.rows = 0, model.isRagged = false;
        } else if (name == "Neuron") {
            model.biases.push_back(numberAt("bias"));
            m_neuronBegin = model.numbers.size();
        } else if (name == "Con") {
            WB_TRY(push(model, numberAt("weight")));
        } else if (name == "Coefficient") {
            WB_TRY(push(model, numberAt("value")));
        } else if (name == "Node") {
            ++model.nodes;
            model.deepest = std::max(model.deepest, ++model.level);
        } else if (name == "Cluster") {
            ++model.clusters;
        } else if (name == "Array") {
            m_isArray = model.kind == "ClusteringModel" && model.clusters != 0;
        }
        return {};
    }

    Result<void> push(OpenModel& model, double number) {
        if (model.numbers.size() == maxNumbers)
            return m_findings.refuse(ErrorCode::TooLarge, "pmml.numbers",
                                     WB_TEXT("{} contains more than {} numbers in a single model."), maxNumbers);
        model.numbers.push_back(number);
        return {};
    }

    // Other programs may run an extension.
    void noteExtension() {
        const std::string extender = toUtf8(m_scanner.attribute("extender"));
        if (extender.empty() || m_extenders.size() > 100 || !m_extenders.insert(extender).second) return;
        m_findings.add(Severity::Note, "pmml.extension", std::nullopt, WB_TEXT("{} has extensions for the program {}."),
                       formats::shown(extender));
    }

    Result<void> beginModel(std::string_view kind) {
        OpenModel model;
        model.kind = std::string(kind);
        model.name = toUtf8(m_scanner.attribute("modelName"));
        if (model.name.empty()) model.name = m_modelCount == 0 ? "model" : fmt::format("model{}", m_modelCount);
        // Segments often have the same name.
        if (!m_names.insert(model.name).second) {
            model.name += fmt::format(".{}", m_modelCount);
            m_names.insert(model.name);
        }
        ++m_modelCount;
        model.depth = m_scanner.depth();
        addFact(model.name + ".kind", Value::of(model.kind));
        m_models.push_back(std::move(model));
        return {};
    }

    Result<void> ended() {
        m_isArray = false;
        if (m_models.empty()) return {};
        OpenModel& model = m_models.back();
        const std::string_view name = m_scanner.name();
        if (name == "Node" && model.level > 0) --model.level;
        if (name == "RegressionTable") return endTable(model);
        if (name == "Neuron") {
            const std::size_t row = model.numbers.size() - std::min(m_neuronBegin, model.numbers.size());
            if (model.rows != 0 && row * model.rows != m_neuronBegin) model.isRagged = true;
            ++model.rows;
        }
        if (name == "NeuralLayer") return endLayer(model);
        if (name != model.kind || m_scanner.depth() + 1 != model.depth) return {};
        return endModel();
    }

    Result<void> endTable(OpenModel& model) {
        const std::string prefix = model.name + (model.tables == 0 ? "" : fmt::format(".table{}", model.tables));
        ++model.tables;
        WB_TRY(addTensor(prefix + ".intercept", {}, model.biases));
        return addTensor(prefix + ".coefficients", {model.numbers.size()}, model.numbers);
    }

    Result<void> endLayer(OpenModel& model) {
        const std::string prefix = fmt::format("{}.layer{}", model.name, model.layers++);
        WB_TRY(addTensor(prefix + ".bias", {model.biases.size()}, model.biases));
        const std::size_t columns = model.rows == 0 ? 0 : model.numbers.size() / model.rows;
        // Neurons that are not connected to the whole layer before have no matrix.
        if (model.isRagged || columns * model.rows != model.numbers.size())
            return addTensor(prefix + ".weight", {model.numbers.size()}, model.numbers);
        return addTensor(prefix + ".weight", {model.rows, columns}, model.numbers);
    }

    Result<void> endModel() {
        OpenModel model = std::move(m_models.back());
        m_models.pop_back();
        if (model.nodes != 0) {
            addFact(model.name + ".nodes", Value::ofUnsigned(ValueType::U64, model.nodes));
            addFact(model.name + ".depth", Value::ofUnsigned(ValueType::U64, model.deepest));
        }
        if (model.kind == "ClusteringModel" && model.clusters != 0 && !model.numbers.empty()) {
            const bool isMatrix = model.numbers.size() % model.clusters == 0;
            const std::vector<std::uint64_t> sides =
                isMatrix ? std::vector<std::uint64_t>{model.clusters, model.numbers.size() / model.clusters}
                         : std::vector<std::uint64_t>{model.numbers.size()};
            return addTensor(model.name + ".centers", sides, model.numbers);
        }
        if (model.kind == "SupportVectorMachineModel" && !model.numbers.empty())
            return addTensor(model.name + ".coefficients", {model.numbers.size()}, model.numbers);
        return {};
    }

    // Numbers between blanks.
    void takeArray() {
        std::string_view rest = m_scanner.text();
        OpenModel& model = m_models.back();
        while (model.numbers.size() < maxNumbers) {
            const std::size_t begin = rest.find_first_not_of(" \t\r\n");
            if (begin == std::string_view::npos) return;
            const std::size_t end = std::min(rest.find_first_of(" \t\r\n", begin), rest.size());
            if (const auto number = parseDouble(rest.substr(begin, end - begin))) model.numbers.push_back(*number);
            rest.remove_prefix(end);
        }
    }

    Result<void> addTensor(std::string name, const std::vector<std::uint64_t>& sides, const std::vector<double>& numbers) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "pmml.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        std::vector<std::byte> bytes;
        bytes.reserve(numbers.size() * sizeof(double));
        for (const double number : numbers) {
            std::array<std::byte, sizeof(double)> raw;
            std::memcpy(raw.data(), &number, raw.size());
            if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(raw);
            bytes.insert(bytes.end(), raw.begin(), raw.end());
        }
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = Dtype::F64;
        tensor.shape = *Shape::make(sides);
        if (const auto source = m_index.copy(bytes)) tensor.source = *source;
        else
            tensor.source =
                TensorSource::unavailable(Reason("pmml.copied"), WB_TEXT("too much data would have to be copied from the file"));
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    Scanner m_scanner;
    std::string m_version;
    std::vector<OpenModel> m_models;
    std::set<std::string> m_names, m_extenders;
    std::uint64_t m_modelCount = 0;
    std::size_t m_neuronBegin = 0;
    bool m_isArray = false;
};

} // namespace

bool sniff(std::string_view head) { return xml::rootName(head) == "PMML"; }

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    const io::ByteSource& source = *sources.at(0);
    if (source.size() > maxText)
        return fail(ErrorCode::TooLarge, Reason("pmml.size"), About{source.name()}, WB_TEXT("{} is longer than {} bytes."),
                    source.name(), maxText);
    std::string text(source.size(), '\0');
    WB_TRY(source.readAt(0, std::as_writable_bytes(std::span(text))));
    return Reader(source, text, options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::pmml
