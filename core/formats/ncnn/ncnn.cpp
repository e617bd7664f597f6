// SPDX-License-Identifier: MIT
#include "core/formats/ncnn/ncnn.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/index/neighbor.h"
#include "core/formats/ncnn/layers.h"
#include "core/formats/packed/packed.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::ncnn {
namespace {

constexpr formats::Tasks taskNames{"ncnn.index", "ncnn.unpack"};
constexpr std::uint32_t binFile = 1;
constexpr std::uint64_t maxText = 64 << 20;
constexpr std::string_view textSign = "7767517";
constexpr std::string_view binarySign = "\xDD\x85\x76";

std::string_view nextWord(std::string_view& line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return line = {}, line;
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

class Reader {
public:
    Reader(const formats::Sources& sources, const formats::OpenOptions& options)
        : m_sources(sources), m_options(options), m_findings(sources.at(0)->name(), options.strictness), m_index(sources.size()) {}

    Result<formats::Index> read() {
        const io::ByteSource& source = *m_sources[0];
        if (source.size() > maxText)
            return m_findings.refuse(ErrorCode::TooLarge, "ncnn.size", WB_TEXT("{} is longer than {} bytes."), maxText);
        std::string text(source.size(), '\0');
        WB_TRY(source.readAt(0, std::as_writable_bytes(std::span(text))));
        if (text.starts_with(binarySign))
            return m_findings.refuse(
                ErrorCode::Unsupported, "ncnn.binary",
                WB_TEXT("{} is the binary form of an ncnn network, which names no layers; open the .param text."));
        if (!text.starts_with(textSign))
            return m_findings.refuse(ErrorCode::Malformed, "ncnn.magic", WB_TEXT("{} is not an ncnn network."));
        WB_TRY(readLayers(text));
        finish();
        return std::move(m_index);
    }

private:
    bool hasValues() const { return m_sources.size() > binFile; }

    Result<void> readLayers(std::string_view text) {
        std::uint64_t number = 0, declared = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (++number == 1) continue; // the sign
            if (number == 2) {
                declared = static_cast<std::uint64_t>(std::max<std::int64_t>(integer(nextWord(line)).value_or(0), 0));
                continue;
            }
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            WB_TRY_ASSIGN(const auto layer, readLayer(line, number));
            if (!layer) continue;
            if (++m_layers > m_options.limits.tensorsPerFile)
                return m_findings.refuse(ErrorCode::TooLarge, "ncnn.layer_count", WB_TEXT("{} contains more than {} layers."),
                                         m_options.limits.tensorsPerFile);
            if (m_counts.size() < 1000 || m_counts.contains(layer->type)) ++m_counts[layer->type];
            if (hasValues() && !m_isStopped) WB_TRY(readWeights(*layer));
        }
        if (m_layers != declared)
            WB_TRY(m_findings.defect(Severity::Warning, "ncnn.layers", std::nullopt, WB_TEXT("{} lists {} layers and declares {}."),
                                     m_layers, declared));
        return {};
    }

    // type name inputs outputs, the names of these, then key=value.
    Result<std::optional<Layer>> readLayer(std::string_view line, std::uint64_t number) {
        Layer layer;
        layer.type = toUtf8(nextWord(line));
        if (layer.type.empty()) return std::nullopt;
        layer.name = toUtf8(nextWord(line));
        const auto inputs = integer(nextWord(line)), outputs = integer(nextWord(line));
        const bool isFine = inputs && outputs && *inputs >= 0 && *outputs >= 0 && *inputs < 1 << 20 && *outputs < 1 << 20;
        if (!isFine)
            return m_findings.refuse(ErrorCode::Malformed, "ncnn.line", WB_TEXT("{} is damaged: line {} describes no layer."),
                                     number);
        for (std::int64_t i = 0; i < *inputs + *outputs; ++i)
            if (nextWord(line).empty()) break;
        constexpr std::size_t most = 1000;
        for (std::string_view word = nextWord(line); !word.empty(); word = nextWord(line)) {
            const std::size_t equals = word.find('=');
            const auto key = integer(word.substr(0, equals));
            if (equals == std::string_view::npos || !key || layer.parameters.size() == most) continue;
            // Lists and real numbers decide on no sizes.
            if (const auto value = integer(word.substr(equals + 1))) layer.parameters[*key] = *value;
        }
        return layer;
    }

    Result<void> readWeights(const Layer& layer) {
        const auto plan = weightPlan(layer);
        if (!plan) {
            m_isStopped = true;
            m_findings.add(Severity::Warning, "ncnn.layer", m_position,
                           WB_TEXT("{}: the layer {} of type {} is not supported; the weights from it on are not listed."),
                           formats::shown(layer.name), formats::shown(layer.type));
            return {};
        }
        for (const WeightRead& weight : *plan) {
            if (m_isStopped || weight.elements == 0) continue;
            if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
                return m_findings.refuse(ErrorCode::TooLarge, "ncnn.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                         m_options.limits.tensorsPerFile);
            WB_TRY(readWeight(layer, weight));
        }
        return {};
    }

    Result<void> readWeight(const Layer& layer, const WeightRead& weight) {
        std::uint32_t tag = 0;
        if (weight.isTagged) {
            std::array<std::byte, 4> raw{};
            if (!io::Extent::make(m_sources[binFile]->size(), m_position, raw.size())) return cut(layer, weight, Dtype::F32);
            WB_TRY(m_sources[binFile]->readAt(m_position, raw));
            for (std::size_t i = 4; i-- > 0;) tag = tag << 8 | std::to_integer<std::uint32_t>(raw[i]);
            m_position += raw.size();
        }
        constexpr std::uint32_t half = 0x01306B47, int8 = 0x000D4B38, raw = 0x0002C056;
        if (tag == half) return add(layer, weight, Dtype::F16);
        if (tag == int8) return add(layer, weight, Dtype::I8);
        if (tag == 0 || tag == raw) return add(layer, weight, Dtype::F32);
        return addTable(layer, weight);
    }

    TensorInfo described(const Layer& layer, const WeightRead& weight, Dtype dtype) const {
        TensorInfo tensor;
        tensor.name = layer.name + "." + weight.name;
        tensor.dtype = dtype;
        const auto shape = weight.shape.empty() ? std::nullopt : Shape::make(weight.shape);
        tensor.shape = shape && shape->elements() == weight.elements ? *shape : Shape::make({weight.elements}).value_or(Shape());
        return tensor;
    }

    // Nothing after the end of the file has a place.
    Result<void> cut(const Layer& layer, const WeightRead& weight, Dtype dtype) {
        m_isStopped = true;
        TensorInfo tensor = described(layer, weight, dtype);
        tensor.source = TensorSource::unavailable(Reason("ncnn.values"), WB_TEXT("the .bin file ends before them"));
        m_index.model.tensors.push_back(std::move(tensor));
        return m_findings.defect(Severity::Error, "ncnn.values", std::nullopt,
                                 WB_TEXT("{}: the .bin file ends before the weights of the layer {}; get a complete copy."),
                                 formats::shown(layer.name));
    }

    // The bytes of `elements`, filled up to four; the position after them.
    std::optional<io::Extent> takeRun(std::uint64_t elements, std::uint64_t width) {
        const auto bytes = checked::mul(elements, width);
        const auto padded = bytes ? checked::alignUp(*bytes, 4) : std::nullopt;
        const auto run = bytes ? io::Extent::make(m_sources[binFile]->size(), m_position, *bytes) : std::nullopt;
        if (!run || !padded) return std::nullopt;
        m_position = std::min(m_position + *padded, m_sources[binFile]->size());
        return run;
    }

    Result<void> add(const Layer& layer, const WeightRead& weight, Dtype dtype) {
        const auto run = takeRun(weight.elements, info(dtype).blockBytes);
        if (!run) return cut(layer, weight, dtype);
        TensorInfo tensor = described(layer, weight, dtype);
        tensor.source = TensorSource::stored(binFile, run->offset(), run->length());
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    // A table of 256 numbers and a code of one byte for each element.
    Result<void> addTable(const Layer& layer, const WeightRead& weight) {
        constexpr std::uint64_t levels = 256;
        m_position -= 4; // the tag was the first number
        const auto table = takeRun(levels, sizeof(float));
        const auto codes = table ? takeRun(weight.elements, 1) : std::nullopt;
        if (!codes) return cut(layer, weight, Dtype::U8);
        TensorInfo numbers = described(layer, weight, Dtype::F32), stored = described(layer, weight, Dtype::U8);
        numbers.name += ".table";
        numbers.shape = *Shape::make({levels});
        numbers.source = TensorSource::stored(binFile, table->offset(), table->length());
        stored.source = TensorSource::stored(binFile, codes->offset(), codes->length());
        packed::Weight values;
        values.shape.assign(stored.shape.dimensions().begin(), stored.shape.dimensions().end());
        values.codes = {packed::Encoding::Unsigned, Dtype::U8, 8, codes->offset(), {}, {}, true};
        std::vector<std::uint64_t> sides(values.shape.size(), 1);
        sides.push_back(levels);
        values.codebook = {packed::Encoding::Plain, Dtype::F32, 0, table->offset(), {}, sides, true};
        const Shape shape = stored.shape;
        const std::vector<std::string> parts = {stored.name, numbers.name};
        const std::string name = stored.name;
        m_index.model.tensors.push_back(std::move(stored));
        m_index.model.tensors.push_back(std::move(numbers));
        if (packed::isSound(values, m_sources[binFile]->size()))
            m_index.model.tensors.push_back(packed::logicalTensor(m_index, binFile, values, name, shape, "8 bit lookup table",
                                                                  parts, table->length() + codes->length()));
        return {};
    }

    void finish() {
        if (!hasValues())
            m_findings.add(Severity::Error, "ncnn.no_values", std::nullopt,
                           WB_TEXT("{}: the .bin file with its values is missing; put it next to this file."));
        else if (!m_isStopped && m_position != m_sources[binFile]->size())
            m_findings.add(Severity::Warning, "ncnn.trailing", m_position,
                           WB_TEXT("{}: the .bin file has {} bytes after the weights of the last layer."),
                           m_sources[binFile]->size() - m_position);
        Model& model = m_index.model;
        model.format = FormatId::Ncnn;
        model.metadata.members.push_back({"layers", Value::ofUnsigned(ValueType::U64, m_layers)});
        ValueObject counts;
        for (const auto& [type, count] : m_counts) counts.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
        counts.count = counts.members.size();
        model.metadata.members.push_back({"types", Value::of(std::move(counts))});
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
    }

    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    std::uint64_t m_layers = 0;
    std::uint64_t m_position = 0; // in the .bin file
    bool m_isStopped = false;     // the rest of the .bin file cannot be divided
    std::map<std::string, std::uint64_t> m_counts;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return (text.starts_with(textSign) && text.size() > 7 && (text[7] == '\n' || text[7] == '\r' || text[7] == ' ')) ||
           (text.starts_with(binarySign) && text.size() > 3 && text[3] == '\0');
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(sources, options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, packed::unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openWithNeighbor(taskNames, path, ".bin", options);
}

} // namespace wb::ncnn
