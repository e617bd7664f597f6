// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/desk.h"
#include "core/formats/gguf/writer.h"
#include "ui/shell/palette/page_commands.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>

namespace wb::test {

// The header of a model, its actions and the palette.
class HeaderTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    // A focused line edit, such as the search at first, keeps its own keys: Ctrl+U under X11.
    void noShortcutIsOneOfLineEdits() {
        Desk desk;
        const auto actions = desk.tab.actions();
        QVERIFY(actions.size() > 5);
        for (const QAction* action : actions)
            QVERIFY2(action->shortcut() != QKeySequence(Qt::CTRL | Qt::Key_U), qPrintable(action->text()));
    }

    void handsTheModelInFrontToAnotherTab() {
        Desk desk;
        desk.open(desk.path);
        QSignalSpy handedOver(&desk.tab, &Tab::handOverWanted);
        for (QAction* action : desk.tab.actions())
            if (action->text() == QStringLiteral("Chat with model") || action->text() == QStringLiteral("Quantize…"))
                action->trigger();
        QCOMPARE(handedOver.size(), 2);
        QCOMPARE(handedOver[0][0].toString(), QStringLiteral("convert"));
        QCOMPARE(handedOver[1][0].toString(), QStringLiteral("chat"));
        QCOMPARE(handedOver[1][1].toStringList(), QStringList{desk.path});
    }

