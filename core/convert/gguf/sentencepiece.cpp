// SPDX-License-Identifier: MIT
#include "core/convert/gguf/sentencepiece.h"

#include "core/base/text.h"

#include <cstring>
#include <optional>

namespace wb::convert {
namespace {

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

// Walks the fields of one protocol buffers message. Groups, which the format of the model does not use, are refused.
class Fields {
public:
    explicit Fields(std::string_view message) : m_rest(message) {}

    // The next field; false at the end and where the message is damaged.
    bool next() {
        if (m_rest.empty()) return false;
        const auto tag = varint();
        if (!tag || *tag >> 3 == 0 || *tag >> 35 != 0) return damaged();
        number = static_cast<std::uint32_t>(*tag >> 3);
        wire = static_cast<Wire>(*tag & 7);
        switch (wire) {
        case Wire::Varint: {
            const auto value = varint();
            integer = value.value_or(0);
            return value.has_value() || damaged();
        }
        case Wire::Fixed64: return take(8);
        case Wire::Fixed32: return take(4);
        case Wire::Bytes: {
            const auto length = varint();
            return length ? take(*length) : damaged();
        }
        }
        return damaged();
    }
    bool isDamaged() const { return m_isDamaged; }

    std::uint32_t number = 0;
    Wire wire = Wire::Varint;
    std::uint64_t integer = 0; // of a Varint
    std::string_view bytes;    // of the others

private:
    bool damaged() {
        m_isDamaged = true;
        m_rest = {};
        return false;
    }

    bool take(std::uint64_t length) {
        if (length > m_rest.size()) return damaged();
        bytes = m_rest.substr(0, static_cast<std::size_t>(length));
        m_rest.remove_prefix(bytes.size());
        return true;
    }

    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (m_rest.empty()) return std::nullopt;
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }

    std::string_view m_rest;
    bool m_isDamaged = false;
};

std::optional<Piece> readPiece(std::string_view message) {
    Piece piece;
    Fields fields(message);
    while (fields.next()) {
        if (fields.number == 1 && fields.wire == Wire::Bytes) piece.text = fields.bytes;
        if (fields.number == 2 && fields.wire == Wire::Fixed32) std::memcpy(&piece.score, fields.bytes.data(), sizeof piece.score);
        if (fields.number == 3 && fields.wire == Wire::Varint) {
            if (fields.integer < 1 || fields.integer > 6) return std::nullopt;
            piece.kind = static_cast<std::int32_t>(fields.integer);
        }
    }
    return fields.isDamaged() || !isUtf8(piece.text) ? std::nullopt : std::optional(std::move(piece));
}

} // namespace

Result<std::vector<Piece>> readSentencePiece(std::string_view bytes, const std::string& name) {
    const auto malformed = [&name] {
        return fail(ErrorCode::Malformed, Reason("convert.sentencepiece"), About{name},
                    WB_TEXT("{} is not a SentencePiece model, or it is corrupted."), name);
    };
    std::vector<Piece> pieces;
    Fields fields(bytes);
    while (fields.next()) {
        if (fields.number != 1 || fields.wire != Wire::Bytes) continue;
        auto piece = readPiece(fields.bytes);
        if (!piece) return malformed();
        if (pieces.size() == maxPieces)
            return fail(ErrorCode::TooLarge, Reason("convert.pieces"), About{name}, WB_TEXT("{} has more than {} pieces."), name,
                        maxPieces);
        pieces.push_back(std::move(*piece));
    }
    if (fields.isDamaged() || pieces.empty()) return malformed();
    return pieces;
}

} // namespace wb::convert
