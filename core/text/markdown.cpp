// SPDX-License-Identifier: MIT
#include "core/text/markdown.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <md4c.h>

namespace wb::text {
namespace {

constexpr std::size_t greatestNesting = 200;  // of blocks and of spans; md4c itself knows no limit
constexpr std::size_t greatestTable = 20'000; // cells; beyond, a row of "|" after another would cost far more than its bytes

// The characters that answers spell by entities; others stay as they are written.
constexpr std::pair<std::string_view, std::string_view> entities[] = {
    {"&amp;", "&"},        {"&lt;", "<"},         {"&gt;", ">"},         {"&quot;", "\""},       {"&apos;", "'"},
    {"&nbsp;", "\u00A0"},  {"&ndash;", "\u2013"}, {"&mdash;", "\u2014"}, {"&hellip;", "\u2026"}, {"&copy;", "\u00A9"},
    {"&times;", "\u00D7"}, {"&deg;", "\u00B0"},   {"&rarr;", "\u2192"},  {"&larr;", "\u2190"},   {"&le;", "\u2264"},
    {"&ge;", "\u2265"},    {"&ne;", "\u2260"},    {"&euro;", "\u20AC"},
};

std::string characterOfEntity(std::string_view entity) {
    for (const auto& [name, character] : entities)
        if (name == entity) return std::string(character);
    if (!entity.starts_with("&#") || !entity.ends_with(';')) return std::string(entity);
    const bool isHex = entity.size() > 3 && (entity[2] == 'x' || entity[2] == 'X');
    const std::string_view digits = entity.substr(isHex ? 3 : 2, entity.size() - (isHex ? 4 : 3));
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
    const bool isCharacter = code > 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    std::string character;
    if (error != std::errc() || end != digits.data() + digits.size() || !isCharacter) return std::string(replacement);
    appendUtf8(character, code);
    return character;
}

std::string plain(const MD_ATTRIBUTE& attribute) {
    std::string text;
    if (!attribute.text) return text;
    for (std::size_t i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
        const std::string_view part(attribute.text + attribute.substr_offsets[i],
                                    attribute.substr_offsets[i + 1] - attribute.substr_offsets[i]);
        if (attribute.substr_types[i] == MD_TEXT_ENTITY) text += characterOfEntity(part);
        else if (attribute.substr_types[i] == MD_TEXT_NULLCHAR) text += replacement;
        else text += part;
    }
    return text;
}

Alignment alignAlignment(MD_ALIGN align) {
    switch (align) {
    case MD_ALIGN_LEFT: return Alignment::Left;
    case MD_ALIGN_CENTER: return Alignment::Centre;
    case MD_ALIGN_RIGHT: return Alignment::Right;
    default: return Alignment::Default;
    }
}

// Collects what md4c finds. A callback that returns non-zero ends the parsing.
class Collector {
public:
    int enter(MD_BLOCKTYPE type, void* detail) {
        if (++m_nesting > greatestNesting) return giveUp();
        m_spans.clear(); // no span continues in another block
        m_style = {};
        switch (type) {
        case MD_BLOCK_QUOTE: ++m_quotes; break;
        case MD_BLOCK_UL: m_lists.push_back({}); break;
        case MD_BLOCK_OL: m_lists.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start}); break;
        case MD_BLOCK_LI: beginItem(*static_cast<MD_BLOCK_LI_DETAIL*>(detail)); break;
        case MD_BLOCK_HR: begin(BlockKind::Rule); break;
        case MD_BLOCK_H: begin(BlockKind::Heading).level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level); break;
        case MD_BLOCK_CODE: begin(BlockKind::Code).language = plain(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang); break;
        case MD_BLOCK_P: begin(BlockKind::Paragraph); break;
        case MD_BLOCK_TABLE: begin(BlockKind::Table); break;
        case MD_BLOCK_TR: return beginRow();
        case MD_BLOCK_TH:
        case MD_BLOCK_TD: return beginCell(alignAlignment(static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align));
        default: break;
        }
        return 0;
    }

    int leave(MD_BLOCKTYPE type) {
        --m_nesting;
        switch (type) {
        case MD_BLOCK_QUOTE: --m_quotes; break;
        case MD_BLOCK_UL:
        case MD_BLOCK_OL:
            if (!m_lists.empty()) m_lists.pop_back();
            break;
        case MD_BLOCK_LI: endItem(); break;
        case MD_BLOCK_TABLE:
            if (!m_blocks.empty()) endTable();
            [[fallthrough]];
        case MD_BLOCK_HR:
        case MD_BLOCK_H:
        case MD_BLOCK_P: m_isOpen = false; break;
        case MD_BLOCK_CODE: endCode(); break;
        default: break;
        }
        return 0;
    }

    int enter(MD_SPANTYPE type, void* detail) {
        m_spans.push_back(m_style);
        if (m_spans.size() > greatestNesting) return giveUp();
        switch (type) {
        case MD_SPAN_EM: m_style.isItalic = true; break;
        case MD_SPAN_STRONG: m_style.isBold = true; break;
        case MD_SPAN_DEL: m_style.isStruck = true; break;
        case MD_SPAN_CODE: m_style.isCode = true; break;
        case MD_SPAN_A: m_style.link = plain(static_cast<MD_SPAN_A_DETAIL*>(detail)->href); break;
        case MD_SPAN_IMG: m_style.link = plain(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src); break;
        default: break;
        }
        return 0;
    }

    // md4c 0.4.8 may close a span that it never opened: found by fuzzing.
    int leave(MD_SPANTYPE) {
        if (m_spans.empty()) return 0;
        m_style = std::move(m_spans.back());
        m_spans.pop_back();
        return 0;
    }

    int take(MD_TEXTTYPE type, std::string_view text) {
        switch (type) {
        case MD_TEXT_NULLCHAR: append(replacement); break;
        case MD_TEXT_BR: append("\n"); break;
        case MD_TEXT_SOFTBR: append(" "); break;
        case MD_TEXT_ENTITY: append(characterOfEntity(text)); break;
        default: append(text); break;
        }
        return 0;
    }

    bool gaveUp() const { return m_gaveUp; } // md4c does not always pass on what a callback answered
    std::vector<Block> takeBlocks() { return std::move(m_blocks); }

