// SPDX-License-Identifier: MIT
#include "core/formats/sentencepiece/sentencepiece.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/proto/proto.h"

#include <algorithm>
#include <array>
#include <bit>

namespace wb::sentencepiece {
namespace {

using proto::Message;
using proto::Wire;

constexpr formats::Tasks taskNames{"sentencepiece.index"};
constexpr std::uint64_t maxText = 64 << 10, maxPieces = 16 << 20;

// ModelType and SentencePiece.Type, by their numbers.
constexpr std::array modelTypes = {"", "unigram", "bpe", "word", "char"};
constexpr std::array pieceTypes = {"", "normal", "unknown", "control", "user defined", "unused", "byte"};

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness), m_index(1), m_cursor(source) {}

    // pieces 1, trainer_spec 2, normalizer_spec 3.
    Result<formats::Index> read() {
        Message message(m_cursor, m_source.size(), m_source.name());
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            if (message.wire() != Wire::Bytes || message.field() > 3) continue;
            const std::uint32_t field = message.field();
            WB_TRY_ASSIGN(const Message inner, message.message());
            if (field == 1) WB_TRY(readPiece(inner));
            else WB_TRY(readSpecification(inner, field == 2));
        }
        if (m_scores.empty())
            return m_findings.refuse(ErrorCode::Malformed, "sentencepiece.empty", WB_TEXT("{} is a tokenizer without pieces."));
        return finish();
    }

private:
    void addFact(std::string key, Value value) { m_index.model.metadata.members.push_back({std::move(key), std::move(value)}); }

    // piece 1, score 2, type 3.
    Result<void> readPiece(Message message) {
        std::string text;
        float score = 0;
        std::uint64_t type = 1;
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) break;
            if (message.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(text, message.text(maxText));
            } else if (message.is(2, Wire::Fixed32)) {
                score = std::bit_cast<float>(static_cast<std::uint32_t>(message.number()));
            } else if (message.is(3, Wire::Varint)) {
                type = message.number();
            }
        }
        if (m_scores.size() == maxPieces)
            return m_findings.refuse(ErrorCode::TooLarge, "sentencepiece.pieces", WB_TEXT("{} contains more than {} pieces."),
                                     maxPieces);
        m_scores.push_back(score);
        ++m_types[type < pieceTypes.size() && type != 0 ? pieceTypes[type] : "unknown type"];
        if (m_pieces.size() < m_options.limits.keptArrayElements) m_pieces.push_back(Value::of(toUtf8(text)));
        return {};
    }

    // TrainerSpec: model_type 3, vocab_size 4, byte_fallback 35, unk_id 40, bos_id 41, eos_id 42, pad_id 43.
    // NormalizerSpec: name 1, add_dummy_prefix 3, remove_extra_whitespaces 4, escape_whitespaces 5.
    Result<void> readSpecification(Message message, bool isTrainer) {
        struct Field {
            std::uint32_t number;
            const char* name;
            bool isFlag;
        };
        static constexpr std::array trainer = {Field{4, "vocab_size", false}, Field{35, "byte_fallback", true},
                                               Field{40, "unk_id", false},    Field{41, "bos_id", false},
                                               Field{42, "eos_id", false},    Field{43, "pad_id", false}};
        static constexpr std::array normalizer = {Field{3, "add_dummy_prefix", true}, Field{4, "remove_extra_whitespaces", true},
                                                  Field{5, "escape_whitespaces", true}};
        const std::span<const Field> fields = isTrainer ? std::span<const Field>(trainer) : std::span<const Field>(normalizer);
        for (;;) {
            WB_TRY_ASSIGN(const bool more, message.next());
            if (!more) return {};
            if (isTrainer && message.is(3, Wire::Varint) && message.number() < modelTypes.size()) {
                addFact("model_type", Value::of(std::string(modelTypes[message.number()])));
            } else if (!isTrainer && message.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(const std::string name, message.text(maxText));
                addFact("normalizer", Value::of(toUtf8(name)));
            } else if (message.wire() == Wire::Varint) {
                const auto field = std::ranges::find(fields, message.field(), &Field::number);
                if (field == fields.end()) continue;
                const auto number = static_cast<std::int64_t>(message.number());
                addFact(field->name, field->isFlag ? Value::of(number != 0) : Value::ofSigned(ValueType::I64, number));
            }
        }
    }

    Result<formats::Index> finish() {
        Model& model = m_index.model;
        ValueObject types;
        for (const auto& [type, count] : m_types) types.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
        types.count = types.members.size();
        addFact("piece_types", Value::of(std::move(types)));
        addFact("pieces", Value::of(ValueArray{ValueType::String, m_scores.size(), std::move(m_pieces), std::nullopt}));
        TensorInfo tensor;
        tensor.name = "scores";
        tensor.dtype = Dtype::F32;
        tensor.shape = Shape::make({m_scores.size()}).value_or(Shape());
        const auto copied = m_index.copy(std::as_bytes(std::span(m_scores)));
        if (copied) tensor.source = *copied;
        model.tensors.push_back(std::move(tensor));
        model.format = FormatId::SentencePiece;
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    io::Cursor m_cursor;
    std::vector<float> m_scores;
    std::vector<Value> m_pieces;
    std::map<std::string, std::uint64_t> m_types;
};

// Whether the fields of a piece are these: a text, a score, and perhaps a type.
bool isPiece(Message message) {
    bool hasText = false, hasScore = false;
    for (;;) {
        const auto more = message.next();
        if (!more) return false;
        if (!*more) return hasText && hasScore;
        hasText = hasText || message.is(1, Wire::Bytes);
        hasScore = hasScore || message.is(2, Wire::Fixed32);
        if (!message.is(1, Wire::Bytes) && !message.is(2, Wire::Fixed32) && !message.is(3, Wire::Varint)) return false;
    }
}

} // namespace

bool sniff(const io::ByteSource& source) {
    io::Cursor cursor(source);
    Message message(cursor, source.size(), source.name());
    for (std::uint64_t count = 0;; ++count) {
        const auto more = message.next();
        if (!more) return false;
        if (!*more) return count != 0;
        if (message.wire() != Wire::Bytes || message.field() > 5 || (count == 0 && message.field() != 1)) return false;
        if (count != 0) continue;
        const auto piece = message.message();
        if (!piece || !isPiece(*piece)) return false;
    }
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::sentencepiece
