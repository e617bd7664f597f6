// SPDX-License-Identifier: MIT
#include "ui/chat/turn_pieces.h"

#include "core/text/formula.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QFontMetrics>
#include <QPalette>
#include <QTextCursor>
#include <QTextTable>
#include <QUrl>

#include <algorithm>

namespace wb::ui::chat {
namespace {

constexpr int step = 24; // pixels of a list's or quotation's indent
constexpr std::size_t rowsTogether = 24;
constexpr int cellPadding = 5, widestColumn = 360; // pixels

QString linkTarget(char kind, qint64 turn, int number) {
    return QStringLiteral("%1:%2:%3").arg(QLatin1Char(kind)).arg(turn).arg(number);
}

int linksIn(const std::vector<text::Inline>& runs) {
    return static_cast<int>(std::ranges::count_if(runs, [](const text::Inline& run) { return isWebAddress(run.link); }));
}

int linksIn(const text::Block& block) {
    int count = linksIn(block.runs);
    for (const auto& row : block.table)
        for (const text::Cell& cell : row) count += linksIn(cell.runs);
    return count;
}

std::vector<CodeStretch> codeStretches(text::CodeLexer& lexer, const QString& line) {
    std::vector<CodeStretch> stretches;
    const QByteArray bytes = line.toUtf8();
    std::size_t at = 0;
    int begin = 0; // of `at`, in characters
    const auto length = [&](std::size_t end) {
        const QByteArrayView part(bytes.data() + at, static_cast<qsizetype>(end - at));
        at = end;
        return static_cast<int>(QString::fromUtf8(part).size());
    };
    for (const text::CodeSpan& span : lexer.line({bytes.data(), static_cast<std::size_t>(bytes.size())})) {
        begin += length(span.begin);
        stretches.push_back({begin, length(span.end), span.kind});
        begin += stretches.back().length;
    }
    return stretches;
}

void addCode(std::vector<Piece>& pieces, const text::Block& block, Piece common, int number, const QString& copyLabel) {
    Piece head = common;
    head.kind = PieceKind::CodeHead;
    head.block.indent = block.indent;
    head.block.quotes = block.quotes;
    head.words = ui::text(block.language);
    head.links = {{copyLabel, linkTarget('c', common.turn, number)}};
    pieces.push_back(std::move(head));
    const QString code = ui::text(block.runs.empty() ? std::string() : block.runs.front().text);
    text::CodeLexer lexer(text::findCodeLanguage(block.language));
    for (const QString& line : code.split(u'\n')) {
        Piece piece = common;
        piece.kind = PieceKind::CodeLine;
        piece.block.indent = block.indent;
        piece.block.quotes = block.quotes;
        piece.words = line;
        piece.code = codeStretches(lexer, line);
        pieces.push_back(std::move(piece));
    }
    pieces.back().isLastLine = true;
}

QString plainText(const text::Cell& cell) {
    QString all;
    for (const text::Inline& run : cell.runs) all += ui::text(run.text);
    return all;
}

// As tables of rowsTogether rows below each other, whose columns are as wide as the first one's texts.
void addLongTable(std::vector<Piece>& pieces, text::Block& block, Piece common) {
    common.block = block;
    common.block.table.clear();
    for (const text::Cell& cell : block.table.front()) common.widest.push_back(plainText(cell));
    for (std::size_t row = 0; row < rowsTogether; ++row)
        for (std::size_t column = 0; column < block.table[row].size(); ++column)
            if (const QString words = plainText(block.table[row][column]);
                words.size() > common.widest[static_cast<qsizetype>(column)].size())
                common.widest[static_cast<qsizetype>(column)] = words;
    for (std::size_t row = 0; row < block.table.size(); row += rowsTogether) {
        Piece part = common;
        part.goesOn = row > 0;
        const auto begin = block.table.begin() + static_cast<std::ptrdiff_t>(row);
        const auto end = block.table.begin() + static_cast<std::ptrdiff_t>(std::min(row + rowsTogether, block.table.size()));
        part.block.table.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
        common.firstLink += linksIn(part.block);
        pieces.push_back(std::move(part));
    }
}

QTextBlockFormat blockFormat(const Piece& piece) {
    QTextBlockFormat format;
    const text::Block& block = piece.block;
    const bool isCode = piece.kind == PieceKind::CodeHead || piece.kind == PieceKind::CodeLine;
    format.setLeftMargin((block.indent + block.quotes) * step);
    format.setTopMargin(piece.kind == PieceKind::Speaker ? 18 : isCode ? 0 : 4);
    format.setBottomMargin(!isCode ? 4 : piece.isLastLine ? 8 : 0);
    if (piece.kind == PieceKind::CodeHead) format.setTopMargin(8);
    if (block.kind == text::BlockKind::Table) { // the empty paragraph before it
        format.setTopMargin(0);
        format.setBottomMargin(0);
        format.setLineHeight(1, QTextBlockFormat::FixedHeight);
        return format;
    }
    if (isCode) {
        format.setBackground(themeColors().accentSoft);
        format.setTextIndent(8); // from the edge of its color
    } else format.setLineHeight(115, QTextBlockFormat::ProportionalHeight);
    if (!block.marker.empty()) format.setTextIndent(-step + 4);
    if (block.kind == text::BlockKind::Heading) {
        format.setHeadingLevel(block.level);
        format.setTopMargin(12);
    }
    if (block.kind == text::BlockKind::Rule)
        format.setProperty(QTextFormat::BlockTrailingHorizontalRulerWidth, QTextLength(QTextLength::PercentageLength, 100));
    return format;
}

class Writer {
public:
    Writer(QTextCursor& cursor, const Piece& piece, const Piece* before, const QPalette& palette, const QFont& font)
        : m_cursor(cursor), m_piece(piece), m_before(before), m_palette(palette), m_font(font), m_link(piece.firstLink) {}

