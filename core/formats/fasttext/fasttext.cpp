// SPDX-License-Identifier: MIT
#include "core/formats/fasttext/fasttext.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/io/cursor.h"

#include <algorithm>
#include <array>

namespace wb::fasttext {
namespace {

constexpr formats::Tasks taskNames{"fasttext.index"};
constexpr std::string_view sign = "\xBA\x16\x4F\x2F";
constexpr std::int32_t newestVersion = 12;
constexpr std::uint64_t leastEntry = 1 + 8 + 1; // of the dictionary: a zero, a count, a type
constexpr std::size_t maxWord = 64 << 10;
constexpr std::int64_t centroidsOfPart = 256;

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness), m_index(1), m_cursor(source) {}

    Result<formats::Index> read() {
        WB_TRY(m_cursor.skip(sign.size()));
        WB_TRY_ASSIGN(const auto version, m_cursor.read<std::int32_t>());
        if (version > newestVersion || version < 11)
            return m_findings.refuse(ErrorCode::Unsupported, "fasttext.version",
                                     WB_TEXT("{} is a fastText model of version {}, which is not supported."), version);
        Model& model = m_index.model;
        model.format = FormatId::FastText;
        model.version = std::to_string(version);
        WB_TRY(readSettings());
        WB_TRY(readDictionary());
        WB_TRY(readMatrix("input"));
        WB_TRY(readMatrix("output"));
        if (!m_isCut && m_cursor.remaining() != 0)
            m_findings.add(Severity::Warning, "fasttext.trailing", m_cursor.position(),
                           WB_TEXT("{} has {} bytes after its matrices."), m_cursor.remaining());
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    void addFact(const char* key, Value value) { m_index.model.metadata.members.push_back({key, std::move(value)}); }

    Result<void> readSettings() {
        static constexpr std::array names = {"dim",  "ws",    "epoch",  "minCount", "neg",  "wordNgrams",
                                             "loss", "model", "bucket", "minn",     "maxn", "lrUpdateRate"};
        for (const char* const name : names) {
            WB_TRY_ASSIGN(const auto number, m_cursor.read<std::int32_t>());
            const bool isModel = std::string_view(name) == "model";
            if (isModel && number >= 1 && number <= 3) {
                static constexpr std::array models = {"cbow", "skipgram", "supervised"};
                addFact(name, Value::of(std::string(models[static_cast<std::size_t>(number - 1)])));
            } else {
                addFact(name, Value::ofSigned(ValueType::I32, number));
            }
        }
        WB_TRY_ASSIGN(const auto sampling, m_cursor.read<double>());
        addFact("t", Value::ofFloat(ValueType::F64, sampling));
        return {};
    }

    std::unexpected<Error> damaged() const {
        return m_findings.refuse(ErrorCode::Malformed, "fasttext.damaged",
                                 WB_TEXT("{} is damaged at byte {}: a count does not fit the file; download it again."),
                                 m_cursor.position());
    }

    Result<void> readDictionary() {
        WB_TRY_ASSIGN(const auto size, m_cursor.read<std::int32_t>());
        WB_TRY_ASSIGN(const auto words, m_cursor.read<std::int32_t>());
        WB_TRY_ASSIGN(const auto labels, m_cursor.read<std::int32_t>());
        WB_TRY_ASSIGN(const auto tokens, m_cursor.read<std::int64_t>());
        WB_TRY_ASSIGN(const auto pruned, m_cursor.read<std::int64_t>());
        if (size < 0 || !m_cursor.canHold(static_cast<std::uint64_t>(size), leastEntry)) return damaged();
        addFact("words", Value::ofSigned(ValueType::I32, words));
        addFact("labels", Value::ofSigned(ValueType::I32, labels));
        addFact("tokens", Value::ofSigned(ValueType::I64, tokens));
        ValueArray first;
        first.elementType = ValueType::String;
        first.count = static_cast<std::uint64_t>(size);
        for (std::int32_t i = 0; i < size; ++i) {
            if (i % 4096 == 0 && m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            WB_TRY_ASSIGN(std::string word, readWord());
            if (first.first.size() < m_options.limits.keptFirstElements) first.first.push_back(Value::of(toUtf8(word)));
            WB_TRY(m_cursor.skip(sizeof(std::int64_t) + 1));
        }
        addFact("dictionary", Value::of(std::move(first)));
        constexpr std::uint64_t prunedBytes = 8;
        if (pruned <= 0) return {};
        if (!m_cursor.canHold(static_cast<std::uint64_t>(pruned), prunedBytes)) return damaged();
        return m_cursor.skip(static_cast<std::uint64_t>(pruned) * prunedBytes);
    }

    Result<std::string> readWord() {
        std::string word;
        for (;;) {
            WB_TRY_ASSIGN(const auto byte, m_cursor.read<std::uint8_t>());
            if (byte == 0) return word;
            if (word.size() == maxWord) return damaged();
            word.push_back(static_cast<char>(byte));
        }
    }

    // A flag says whether a quantized matrix follows. The flag of the output counts if the input is quantized, too.
    Result<void> readMatrix(const std::string& name) {
        if (m_isCut) return {};
        if (m_cursor.remaining() == 0) return cut(name);
        WB_TRY_ASSIGN(const auto flag, m_cursor.read<std::uint8_t>());
        if (name == "input") m_isQuantized = flag != 0;
        if (m_isQuantized && flag != 0) return readQuantized(name);
        if (m_cursor.remaining() < 2 * sizeof(std::int64_t)) return cut(name);
        WB_TRY_ASSIGN(const auto rows, m_cursor.read<std::int64_t>());
        WB_TRY_ASSIGN(const auto columns, m_cursor.read<std::int64_t>());
        return add(name, Dtype::F32, rows, columns);
    }

    // Codes of parts of a row, the centroids of each part, then perhaps a code of the norm of each row with its centroids.
    Result<void> readQuantized(const std::string& name) {
        constexpr std::uint64_t head = 1 + 8 + 8 + 4;
        if (m_cursor.remaining() < head) return cut(name);
        WB_TRY_ASSIGN(const auto hasNorms, m_cursor.read<std::uint8_t>());
        WB_TRY_ASSIGN(const auto rows, m_cursor.read<std::int64_t>());
        WB_TRY_ASSIGN(const auto columns, m_cursor.read<std::int64_t>());
        WB_TRY_ASSIGN(const auto codes, m_cursor.read<std::int32_t>());
        if (rows <= 0 || columns <= 0 || codes < 0 || codes % rows != 0) return damaged();
        WB_TRY(add(name + ".codes", Dtype::U8, rows, codes / rows));
        WB_TRY(readCentroids(name + ".centroids"));
        if (hasNorms == 0 || m_isCut) return {};
        WB_TRY(add(name + ".norm_codes", Dtype::U8, rows, 1));
        return readCentroids(name + ".norm_centroids");
    }

    // i32 dim, parts, elements of a part, elements of the last part, then dim · 256 numbers.
    Result<void> readCentroids(const std::string& name) {
        if (m_isCut) return {};
        constexpr std::uint64_t head = 16;
        if (m_cursor.remaining() < head) return cut(name);
        WB_TRY_ASSIGN(const auto dim, m_cursor.read<std::int32_t>());
        WB_TRY(m_cursor.skip(head - sizeof(std::int32_t)));
        return add(name, Dtype::F32, dim, centroidsOfPart);
    }

    Result<void> cut(const std::string& name) {
        m_isCut = true;
        return m_findings.defect(Severity::Error, "fasttext.cut", std::nullopt,
                                 WB_TEXT("{} is cut: the matrix {} continues after the end of the file; get a complete copy."),
                                 name);
    }

    Result<void> add(const std::string& name, Dtype dtype, std::int64_t rows, std::int64_t columns) {
        if (rows < 0 || columns < 0) return damaged();
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = dtype;
        const auto shape = Shape::make({static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
        const auto bytes = shape ? checked::mul(shape->elements(), info(dtype).blockBytes) : std::nullopt;
        if (!bytes) return damaged();
        tensor.shape = *shape;
        const auto extent = io::Extent::make(m_cursor.size(), m_cursor.position(), *bytes);
        if (extent) tensor.source = TensorSource::stored(0, extent->offset(), extent->length());
        else tensor.source = TensorSource::unavailable(Reason("fasttext.cut"), WB_TEXT("the file ends before them"));
        m_index.model.tensors.push_back(std::move(tensor));
        return extent ? m_cursor.skip(*bytes) : cut(name);
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    io::Cursor m_cursor;
    bool m_isQuantized = false;
    bool m_isCut = false;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.size() >= 8 && text.starts_with(sign);
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::fasttext
