// SPDX-License-Identifier: MIT
#include "core/formats/word2vec/word2vec.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/io/cursor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::word2vec {
namespace {

constexpr formats::Tasks taskNames{"word2vec.index", "word2vec.unpack"};
constexpr std::size_t maxWord = 4096; // bytes; word2vec itself cuts at 50, Gensim does not
constexpr std::size_t maxNumber = 64;
constexpr std::uint64_t maxDimensions = 1 << 20;
constexpr std::uint64_t rowsPerMark = 1024; // a position in the file is kept for each so many rows

struct Sizes {
    std::uint64_t words = 0, dimensions = 0;
    bool isText = false;
    std::uint64_t begin = 0; // of the first row
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::optional<std::uint64_t> readCount(std::string_view text, std::size_t& at) {
    std::uint64_t number = 0;
    const std::size_t begin = at;
    for (; at < text.size() && isDigit(text[at]) && at - begin < 12; ++at)
        number = number * 10 + static_cast<unsigned>(text[at] - '0');
    return at == begin || number == 0 ? std::nullopt : std::optional(number);
}

// Empty unless the whole text is a number.
std::optional<float> numberFromText(std::string_view text) {
    const auto value = parseDouble(text);
    return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
}

// How many whole numbers follow in the line, and whether something else does.
struct Numbers {
    std::uint64_t count = 0;
    bool isOnlyNumbers = true;
    bool isWholeLine = false;
};

Numbers numbersOfLine(std::string_view text) {
    Numbers numbers;
    while (true) {
        while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r')) text.remove_prefix(1);
        if (text.empty()) return numbers;
        if (text[0] == '\n') return numbers.isWholeLine = true, numbers;
        std::size_t end = 0;
        while (end < text.size() && !isSpace(text[end])) ++end;
        if (end == text.size()) return numbers; // the rest may follow in the file
        if (end > maxNumber || !numberFromText(text.substr(0, end))) return numbers.isOnlyNumbers = false, numbers;
        ++numbers.count;
        text.remove_prefix(end);
    }
}

// The numbers of a first row in binary form are of a size that vectors have.
bool looksLikeVector(std::string_view bytes, std::uint64_t dimensions) {
    constexpr float largest = 1e6F;
    const std::size_t known = std::min<std::size_t>(dimensions, bytes.size() / sizeof(float));
    bool isZero = true;
    for (std::size_t i = 0; i < known; ++i) {
        float value = 0;
        std::memcpy(&value, &bytes[i * sizeof value], sizeof value);
        if (!std::isfinite(value) || std::abs(value) > largest || (value != 0 && std::abs(value) < 1e-30F)) return false;
        isZero = isZero && value == 0;
    }
    return known > 0 && !isZero;
}

std::optional<Sizes> readSizes(std::string_view head, std::uint64_t size) {
    Sizes sizes;
    std::size_t at = 0;
    const auto words = readCount(head, at);
    if (!words || at >= head.size() || head[at++] != ' ') return std::nullopt;
    const auto dimensions = readCount(head, at);
    while (at < head.size() && (head[at] == ' ' || head[at] == '\r')) ++at;
    if (!dimensions || *dimensions > maxDimensions || at >= head.size() || head[at++] != '\n') return std::nullopt;
    sizes.words = *words;
    sizes.dimensions = *dimensions;
    sizes.begin = at;
    std::size_t end = at;
    while (end < head.size() && !isSpace(head[end])) ++end;
    if (end == at || end >= head.size() || end - at > maxWord || head[end] != ' ') return std::nullopt;
    const Numbers numbers = numbersOfLine(head.substr(end));
    const bool fits = numbers.isWholeLine ? numbers.count == *dimensions : numbers.count > 0 && numbers.count <= *dimensions;
    if (numbers.isOnlyNumbers && fits) {
        sizes.isText = true;
        return sizes;
    }
    const auto bytes = checked::mul(*words, *dimensions * sizeof(float));
    if (!bytes || *bytes > size || !looksLikeVector(head.substr(end + 1), *dimensions)) return std::nullopt;
    return sizes;
}

class RowReader {
public:
    RowReader(const io::ByteSource& source, std::uint64_t position, std::uint64_t dimensions, bool isText)
        : m_cursor(source, position), m_dimensions(dimensions), m_isText(isText) {}

    std::uint64_t position() const { return m_cursor.position(); }
    std::uint64_t remaining() const { return m_cursor.remaining(); }

    // The next row; its numbers are only passed over where `values` is empty. Malformed where it is cut or not a row.
    Result<void> read(std::string& word, std::span<float> values) {
        WB_TRY(readToken(word, maxWord));
        if (!m_isText) {
            if (values.empty()) return m_cursor.skip(m_dimensions * sizeof(float));
            return m_cursor.read(std::as_writable_bytes(values));
        }
        std::string text;
        for (std::uint64_t i = 0; i < m_dimensions; ++i) {
            WB_TRY(readToken(text, maxNumber));
            const auto value = numberFromText(text);
            if (!value) return damaged();
            if (!values.empty()) values[i] = *value;
        }
        return {};
    }

private:
    // The bytes up to the next blank, which is passed over, and so are blanks and ends of lines before them.
    Result<void> readToken(std::string& token, std::size_t most) {
        token.clear();
        while (m_cursor.remaining() > 0) {
            WB_TRY_ASSIGN(const auto byte, m_cursor.read<std::uint8_t>());
            const char c = static_cast<char>(byte);
            if (!isSpace(c)) {
                if (token.size() == most) return damaged();
                token.push_back(c);
            } else if (!token.empty()) {
                return {};
            }
        }
        return token.empty() ? damaged() : Result<void>(); // the last number of a text
    }

