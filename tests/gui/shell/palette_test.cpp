// SPDX-License-Identifier: MIT
#include "tests/gui/support/fake_tab.h"
#include "tests/gui/support/gui_test.h"
#include "ui/shell/palette/command_palette.h"
#include "ui/shell/palette/fuzzy.h"
#include "ui/shell/palette/page_commands.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTabWidget>

using namespace wb;
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

    void findsPagesActionsAndButtons() {
        test::FakeTab tab;
        auto* pages = new QTabWidget(&tab);
        pages->addTab(new QWidget, QStringLiteral("Heat map"));
        pages->addTab(new QWidget, QStringLiteral("&Storage"));
        auto* merge = new QPushButton(QStringLiteral("Merge an adapter…"), &tab);
        for (int i = 0; i < 2; ++i) new QPushButton(QStringLiteral("Twice"), &tab);
        auto* hidden = new QPushButton(QStringLiteral("Hidden"), &tab);
        hidden->hide();
        int clicks = 0, shown = 0;
        QObject::connect(merge, &QPushButton::clicked, &tab, [&clicks] { ++clicks; });
        const QList<Command> commands = commandsIn(&tab, {tab.action}, [&shown] { ++shown; });
        QStringList titles;
        for (const Command& command : commands) titles << command.title;
        QVERIFY(titles.contains(QStringLiteral("Heat map")) && titles.contains(QStringLiteral("Storage")));
        QVERIFY(titles.contains(QStringLiteral("Weigh")));
        QVERIFY(!titles.contains(QStringLiteral("Twice")) && !titles.contains(QStringLiteral("Hidden")));
        QVERIFY(!titles.contains(tab.action->text()));
        commands[titles.indexOf(QStringLiteral("Storage"))].run();
        QCOMPARE(pages->currentIndex(), 1);
        commands[titles.indexOf(merge->text())].run();
        QCOMPARE(clicks, 1);
        QCOMPARE(shown, 2);
    }

    void synonymsFindNames() {
        const auto finds = [](const char* title, const char* english, const char* text) {
            CommandModel model;
            Command command{QString::fromUtf8(title), {}, {}, [] {}, QString::fromUtf8(english)};
            command.synonyms = commandSynonyms(command.title, command.alias);
            model.setCommands({command}, QString::fromUtf8(text));
            return model.rowCount() == 1;
        };
        QVERIFY(finds("Safety", "", "opcodes"));
        QVERIFY(finds("Save values of selected tensors…", "", "numpy"));
        QVERIFY(finds("What if", "", "compare types"));
        QVERIFY(finds("热力图", "Heat map", "picture"));
        QVERIFY(!finds("Safety", "", "picture"));
        QVERIFY(!finds("Safety", "", "odes")); // the middle of a word
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
