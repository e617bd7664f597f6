// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Markdown as models write it (CommonMark with the tables, strike-through and task lists of GitHub), as a list of blocks that a
// view lays out. Nothing is executed or fetched: raw HTML is text, and an image is a link with its description.
namespace wb::text {

struct Inline {
    bool isBold = false;
    bool isItalic = false;
    bool isStruck = false;
    bool isCode = false;
    std::string link; // where it leads; empty: nowhere
    std::string text; // "\n" is a line break

    friend bool operator==(const Inline&, const Inline&) = default;
};

enum class Alignment : std::uint8_t { Default, Left, Centre, Right };

struct Cell {
    Alignment alignment = Alignment::Default;
    std::vector<Inline> runs;

    friend bool operator==(const Cell&, const Cell&) = default;
};

enum class BlockKind : std::uint8_t { Paragraph, Heading, Code, Table, Rule };

struct Block {
    BlockKind kind = BlockKind::Paragraph;
    int level = 0;                        // of a heading, 1 to 6
    int indent = 0;                       // how many lists it is in, at most greatestIndent
    int quotes = 0;                       // how many quotations it is in, at most greatestIndent
    std::string marker;                   // of the first block of a list's item: "•", "3.", "☐", "☑"
    std::string language;                 // of code, as written after the fence
    std::vector<Inline> runs;             // of code: one, with its lines; its last line break is omitted
    std::vector<std::vector<Cell>> table; // rows of equal length, the first is the heading

    friend bool operator==(const Block&, const Block&) = default;
};

inline constexpr int greatestIndent = 12;

// Text of valid UTF-8. What is longer than greatestMarkdown bytes, or nested absurdly, is one paragraph as it stands. While a text
// grows, its blocks before the last ones stay as they are.
inline constexpr std::size_t greatestMarkdown = std::size_t{1} << 20;
std::vector<Block> parseMarkdown(std::string_view text);

// Where a paragraph, heading, table or block of code starts at the margin after an empty line, the last such place: for any
// appended text, its blocks are those of the text before and those of the text after it (but for links whose addresses are defined
// on the other side). `from` is 0, or what a shorter beginning of the text gave; the time is that of the text after it.
std::size_t settledMarkdown(std::string_view text, std::size_t from);

} // namespace wb::text
