// SPDX-License-Identifier: MIT
#include "tests/gui/convert/bench_test.h"
#include "ui/convert/size_edit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSpinBox>

namespace wb::test {

using ui::convert::Wizard;

// A GGUF file is divided, and the files of a split are joined, by the page.
class SplitTest : public BenchTest {
    Q_OBJECT

private:
    // Of the opened model, which is one file.
    QByteArray tensorData() const {
        const auto model = m_bench->wizard().plans().model();
        QFile file(QString::fromStdString(model->path.string()));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return file.readAll().mid(static_cast<qsizetype>(model->tensors.front().offset().value_or(0)));
    }
    void limitBy(int index) const {
        auto* limit = find<QComboBox>("splitLimit");
        limit->setCurrentIndex(index);
        Q_EMIT limit->activated(index);
    }
    QString target() const { return find<QLineEdit>("target")->text(); }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { m_bench.reset(); }

    void aFileIsSplitByTensorsAndJoinedAgain() {
        QVERIFY(m_bench->open());
        const QByteArray whole = tensorData();
        find<QCheckBox>("copyOnly")->setChecked(true);
        limitBy(2);
        find<QSpinBox>("splitTensors")->setValue(1);
        QVERIFY(settle());
        const auto plan = m_bench->wizard().plans().plan();
        QVERIFY(plan && plan->files.size() > 2);
        const auto files = static_cast<int>(plan->files.size());
        const QString note = find<QLabel>("splitNote")->text();
        QVERIFY2(note.startsWith(QString::number(files)), qPrintable(note));
        QString first = target();
        first.replace(QStringLiteral(".gguf"), QStringLiteral("-00001-of-%1.gguf").arg(files, 5, 10, QLatin1Char('0')));
        QVERIFY(m_bench->clickRun());
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY2(QFile::exists(first), qPrintable(first));
        QVERIFY(!QFile::exists(target()));

        QVERIFY(m_bench->open(first));
        find<QCheckBox>("copyOnly")->setChecked(true);
        QVERIFY(settle());
        QCOMPARE(find<QLabel>("splitNote")->text(), QStringLiteral("The split files are joined into one file."));
        find<QLineEdit>("target")->setText(path("joined.gguf"));
        Q_EMIT find<QLineEdit>("target")->textEdited(path("joined.gguf"));
        QVERIFY(settle());
        QVERIFY(m_bench->clickRun());
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(m_bench->open(path("joined.gguf")));
        QVERIFY(!whole.isEmpty());
        QVERIFY(tensorData() == whole);
    }

    void aSizeWithoutUnitIsAskedFor() {
        QVERIFY(m_bench->open());
        limitBy(1);
        auto* size = find<ui::convert::SizeEdit>("splitBytes");
        QVERIFY(size->isVisible());
        size->setText(QStringLiteral("many"));
        Q_EMIT size->editingFinished();
        QVERIFY(settle());
        const QString note = find<QLabel>("splitNote")->text();
        QVERIFY2(note.startsWith(QStringLiteral("Enter a size with a unit")), qPrintable(note));
        size->setText(QStringLiteral("50 KB"));
        Q_EMIT size->editingFinished();
        QVERIFY(settle());
        QCOMPARE(m_bench->wizard().choices().request().split.bytes, quint64{50'000});
        QVERIFY(m_bench->wizard().plans().plan()->files.size() > 1);
        limitBy(0);
        QVERIFY(settle());
        QVERIFY(m_bench->wizard().choices().request().split.isNone());
        QVERIFY(!find<QLabel>("splitNote")->isVisible());
    }
};

WB_GUI_TEST(SplitTest)

} // namespace wb::test

#include "split_test.moc"
