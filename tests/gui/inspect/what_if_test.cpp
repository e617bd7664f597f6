// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/whatif/error_map_view.h"
#include "ui/inspect/whatif/levels_view.h"
#include "ui/inspect/whatif/what_if_panel.h"

#include "core/formats/open.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>

#include <cmath>
#include <limits>

using namespace wb;
using namespace wb::ui::inspect;
using ui::TypeTableModel;

namespace {

// One matrix of 64 x 256, one row that no block divides, a matrix that is large enough for a preview, and one with a value that is
// not finite.
std::vector<test::SampleTensor> tensors() {
    std::vector<float> values;
    for (int i = 0; i < 64 * 256; ++i) values.push_back(std::sin(static_cast<float>(i) * 0.37f) * 0.1f);
    std::vector<float> many;
    for (int i = 0; i < 1040 * 256; ++i) many.push_back(values[static_cast<std::size_t>(i % (64 * 256))]);
    std::vector<float> broken = values;
    broken[1000] = std::numeric_limits<float>::infinity();
    return {
        {"matrix", {64, 256}, values}, {"odd", {1, 3}, {1, 2, 3}}, {"preview", {1040, 256}, many}, {"unfinite", {64, 256}, broken}};
}

} // namespace

class WhatIfTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString path = test::writeSafetensors(*m_folder, QStringLiteral("model.safetensors"), tensors());
        m_jobs = std::make_unique<test::ManualJobs>();
        m_services.jobs = m_jobs.get();
        m_services.quantizer = {};
        m_document = std::make_unique<Document>(stats::modelContents(*formats::open(path.toStdString())));
        m_panel = std::make_unique<WhatIfPanel>(*m_document, m_services);
        m_panel->resize(900, 300);
    }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
    }

    void measuresOnlyWhatIsSeen() {
        m_panel->setTensor(0);
        QVERIFY(!m_panel->isMeasuring());
        m_panel->show();
        QVERIFY(m_panel->isMeasuring());
        m_jobs->runAll();
        QVERIFY(!m_panel->isMeasuring());
        QVERIFY(m_panel->types().count() > 10);
        for (int row = 0; row < m_panel->types().count(); ++row) QVERIFY(m_panel->types().result(row));
    }

    void beginsWithAPreview();
    void measuresAllOfASmallTensor();
    void saysWhyATensorCannotBeMeasured();
    void takesAnImportanceMatrix();
    void saysWhenAMatrixDoesNotFit();
    void quantizesOnTheDeviceOfTheSettings();
    void marksTheLevelsOfATypicalBlock();
    void marksTheLevelsOfAWorstBlock();
    void followsAChosenBlockFromTypeToType();
    void choosesTheWorstBlockOfACell();
    void sortsAndCopies();
    void beginsInTheOrderOfBits();
    void saysWhichTypesDoNotFit();
    void anotherTensorStopsIt();
    void modelKeepsItsPromises();

private:
    const quant::WhatIf* result(Dtype type) const {
        for (int row = 0; row < m_panel->types().count(); ++row)
            if (m_panel->types().type(row) == type) return m_panel->types().result(row);
        return nullptr;
    }
    void choose(Dtype type) {
        auto* table = m_panel->findChild<QTableView*>(QStringLiteral("whatIf"));
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, TypeTableModel::Type).data().toString() == QLatin1String(name(type)))
                table->selectRow(row);
        m_jobs->runAll();
    }
    QString caption() const { return m_panel->findChild<QLabel*>(QStringLiteral("levelsCaption"))->text(); }
    QString hint() const { return m_panel->findChild<QLabel*>(QStringLiteral("whatIfHint"))->text(); }
    void showMeasured(std::uint32_t tensor = 0) {
        m_panel->setTensor(tensor);
        m_panel->show();
        m_jobs->runAll();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::ManualJobs> m_jobs;
    test::TestServices m_services;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<WhatIfPanel> m_panel;
};

void WhatIfTest::beginsWithAPreview() {
    showMeasured(2);
    QCOMPARE(result(Dtype::Q8_0)->elements, 65u * 256);
    QVERIFY2(hint().contains(QStringLiteral("65 of 1,040 rows")), qPrintable(hint()));
    auto* all = m_panel->findChild<QPushButton*>(QStringLiteral("allRows"));
    QTest::mouseClick(all, Qt::LeftButton);
    m_jobs->runAll();
    QCOMPARE(result(Dtype::Q8_0)->elements, 1040u * 256);
    QVERIFY2(hint().contains(QStringLiteral("All rows")), qPrintable(hint()));
    QVERIFY2(!all->isEnabled(), "there is nothing more to measure");
    QVERIFY(*result(Dtype::Q8_0)->relativeRmse < *result(Dtype::Q4_K)->relativeRmse);
    QCOMPARE(result(Dtype::F32)->squaredError, 0.0);
}

