// SPDX-License-Identifier: MIT
#include "core/formats/ggml/ggml.h"

#include "core/base/checked.h"
#include "core/formats/findings/findings.h"
#include "core/io/random_reader.h"

#include <algorithm>
#include <array>

namespace wb::ggml {
namespace {

constexpr std::uint32_t magicLlama2c = 0x616B3432;

// The seven numbers of the header.
struct Config {
    std::uint64_t dim = 0, hidden = 0, layers = 0, heads = 0, kvHeads = 0, vocabulary = 0, context = 0;
    bool sharesClassifier = true;
    std::uint64_t group = 0; // of version 2
    std::uint64_t version = 0;
    std::uint64_t begin = 0; // of the weights
};

struct ArrayInfo {
    const char* name;
    std::vector<std::uint64_t> sides;
    bool isQuantized = false; // in version 2
};

bool isPlausible(const Config& c) {
    const auto inside = [](std::uint64_t value, std::uint64_t most) { return value >= 1 && value <= most; };
    return inside(c.dim, 1 << 17) && inside(c.hidden, 1 << 19) && inside(c.layers, 1000) && inside(c.heads, 1 << 12) &&
           inside(c.kvHeads, c.heads) && inside(c.vocabulary, 1 << 22) && inside(c.context, 1 << 24) && c.dim % c.heads == 0;
}

// The seven numbers from `at`. In the first version a negative vocabulary means that the classifier has separate weights.
Config readConfig(io::RandomReader& file, std::uint64_t at) {
    std::array<std::int32_t, 7> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = file.read<std::int32_t>(at + 4 * i);
    Config config;
    config.sharesClassifier = numbers[5] > 0;
    if (numbers[5] < 0 && numbers[5] > -(1 << 24)) numbers[5] = -numbers[5];
    const auto positive = [](std::int32_t value) { return static_cast<std::uint64_t>(std::max(value, 0)); };
    config.dim = positive(numbers[0]), config.hidden = positive(numbers[1]), config.layers = positive(numbers[2]);
    config.heads = positive(numbers[3]), config.kvHeads = positive(numbers[4]), config.vocabulary = positive(numbers[5]);
    config.context = positive(numbers[6]);
    return config;
}

// In the order of the file.
std::vector<ArrayInfo> arrays(const Config& c) {
    const std::uint64_t head = c.dim / c.heads, kv = head * c.kvHeads;
    const ArrayInfo embedding{"tok_embeddings", {c.vocabulary, c.dim}, true}, attention{"attention_norm", {c.layers, c.dim}},
        ffn{"ffn_norm", {c.layers, c.dim}}, last{"norm", {c.dim}};
    std::vector<ArrayInfo> out;
    if (c.version == 0) out = {embedding, attention};
    else if (c.version == 1) out = {attention, ffn, last, embedding};
    else out = {attention, ffn, last, embedding};
    out.push_back({"wq", {c.layers, c.dim, c.dim}, true});
    out.push_back({"wk", {c.layers, kv, c.dim}, true});
    out.push_back({"wv", {c.layers, kv, c.dim}, true});
    out.push_back({"wo", {c.layers, c.dim, c.dim}, true});
    if (c.version == 0) out.push_back(ffn);
    out.push_back({"w1", {c.layers, c.hidden, c.dim}, true});
    out.push_back({"w2", {c.layers, c.dim, c.hidden}, true});
    out.push_back({"w3", {c.layers, c.hidden, c.dim}, true});
    if (c.version == 0) {
        out.push_back(last);
        out.push_back({"freq_cis_real", {c.context, head / 2}});
        out.push_back({"freq_cis_imag", {c.context, head / 2}});
    }
    if (!c.sharesClassifier) out.push_back({"output", {c.vocabulary, c.dim}, true});
    return out;
}

// Bytes of all weights; empty where they overflow or do not fill their groups.
std::optional<std::uint64_t> weightBytes(const Config& c) {
    std::optional<std::uint64_t> sum = 0;
    for (const ArrayInfo& array : arrays(c)) {
        const auto shape = Shape::make(array.sides);
        if (!shape) return std::nullopt;
        const bool isCoded = c.version == 2 && array.isQuantized;
        if (isCoded && (c.group == 0 || shape->elements() % c.group != 0)) return std::nullopt;
        const auto bytes =
            isCoded ? checked::add(shape->elements(), shape->elements() / c.group * 4) : checked::mul(shape->elements(), 4);
        sum = bytes ? checked::add(*sum, *bytes) : std::nullopt;
        if (!sum) return std::nullopt;
    }
    return sum;
}

std::optional<Config> findConfig(const io::ByteSource& source) {
    constexpr std::uint64_t headerBytes = 256, oldHeaderBytes = 28;
    io::RandomReader file(source);
    if (source.size() >= headerBytes && file.read<std::uint32_t>(0) == magicLlama2c) {
        const auto version = file.read<std::int32_t>(4);
        Config config = readConfig(file, 8);
        config.version = static_cast<std::uint64_t>(std::max(version, 0));
        config.sharesClassifier = file.read<std::uint8_t>(36) != 0;
        config.group = config.version == 2 ? static_cast<std::uint64_t>(std::max(file.read<std::int32_t>(37), 0)) : 0;
        config.begin = headerBytes;
        return isPlausible(config) && (config.version == 1 || config.version == 2) ? std::optional(config) : std::nullopt;
    }
    if (source.size() < oldHeaderBytes) return std::nullopt;
    Config config = readConfig(file, 0);
    config.begin = oldHeaderBytes;
    const auto bytes = isPlausible(config) ? weightBytes(config) : std::nullopt;
    return bytes && *bytes == source.size() - oldHeaderBytes ? std::optional(config) : std::nullopt;
}

class Llama2cReader {
public:
    Llama2cReader(const io::ByteSource& source, const Config& config, formats::Findings& findings)
        : m_source(source), m_config(config), m_findings(findings), m_index(1), m_position(config.begin) {}

