// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/tensors/name_tree_model.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/shell/settings/language.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <numeric>

using namespace wb;
using namespace wb::ui::inspect;

namespace {

std::vector<std::uint32_t> everything(const Document& document) {
    std::vector<std::uint32_t> tensors(document.contents().count());
    std::iota(tensors.begin(), tensors.end(), 0U);
    return tensors;
}

QModelIndex childNamed(const NameTreeModel& model, const QString& name, const QModelIndex& parent = {}) {
    for (int row = 0; row < model.rowCount(parent); ++row)
        if (model.index(row, 0, parent).data().toString() == name) return model.index(row, 0, parent);
    return {};
}

QString treeCell(const QModelIndex& row, int column, int role = Qt::DisplayRole) {
    return row.siblingAtColumn(column).data(role).toString();
}

} // namespace

class TreeModelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { ui::applyLanguage(QStringLiteral("en")); } // for its plurals

    void foldsDottedNames() {
        const Document document(test::makeContents(12));
        NameTreeModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        model.setTensors(everything(document));
        QCOMPARE(model.rowCount(), 3);
        const QModelIndex blocks = childNamed(model, QStringLiteral("blk"));
        QCOMPARE(model.rowCount(blocks), 12);
        QCOMPARE(model.index(2, 0, blocks).data().toString(), QStringLiteral("2"));
        QCOMPARE(model.index(10, 0, blocks).data().toString(), QStringLiteral("10"));
    }

    void sumsGroups() {
        const Document document(test::makeContents(2));
        NameTreeModel model(document);
        model.setTensors(everything(document));
        const QModelIndex layer = model.index(0, 0, childNamed(model, QStringLiteral("blk")));
        quint64 bytes = 0;
        for (std::uint32_t i = 0; i < document.contents().count(); ++i)
            if (document.contents().facts[i].layer == 0U) bytes += document.contents().tensor(i).bytes();
        QCOMPARE(treeCell(layer, NameTreeModel::Size, ExactRole), QString::number(bytes));
        QCOMPARE(treeCell(layer, NameTreeModel::Shape), QStringLiteral("9 tensors"));
        QCOMPARE(treeCell(layer, NameTreeModel::Type), QStringLiteral("mixed"));
        const QModelIndex query = childNamed(model, QStringLiteral("attn_q.weight"), layer);
        QCOMPARE(treeCell(query, NameTreeModel::Name, ExactRole), QStringLiteral("blk.0.attn_q.weight"));
        QCOMPARE(treeCell(query, NameTreeModel::Type), QStringLiteral("Q4_K"));
    }

    void findsTensors() {
        const Document document(test::makeContents(3));
        NameTreeModel model(document);
        model.setTensors(everything(document));
        for (std::uint32_t i = 0; i < document.contents().count(); ++i) QCOMPARE(model.indexOf(i).data(TensorRole).toUInt(), i);
        model.setTensors({});
        QVERIFY(!model.indexOf(0).isValid());
        QCOMPARE(model.rowCount(), 0);
    }

    void keepsEqualNamesApart() {
        auto copy = std::make_shared<Model>(*test::makeModel(1));
        copy->tensors.push_back(copy->tensors.front());
        const Document document(stats::modelContents(copy));
        NameTreeModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        model.setTensors(everything(document));
        QVERIFY(model.indexOf(0) != model.indexOf(document.contents().count() - 1));
    }

    void rollsFindingsUp() {
        Document document(test::makeContents(2));
        NameTreeModel model(document);
        const QAbstractItemModelTester tester(&model, wb::test::fatal);
        model.setTensors(everything(document));
        const QModelIndex blocks = childNamed(model, QStringLiteral("blk"));
        QCOMPARE(treeCell(blocks, NameTreeModel::Findings), QString());

        auto broken = std::make_shared<stats::TensorStats>();
        broken->nan = 7;
        const TensorResult result{1, broken}; // a tensor of the last layer
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        document.addStatistics(std::span(&result, 1));
        QVERIFY(changes.count() >= 3);
        QCOMPARE(treeCell(blocks, NameTreeModel::Findings), QStringLiteral("1 tensor with issues"));
        QCOMPARE(treeCell(model.index(0, 0, blocks), NameTreeModel::Findings), QString());
        QCOMPARE(treeCell(model.indexOf(1), NameTreeModel::Findings), QStringLiteral("7 NaN, 0 infinite"));
    }
};

WB_GUI_TEST(TreeModelTest)

#include "tree_model_test.moc"
