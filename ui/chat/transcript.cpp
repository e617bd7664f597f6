// SPDX-License-Identifier: MIT
#include "ui/chat/transcript.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/translate.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>

#include <algorithm>

namespace wb::ui::chat {
namespace {

constexpr std::size_t shownAtOnce = 200; // turns: layout of more would be felt
constexpr std::size_t shownMore = 500;
constexpr int lettersInLine = 100; // some 16 English words
constexpr int margin = 16;         // pixels

QString target(const char* verb, qint64 turn) { return QStringLiteral("a:%1:%2").arg(QLatin1String(verb)).arg(turn); }

// Words that start at `from` or later.
int wordsIn(std::string_view text, std::size_t from = 0) {
    const auto isBlank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    int words = 0;
    for (std::size_t i = from; i < text.size(); ++i) words += !isBlank(text[i]) && (i == 0 || isBlank(text[i - 1]));
    return words;
}

std::vector<Piece> quietPieces(std::string_view text, qint64 turn) {
    std::vector<Piece> pieces = plainPieces(std::string(text), turn);
    for (Piece& piece : pieces) {
        piece.isQuiet = true;
        piece.block.quotes = 1;
    }
    return pieces;
}

Piece notePiece(const QString& words) {
    Piece note;
    note.kind = PieceKind::Note;
    note.words = words;
    return note;
}

} // namespace

Transcript::Transcript(QWidget* parent) : QTextBrowser(parent) {
    setObjectName(QStringLiteral("transcript"));
    setOpenLinks(false);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(margin);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
    keepTranslated(this, [this] {
        setAccessibleName(tr("Chat"));
        keepView([this] { write(); });
    });
}

// Nothing that an answer names is ever fetched.
QVariant Transcript::loadResource(int, const QUrl&) { return {}; }

int Transcript::textWidth() const { return fontMetrics().averageCharWidth() * lettersInLine + 2 * margin; }

void Transcript::centerText() {
    QTextFrame* const root = document()->rootFrame();
    QTextFrameFormat format = root->frameFormat();
    const int side = margin + std::max(0, (viewport()->width() - textWidth()) / 2);
    if (static_cast<int>(format.leftMargin()) == side) return;
    format.setLeftMargin(side);
    format.setRightMargin(side);
    root->setFrameFormat(format);
}

void Transcript::resizeEvent(QResizeEvent* event) {
    centerText();
    QTextBrowser::resizeEvent(event);
}

// The colors of the theme are part of the text.
void Transcript::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange) centerText();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) keepView([this] { write(); });
}

void Transcript::keepView(const std::function<void()>& change) {
    QScrollBar* const bar = verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - 4;
    const int before = bar->value();
    change();
    bar->setValue(atEnd ? bar->maximum() : before);
}