void WhatIfTest::measuresAllOfASmallTensor() {
    showMeasured();
    QCOMPARE(result(Dtype::Q8_0)->elements, 64u * 256);
    QVERIFY2(hint().contains(QStringLiteral("All rows")), qPrintable(hint()));
}

void WhatIfTest::saysWhyATensorCannotBeMeasured() {
    showMeasured(3);
    QVERIFY2(hint().contains(QStringLiteral("NaN or infinite")), qPrintable(hint()));
    QVERIFY(!m_panel->isMeasuring());
    const auto* table = m_panel->findChild<QTableView*>(QStringLiteral("whatIf"));
    QCOMPARE(table->model()->index(0, TypeTableModel::Error).data().toString(), QStringLiteral("–"));
}

namespace {

// A matrix in the older form (ggml-org/llama.cpp: tools/imatrix): counts and texts are preceded by 32-bit lengths.
QString writeMatrix(const QTemporaryDir& folder, const QByteArray& tensor, const std::vector<float>& values) {
    QFile file(folder.filePath(QStringLiteral("imatrix.dat")));
    if (!file.open(QIODevice::WriteOnly)) return {};
    const auto number = [&file](int value) { file.write(reinterpret_cast<const char*>(&value), 4); };
    number(1);
    number(static_cast<int>(tensor.size()));
    file.write(tensor);
    number(1);
    number(static_cast<int>(values.size()));
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<qint64>(values.size() * 4));
    return file.fileName();
}

// A device that is the CPU by another name.
class NamedBackend : public quant::Backend {
public:
    std::string name() const override { return "gpu:1"; }
    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        return m_cpu->quantize(dtype, rows, out);
    }
    std::vector<Problem> remarks() const override {
        return {makeProblem(Severity::Warning, "test.remark", "", {}, "The device {} is tired.", 1)};
    }

private:
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
};

} // namespace

void WhatIfTest::takesAnImportanceMatrix() {
    showMeasured();
    auto* table = m_panel->findChild<QTableView*>(QStringLiteral("whatIf"));
    QVERIFY(table->isColumnHidden(TypeTableModel::Weighted));
    QVERIFY(!result(Dtype::IQ2_XXS));
    const double plain = result(Dtype::Q4_K)->squaredError;
    std::vector<float> weights(256, 1.0f);
    for (std::size_t i = 0; i < 16; ++i) weights[i] = 1000;
    m_panel->setMatrix(writeMatrix(*m_folder, "matrix", weights));
    m_jobs->runAll();
    QVERIFY(!table->isColumnHidden(TypeTableModel::Weighted));
    QVERIFY2(result(Dtype::IQ2_XXS), "types that need a matrix are tried");
    QVERIFY(*result(Dtype::Q4_K)->weightedRelative < *result(Dtype::Q4_K)->relativeRmse);
    QVERIFY(result(Dtype::Q4_K)->squaredError != plain);
    m_panel->setMatrix({});
    m_jobs->runAll();
    QVERIFY(!result(Dtype::IQ2_XXS));
    QCOMPARE(result(Dtype::Q4_K)->squaredError, plain);
}

void WhatIfTest::saysWhenAMatrixDoesNotFit() {
    showMeasured();
    const auto* hint = m_panel->findChild<QLabel*>(QStringLiteral("whatIfHint"));
    m_panel->setMatrix(writeMatrix(*m_folder, "matrix", std::vector<float>(128, 1.0f)));
    m_jobs->runAll();
    QVERIFY2(hint->text().contains(QStringLiteral("no data for this tensor")), qPrintable(hint->text()));
    QVERIFY(!result(Dtype::IQ2_XXS));
    m_panel->setMatrix(m_folder->filePath(QStringLiteral("none.gguf")));
    m_jobs->runAll();
    QVERIFY2(hint->text().contains(QStringLiteral("none.gguf")), qPrintable(hint->text()));
}

void WhatIfTest::quantizesOnTheDeviceOfTheSettings() {
    showMeasured();
    const auto* hint = m_panel->findChild<QLabel*>(QStringLiteral("whatIfHint"));
    QVERIFY2(hint->text().contains(QStringLiteral("the CPU")), qPrintable(hint->text()));
    const double byCpu = result(Dtype::Q4_K)->squaredError;
    int made = 0;
    m_services.quantizer = [&made] {
        ++made;
        return std::make_shared<NamedBackend>();
    };
    m_panel->setTensor(std::nullopt);
    showMeasured();
    QCOMPARE(made, 1);
    QVERIFY2(hint->text().contains(QStringLiteral("gpu:1")), qPrintable(hint->text()));
    QVERIFY2(hint->text().contains(QStringLiteral("tired")), qPrintable(hint->text()));
    QCOMPARE(result(Dtype::Q4_K)->squaredError, byCpu);
}

