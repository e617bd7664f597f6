// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/code_lexer.h"
#include "core/text/markdown.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

class QTextCursor;
class QPalette;
class QFont;

namespace wb::ui::chat {

// A link under a turn or inside one: its label, and the text that the transcript receives when it is chosen.
struct PieceLink {
    QString label;
    QString target;

    friend bool operator==(const PieceLink&, const PieceLink&) = default;
};

enum class PieceKind : std::uint8_t { Speaker, Block, CodeHead, CodeLine, Links, Note };

// A colored stretch of a line of code, in characters of QString.
struct CodeStretch {
    int begin = 0, length = 0;
    text::CodeKind kind = text::CodeKind::Keyword;

    friend bool operator==(const CodeStretch&, const CodeStretch&) = default;
};

// What one paragraph of the transcript shows: the unit in which a growing answer is compared with the shown text. A block of
// code is a head and a piece for each line, so that one more line costs one more line.
struct Piece {
    PieceKind kind = PieceKind::Block;
    text::Block block;             // of a Block; of code its indent alone
    QString words;                 // of a Speaker, a CodeHead, a CodeLine and a Note
    std::vector<CodeStretch> code; // of a CodeLine
    std::vector<PieceLink> links;  // after the words
    qint64 turn = 0;               // for the targets of links inside the block
    int firstLink = 0;             // number of its first link among those of the turn
    bool isQuiet = false;          // reasoning: in the color of secondary text
    bool isLastLine = false;       // of code
    bool goesOn = false;           // a table: its rows belong to the one before
    QStringList widest;            // a table that is cut into several: of each column the longest text of the first of them

    friend bool operator==(const Piece&, const Piece&) = default;
};

// The blocks of an answer: its Markdown, with formulas as text.
std::vector<text::Block> answerBlocks(std::string_view markdown);

// The Markdown of an answer as pieces. Links of the web get the target "x:TURN:NUMBER", copying code "c:TURN:NUMBER"; both count
// from 0 through the turn. A table of many rows is cut into several, so that one more row costs no more than a few.
struct PieceNumbers {
    int codes = 0, links = 0;
};
std::vector<Piece> markdownPieces(std::string_view markdown, qint64 turn, bool isQuiet, const QString& copyLabel,
                                  PieceNumbers& numbers);
// Text as it was typed.
std::vector<Piece> plainPieces(const std::string& words, qint64 turn);

// Whether an address may be asked to be opened: http, https and mail.
bool isWebAddress(const std::string& address);

// Writes a piece at the end of the document, as its own paragraph: the one that follows a table, where the piece before it is
// one (null: none exists).
void writePiece(QTextCursor& cursor, const Piece& piece, const Piece* before, const QPalette& palette, const QFont& font);
// Gives the last paragraph the format of its piece again, after what followed it was removed.
void formatLast(QTextCursor& cursor, const Piece& piece, const QFont& font);

} // namespace wb::ui::chat