private:
    int giveUp() {
        m_gaveUp = true;
        return 1;
    }

    struct List {
        bool isOrdered = false;
        unsigned number = 0;
    };

    Block& begin(BlockKind kind) {
        Block block;
        block.kind = kind;
        block.indent = std::min(static_cast<int>(m_lists.size()), greatestIndent);
        block.quotes = std::min(m_quotes, greatestIndent);
        block.marker = std::exchange(m_marker, {});
        m_blocks.push_back(std::move(block));
        m_isOpen = true;
        return m_blocks.back();
    }

    void beginItem(const MD_BLOCK_LI_DETAIL& item) {
        if (m_lists.empty()) return;
        List& list = m_lists.back();
        if (item.is_task) m_marker = item.task_mark == ' ' ? "\u2610" : "\u2611";
        else m_marker = list.isOrdered ? std::to_string(list.number++) + "." : "\u2022";
        m_isOpen = false;
    }

    // An item without text is shown too.
    void endItem() {
        if (!m_marker.empty()) begin(BlockKind::Paragraph);
        m_isOpen = false;
    }

    int beginRow() {
        if (m_blocks.empty()) return giveUp();
        m_blocks.back().table.emplace_back();
        return 0;
    }

    int beginCell(Alignment alignment) {
        if (m_blocks.empty() || m_blocks.back().table.empty() || ++m_cells > greatestTable) return giveUp();
        m_blocks.back().table.back().push_back({alignment, {}});
        return 0;
    }

    void endTable() {
        auto& rows = m_blocks.back().table;
        std::size_t columns = 0;
        for (const auto& row : rows) columns = std::max(columns, row.size());
        for (auto& row : rows) row.resize(columns);
    }

    void endCode() {
        m_isOpen = false;
        if (m_blocks.empty()) return;
        auto& runs = m_blocks.back().runs;
        if (runs.empty()) runs.emplace_back();
        if (runs.back().text.ends_with('\n')) runs.back().text.pop_back();
        runs.back().isCode = false; // the block specifies it
    }

    // The text of a tight item is not in a separate paragraph.
    std::vector<Inline>& runs() {
        if (!m_isOpen) begin(BlockKind::Paragraph);
        Block& block = m_blocks.back();
        const bool isTable = block.kind == BlockKind::Table && !block.table.empty() && !block.table.back().empty();
        return isTable ? block.table.back().back().runs : block.runs;
    }

    void append(std::string_view text) {
        auto& into = runs();
        if (into.empty() || !sameStyle(into.back(), m_style)) into.push_back(m_style);
        into.back().text += text;
    }

    static bool sameStyle(const Inline& a, const Inline& b) {
        return a.isBold == b.isBold && a.isItalic == b.isItalic && a.isStruck == b.isStruck && a.isCode == b.isCode &&
               a.link == b.link;
    }

    std::vector<Block> m_blocks;
    std::vector<List> m_lists;
    std::vector<Inline> m_spans; // the styles outside
    Inline m_style;              // its text is empty
    std::string m_marker;        // of the item whose first block has not come yet
    int m_quotes = 0;
    std::size_t m_nesting = 0;
    std::size_t m_cells = 0;
    bool m_gaveUp = false;
    bool m_isOpen = false; // the last block takes text
};