    void write() {
        begin();
        switch (m_piece.kind) {
        case PieceKind::Speaker: return writeSpeaker();
        case PieceKind::Block: return writeBlock();
        case PieceKind::CodeHead: return writeCodeHead();
        case PieceKind::CodeLine: return writeCodeLine();
        case PieceKind::Links: return writeLinks();
        case PieceKind::Note: return writeNote();
        }
    }

private:
    static bool isTable(const Piece* piece) {
        return piece && piece->kind == PieceKind::Block && piece->block.kind == text::BlockKind::Table;
    }

    void begin() {
        m_cursor.movePosition(QTextCursor::End);
        const QTextBlockFormat format = blockFormat(m_piece);
        if (m_cursor.position() == 0 || isTable(m_before)) m_cursor.setBlockFormat(format);
        else m_cursor.insertBlock(format, QTextCharFormat());
    }

    QTextCharFormat quiet() const {
        QTextCharFormat format;
        format.setForeground(themeColors().muted);
        return format;
    }

    QTextCharFormat codeFormat() const {
        QTextCharFormat format = m_piece.isQuiet ? quiet() : QTextCharFormat();
        format.setFontFamilies({numberFont().family()});
        format.setFontFixedPitch(true);
        return format;
    }

    QTextCharFormat linkFormat(const QString& target) const {
        QTextCharFormat format;
        format.setAnchor(true);
        format.setAnchorHref(target);
        format.setForeground(m_palette.link());
        return format;
    }

    void writeSpeaker() {
        QTextCharFormat format;
        format.setFontWeight(QFont::DemiBold);
        format.setForeground(m_palette.link());
        m_cursor.insertText(m_piece.words, format);
        writeLinks(QStringLiteral("   "));
    }

    void writeLinks(QString before = {}) {
        for (const PieceLink& link : m_piece.links) {
            if (!before.isEmpty()) m_cursor.insertText(before, quiet());
            if (link.target.isEmpty()) m_cursor.insertText(link.label, quiet());
            else m_cursor.insertText(link.label, linkFormat(link.target));
            before = QStringLiteral("   ");
        }
    }