void WhatIfTest::marksTheLevelsOfATypicalBlock() {
    showMeasured();
    auto* levels = m_panel->findChild<LevelsView*>();
    choose(Dtype::Q4_0);
    QCOMPARE(levels->marked().size(), std::size_t{16});
    QVERIFY(std::abs(levels->marked().front() + 0.1) < 0.005); // the sine's amplitude
    QVERIFY2(caption().contains(QStringLiteral("16")), qPrintable(caption()));
    choose(Dtype::Q8_0);
    QVERIFY(levels->marked().empty());
    QVERIFY2(caption().contains(QStringLiteral("256")), qPrintable(caption()));
    choose(Dtype::F16);
    QVERIFY(levels->marked().empty());
}

void WhatIfTest::marksTheLevelsOfAWorstBlock() {
    showMeasured();
    choose(Dtype::Q4_0);
    auto* levels = m_panel->findChild<LevelsView*>();
    const auto typical = levels->marked();
    auto* worst = m_panel->findChild<QTableView*>(QStringLiteral("worstBlocks"));
    auto* tabs = m_panel->findChild<QTabWidget*>(QStringLiteral("whatIfDetail"));
    tabs->setCurrentWidget(worst);
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    worst->setFocus();
    worst->setCurrentIndex(worst->model()->index(2, 0));
    QTest::keyClick(worst, Qt::Key_Return);
    m_jobs->runAll();
    QCOMPARE(tabs->currentWidget(), levels);
    const quant::WorstBlock& block = result(Dtype::Q4_0)->worst[2];
    QVERIFY2(caption().contains(QStringLiteral("row %1, block %2,").arg(block.row).arg(block.column / 32)), qPrintable(caption()));
    QVERIFY2(caption().contains(QStringLiteral("scale")) && !caption().contains(QStringLiteral("offset")), qPrintable(caption()));
    QCOMPARE(levels->marked().size(), std::size_t{16});
    QVERIFY(levels->marked() != typical);
    QTest::mouseClick(levels->findChild<QPushButton*>(QStringLiteral("typicalBlock")), Qt::LeftButton);
    QCOMPARE(levels->marked(), typical);
    QVERIFY(caption().contains(QStringLiteral("typical")));

    tabs->setCurrentWidget(worst);
    const QRect cell = worst->visualRect(worst->model()->index(0, 0));
    QTest::mouseClick(worst->viewport(), Qt::LeftButton, Qt::ControlModifier, cell.center());
    QCOMPARE(tabs->currentWidget(), worst); // rows are being selected
    QTest::mouseClick(worst->viewport(), Qt::LeftButton, {}, cell.center());
    m_jobs->runAll();
    QCOMPARE(tabs->currentWidget(), levels);
    QVERIFY(!caption().contains(QStringLiteral("typical")));
}

void WhatIfTest::followsAChosenBlockFromTypeToType() {
    showMeasured();
    choose(Dtype::Q4_K);
    auto* levels = m_panel->findChild<LevelsView*>();
    auto* group = levels->findChild<QSpinBox*>(QStringLiteral("blockGroup"));
    m_panel->chooseBlock({3, 200});
    m_jobs->runAll();
    QVERIFY2(caption().startsWith(QStringLiteral("Q4_K, row 3, block 0,")) && caption().contains(QStringLiteral("offset")),
             qPrintable(caption()));
    QCOMPARE(group->maximum(), 8);
    QVERIFY(group->isVisibleTo(levels));
    group->setValue(8);
    QVERIFY2(caption().contains(QStringLiteral("columns 224 to 255")), qPrintable(caption()));
    choose(Dtype::Q8_0);
    QVERIFY2(caption().startsWith(QStringLiteral("Q8_0, row 3, block 6, columns 192 to 223")), qPrintable(caption()));
    QVERIFY(!group->isVisibleTo(levels));
    QVERIFY2(levels->marked().empty(), "256 levels would be a grey wall");
    choose(Dtype::F16);
    QVERIFY2(caption().contains(QStringLiteral("not a block type")), qPrintable(caption()));
    m_panel->setTensor(1);
    m_jobs->runAll();
    QVERIFY2(!levels->findChild<QPushButton*>(QStringLiteral("typicalBlock"))->isVisibleTo(levels),
             "another tensor has other blocks");
}

