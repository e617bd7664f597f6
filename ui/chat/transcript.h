// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/reasoning.h"
#include "ui/chat/turn_pieces.h"

#include <QTextBrowser>

#include <set>

namespace wb::ui::chat {

// A turn as the transcript shows it.
struct ShownTurn {
    std::int64_t id = 0;
    bool isAnswer = false; // of the model
    std::string text;      // Markdown where it is an answer, else as typed
    int version = 1;       // of `versions`, from 1 on
    int versions = 1;
    bool canContinue = false;
    bool isGrowing = false; // it is being written
    QString note;           // why it ended, where that is worth a sentence
    QString model;          // name of the file that answered; empty: not known
};

// The conversation as one text that can be selected and copied: whose turn it is, its text, and links for its actions. Answers are
// laid out as Markdown while they grow; only what changed is laid out again, and the position of a user who scrolled back is kept.
// Reasoning is folded until it is requested. Nothing is loaded or executed: raw HTML is text.
class Transcript : public QTextBrowser {
    Q_OBJECT

public:
    explicit Transcript(QWidget* parent = nullptr);

    // All turns of the branch, again. Of a long conversation the last ones are shown and the others on request.
    void setTurns(std::vector<ShownTurn> turns);
    // Replaces the last turn, or adds the turn if its id is another one.
    void updateLast(ShownTurn turn);
    // Adds text to the last turn; the cost is that of the new text.
    void growLast(const std::string& text);

    const std::vector<ShownTurn>& turns() const { return m_turns; }

    // The width beyond which text would be hard to read, in pixels with its margins. In a wider view the text is in the middle.
    int textWidth() const;

    // As if a link was chosen: "edit", "again", "continue", "copy", "previous", "next", "fold" of a turn.
    void follow(const QString& link);

signals:
    void editWanted(qint64 turn);
    void againWanted(qint64 turn);
    void continueWanted(qint64 turn);
    void versionWanted(qint64 turn, int step); // -1: the one before, 1: the next
    void linkChosen(const QString& address);   // of the web, in an answer

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QVariant loadResource(int type, const QUrl& name) override;

private:
    struct Placed {
        int position; // where the document ended before the piece
        Piece piece;
    };

    // The beginning of a growing answer whose blocks no longer change and are not looked at again.
    struct Settled {
        qint64 turn = 0;        // 0: nothing is settled
        std::size_t before = 0; // pieces: who speaks, the reasoning
        std::size_t bytes = 0;  // of the answer after its reasoning
        std::size_t pieces = 0;
        PieceNumbers numbers;
        bool hasReasoning = false; // among the pieces before
    };

    // The same of reasoning that has not ended: its whole lines.
    struct SettledLines {
        qint64 turn = 0;
        std::size_t bytes = 0, pieces = 0;
        std::size_t countedBytes = 0;
        int words = 0; // in the counted bytes
    };

    void write();
    void centerText();
    void writeTurn(const ShownTurn& turn);
    void forgetSettled();
    void showGrowth();
    std::vector<Piece> turnPieces(const ShownTurn& turn) const;
    std::vector<Piece> partsAround(const ShownTurn& turn, std::vector<Piece> body) const;
    std::vector<Piece> reasoningPieces(const ShownTurn& turn, const text::Reasoned& parts) const;
    void settle(const ShownTurn& turn, const text::Reasoned& parts);
    void settleReasoning(const ShownTurn& turn, std::string_view reasoning);
    Piece foldPiece(const ShownTurn& turn, bool isOpen, int words) const;
    void replaceFrom(std::size_t place, std::vector<Piece> pieces);
    void keepView(const std::function<void()>& change);
    void removeFrom(std::size_t piece);
    const ShownTurn* find(qint64 id) const;
    void toggle(qint64 id);
    void copyCode(const ShownTurn& turn, int number);
    void chooseLink(const ShownTurn& turn, int number);

    std::vector<ShownTurn> m_turns;
    std::size_t m_firstShown = 0; // index into m_turns
    std::vector<Placed> m_last;   // the pieces of the last turn
    Settled m_settled;            // of the last turn
    SettledLines m_settledLines;
    text::GrowingReasoning m_reasoning;
    std::set<qint64> m_unfolded;
};

} // namespace wb::ui::chat