    void writeCodeHead() {
        m_cursor.insertText(m_piece.words, quiet());
        writeLinks(m_piece.words.isEmpty() ? QString() : QStringLiteral("   "));
    }

    void writeCodeLine() {
        qsizetype at = 0;
        for (const CodeStretch& stretch : m_piece.code) {
            m_cursor.insertText(m_piece.words.mid(at, stretch.begin - at), codeFormat());
            QTextCharFormat format = codeFormat();
            if (!m_piece.isQuiet) format.setForeground(codeColor(stretch.kind));
            m_cursor.insertText(m_piece.words.mid(stretch.begin, stretch.length), format);
            at = stretch.begin + stretch.length;
        }
        m_cursor.insertText(m_piece.words.mid(at), codeFormat());
    }

    static QColor codeColor(text::CodeKind kind) {
        const ThemeColors colors = themeColors();
        switch (kind) {
        case text::CodeKind::Comment: return colors.muted;
        case text::CodeKind::String: return colors.codeString;
        case text::CodeKind::Number: return colors.codeNumber;
        case text::CodeKind::Keyword: break;
        }
        return colors.codeKeyword;
    }

    void writeNote() {
        QTextCharFormat format = quiet();
        format.setFontItalic(true);
        m_cursor.insertText(m_piece.words, format);
        writeLinks(QStringLiteral("   "));
    }

    void writeBlock() {
        if (m_piece.block.kind == text::BlockKind::Table) return writeTable();
        if (!m_piece.block.marker.empty()) m_cursor.insertText(ui::text(m_piece.block.marker) + u' ', base());
        writeRuns(m_piece.block.runs, base());
    }

    QTextCharFormat base() const {
        QTextCharFormat format = m_piece.isQuiet ? quiet() : QTextCharFormat();
        if (m_piece.block.kind == text::BlockKind::Heading) {
            constexpr double sizes[] = {1.5, 1.3, 1.15, 1.05, 1, 1};
            format.setFontWeight(QFont::Bold);
            format.setFontPointSize(m_font.pointSizeF() * sizes[std::clamp(m_piece.block.level, 1, 6) - 1]);
        }
        if (m_piece.block.quotes > 0) format.setForeground(themeColors().muted);
        return format;
    }

    void writeRuns(const std::vector<text::Inline>& runs, const QTextCharFormat& common) {
        for (const text::Inline& run : runs) {
            QTextCharFormat format = common;
            if (run.isBold) format.setFontWeight(QFont::Bold);
            if (run.isItalic) format.setFontItalic(true);
            if (run.isStruck) format.setFontStrikeOut(true);
            if (run.isCode) {
                format.merge(codeFormat());
                format.setBackground(themeColors().accentSoft);
            }
            if (isWebAddress(run.link)) {
                format.merge(linkFormat(linkTarget('x', m_piece.turn, m_link++)));
                format.setFontUnderline(true);
                format.setToolTip(ui::text(run.link).toHtmlEscaped());
            }
            m_cursor.insertText(ui::text(run.text).replace(u'\n', QChar::LineSeparator), format);
        }
    }

    void writeTable() {
        const auto& rows = m_piece.block.table;
        if (rows.empty() || rows.front().empty()) return;
        QTextTableFormat format;
        format.setBorder(0);
        format.setBorderCollapse(true);
        format.setCellPadding(cellPadding);
        format.setCellSpacing(0);
        format.setHeaderRowCount(m_piece.goesOn ? 0 : 1);
        format.setMargin(4);
        if (!m_piece.widest.isEmpty()) {
            format.setColumnWidthConstraints(widths());
            format.setBottomMargin(0);
        }
        if (m_piece.goesOn) format.setTopMargin(0);
        format.setLeftMargin((m_piece.block.indent + m_piece.block.quotes) * step);
        QTextTable* const table =
            m_cursor.insertTable(static_cast<int>(rows.size()), static_cast<int>(rows.front().size()), format);
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (std::size_t column = 0; column < rows[row].size(); ++column)
                writeCell(table->cellAt(static_cast<int>(row), static_cast<int>(column)), rows[row][column],
                          row == 0 && !m_piece.goesOn);
        m_cursor.movePosition(QTextCursor::End);
        m_cursor.setBlockFormat({});
    }