    static std::unexpected<Error> damaged() {
        return fail(ErrorCode::Malformed, Reason("word2vec.row"), About{}, WB_TEXT("a row cannot be read")); // callers say where
    }

    io::Cursor m_cursor;
    std::uint64_t m_dimensions;
    bool m_isText;
};

// u64 words that are there, dimensions, whether it is text, then the positions of every rowsPerMark-th row.
std::vector<std::byte> specBytes(const Sizes& sizes, std::uint64_t rows, const std::vector<std::uint64_t>& marks) {
    std::vector<std::uint64_t> numbers = {rows, sizes.dimensions, sizes.isText};
    numbers.insert(numbers.end(), marks.begin(), marks.end());
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
}

} // namespace

bool sniff(std::span<const std::byte> head, std::uint64_t size) {
    return readSizes({reinterpret_cast<const char*>(head.data()), head.size()}, size).has_value();
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    const io::ByteSource& source = *sources.at(0);
    formats::Findings findings(source.name(), options.strictness);
    std::vector<std::byte> head(std::min<std::uint64_t>(source.size(), 4096));
    WB_TRY(source.readAt(0, head));
    const auto sizes = readSizes({reinterpret_cast<const char*>(head.data()), head.size()}, source.size());
    if (!sizes) return findings.refuse(ErrorCode::Malformed, "word2vec.head", WB_TEXT("{} does not contain vectors of word2vec."));
    formats::Index index(1);
    ValueArray first;
    first.elementType = ValueType::String;
    std::vector<std::uint64_t> marks;
    RowReader rows(source, sizes->begin, sizes->dimensions, sizes->isText);
    std::string word;
    std::uint64_t row = 0;
    for (; row < sizes->words; ++row) {
        if (row % 1024 == 0) WB_TRY(options.progress.at(rows.position(), source.size()));
        if (row % rowsPerMark == 0) marks.push_back(rows.position());
        if (!rows.read(word, {})) break;
        if (first.first.size() < options.limits.keptFirstElements) first.first.push_back(Value::of(toUtf8(word)));
    }
    if (row < sizes->words)
        WB_TRY(findings.defect(Severity::Error, "word2vec.cut", std::nullopt,
                               WB_TEXT("{} has {} of the {} words that it declares; get a complete copy."), row, sizes->words));
    constexpr std::uint64_t lineEnd = 2; // after the last row
    if (row == sizes->words && rows.remaining() > lineEnd)
        findings.add(Severity::Warning, "word2vec.trailing", rows.position(), WB_TEXT("{} has {} bytes after its vectors."),
                     rows.remaining());
    first.count = row;
    Model& model = index.model;
    model.format = FormatId::Word2Vec;
    model.version = sizes->isText ? "text" : "binary";
    model.metadata.members.push_back({"words", Value::ofUnsigned(ValueType::U64, sizes->words)});
    model.metadata.members.push_back({"dimensions", Value::ofUnsigned(ValueType::U64, sizes->dimensions)});
    model.metadata.members.push_back({"dictionary", Value::of(std::move(first))});
    model.metadata.count = model.metadata.members.size();
    const auto shape = Shape::make({row, sizes->dimensions});
    const auto bytes = shape ? checked::mul(shape->elements(), sizeof(float)) : std::nullopt;
    if (!bytes)
        return findings.refuse(ErrorCode::TooLarge, "word2vec.size", WB_TEXT("{} declares more numbers than a tensor can have."));
    TensorInfo vectors;
    vectors.name = "vectors";
    vectors.dtype = Dtype::F32;
    vectors.shape = *shape;
    vectors.source = TensorSource::stored(index.addUnpacked(0, specBytes(*sizes, row, marks), *bytes), 0, *bytes);
    model.tensors.push_back(std::move(vectors));
    model.problems = findings.take();
    return index;
}

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    const auto damaged = [&] {
        return fail(ErrorCode::Malformed, Reason("word2vec.row"), About{source.name()},
                    WB_TEXT("{} is damaged: a row of its vectors cannot be read; download it again."), source.name());
    };
    std::vector<std::uint64_t> numbers(spec.size() / sizeof(std::uint64_t));
    std::memcpy(numbers.data(), spec.data(), numbers.size() * sizeof(std::uint64_t));
    if (numbers.size() < 3 || numbers[1] == 0 || numbers[1] > maxDimensions) return damaged();
    const std::uint64_t rows = numbers[0], dimensions = numbers[1], rowBytes = dimensions * sizeof(float);
    const std::span marks = std::span(numbers).subspan(3);
    std::uint64_t row = offset / rowBytes;
    if (row >= rows || row / rowsPerMark >= marks.size()) return out.empty() ? Result<void>() : damaged();
    RowReader reader(source, marks[row / rowsPerMark], dimensions, numbers[2] != 0);
    std::string word;
    for (std::uint64_t before = row / rowsPerMark * rowsPerMark; before < row; ++before)
        if (!reader.read(word, {})) return damaged();
    std::vector<float> values(dimensions);
    for (std::uint64_t skipped = offset % rowBytes, done = 0; done < out.size(); ++row, skipped = 0) {
        if (row >= rows || !reader.read(word, values)) return damaged();
        const std::uint64_t count = std::min<std::uint64_t>(rowBytes - skipped, out.size() - done);
        std::memcpy(&out[done], reinterpret_cast<const std::byte*>(values.data()) + skipped, count);
        done += count;
    }
    return {};
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::word2vec
