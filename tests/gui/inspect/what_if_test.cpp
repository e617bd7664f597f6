// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/what_if_model.h"
#include "ui/inspect/what_if_panel.h"

#include "core/formats/open.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <cmath>

using namespace wb;
using namespace wb::ui::inspect;

namespace {

// One matrix of 64 x 256 and one row that no block divides.
std::vector<test::SampleTensor> tensors() {
    std::vector<float> values;
    for (int i = 0; i < 64 * 256; ++i) values.push_back(std::sin(static_cast<float>(i) * 0.37f) * 0.1f);
    return {{"matrix", {64, 256}, values}, {"odd", {1, 3}, {1, 2, 3}}};
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
        m_services.threads = 1;
        m_document = std::make_unique<Document>(contentsOf(*formats::open(path.toStdString())));
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
        QVERIFY(m_panel->results()->rowCount() > 10);
        for (int row = 0; row < m_panel->results()->rowCount(); ++row) QVERIFY(m_panel->results()->resultAt(row));
    }

    void beginsWithAPreview();
    void sortsAndCopies();
    void anotherTensorStopsIt();
    void modelKeepsItsPromises();

private:
    const quant::WhatIf* result(Dtype type) const {
        for (int row = 0; row < m_panel->results()->rowCount(); ++row)
            if (m_panel->results()->typeAt(row) == type) return m_panel->results()->resultAt(row);
        return nullptr;
    }
    void showMeasured() {
        m_panel->setTensor(0);
        m_panel->show();
        m_jobs->runAll();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::ManualJobs> m_jobs;
    ui::Services m_services;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<WhatIfPanel> m_panel;
};

void WhatIfTest::beginsWithAPreview() {
    showMeasured();
    QCOMPARE(result(Dtype::Q8_0)->elements, 4u * 256);
    QTest::mouseClick(m_panel->findChild<QPushButton*>(QStringLiteral("allRows")), Qt::LeftButton);
    m_jobs->runAll();
    QCOMPARE(result(Dtype::Q8_0)->elements, 64u * 256);
    QVERIFY(*result(Dtype::Q8_0)->relativeRmse < *result(Dtype::Q4_K)->relativeRmse);
    QCOMPARE(result(Dtype::F32)->squaredError, 0.0);
}

void WhatIfTest::sortsAndCopies() {
    showMeasured();
    auto* table = m_panel->findChild<QTableView*>(QStringLiteral("whatIf"));
    table->sortByColumn(WhatIfModel::Relative, Qt::AscendingOrder);
    QCOMPARE(table->model()->index(0, WhatIfModel::Type).data().toString(), QStringLiteral("F32"));
    table->setCurrentIndex(table->model()->index(1, 0));
    QVERIFY(m_panel->findChild<QTableView*>(QStringLiteral("worstBlocks"))->model()->rowCount() > 0);
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().contains(u'\t'));
}

void WhatIfTest::anotherTensorStopsIt() {
    m_panel->setTensor(0);
    m_panel->show();
    m_panel->setTensor(1);
    m_jobs->runAll();
    QVERIFY(m_panel->results()->rowCount() <= 3); // the plain types
    m_panel->setTensor(std::nullopt);
    QCOMPARE(m_panel->results()->rowCount(), 0);
    QVERIFY(!m_panel->findChild<QLabel*>(QStringLiteral("whatIfHint"))->text().isEmpty());
}

void WhatIfTest::modelKeepsItsPromises() {
    WhatIfModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTypes({Dtype::Q4_0, Dtype::Q8_0}, Dtype::Q8_0, 4, 64);
    quant::WhatIf found;
    found.type = Dtype::Q8_0;
    found.elements = 64;
    model.setResult(found);
    QCOMPARE(model.index(1, WhatIfModel::Snr).data().toString(), QStringLiteral("exact"));
    QCOMPARE(model.index(0, WhatIfModel::Bits).data().toString(), QStringLiteral("4.5"));
    model.setTypes({}, Dtype::Unknown, 0, 1);
}

WB_GUI_TEST(WhatIfTest)
#include "what_if_test.moc"