    QList<QTextLength> widths() const {
        QFont bold = m_font;
        bold.setWeight(QFont::DemiBold);
        QList<QTextLength> all;
        for (const QString& words : m_piece.widest) {
            const int wanted = QFontMetrics(bold).horizontalAdvance(words) + 2 * cellPadding + 4;
            all.emplace_back(QTextLength::FixedLength, std::min(wanted, widestColumn));
        }
        return all;
    }

    void writeCell(const QTextTableCell& place, const text::Cell& cell, bool isHeading) {
        QTextCharFormat format = base();
        if (isHeading) format.setFontWeight(QFont::DemiBold);
        QTextTableCellFormat frame;
        frame.setBorder(1);
        frame.setBorderBrush(themeColors().border);
        frame.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        QTextTableCell(place).setFormat(frame);
        m_cursor = place.firstCursorPosition();
        QTextBlockFormat block;
        const bool isRight = cell.alignment == text::Alignment::Right;
        block.setAlignment(isRight ? Qt::AlignRight : cell.alignment == text::Alignment::Centre ? Qt::AlignHCenter : Qt::AlignLeft);
        m_cursor.setBlockFormat(block);
        writeRuns(cell.runs, format);
    }

    QTextCursor& m_cursor;
    const Piece& m_piece;
    const Piece* m_before;
    const QPalette& m_palette;
    const QFont& m_font;
    int m_link;
};

} // namespace

bool isWebAddress(const std::string& address) {
    if (address.empty() || address.size() > 4096) return false;
    const QUrl url(ui::text(address), QUrl::StrictMode);
    const QString scheme = url.scheme();
    const bool isWeb = scheme == QLatin1String("http") || scheme == QLatin1String("https");
    return url.isValid() && ((isWeb && !url.host().isEmpty()) || scheme == QLatin1String("mailto"));
}

std::vector<text::Block> answerBlocks(std::string_view markdown) { return text::parseMarkdown(text::showFormulas(markdown)); }

std::vector<Piece> markdownPieces(std::string_view markdown, qint64 turn, bool isQuiet, const QString& copyLabel,
                                  PieceNumbers& numbers) {
    std::vector<Piece> pieces;
    for (text::Block& block : answerBlocks(markdown)) {
        Piece common;
        common.turn = turn;
        common.isQuiet = isQuiet;
        common.firstLink = numbers.links;
        if (block.kind == text::BlockKind::Code) {
            addCode(pieces, block, common, numbers.codes++, copyLabel);
            continue;
        }
        numbers.links += linksIn(block);
        if (block.kind == text::BlockKind::Table && block.table.size() > rowsTogether) {
            addLongTable(pieces, block, common);
            continue;
        }
        common.block = std::move(block);
        pieces.push_back(std::move(common));
    }
    return pieces;
}

std::vector<Piece> plainPieces(const std::string& words, qint64 turn) {
    std::vector<Piece> pieces;
    for (const QString& line : ui::text(words).split(u'\n')) {
        Piece piece;
        piece.turn = turn;
        text::Inline run;
        run.text = line.toStdString();
        piece.block.runs.push_back(std::move(run));
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

void writePiece(QTextCursor& cursor, const Piece& piece, const Piece* before, const QPalette& palette, const QFont& font) {
    Writer(cursor, piece, before, palette, font).write();
}

void formatLast(QTextCursor& cursor, const Piece& piece, const QFont&) {
    cursor.movePosition(QTextCursor::End);
    cursor.setBlockFormat(piece.block.kind == text::BlockKind::Table ? QTextBlockFormat() : blockFormat(piece));
}

} // namespace wb::ui::chat
