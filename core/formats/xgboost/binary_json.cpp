// SPDX-License-Identifier: MIT
#include "core/formats/xgboost/binary_json.h"

#include "core/io/cursor.h"

namespace wb::xgboost {
namespace {

constexpr unsigned deepest = 64;

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options, const formats::Findings& findings, Builder& builder)
        : m_cursor(source, 0, true), m_options(options), m_findings(findings), m_builder(builder) {}

    Result<void> read() {
        WB_TRY_ASSIGN(const char marker, next());
        if (marker != '{') return damaged();
        return value(marker, 0);
    }

private:
    std::unexpected<Error> damaged() const {
        return m_findings.refuse(ErrorCode::Malformed, "xgboost.binary",
                                 WB_TEXT("{} is damaged: its binary JSON is invalid at byte {}; download it again."),
                                 m_cursor.position());
    }

    // A marker that is not a filler.
    Result<char> next() {
        for (;;) {
            WB_TRY_ASSIGN(const auto byte, m_cursor.read<std::uint8_t>());
            if (byte != 'N') return static_cast<char>(byte);
        }
    }

    template <typename T>
    Result<double> real() {
        WB_TRY_ASSIGN(const T number, m_cursor.read<T>());
        return static_cast<double>(number);
    }

    static bool isNumber(char marker) { return std::string_view("iUIlLdD").find(marker) != std::string_view::npos; }

    Result<double> number(char marker) {
        switch (marker) {
        case 'i': return real<std::int8_t>();
        case 'U': return real<std::uint8_t>();
        case 'I': return real<std::int16_t>();
        case 'l': return real<std::int32_t>();
        case 'L': return real<std::int64_t>();
        case 'd': return real<float>();
        case 'D': return real<double>();
        default: return damaged();
        }
    }

    // A count or length: an integer that is not negative and not longer than the file.
    Result<std::uint64_t> length(char marker) {
        if (marker == 'd' || marker == 'D') return damaged();
        WB_TRY_ASSIGN(const double count, number(marker));
        if (count < 0 || count > static_cast<double>(m_cursor.size())) return damaged();
        return static_cast<std::uint64_t>(count);
    }

    Result<std::string> text(char lengthMarker) {
        WB_TRY_ASSIGN(const std::uint64_t bytes, length(lengthMarker));
        if (bytes > m_cursor.remaining()) return damaged();
        std::string out(bytes, '\0');
        WB_TRY(m_cursor.read(std::as_writable_bytes(std::span(out))));
        return out;
    }

    Result<void> value(char marker, unsigned depth) {
        if (depth > deepest) return damaged();
        if (isNumber(marker)) {
            WB_TRY_ASSIGN(const double read, number(marker));
            m_builder.number(read);
            return {};
        }
        switch (marker) {
        case 'Z':
        case 'T':
        case 'F': m_builder.key({}); return {};
        case 'C': m_builder.key({}); return m_cursor.skip(1);
        case 'S':
        case 'H': {
            WB_TRY_ASSIGN(const char lengthMarker, next());
            WB_TRY_ASSIGN(const std::string read, text(lengthMarker));
            m_builder.text(read);
            return {};
        }
        case '[': return container(true, depth);
        case '{': return container(false, depth);
        default: return damaged();
        }
    }

    // Optionally a type of all values ("$") and their count ("#"); without a count, values up to the closing bracket.
    Result<void> container(bool isArray, unsigned depth) {
        std::optional<char> type;
        std::optional<std::uint64_t> count;
        WB_TRY_ASSIGN(char marker, next());
        if (marker == '$') {
            WB_TRY_ASSIGN(type, next());
            WB_TRY_ASSIGN(marker, next());
            if (marker != '#') return damaged();
        }
        if (marker == '#') {
            WB_TRY_ASSIGN(const char lengthMarker, next());
            WB_TRY_ASSIGN(count, length(lengthMarker));
        }
        // Each value takes a byte at least, also one whose type is stated once for all.
        if (count && (*count > m_cursor.remaining() || (type && !isNumber(*type)))) return damaged();
        if (isArray) m_builder.beginArray();
        else m_builder.beginObject();
        const char end = isArray ? ']' : '}';
        bool isRead = !count; // the present marker belongs to the first value
        for (std::uint64_t i = 0; !count || i < *count; ++i) {
            if (i % 4096 == 4095 && m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            if (!isRead && (!isArray || !type)) {
                WB_TRY_ASSIGN(marker, next());
            }
            isRead = false;
            if (!count && marker == end) break;
            if (!isArray) {
                WB_TRY_ASSIGN(const std::string name, text(marker));
                m_builder.key(name);
                if (!type) {
                    WB_TRY_ASSIGN(marker, next());
                }
            }
            WB_TRY(value(type.value_or(marker), depth + 1));
        }
        m_builder.end();
        return {};
    }

    io::Cursor m_cursor;
    const formats::OpenOptions& m_options;
    const formats::Findings& m_findings;
    Builder& m_builder;
};

} // namespace

Result<void> readBinaryJson(const io::ByteSource& source, const formats::OpenOptions& options, const formats::Findings& findings,
                            Builder& builder) {
    return Reader(source, options, findings, builder).read();
}

} // namespace wb::xgboost
