// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "core/model/natural_order.h"
#include "ui/inspect/tables/tensor_tables.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/inspect/tensors/tensor_views.h"
#include "ui/widgets/numbers.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>

using namespace wb;
using namespace wb::ui::inspect;

namespace {

QString cell(const TensorTableModel& model, int row, Column column, int role = Qt::DisplayRole) {
    return model.index(row, static_cast<int>(column)).data(role).toString();
}

QStringList names(const TensorTableModel& model) {
    QStringList out;
    for (int row = 0; row < model.rowCount(); ++row) out << cell(model, row, Column::Name);
    return out;
}

} // namespace

class TableModelTest : public QObject {
    Q_OBJECT

private slots:
    // A number that is cut in its middle is another number.
    void numbersAreRoundedUntilTheyFit() {
        const QFontMetrics metrics{QFont()};
        const auto widthOf = [&](const char* text) { return metrics.horizontalAdvance(QLatin1String(text)); };
        const auto fitted = [&](const char* shown, const char* exact, int width) {
            return ui::fittedNumber(QLatin1String(shown), QLatin1String(exact), metrics, width);
        };
        QCOMPARE(fitted("0.000261123", "0.000261123456", widthOf("0.000261123")), QStringLiteral("0.000261123"));
        QCOMPARE(fitted("0.000261123", "0.000261123456", widthOf("0.00026")), QStringLiteral("0.00026"));
        QCOMPARE(fitted("3.36719e-05", "3.36719e-05", widthOf("3.4E-05")), QLocale().toString(3.36719e-05, 'g', 2));
        QCOMPARE(fitted("3.36719e-05", "3.36719e-05", 3), QStringLiteral("…"));
        QCOMPARE(fitted("12.3 %", "0.123", widthOf("12.3")), QStringLiteral("…"));
    }

    void showsEveryTensorInStoredOrder() {
        const Document document(test::makeContents(2));
        TensorTableModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        QCOMPARE(model.rowCount(), 20);
        QCOMPARE(model.columnCount(), columnCount);
        QCOMPARE(cell(model, 0, Column::Name), QStringLiteral("token_embd.weight"));
        QCOMPARE(cell(model, 0, Column::Type), QStringLiteral("Q8_0"));
        QCOMPARE(cell(model, 0, Column::Shape), QStringLiteral("1000 × 256"));
        QCOMPARE(cell(model, 0, Column::Elements), QStringLiteral("256,000"));
        QCOMPARE(cell(model, 0, Column::Elements, ExactRole), QStringLiteral("256000"));
        QCOMPARE(cell(model, 0, Column::Size, ExactRole), QStringLiteral("272000"));
        QCOMPARE(cell(model, 0, Column::Role, ExactRole), QStringLiteral("embedding"));
        QCOMPARE(cell(model, 1, Column::Layer), QStringLiteral("1"));
        QCOMPARE(cell(model, 0, Column::Min), QString());
    }

    // Names of shards differ in the middle, where text that is cut loses its letters.
    void namesOfShardsAreWhole() {
        auto model = std::make_shared<Model>(*test::makeModel(1));
        model->files.push_back({"model-00001-of-00002.safetensors", 1, {}, nullptr});
        const Document document(stats::modelContents(model));
        TensorTableModel rows(document);
        const std::unique_ptr<QTableView> table(makeTensorTable(&rows, *model, nullptr));
        const int name = table->fontMetrics().horizontalAdvance(QStringLiteral("model-00001-of-00002.safetensors"));
        QVERIFY(table->columnWidth(static_cast<int>(Column::File)) > name);
    }