std::vector<Block> asItStands(std::string_view text) {
    Block block;
    Inline run;
    run.text = text;
    block.runs.push_back(std::move(run));
    return {block};
}

} // namespace

std::vector<Block> parseMarkdown(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > greatestMarkdown) return asItStands(text);
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
        return static_cast<Collector*>(self)->enter(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return static_cast<Collector*>(self)->leave(type); };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
        return static_cast<Collector*>(self)->enter(type, detail);
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) { return static_cast<Collector*>(self)->leave(type); };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* part, MD_SIZE size, void* self) {
        return static_cast<Collector*>(self)->take(type, {part, size});
    };
    Collector collector;
    const int status = md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &collector);
    return status == 0 && !collector.gaveUp() ? collector.takeBlocks() : asItStands(text);
}

namespace {

// The run of at least three marks that opens or closes a block of code; no length: the line has none.
struct Fence {
    char mark = 0;
    std::size_t length = 0;
    bool isBare = false; // nothing after it, as where it closes
};

Fence fenceFromLine(std::string_view line) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first > 3 || (line[first] != '`' && line[first] != '~')) return {};
    const std::size_t end = std::min(line.find_first_not_of(line[first], first), line.size());
    if (end - first < 3) return {};
    return {line[first], end - first, line.find_first_not_of(" \t\r", end) == std::string_view::npos};
}

// No white space, and no mark of a list's item, a quotation or a rule.
bool beginsAtMargin(std::string_view line) {
    if (line.starts_with("**")) return true;
    const char c = line.empty() ? ' ' : line.front();
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return isLetter || (static_cast<unsigned char>(c) & 0x80) != 0 || c == '#' || c == '|' || c == '`' || c == '~';
}

} // namespace

std::size_t settledMarkdown(std::string_view text, std::size_t from) {
    std::size_t settled = from;
    Fence open;
    bool isBehindEmpty = false;
    for (std::size_t at = from; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const Fence fence = fenceFromLine(line);
        if (open.length > 0) {
            if (fence.mark == open.mark && fence.length >= open.length && fence.isBare) open = {};
            isBehindEmpty = false;
        } else {
            if (isBehindEmpty && beginsAtMargin(line)) settled = at;
            if (fence.length > 0) open = fence;
            isBehindEmpty = line.find_first_not_of(" \t\r") == std::string_view::npos;
        }
        at = end + 1;
    }
    return text.size() > greatestMarkdown ? 0 : settled;
}

} // namespace wb::text