    // The badge is made of the model's header in the background, and leads to the part by part account.
    void saysWhetherTheModelRunsHere() {
        const QString model = QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf");
        if (!QFile::exists(model)) QSKIP("../shared/corpus is not there");
        Desk desk;
        desk.devices.cards = {{.name = "Tiny card", .bytes = 1 << 20}};
        desk.services.devices = &desk.devices;
        desk.open(desk.path);
        const auto badgeInFront = [&] { return desk.tab.currentPage()->findChild<QToolButton*>(QStringLiteral("badge-fit")); };
        QVERIFY2(badgeInFront() && !badgeInFront()->isVisible(), "three tensors are no model that runs");
        desk.open(model);
        QToolButton* badge = badgeInFront();
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("Runs here"));
        QVERIFY2(badge->accessibleName().contains(QStringLiteral("Fits in RAM: needs ")), qPrintable(badge->accessibleName()));
        const QSignalSpy handed(&desk.tab, &Tab::handOverWanted);
        badge->click();
        QCOMPARE(handed.count(), 1);
        QCOMPARE(handed[0][0].toString(), QStringLiteral("memory"));
        QCOMPARE(handed[0][1].toStringList(), QStringList{model});
    }

    void showsNumbersOfTheChosenTensor() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->selectRow(1);
        desk.table()->setCurrentIndex(desk.table()->model()->index(2, 0));
        desk.jobs.runAll();
        auto* scalars = desk.tab.currentPage()->findChild<QTableView*>(QStringLiteral("scalars"));
        QCOMPARE(desk.backend.calls, 1); // the first choice was overtaken
        QCOMPARE(scalars->model()->index(3, 1).data(ExactRole).toString(), QStringLiteral("8"));
        QVERIFY(!desk.table()->isColumnHidden(static_cast<int>(Column::Max)));
    }

    // Not the bytes of its tensors, and not what it should have been.
    void theSizeIsThatOfTheFile() {
        Desk desk;
        desk.open(desk.path);
        const quint64 bytes = static_cast<quint64>(QFileInfo(desk.path).size());
        QCOMPARE(desk.tab.describe(desk.path).bytes, bytes); // of the start page
        const auto* size = desk.tab.currentPage()->findChild<QLabel*>(QStringLiteral("fileSize"));
        QCOMPARE(size->text(), bytesText(bytes));
        QVERIFY(size->toolTip().contains(shownCount(bytes)));
    }

    void whatIsNotInACutFileIsMarked() {
        Desk desk;
        const QString gguf = desk.folder.filePath(QStringLiteral("cut.gguf"));
        const Shape shape = *Shape::make({8, 64});
        const auto layout = gguf::layOut({gguf::makePair("general.architecture", std::string_view("llama"))},
                                         {{"blk.0.attn_q.weight", shape, Dtype::F32}, {"blk.1.attn_q.weight", shape, Dtype::F32}});
        QFile file(gguf);
        QVERIFY(layout && file.open(QIODevice::WriteOnly));
        const auto whole = static_cast<qsizetype>(layout->fileBytes);
        file.write(QByteArray::fromStdString(layout->header).leftJustified(whole, '\0').first(whole - 1000));
        file.close();
        desk.open(gguf);
        ModelPage* page = desk.tab.currentPage();
        QVERIFY(page);
        QCOMPARE(page->findChild<QLabel*>(QStringLiteral("fileSize"))->text(), fileSizeText(static_cast<quint64>(whole - 1000)));
        const auto* badge = page->findChild<QToolButton*>(QStringLiteral("badge-error"));
        QVERIFY(badge && badge->property("isError").toBool());
        const auto scaleColor = [&desk](int row) { return desk.table()->model()->index(row, 0).data(Qt::ForegroundRole); };
        QVERIFY2(!scaleColor(0).isValid(), "it is there whole");
        QCOMPARE(scaleColor(1).value<QColor>(), themeColors().error);
        QVERIFY(desk.table()->model()->index(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("cannot be read")));
    }

    void theHeaderLeadsOn() {
        Desk desk;
        const QString gguf = desk.folder.filePath(QStringLiteral("tiny.gguf"));
        const std::vector<gguf::StoredPair> pairs = {
            gguf::makePair("general.architecture", std::string_view("llama")),
            gguf::makePair("general.file_type", std::uint32_t{7}),
            gguf::makePair("llama.block_count", std::uint32_t{1}),
            gguf::makePair("llama.context_length", std::uint32_t{8192}),
            gguf::makePair("llama.embedding_length", std::uint32_t{64}),
            gguf::makePair("llama.attention.head_count", std::uint32_t{4}),
            gguf::makePair("llama.attention.head_count_kv", std::uint32_t{2}),
            gguf::makePair("tokenizer.chat_template", std::string_view("{% for message in messages %}{{ message }}{% endfor %}"))};
        const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({8, 64}), Dtype::F32}});
        QFile file(gguf);
        QVERIFY(layout && file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(layout->header).leftJustified(static_cast<qsizetype>(layout->fileBytes), '\0'));
        file.close();
        desk.open(gguf);
        ModelPage* page = desk.tab.currentPage();
        QVERIFY(page);
        const QString facts = page->findChild<QLabel*>(QStringLiteral("shapeFacts"))->text();
        for (const char* fact : {"Q8_0", "32.00 bits per weight", "context length 8,192", "1 layer", "4 heads, 2 KV heads"})
            QVERIFY2(facts.contains(QLatin1String(fact)), qPrintable(facts));
        const auto press = [&](const char* name) {
            QTest::mouseClick(page->findChild<QPushButton*>(QLatin1String(name)), Qt::LeftButton);
        };
        press("showTemplate");
        auto* whole = page->findChild<QPlainTextEdit*>(QStringLiteral("wholeValue"));
        QVERIFY(whole->isVisible() && whole->toPlainText().startsWith(QStringLiteral("{% for message")));
        const QSignalSpy handed(&desk.tab, &Tab::handOverWanted);
        press("quantizeThis");
        QCOMPARE(handed.count(), 1);
        QCOMPARE(handed[0][1].toStringList(), QStringList(gguf));
        QCOMPARE(desk.services.models.paths(desk.tab.id()), QStringList(gguf));
        page->tensors()->chooseTensor(0);
        auto* shown = page->findChild<QLabel*>(QStringLiteral("shownTensor"));
        QVERIFY(!shown->isVisible());
        page->enlargeDetail(true);
        QVERIFY2(shown->isVisible() && shown->text() == QStringLiteral("token_embd.weight"), "the table is not there to say it");
    }

    void findsActionsModelsAndTensors() {
        Desk desk;
        const auto texts = [&](const QString& wanted) {
            QStringList out;
            for (const QAction* action : desk.tab.paletteActions(wanted, 10)) out << action->text();
            return out;
        };
        QVERIFY(texts(QStringLiteral("reload")).isEmpty()); // nothing is open
        desk.open(desk.path);
        QCOMPARE(texts(QStringLiteral("reload")), QStringList{QStringLiteral("Reload model")});
        QVERIFY(texts(QStringLiteral("sample")).contains(QStringLiteral("sample.safetensors")));
        const auto actions = desk.tab.paletteActions(QStringLiteral("LAYERS.1 q_proj"), 10);
        QCOMPARE(actions.size(), 1);
        QVERIFY(desk.focus(desk.search()));
        actions[0]->trigger();
        QCOMPARE(desk.tab.currentPage()->tensors()->currentTensor(), std::optional(2U));
        QVERIFY(desk.table()->hasFocus()); // so an arrow key continues from this row
        QCOMPARE(desk.tab.paletteActions(QString(), 4).size(), 4);
    }

    // By its name or by a word that means the same; English words also in the Chinese window.
    void paletteFindsEveryPanel() {
        for (const char* language : {"en", "zh_CN"}) {
            applyLanguage(QLatin1String(language));
            const auto restore = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
            Desk desk;
            desk.open(desk.path);
            desk.jobs.runAll();
            QTRY_VERIFY(desk.tab.currentPage());
            const auto* sides = desk.tab.currentPage()->findChild<QTabWidget*>(QStringLiteral("sides"));
            QCOMPARE(sides->count(), 4); // with Safety
            for (const char* wanted : {"heat", "distribution", "histogram", "layer trend", "what if", "compare", "compare types",
                                       "storage", "offset", "safety", "opcodes", "metadata", "problems", "totals", "model map"}) {
                CommandModel found;
                QList<Command> commands = commandsIn(&desk.tab, {}, [] {});
                for (Command& command : commands) command.synonyms = commandSynonyms(command.title, command.alias);
                found.setCommands(commands, QLatin1String(wanted));
                QVERIFY2(found.rowCount() > 0,
                         qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(language), QLatin1String(wanted))));
            }
        }
    }

    void paletteOpensThePanel() {
        Desk desk;
        desk.open(desk.path);
        desk.jobs.runAll();
        const auto* details = desk.tab.currentPage()->findChild<QTabWidget*>(QStringLiteral("details"));
        const auto commands = commandsIn(&desk.tab, {}, [] {});
        const auto heatMap = std::ranges::find(commands, QStringLiteral("Heat map"), &Command::title);
        QVERIFY(heatMap != commands.end());
        heatMap->run();
        QCOMPARE(details->tabText(details->currentIndex()), QStringLiteral("Heat map"));
        QVERIFY(std::ranges::find(commands, QStringLiteral("sample.safetensors"), &Command::title) == commands.end());
    }

    void speaksChineseWithoutLosingItsPlace() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("q_proj"));
        desk.tab.currentPage()->computeAll();
        const auto back = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_COMPARE(desk.table()->model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("名称"));
        QCOMPARE(desk.table()->model()->rowCount(), 2);
        QCOMPARE(desk.tab.title(), QStringLiteral("检视"));
        QVERIFY(desk.jobs.find(QStringLiteral("Statistics of"))); // still waiting, not started twice
        desk.jobs.runAll();
        QCOMPARE(desk.backend.calls, 3);
        QVERIFY(!desk.table()->isColumnHidden(static_cast<int>(Column::Max)));
    }

    void namesEverythingForScreenReaders() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->chooseTensor(1);
        desk.tab.currentPage()->tensors()->setTree(true);
        desk.jobs.runAll();
        for (const QAbstractButton* button : desk.tab.findChildren<QAbstractButton*>()) {
            const bool isOwn = !button->objectName().startsWith(QStringLiteral("qt_")) &&
                               button->metaObject()->className() != QByteArray("QLineEditIconButton") &&
                               button->metaObject()->className() != QByteArray("QTableCornerButton");
            if (isOwn && button->text().isEmpty() && button->isVisibleTo(&desk.tab))
                QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->objectName()));
        }
        for (const char* name : {"tensorTable", "tensorTree", "metadata", "scalars", "top", "percentiles", "bins"}) {
            auto* view = desk.tab.findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(view && !view->accessibleName().isEmpty(), name);
        }
    }
};

WB_GUI_TEST(HeaderTest)

} // namespace wb::test

#include "header_test.moc"