void WhatIfTest::choosesTheWorstBlockOfACell() {
    showMeasured();
    choose(Dtype::Q4_0);
    auto* map = m_panel->findChild<ErrorMapView*>();
    auto* tabs = m_panel->findChild<QTabWidget*>(QStringLiteral("whatIfDetail"));
    const quant::ErrorMap& cells = result(Dtype::Q4_0)->map; // 48 x 48
    const QPoint last(map->width() - 1, map->height() - 1);
    QMouseEvent move(QEvent::MouseMove, last, map->mapToGlobal(last), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(map, &move);
    QVERIFY2(map->sentence().startsWith(QStringLiteral("Rows 63 to 63, columns 251 to 255: RMSE")), qPrintable(map->sentence()));
    QTest::mouseClick(map, Qt::LeftButton, {}, last);
    m_jobs->runAll();
    QVERIFY(tabs->currentWidget() != map);
    QVERIFY2(caption().contains(QStringLiteral("row %1, block 7,").arg(cells.worst.back()->row)), qPrintable(caption()));

    tabs->setCurrentWidget(map);
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    map->setFocus();
    QVERIFY2(!map->sentence().isEmpty(), "the keyboard begins at the worst cell");
    for (int i = 0; i < 100; ++i) QTest::keyClick(map, i < 50 ? Qt::Key_Up : Qt::Key_Left);
    QTest::keyClick(map, Qt::Key_Down);
    QVERIFY2(map->sentence().startsWith(QStringLiteral("Rows 2 to 2, columns 0 to 5:")), qPrintable(map->sentence()));
    QCOMPARE(map->accessibleDescription(), map->sentence());
    QTest::keyClick(map, Qt::Key_Return);
    m_jobs->runAll();
    QVERIFY2(caption().contains(QStringLiteral("row %1, block 0,").arg(cells.worst[cells.columns]->row)), qPrintable(caption()));
}

void WhatIfTest::sortsAndCopies() {
    showMeasured();
    auto* table = m_panel->findChild<QTableView*>(QStringLiteral("whatIf"));
    table->sortByColumn(TypeTableModel::Error, Qt::AscendingOrder);
    QCOMPARE(table->model()->index(0, TypeTableModel::Type).data().toString(), QStringLiteral("F32"));
    table->setCurrentIndex(table->model()->index(1, 0));
    QVERIFY(m_panel->findChild<QTableView*>(QStringLiteral("worstBlocks"))->model()->rowCount() > 0);
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().contains(u'\t'));
}

void WhatIfTest::beginsInTheOrderOfBits() {
    showMeasured();
    auto* table = m_panel->findChild<QTableView*>(QStringLiteral("whatIf"));
    QCOMPARE(table->horizontalHeader()->sortIndicatorSection(), static_cast<int>(TypeTableModel::Bits));
    table->sortByColumn(TypeTableModel::Type, Qt::AscendingOrder);
    for (int row = 1; row < table->model()->rowCount(); ++row)
        QVERIFY(table->model()->index(row - 1, TypeTableModel::Type).data().toString() <
                table->model()->index(row, TypeTableModel::Type).data().toString());
    choose(Dtype::Q4_K);
    const QString snr = table->model()->index(table->currentIndex().row(), TypeTableModel::Snr).data().toString();
    QCOMPARE(snr, QLocale().toString(*result(Dtype::Q4_K)->snr, 'f', 2));
}

void WhatIfTest::saysWhichTypesDoNotFit() {
    showMeasured();
    QVERIFY(!hint().contains(QStringLiteral("left out")));
    showMeasured(1);
    QVERIFY2(hint().contains(QStringLiteral("rows of 3")), qPrintable(hint()));
}

void WhatIfTest::anotherTensorStopsIt() {
    m_panel->setTensor(0);
    m_panel->show();
    m_panel->setTensor(1);
    m_jobs->runAll();
    QVERIFY(m_panel->types().count() <= 3); // the plain types
    m_panel->setTensor(std::nullopt);
    QCOMPARE(m_panel->types().count(), 0);
    QVERIFY(!m_panel->findChild<QLabel*>(QStringLiteral("whatIfHint"))->text().isEmpty());
}

void WhatIfTest::modelKeepsItsPromises() {
    TypeTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    TensorTypes types({Dtype::Q4_0, Dtype::Q8_0}, Dtype::Q8_0, *Shape::make({4, 64}));
    model.setRows(types.rows());
    QCOMPARE(model.index(1, TypeTableModel::Snr).data().toString(), QStringLiteral("…"));
    quant::WhatIf found;
    found.type = Dtype::Q8_0;
    found.elements = 64;
    types.add(found);
    types.giveUp();
    model.setRows(types.rows());
    QCOMPARE(model.index(1, TypeTableModel::Snr).data().toString(), QStringLiteral("exact"));
    QCOMPARE(model.index(0, TypeTableModel::Snr).data().toString(), QStringLiteral("–"));
    QCOMPARE(model.index(0, TypeTableModel::Bits).data().toString(), QStringLiteral("4.50"));
    QVERIFY(model.index(1, TypeTableModel::Type).data(Qt::FontRole).value<QFont>().bold());
    model.setRows({});
}

WB_GUI_TEST(WhatIfTest)
#include "what_if_test.moc"
