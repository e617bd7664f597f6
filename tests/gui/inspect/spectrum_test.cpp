// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/document/document.h"
#include "ui/inspect/spectrum/spectrum_panel.h"
#include "ui/inspect/spectrum/spectrum_plot.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/shell/settings/language.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

struct Stand {
    Stand() : services(&jobs) {
        applyLanguage(QStringLiteral("en"));
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const QString path = test::writeSafetensors(folder, QStringLiteral("m.safetensors"),
                                                    {{"diagonal", {2, 2}, {3, 0, 0, 4}},
                                                     {"nan", {2, 2}, {1, nan, 2, 3}},
                                                     {"norm", {2}, {1, 1}},
                                                     {"zero", {2, 2}, {0, 0, 0, 0}}});
        document = std::make_unique<Document>(stats::modelContents(*formats::open(path.toStdString())), path);
        panel = std::make_unique<SpectrumPanel>(*document, services);
        panel->resize(900, 300);
        panel->show();
    }
    void choose(std::uint32_t tensor) {
        panel->setTensor(tensor);
        jobs.runAll();
        panel->grab();
    }
    QString hint() const { return panel->findChild<QLabel*>(QStringLiteral("spectrumHint"))->text(); }
    QAbstractItemModel* table(const char* name) const { return panel->findChild<CellTableView*>(QLatin1String(name))->model(); }

    QTemporaryDir folder;
    test::ManualJobs jobs;
    test::TestServices services;
    std::unique_ptr<Document> document;
    std::unique_ptr<SpectrumPanel> panel;
};

} // namespace

class SpectrumTest : public QObject {
    Q_OBJECT

private slots:
    void showsTheSelectedMatrix() {
        Stand stand;
        const QAbstractItemModelTester measures(stand.table("spectrumMeasures"), wb::test::fatal),
            values(stand.table("singularValues"), wb::test::fatal);
        stand.choose(0);
        QVERIFY(stand.panel->spectrum());
        QCOMPARE(stand.panel->spectrum()->spectralNorm, 4.0);
        QCOMPARE(stand.table("singularValues")->rowCount(), 2);
        auto* plot = stand.panel->findChild<SpectrumPlot*>();
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_End);
        QVERIFY2(plot->sentence().contains(QStringLiteral("2: 3")), qPrintable(plot->sentence()));
        plot->grab();
        stand.choose(3);
        QCOMPARE(plot->sentence(), SpectrumPlot::tr("All singular values are zero."));
    }

    void saysWhyThereIsNone() {
        Stand stand;
        stand.choose(1);
        QVERIFY2(stand.hint().contains(QStringLiteral("NaN")), qPrintable(stand.hint()));
        stand.choose(2);
        QVERIFY(!stand.panel->spectrum());
        QVERIFY(!stand.panel->findChild<QPushButton*>(QStringLiteral("spectrumCompute"))->isEnabled());
    }

    void measuresAllMatricesAndCanBeCanceled() {
        Stand stand;
        const QAbstractItemModelTester tester(stand.table("spectrumMatrices"), wb::test::fatal);
        stand.panel->computeAll();
        const auto job = stand.jobs.find(QStringLiteral("Singular values of"));
        QVERIFY(job && job->visible);
        stand.panel->computeAll();
        QVERIFY(job->isCanceled());
        stand.jobs.runAll();
        QCOMPARE(stand.table("spectrumMatrices")->rowCount(), 0);
        stand.panel->computeAll();
        stand.jobs.runAll();
        QCOMPARE(stand.table("spectrumMatrices")->rowCount(), 3); // one of them with NaN
        QSignalSpy chosen(stand.panel.get(), &SpectrumPanel::tensorChosen);
        auto* matrices = stand.panel->findChild<CellTableView*>(QStringLiteral("spectrumMatrices"));
        emit matrices->activated(matrices->model()->index(1, 0));
        QCOMPARE(chosen.size(), 1);
    }
};

WB_GUI_TEST(SpectrumTest)
#include "spectrum_test.moc"
