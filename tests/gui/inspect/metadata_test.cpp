// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/metadata/metadata_model.h"
#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/metadata/metadata_panel.h"
#include "ui/inspect/tensors/tensor_table_model.h"

#include "core/formats/open.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QTreeView>

using namespace wb;
using namespace wb::ui::inspect;

namespace {

QModelIndex rowNamed(const QAbstractItemModel& model, const QString& key, const QModelIndex& parent = {}) {
    for (int row = 0; row < model.rowCount(parent); ++row)
        if (model.index(row, 0, parent).data().toString() == key) return model.index(row, 0, parent);
    return {};
}

QString value(const QModelIndex& row, int role = Qt::DisplayRole) {
    return row.siblingAtColumn(MetadataModel::Value).data(role).toString();
}

void copyWith(QTreeView* tree, const QString& text) {
    for (QAction* action : tree->actions())
        if (action->text() == text) action->trigger();
}

} // namespace

class MetadataTest : public QObject {
    Q_OBJECT

private slots:
    void showsTypedValues() {
        MetadataModel model(test::makeModel(4), nullptr);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        QCOMPARE(model.rowCount(), 4);
        const QModelIndex blocks = rowNamed(model, QStringLiteral("llama.block_count"));
        QCOMPARE(value(blocks), QStringLiteral("4"));
        QCOMPARE(blocks.siblingAtColumn(MetadataModel::Type).data().toString(), QStringLiteral("u32"));
    }

    void textStandsInTheMiddleOfItsRow() {
        const MetadataModel model(test::makeModel(1), nullptr);
        QImage image(300, 60, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.palette.setColor(QPalette::Text, Qt::black);
        option.fontMetrics = QFontMetrics(option.font);
        CellDelegate().paint(&painter, option, model.index(0, MetadataModel::Key));
        int first = -1, last = -1;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qGray(image.pixel(x, y)) < 128) {
                    if (first < 0) first = y;
                    last = y;
                }
        QVERIFY(first >= 0);
        QVERIFY2(std::abs((first + last) / 2 - 30) < 6, qPrintable(QString::number((first + last) / 2)));
    }

    void keysAreWholeWhereThereIsRoomAndValuesAlwaysSeen() {
        test::ManualJobs jobs;
        MetadataPanel panel(test::makeModel(1), &jobs);
        panel.show();
        panel.resize(900, 400);
        const auto* tree = panel.findChild<QTreeView*>(QStringLiteral("metadata"));
        const int longest = tree->fontMetrics().horizontalAdvance(QStringLiteral("tokenizer.ggml.tokens"));
        QVERIFY(tree->columnWidth(MetadataModel::Key) > longest);
        panel.resize(240, 400);
        QVERIFY(tree->columnViewportPosition(MetadataModel::Value) <= tree->viewport()->width() / 2);
        QVERIFY(tree->columnWidth(MetadataModel::Value) >= 80);
    }

    void theFirstRowIsWholeBelowTheHeader() {
        test::ManualJobs jobs;
        MetadataPanel panel(test::makeModel(1), &jobs);
        panel.resize(400, 400);
        panel.show();
        test::turnLoop();
        const auto* tree = panel.findChild<QTreeView*>(QStringLiteral("metadata"));
        QCOMPARE(tree->visualRect(tree->model()->index(0, 0)).top(), 0);
        QVERIFY(tree->viewport()->mapTo(tree, QPoint()).y() >= tree->header()->geometry().bottom());
    }

    void aFileTypeIsNamed() {
        auto model = std::make_shared<Model>(*test::makeModel(1));
        model->metadata.members.push_back({"general.file_type", Value::ofUnsigned(ValueType::U32, 15)});
        const MetadataModel table(model, nullptr);
        const QModelIndex type = rowNamed(table, QStringLiteral("general.file_type"));
        QCOMPARE(value(type), QStringLiteral("15 (Q4_K_M)"));
        QCOMPARE(value(type, ExactRole), QStringLiteral("15"));
    }

    void opensArraysAndObjects() {
        MetadataModel model(test::makeModel(1), nullptr);
        const QModelIndex tokens = rowNamed(model, QStringLiteral("tokenizer.ggml.tokens"));
        QVERIFY(model.hasChildren(tokens));
        QVERIFY(model.canFetchMore(tokens));
        model.fetchMore(tokens);
        QCOMPARE(model.rowCount(tokens), 3);
        QVERIFY(!model.canFetchMore(tokens));
        QCOMPARE(value(model.index(1, 0, tokens)), QStringLiteral("hello"));
        QCOMPARE(model.index(1, 0, tokens).data(ExactRole).toString(), QStringLiteral("tokenizer.ggml.tokens[1]"));
        const QModelIndex scaling = rowNamed(model, QStringLiteral("rope_scaling"));
        model.fetchMore(scaling);
        QCOMPARE(model.index(0, 0, scaling).data(ExactRole).toString(), QStringLiteral("rope_scaling.type"));
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
    }

