// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/shell/palette/command_palette.h"
#include "ui/shell/palette/fuzzy.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>

using namespace wb::ui;

class PaletteTest : public QObject {
    Q_OBJECT

private slots:
    void fuzzyFinds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<bool>("fits");
        QTest::addRow("empty") << "Open file" << "" << true;
        QTest::addRow("initials") << "Open file" << "of" << true;
        QTest::addRow("case") << "Open file" << "OPEN" << true;
        QTest::addRow("words in any order") << "Open file" << "file op" << true;
        QTest::addRow("letters out of order") << "Open file" << "fo" << false;
        QTest::addRow("one word missing") << "Open file" << "open dark" << false;
        QTest::addRow("Chinese") << "打开文件" << "文件" << true;
        QTest::addRow("tensor") << "blk.12.attn_q.weight" << "12 attn_q" << true;
    }

    void fuzzyFinds() {
        QFETCH(QString, text);
        QFETCH(QString, pattern);
        QFETCH(bool, fits);
        QCOMPARE(fuzzyScore(text, pattern).has_value(), fits);
    }

    void fuzzyPrefersWholeWords() {
        const auto score = [](const char* text) { return fuzzyScore(QString::fromLatin1(text), u"set").value(); };
        QVERIFY(score("Settings") > score("Reset"));
        QVERIFY(score("Reset") > score("Show every tensor"));
        QVERIFY(score("Set") > score("Settings of the program"));
    }

    void modelShowsBestFirst() {
        CommandModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QStringList titles = {"Reset", "Quit", "Settings"};
        QList<Command> commands;
        for (const QString& title : titles) commands.append({title, {}, {}, [] {}});
        model.setCommands(commands, QStringLiteral("set"));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Settings"));
    }

    void keyboardAloneIsEnough() {
        QWidget window;
        window.resize(900, 600);
        QStringList ran;
        CommandPalette palette(
            [&](const QString&) {
                QList<Command> commands;
                for (const char* name : {"First", "Second", "Third"})
                    commands.append({QString::fromLatin1(name), {}, {}, [&ran, name] { ran.append(QString::fromLatin1(name)); }});
                return commands;
            },
            &window);
        window.show();
        palette.open();
        auto* field = palette.findChild<QLineEdit*>();
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Up);
        QVERIFY(field->accessibleDescription().contains(QStringLiteral("Second")));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(ran, QStringList{QStringLiteral("Second")});
        QVERIFY(!palette.isVisible());

        palette.open();
        QTest::keyClicks(field, QStringLiteral("thi"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(ran.last(), QStringLiteral("Third"));

        palette.open();
        QTest::keyClicks(field, QStringLiteral("zzz"));
        QVERIFY(!palette.findChild<QListView*>()->isVisible());
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
        QCOMPARE(ran.size(), 2);
    }
};

WB_GUI_TEST(PaletteTest)
#include "palette_test.moc"