void Transcript::setTurns(std::vector<ShownTurn> turns) {
    m_turns = std::move(turns);
    m_firstShown = m_turns.size() > shownAtOnce ? m_turns.size() - shownAtOnce : 0;
    write();
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void Transcript::write() {
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    cursor.select(QTextCursor::Document);
    cursor.removeSelectedText();
    cursor.setBlockFormat({});
    cursor.setCharFormat({});
    m_last.clear();
    forgetSettled();
    if (m_firstShown > 0) {
        Piece earlier;
        earlier.kind = PieceKind::Links;
        earlier.links = {
            {tr("Show %n earlier messages", nullptr, static_cast<int>(std::min(m_firstShown, shownMore))), target("earlier", 0)}};
        writePiece(cursor, earlier, nullptr, palette(), font());
    }
    for (std::size_t i = m_firstShown; i < m_turns.size(); ++i) writeTurn(m_turns[i]);
    cursor.endEditBlock();
}

void Transcript::writeTurn(const ShownTurn& turn) {
    m_last.clear();
    forgetSettled();
    QTextCursor cursor(document());
    for (Piece& piece : turnPieces(turn)) {
        cursor.movePosition(QTextCursor::End);
        const int position = cursor.position();
        writePiece(cursor, piece, m_last.empty() ? nullptr : &m_last.back().piece, palette(), font());
        m_last.push_back({position, std::move(piece)});
    }
}

void Transcript::updateLast(ShownTurn turn) {
    if (m_turns.empty() || m_turns.back().id != turn.id) {
        m_turns.push_back(std::move(turn));
        QTextCursor cursor(document());
        cursor.beginEditBlock();
        writeTurn(m_turns.back());
        cursor.endEditBlock();
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
        return;
    }
    m_turns.back() = std::move(turn);
    m_reasoning = {};
    if (m_turns.back().isGrowing) return showGrowth();
    forgetSettled();
    replaceFrom(0, turnPieces(m_turns.back()));
}

void Transcript::growLast(const std::string& text) {
    if (m_turns.empty()) return;
    m_turns.back().text += text;
    showGrowth();
}

void Transcript::forgetSettled() {
    m_settled = {};
    m_settledLines = {};
    m_reasoning = {};
}

void Transcript::showGrowth() {
    const ShownTurn& turn = m_turns.back();
    if (!turn.isAnswer) return replaceFrom(0, turnPieces(turn));
    const text::Reasoned parts = m_reasoning.split(turn.text);
    if (!parts.isOpen) return settle(turn, parts);
    m_settled = {};
    settleReasoning(turn, parts.reasoning);
}

// Lays out reasoning that has not ended, after its whole lines that are shown already.
void Transcript::settleReasoning(const ShownTurn& turn, std::string_view reasoning) {
    constexpr std::size_t before = 2; // who speaks, the fold
    if (m_settledLines.turn != turn.id) {
        replaceFrom(0, turnPieces(turn));
        m_settledLines = {.turn = turn.id};
    }
    m_settledLines.words += wordsIn(reasoning, m_settledLines.countedBytes);
    m_settledLines.countedBytes = reasoning.size();
    if (!m_unfolded.contains(turn.id)) return replaceFrom(1, {foldPiece(turn, true, m_settledLines.words)});
    const std::size_t shown = m_settledLines.bytes;
    const std::size_t end = reasoning.find_last_of('\n');
    replaceFrom(before + m_settledLines.pieces, quietPieces(reasoning.substr(shown), turn.id));
    if (end == std::string_view::npos || end < shown) return;
    m_settledLines.pieces += static_cast<std::size_t>(std::ranges::count(reasoning.substr(shown, end + 1 - shown), '\n'));
    m_settledLines.bytes = end + 1;
}

// Lays out the text after the settled beginning.
void Transcript::settle(const ShownTurn& turn, const text::Reasoned& parts) {
    // A closing tag alone makes reasoning of text that was shown as the answer.
    const bool hasReasoning = !parts.reasoning.empty();
    if (m_settled.turn != turn.id || m_settled.hasReasoning != hasReasoning || parts.answer.size() < m_settled.bytes) {
        replaceFrom(0, turnPieces(turn));
        m_settled = {turn.id, 1 + reasoningPieces(turn, parts).size(), 0, 0, {}, hasReasoning};
    }
    const std::size_t bytes = text::settledMarkdown(parts.answer, m_settled.bytes);
    const auto told = [&](std::size_t from, std::size_t to, PieceNumbers& numbers) {
        return markdownPieces(parts.answer.substr(from, to - from), turn.id, false, tr("Copy code"), numbers);
    };
    PieceNumbers numbers = m_settled.numbers;
    std::vector<Piece> pieces = told(m_settled.bytes, bytes, numbers);
    const std::size_t more = pieces.size();
    const PieceNumbers settledNumbers = numbers;
    std::ranges::move(told(bytes, parts.answer.size(), numbers), std::back_inserter(pieces));
    if (!turn.note.isEmpty()) pieces.push_back(notePiece(turn.note));
    replaceFrom(m_settled.before + m_settled.pieces, std::move(pieces));
    m_settled = {turn.id, m_settled.before, bytes, m_settled.pieces + more, settledNumbers, hasReasoning};
}

// Makes these the pieces of the last turn from a place on; existing ones stay.
void Transcript::replaceFrom(std::size_t place, std::vector<Piece> pieces) {
    std::size_t same = 0;
    const auto isSame = [&] { return place + same < m_last.size() && pieces[same] == m_last[place + same].piece; };
    while (same < pieces.size() && isSame()) ++same;
    if (same == pieces.size() && place + same == m_last.size()) return;
    keepView([&] {
        QTextCursor cursor(document());
        cursor.beginEditBlock();
        removeFrom(place + same);
        for (std::size_t i = same; i < pieces.size(); ++i) {
            cursor.movePosition(QTextCursor::End);
            const int position = cursor.position();
            writePiece(cursor, pieces[i], m_last.empty() ? nullptr : &m_last.back().piece, palette(), font());
            m_last.push_back({position, std::move(pieces[i])});
        }
        cursor.endEditBlock();
    });
}

void Transcript::removeFrom(std::size_t piece) {
    if (piece >= m_last.size()) return;
    QTextCursor cursor(document());
    cursor.setPosition(m_last[piece].position);
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    m_last.resize(piece);
    // An empty paragraph takes over the format of the one that followed it.
    if (!m_last.empty()) formatLast(cursor, m_last.back().piece, font());
}

std::vector<Piece> Transcript::turnPieces(const ShownTurn& turn) const {
    if (!turn.isAnswer) return partsAround(turn, plainPieces(turn.text, turn.id));
    const text::Reasoned parts = text::splitReasoning(turn.text);
    std::vector<Piece> body = reasoningPieces(turn, parts);
    PieceNumbers numbers;
    for (Piece& piece : markdownPieces(parts.answer, turn.id, false, tr("Copy code"), numbers)) body.push_back(std::move(piece));
    return partsAround(turn, std::move(body));
}

std::vector<Piece> Transcript::reasoningPieces(const ShownTurn& turn, const text::Reasoned& parts) const {
    std::vector<Piece> body;
    if (!parts.isOpen && parts.reasoning.empty()) return body;
    body.push_back(foldPiece(turn, parts.isOpen, wordsIn(parts.reasoning)));
    // Its numbers of links and code are beyond those of the answer.
    if (m_unfolded.contains(turn.id)) std::ranges::move(quietPieces(parts.reasoning, turn.id), std::back_inserter(body));
    return body;
}

// A number that changes with each word would have the lines below laid out again and again.
Piece Transcript::foldPiece(const ShownTurn& turn, bool isOpen, int words) const {
    const bool isUnfolded = m_unfolded.contains(turn.id), isThinking = isOpen && turn.isGrowing;
    const QString label = isUnfolded && isThinking ? tr("Reasoning") : tr("Reasoning (%n words)", nullptr, words);
    Piece fold;
    fold.kind = PieceKind::Links;
    fold.links = {{(isUnfolded ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + label, target("fold", turn.id)}};
    if (isThinking) fold.links.push_back({tr("Thinking…"), {}});
    return fold;
}

// Who speaks before it, what can be done with it after it.
std::vector<Piece> Transcript::partsAround(const ShownTurn& turn, std::vector<Piece> body) const {
    std::vector<Piece> pieces;
    Piece speaker;
    speaker.kind = PieceKind::Speaker;
    speaker.words = !turn.isAnswer ? tr("You") : turn.model.isEmpty() ? tr("Model") : turn.model;
    if (turn.versions > 1) {
        speaker.links = {{tr("Version %1 of %2").arg(turn.version).arg(turn.versions), {}}};
        if (turn.version > 1) speaker.links.push_back({tr("Previous"), target("previous", turn.id)});
        if (turn.version < turn.versions) speaker.links.push_back({tr("Next"), target("next", turn.id)});
    }
    pieces.push_back(std::move(speaker));
    std::ranges::move(body, std::back_inserter(pieces));
    if (!turn.note.isEmpty()) pieces.push_back(notePiece(turn.note));
    if (turn.isGrowing) return pieces;
    Piece links;
    links.kind = PieceKind::Links;
    if (turn.isAnswer) links.links = {{tr("Regenerate"), target("again", turn.id)}};
    else links.links = {{tr("Edit"), target("edit", turn.id)}};
    if (turn.canContinue) links.links.push_back({tr("Continue generating"), target("continue", turn.id)});
    links.links.push_back({tr("Copy"), target("copy", turn.id)});
    pieces.push_back(std::move(links));
    return pieces;
}

const ShownTurn* Transcript::find(qint64 id) const {
    const auto found = std::ranges::find(m_turns, id, &ShownTurn::id);
    return found == m_turns.end() ? nullptr : &*found;
}

void Transcript::follow(const QString& link) {
    const QStringList words = link.split(u':');
    if (words.size() != 3) return;
    if (words[0] == QLatin1String("a") && words[1] == QLatin1String("earlier")) {
        m_firstShown -= std::min(m_firstShown, shownMore);
        return write();
    }
    const bool isAction = words[0] == QLatin1String("a");
    const qint64 id = (isAction ? words[2] : words[1]).toLongLong();
    const ShownTurn* const turn = find(id);
    if (!turn) return;
    if (words[0] == QLatin1String("c")) return copyCode(*turn, words[2].toInt());
    if (words[0] == QLatin1String("x")) return chooseLink(*turn, words[2].toInt());
    if (!isAction) return;
    if (words[1] == QLatin1String("edit")) emit editWanted(id);
    else if (words[1] == QLatin1String("again")) emit againWanted(id);
    else if (words[1] == QLatin1String("continue")) emit continueWanted(id);
    else if (words[1] == QLatin1String("previous")) emit versionWanted(id, -1);
    else if (words[1] == QLatin1String("next")) emit versionWanted(id, 1);
    else if (words[1] == QLatin1String("copy")) QApplication::clipboard()->setText(ui::text(turn->text));
    else if (words[1] == QLatin1String("fold")) toggle(id);
}

void Transcript::toggle(qint64 id) {
    if (!m_unfolded.erase(id)) m_unfolded.insert(id);
    const int before = verticalScrollBar()->value();
    write();
    verticalScrollBar()->setValue(before);
}

void Transcript::copyCode(const ShownTurn& turn, int number) {
    for (const text::Block& block : answerBlocks(text::splitReasoning(turn.text).answer))
        if (block.kind == text::BlockKind::Code && number-- == 0 && !block.runs.empty())
            QApplication::clipboard()->setText(ui::text(block.runs.front().text));
}

void Transcript::chooseLink(const ShownTurn& turn, int number) {
    const auto look = [&](const std::vector<text::Inline>& runs) {
        for (const text::Inline& run : runs)
            if (isWebAddress(run.link) && number-- == 0) emit linkChosen(ui::text(run.link));
    };
    for (const text::Block& block : answerBlocks(text::splitReasoning(turn.text).answer)) {
        if (block.kind == text::BlockKind::Code) continue;
        look(block.runs);
        for (const auto& row : block.table)
            for (const text::Cell& cell : row) look(cell.runs);
    }
}

} // namespace wb::ui::chat