    Result<formats::Index> read() {
        for (const ArrayInfo& array : arrays(m_config)) {
            const Shape shape = *Shape::make(array.sides);
            if (m_config.version == 2 && array.isQuantized) addCoded(array, shape);
            else add(array.name, Dtype::F32, shape);
        }
        if (m_position < m_source.size())
            m_findings.add(Severity::Warning, "llama2c.trailing", m_position, WB_TEXT("{}: unexpected data after the parameters."));
        Model& model = m_index.model;
        model.format = FormatId::Llama2c;
        model.version = fmt::format("{}", m_config.version);
        const auto fact = [&](const char* key, std::uint64_t value) {
            model.metadata.members.push_back({key, Value::ofUnsigned(ValueType::U64, value)});
        };
        fact("dim", m_config.dim), fact("hidden_dim", m_config.hidden), fact("n_layers", m_config.layers),
            fact("n_heads", m_config.heads);
        fact("n_kv_heads", m_config.kvHeads), fact("vocab_size", m_config.vocabulary), fact("seq_len", m_config.context);
        if (m_config.version == 2) fact("group_size", m_config.group);
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    // Version 2 quantizes each layer by itself: its codes, then the scales of their groups.
    void addCoded(const ArrayInfo& array, const Shape& shape) {
        const bool isLayered = array.sides.size() == 3;
        const std::uint64_t layers = isLayered ? array.sides[0] : 1;
        const std::vector<std::uint64_t> own(array.sides.begin() + (isLayered ? 1 : 0), array.sides.end());
        for (std::uint64_t layer = 0; layer < layers; ++layer) {
            const std::string name = isLayered ? fmt::format("{}.{}", array.name, layer) : array.name;
            add(name, Dtype::I8, *Shape::make(own));
            add(name + ".scales", Dtype::F32, *Shape::make({shape.elements() / layers / m_config.group}));
        }
    }

    void add(const std::string& name, Dtype dtype, const Shape& shape) {
        const std::uint64_t bytes = shape.elements() * info(dtype).blockBytes;
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = dtype;
        tensor.shape = shape;
        tensor.source = TensorSource::stored(0, m_position, bytes);
        if (!io::Extent::make(m_source.size(), m_position, bytes)) {
            tensor.source.makeUnavailable(Reason("llama2c.values"), WB_TEXT("the file ends before them"));
            m_findings.add(Severity::Error, "llama2c.values", m_position,
                           WB_TEXT("{} is truncated before the values of {}; download it again."), name);
        }
        m_position += bytes;
        m_index.model.tensors.push_back(std::move(tensor));
    }

    const io::ByteSource& m_source;
    const Config& m_config;
    formats::Findings& m_findings;
    formats::Index m_index;
    std::uint64_t m_position;
};

} // namespace

bool sniffLlama2c(const io::ByteSource& source) {
    io::RandomReader file(source);
    return source.size() >= 4 && (file.read<std::uint32_t>(0) == magicLlama2c || findConfig(source));
}

Result<formats::Index> readLlama2c(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    const io::ByteSource& source = *sources.at(0);
    formats::Findings findings(source.name(), options.strictness);
    const auto config = findConfig(source);
    if (!config || !weightBytes(*config))
        return findings.refuse(ErrorCode::Malformed, "llama2c.header",
                               WB_TEXT("{} is not a valid llama2.c model: its header is invalid."));
    return Llama2cReader(source, *config, findings).read();
}

} // namespace wb::ggml