    // 10 % and 0.1 % would else look alike.
    void theLargestShareFillsItsBar() {
        const Document document(test::makeContents(2));
        const TensorTableModel model(document);
        double longest = 0, largest = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex index = model.index(row, static_cast<int>(Column::Share));
            longest = std::max(longest, index.data(ShareRole).toDouble());
            largest = std::max(largest, index.data(ExactRole).toString().toDouble());
        }
        QCOMPARE(longest, 1.0);
        QVERIFY(largest < 1);
    }

    void oneStatisticHasOneName() {
        const auto known = test::makeContentsWithStatistics(1);
        const TableContent numbers = scalarTable(*known.stats[0]);
        const auto isNamed = [&](const std::vector<Cell>& row) { return row[0].shown == columnTitle(Column::Kurtosis); };
        QCOMPARE(std::ranges::count_if(numbers.rows, isNamed), 1);
    }

    void showsTheSchemeOfALogicalTensor() {
        auto model = std::make_shared<Model>(*test::makeModel(1));
        TensorInfo weight = model->tensors.front();
        auto details = std::make_shared<TensorDetails>();
        details->scheme = "awq 4 bit g32";
        weight.details = details;
        model->tensors.push_back(weight);
        weight.logical = true;
        model->tensors.push_back(weight);
        const int rows = static_cast<int>(model->tensors.size());
        const Document document(stats::modelContents(model));
        const TensorTableModel table(document);
        QCOMPARE(cell(table, rows - 1, Column::Type), QStringLiteral("awq 4 bit g32"));
        QCOMPARE(cell(table, rows - 1, Column::Share), QString());
        QCOMPARE(cell(table, rows - 2, Column::Type), QStringLiteral("Q8_0"));
    }

    void ordersNamesNaturally() {
        QVERIFY(naturalKey("blk.2.a") < naturalKey("blk.10.a"));
        QVERIFY(naturalKey("blk.02.a") == naturalKey("blk.2.a"));
        QVERIFY(naturalKey("blk") < naturalKey("blk.0"));
        const Document document(test::makeContents(11));
        TensorTableModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        model.sort(static_cast<int>(Column::Name), Qt::AscendingOrder);
        const QStringList sorted = names(model);
        QVERIFY(sorted.indexOf(QStringLiteral("blk.2.attn_q.weight")) < sorted.indexOf(QStringLiteral("blk.10.attn_q.weight")));
        QCOMPARE(sorted.last(), QStringLiteral("token_embd.weight"));
    }

    // Files that are sorted by name say nothing by their order.
    void beginsWithTheNaturalOrderWhereTheFileSortsByName() {
        for (const FormatId format : {FormatId::Gguf, FormatId::Safetensors}) {
            auto own = std::make_shared<Model>(*test::makeModel(11));
            own->format = format;
            std::ranges::sort(own->tensors, {}, &TensorInfo::name);
            const Document document(stats::modelContents(own));
            const TensorTableModel model(document);
            const QStringList shown = names(model);
            const bool isNatural =
                shown.indexOf(QStringLiteral("blk.2.attn_q.weight")) < shown.indexOf(QStringLiteral("blk.10.attn_q.weight"));
            QCOMPARE(isNatural, format == FormatId::Safetensors);
        }
    }

    void breaksTiesByNaturalNameInBothDirections() {
        const Document document(test::makeContents(3));
        TensorTableModel model(document);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(static_cast<int>(Column::Type), order);
            const QStringList sorted = names(model);
            QVERIFY(sorted.indexOf(QStringLiteral("blk.0.attn_q.weight")) < sorted.indexOf(QStringLiteral("blk.1.attn_q.weight")));
        }
    }

    void putsEmptyCellsLast() {
        const Document document(test::makeContents(2));
        TensorTableModel model(document);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(static_cast<int>(Column::Layer), order);
            QCOMPARE(cell(model, model.rowCount() - 1, Column::Layer), QString());
            QVERIFY(!cell(model, 0, Column::Layer).isEmpty());
        }
    }

    void sortsNegativeStatistics() {
        const Document document(test::makeContentsWithStatistics(2));
        TensorTableModel model(document);
        model.sort(static_cast<int>(Column::Min), Qt::AscendingOrder);
        QCOMPARE(cell(model, 0, Column::Min, ExactRole), QStringLiteral("-20"));
        model.sort(static_cast<int>(Column::Min), Qt::DescendingOrder);
        QCOMPARE(cell(model, 0, Column::Min, ExactRole), QStringLiteral("-1"));
    }

    void sortsEveryColumnAndComesBack() {
        const Document document(test::makeContentsWithStatistics(4));
        TensorTableModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        const QStringList stored = names(model);
        for (int column = 0; column < columnCount; ++column) model.sort(column, Qt::DescendingOrder);
        QCOMPARE(QStringList(names(model)).size(), stored.size());
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(names(model), stored);
    }

    void keepsPersistentIndicesOnTheirTensor() {
        const Document document(test::makeContents(3));
        TensorTableModel model(document);
        const QPersistentModelIndex index = model.index(5, 0);
        const QString name = index.data().toString();
        model.sort(static_cast<int>(Column::Size), Qt::DescendingOrder);
        QCOMPARE(index.data().toString(), name);
        QVERIFY(index.row() != 5);
    }

    void filtersAndKeepsTheOrder() {
        const Document document(test::makeContents(3));
        TensorTableModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        model.sort(static_cast<int>(Column::Name), Qt::DescendingOrder);
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setFilter([&](std::uint32_t tensor) { return document.contents().tensor(tensor).dtype == Dtype::Q6_K; });
        QCOMPARE(resets.count(), 1);
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(cell(model, 0, Column::Name), QStringLiteral("blk.2.ffn_down.weight"));
        QCOMPARE(model.rowOf(0), -1);
        model.setFilter({});
        QCOMPARE(model.rowCount(), 29);
    }

    void announcesStatistics() {
        Document document(test::makeContents(1));
        TensorTableModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        const auto known = test::makeContentsWithStatistics(1);
        const TensorResult result{3, known.stats[3]};
        document.addStatistics(std::span(&result, 1));
        QCOMPARE(changes.count(), 1);
        QCOMPARE(document.computedCount(), 1U);
        QCOMPARE(cell(model, 3, Column::Max, ExactRole), QStringLiteral("5"));
        QCOMPARE(cell(model, 2, Column::Max), QString());
    }
};

WB_GUI_TEST(TableModelTest)

#include "table_model_test.moc"
