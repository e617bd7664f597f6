// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "ui/chat/conversations_model.h"
#include "ui/chat/transcript.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextTable>

namespace wb::test {

using ui::chat::ConversationsModel;
using ui::chat::ShownTurn;
using ui::chat::Transcript;

constexpr auto answer =
    "# Weights\n\nA **bold** word, `code` and *more*: 中文也可以。\n\n"
    "```cpp\nint main() {\n\n    return 0;\n}\n```\n\n"
    "1. one\n2. two\n   - inner\n\n"
    "| name | bytes |\n|------|------:|\n| a | 1 |\n| b | 22 |\n\n"
    "> quoted\n\n<script>alert(1)</script> and ![picture](http://example.org/a.png) and [here](https://example.org/)\n\nEnd.";

class TranscriptTest : public QObject {
    Q_OBJECT

private:
    static ShownTurn turn(const std::string& text, bool isGrowing = false) {
        ShownTurn turn;
        turn.id = 1;
        turn.isAnswer = true;
        turn.text = text;
        turn.isGrowing = isGrowing;
        return turn;
    }

    static QStringList shownBlocks(const Transcript& transcript) {
        QStringList blocks;
        for (QTextBlock block = transcript.document()->begin(); block.isValid(); block = block.next())
            blocks << QStringLiteral("%1|%2|%3")
                          .arg(block.text())
                          .arg(block.blockFormat().leftMargin())
                          .arg(block.blockFormat().topMargin());
        return blocks;
    }

    static QColor colorAt(const Transcript& transcript, const QString& words) {
        const QTextCursor found = transcript.document()->find(words);
        return found.isNull() ? QColor() : found.charFormat().foreground().color();
    }

private Q_SLOTS:
    void codeIsColored() {
        Transcript transcript;
        transcript.setTurns({turn("```python\nx = 7 # 表 note\nreturn 'it'\n```\n\n```\nreturn 8\n```\n")});
        const ui::ThemeColors colors = ui::themeColors();
        QCOMPARE(colorAt(transcript, QStringLiteral("7")), colors.codeNumber);
        QCOMPARE(colorAt(transcript, QStringLiteral("note")), colors.muted);
        QCOMPARE(colorAt(transcript, QStringLiteral("it'")), colors.codeString);
        QCOMPARE(colorAt(transcript, QStringLiteral("return 'it")), colors.codeString); // the format of its end
        QCOMPARE(colorAt(transcript, QStringLiteral("return")), colors.codeKeyword);
        QVERIFY(colorAt(transcript, QStringLiteral("8")) != colors.codeNumber); // of no language
        QVERIFY2(transcript.toPlainText().contains(QStringLiteral("x = 7 # 表 note\nreturn 'it'")),
                 qPrintable(transcript.toPlainText()));
    }

    void formulasAreText() {
        Transcript transcript;
        transcript.setTurns({turn("So $x^2 \\le \\frac{1}{2}$, and `$x^2$` is code.")});
        QVERIFY2(transcript.toPlainText().contains(QStringLiteral("So x² ≤ 1/2, and $x^2$ is code.")),
                 qPrintable(transcript.toPlainText()));
    }

    // A wide window does not make long lines; a narrow one wastes nothing.
    void textHasAReadableWidth() {
        Transcript transcript;
        transcript.setTurns({turn(std::string("word ").append(3000, 'x') + " end")});
        const auto lineWidth = [&] {
            double widest = 0;
            for (QTextBlock block = transcript.document()->begin(); block.isValid(); block = block.next())
                widest = std::max(widest, block.layout()->boundingRect().width());
            return widest;
        };
        transcript.show();
        for (const int width : {400, 1900, 500}) {
            transcript.resize(width, 600);
            QVERIFY(QTest::qWaitForWindowExposed(&transcript));
            turnLoop();
            QVERIFY2(lineWidth() <= transcript.textWidth(), qPrintable(QString::number(lineWidth())));
            if (width < transcript.textWidth()) QVERIFY2(lineWidth() > width - 80, qPrintable(QString::number(lineWidth())));
        }
    }

    void markdownIsLaidOut() {
        Transcript transcript;
        transcript.setTurns({turn(answer)});
        const QString text = transcript.toPlainText();
        for (const char* part : {"Weights", "A bold word, code and more: 中文也可以。", "int main() {", "1. one", "• inner",
                                 "quoted", "<script>alert(1)</script>", "picture", "End."})
            QVERIFY2(text.contains(QString::fromUtf8(part)), part);
        QVERIFY(!text.contains(QStringLiteral("**")) && !text.contains(QStringLiteral("```")));
        const auto frames = transcript.document()->rootFrame()->childFrames();
        QCOMPARE(frames.size(), 1);
        const auto* table = qobject_cast<QTextTable*>(frames.front());
        QVERIFY(table);
        QCOMPARE(table->rows(), 3);
        QCOMPARE(table->cellAt(2, 1).firstCursorPosition().block().text(), QStringLiteral("22"));
    }