    void readsLongArraysInPages() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const auto opened = formats::open(std::filesystem::path(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"));
        QVERIFY(opened);
        test::ManualJobs jobs;
        MetadataModel model(*opened, &jobs);
        const QModelIndex tokens = rowNamed(model, QStringLiteral("tokenizer.ggml.tokens"));
        model.fetchMore(tokens);
        const int kept = model.rowCount(tokens);
        QVERIFY(kept < 512);
        QVERIFY(model.canFetchMore(tokens));
        model.fetchMore(tokens);
        QVERIFY(!model.canFetchMore(tokens)); // one page at a time
        jobs.runAll();
        QCOMPARE(model.rowCount(tokens), 512);
        QVERIFY(!model.canFetchMore(tokens));
        QVERIFY(!value(model.index(511, 0, tokens)).isEmpty());
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
    }

    void readsOnWhenTheEndOfAnArrayIsInSight() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const auto opened = formats::open(std::filesystem::path(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"));
        QVERIFY(opened);
        test::ManualJobs jobs;
        MetadataPanel panel(*opened, &jobs);
        panel.resize(500, 900);
        panel.show();
        auto* tree = panel.findChild<QTreeView*>(QStringLiteral("metadata"));
        const QModelIndex tokens = rowNamed(*tree->model(), QStringLiteral("tokenizer.ggml.tokens"));
        tree->expand(tokens);
        tree->scrollTo(tokens);
        QTRY_COMPARE(jobs.waiting(), 1);
        jobs.runAll();
        QCOMPARE(tree->model()->rowCount(tokens), 512);
    }

    void searchesKeysAndValues() {
        MetadataPanel panel(test::makeModel(1), nullptr);
        auto* tree = panel.findChild<QTreeView*>(QStringLiteral("metadata"));
        auto* search = panel.findChild<QLineEdit*>(QStringLiteral("metadataSearch"));
        search->setText(QStringLiteral("BLOCK_COUNT"));
        QCOMPARE(tree->model()->rowCount(), 1);
        search->setText(QStringLiteral("world")); // lies inside an array that nobody opened
        QCOMPARE(tree->model()->rowCount(), 1);
        QCOMPARE(tree->model()->index(0, 0).data().toString(), QStringLiteral("tokenizer.ggml.tokens"));
        search->setText(QStringLiteral("nothing like that"));
        QCOMPARE(tree->model()->rowCount(), 0);
        search->clear();
        QCOMPARE(tree->model()->rowCount(), 4);
    }

    void copiesKeyValueAndPath() {
        MetadataPanel panel(test::makeModel(1), nullptr);
        auto* tree = panel.findChild<QTreeView*>(QStringLiteral("metadata"));
        panel.search(QStringLiteral("hello"));
        const QModelIndex hello = tree->model()->index(1, 0, rowNamed(*tree->model(), QStringLiteral("tokenizer.ggml.tokens")));
        tree->setCurrentIndex(hello);
        copyWith(tree, QStringLiteral("Copy value"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("hello"));
        copyWith(tree, QStringLiteral("Copy key"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("[1]"));
        copyWith(tree, QStringLiteral("Copy path"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("tokenizer.ggml.tokens[1]"));
    }

    void showsLongTextsWhole() {
        auto model = std::make_shared<Model>(*test::makeModel(1));
        model->metadata.members.push_back(
            {"tokenizer.chat_template", Value::of(std::string("{% for m in messages %}\n{{ m }}\n{% endfor %}"))});
        MetadataPanel panel(model, nullptr);
        auto* tree = panel.findChild<QTreeView*>(QStringLiteral("metadata"));
        auto* whole = panel.findChild<QPlainTextEdit*>(QStringLiteral("wholeValue"));
        QVERIFY(whole->isHidden());
        tree->setCurrentIndex(rowNamed(*tree->model(), QStringLiteral("tokenizer.chat_template")));
        QVERIFY(!whole->isHidden());
        QCOMPARE(whole->toPlainText().count(QLatin1Char('\n')), 2);
    }
};

WB_GUI_TEST(MetadataTest)

#include "metadata_test.moc"