    // Whatever the parts are in which it arrives, the document is the one of the whole text.
    void aGrowingAnswerEndsAsTheWhole() {
        const std::string whole = answer;
        Transcript expected;
        expected.setTurns({turn(whole)});
        for (const std::size_t step : {1u, 7u, 64u}) {
            Transcript transcript;
            for (std::size_t size = 0; size < whole.size(); size += step)
                transcript.updateLast(turn(QString::fromUtf8(whole.data(), static_cast<qsizetype>(size)).toStdString(), true));
            transcript.updateLast(turn(whole));
            QCOMPARE(transcript.toPlainText(), expected.toPlainText());
            QCOMPARE(shownBlocks(transcript), shownBlocks(expected));
        }
    }

    // The tab adds the text as it arrives; folded or unfolded, the document is the one of the whole text.
    void growingEndsAsTheWhole() {
        const std::string begins[] = {"<think>\nFirst this.\n\nThen that,\nand more.\n</think>\n\n",
                                      "Begun in the prompt.</think>\n\n"};
        for (const std::string& begin : begins) {
            for (const bool isUnfolded : {false, true}) {
                const auto shown = [&](const std::string& text) {
                    auto transcript = std::make_unique<Transcript>();
                    transcript->setTurns({turn(text, true)});
                    if (isUnfolded) transcript->follow(QStringLiteral("a:fold:1"));
                    return transcript;
                };
                const auto expected = shown(begin + answer), transcript = shown({});
                const QString text = QString::fromStdString(begin + answer);
                for (qsizetype at = 0; at < text.size(); at += 5) transcript->growLast(text.mid(at, 5).toStdString());
                QCOMPARE(transcript->toPlainText(), expected->toPlainText());
                QCOMPARE(shownBlocks(*transcript), shownBlocks(*expected));
                for (Transcript* each : {expected.get(), transcript.get()}) each->updateLast(turn(begin + answer));
                QCOMPARE(transcript->toPlainText(), expected->toPlainText());
                QCOMPARE(shownBlocks(*transcript), shownBlocks(*expected));
            }
        }
    }

    // Neither the answer nor unfolded reasoning is laid out again for a few more words.
    void growingChangesTheEndOnly() {
        for (const char* const begin : {"", "<think>"}) {
            Transcript transcript;
            transcript.setTurns({turn(begin, true)});
            transcript.follow(QStringLiteral("a:fold:1"));
            std::string text;
            for (int i = 0; i < 2000; ++i) text += "A paragraph with some words in it, as answers have many.\n\n";
            transcript.growLast(text);
            transcript.growLast("More");
            QSignalSpy changes(transcript.document(), &QTextDocument::contentsChange);
            transcript.growLast(" words");
            QCOMPARE(changes.size(), 1);
            QVERIFY(changes[0][0].toInt() > transcript.document()->characterCount() - 100);
        }
    }

    void onlyWhatChangedIsLaidOutAnew() {
        Transcript transcript;
        std::string text;
        for (int i = 0; i < 2000; ++i) text += "A paragraph with some words in it, as answers have many.\n\n";
        transcript.updateLast(turn(text, true));
        QSignalSpy changes(transcript.document(), &QTextDocument::contentsChange);
        transcript.updateLast(turn(text + "More", true));
        QCOMPARE(changes.size(), 1);
        QVERIFY(changes[0][0].toInt() > transcript.document()->characterCount() - 100);
    }

    // A long table is laid out in parts, so that a row more does not cost the whole; the words and the links stay.
    void aLongTableGrowsByItsLastRows() {
        std::string text = "| name | link |\n|---|---:|\n";
        for (int i = 0; i < 200; ++i)
            text += "| row " + std::to_string(i) + " | [l](https://example.org/" + std::to_string(i) + ") |\n";
        Transcript transcript;
        transcript.updateLast(turn(text, true));
        QSignalSpy changes(transcript.document(), &QTextDocument::contentsChange);
        text += "| the last | row |\n";
        transcript.updateLast(turn(text, true));
        QVERIFY(changes.size() > 0);
        for (const auto& change : changes) QVERIFY(change[0].toInt() > transcript.document()->characterCount() * 3 / 4);
        const QString shown = transcript.toPlainText();
        for (const char* const words : {"name", "row 100", "row 199", "the last"}) QCOMPARE(shown.count(QLatin1String(words)), 1);
        Transcript whole;
        whole.setTurns({turn(text, true)});
        QCOMPARE(shownBlocks(transcript), shownBlocks(whole));
        QSignalSpy chosen(&transcript, &Transcript::linkChosen);
        transcript.follow(QStringLiteral("x:1:150"));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("https://example.org/150"));
        QVERIFY(transcript.toHtml().contains(QStringLiteral("x:1:150")));
    }

    void codeIsCopiedWhole() {
        Transcript transcript;
        transcript.setTurns({turn(answer)});
        transcript.follow(QStringLiteral("c:1:0"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("int main() {\n\n    return 0;\n}"));
    }

    void linksAskAndOnlyThoseOfTheWeb() {
        Transcript transcript;
        transcript.setTurns({turn("[a](javascript:alert(1)) [b](file:///etc/passwd) [c](https://example.org/x) [d](a:edit:1)")});
        QSignalSpy links(&transcript, &Transcript::linkChosen);
        QSignalSpy edits(&transcript, &Transcript::editWanted);
        QStringList anchors;
        for (QTextBlock block = transcript.document()->begin(); block.isValid(); block = block.next())
            for (auto at = block.begin(); !at.atEnd(); ++at)
                if (at.fragment().charFormat().isAnchor()) anchors << at.fragment().charFormat().anchorHref();
        QVERIFY(anchors.contains(QStringLiteral("x:1:0")));
        QCOMPARE(anchors.filter(QStringLiteral("x:")).size(), 1);
        QVERIFY(!anchors.contains(QStringLiteral("a:edit:1")));
        transcript.follow(QStringLiteral("x:1:0"));
        QCOMPARE(links.size(), 1);
        QCOMPARE(links[0][0].toString(), QStringLiteral("https://example.org/x"));
        QVERIFY(edits.isEmpty());
    }

    void reasoningIsFolded() {
        Transcript transcript;
        transcript.setTurns({turn("<think>Let me see whether\nthis is so.</think>\n\nIt is.")});
        QVERIFY(transcript.toPlainText().contains(QStringLiteral("It is.")));
        QVERIFY(!transcript.toPlainText().contains(QStringLiteral("Let me see")));
        QVERIFY2(transcript.toPlainText().contains(QStringLiteral("Reasoning (7 words)")), qPrintable(transcript.toPlainText()));
        transcript.follow(QStringLiteral("a:fold:1"));
        QVERIFY(transcript.toPlainText().contains(QStringLiteral("Let me see")));
        transcript.follow(QStringLiteral("a:fold:1"));
        QVERIFY(!transcript.toPlainText().contains(QStringLiteral("Let me see")));
    }

    void whoeverScrolledBackStays() {
        Transcript transcript;
        transcript.resize(400, 200);
        transcript.show();
        std::string text;
        for (int i = 0; i < 200; ++i) text += "A line.\n\n";
        transcript.updateLast(turn(text, true));
        turnLoop();
        QCOMPARE(transcript.verticalScrollBar()->value(), transcript.verticalScrollBar()->maximum());
        transcript.verticalScrollBar()->setValue(50);
        transcript.updateLast(turn(text + "More.", true));
        QCOMPARE(transcript.verticalScrollBar()->value(), 50);
    }

    void aLongConversationShowsItsEndFirst() {
        std::vector<ShownTurn> turns;
        for (int i = 1; i <= 10'000; ++i) {
            turns.push_back(turn("Turn number " + std::to_string(i) + "."));
            turns.back().id = i;
        }
        Transcript transcript;
        transcript.setTurns(turns);
        QVERIFY(transcript.toPlainText().contains(QStringLiteral("Turn number 10000.")));
        QVERIFY(!transcript.toPlainText().contains(QStringLiteral("Turn number 9700.")));
        transcript.follow(QStringLiteral("a:earlier:0"));
        QVERIFY(transcript.toPlainText().contains(QStringLiteral("Turn number 9700.")));
    }

    void linksTakeTheColorOfTheTheme() {
        Transcript transcript;
        transcript.setTurns({turn("Hello")});
        QPalette palette = transcript.palette();
        palette.setColor(QPalette::Link, Qt::magenta);
        transcript.setPalette(palette);
        const auto colorOf = [&](int block) {
            return transcript.document()->findBlockByNumber(block).begin().fragment().charFormat().foreground().color();
        };
        QCOMPARE(colorOf(0), QColor(Qt::magenta));
        QVERIFY(colorOf(1) != QColor(Qt::magenta));
    }

    void theListOfConversationsIsAModel() {
        ConversationsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setHeads({{1, "One", "/a/b.gguf", "", 0, 1, 5}, {2, "", "", "", 0, 1, 4}});
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("One"));
        QCOMPARE(model.index(1).data().toString(), QStringLiteral("Untitled"));
        QSignalSpy renames(&model, &ConversationsModel::renameWanted);
        QVERIFY(!model.setData(model.index(0), QStringLiteral("  ")));
        QVERIFY(model.setData(model.index(0), QStringLiteral("Other")));
        QCOMPARE(renames.size(), 1);
        model.setHeads({{1, "Third", "/a/b.gguf", "", 0, 1, 5}, {2, "", "", "", 0, 1, 4}});
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("Third"));
        model.setHeads({{2, "", "", "", 0, 1, 4}});
        QCOMPARE(model.rowCount(), 1);
        model.setHeads({});
    }
};

WB_GUI_TEST(TranscriptTest)

} // namespace wb::test

#include "transcript_test.moc"
