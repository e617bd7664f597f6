// SPDX-License-Identifier: MIT
#include "core/quant/imatrix.h"
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/size_edit.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTableView>

namespace wb::test {

using ui::convert::PlanModel;
using ui::convert::Wizard;

// That what is planned is what was chosen, and what the page says of it.
class ChoicesTest : public QObject {
    Q_OBJECT

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_bench->find<Widget>(name);
    }
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    bool settle() const { return m_bench->settle(); }
    Dtype typeOf(const std::string& tensor) const {
        for (const auto& planned : wizard().plan()->tensors)
            if (wizard().model()->tensors[planned.source].name == tensor) return planned.to;
        return Dtype::Unknown;
    }

    // Opens a plan of COPY, as `wb quantize … COPY --save-plan` writes it.
    void loadCopy() {
        auto request = wizard().request();
        request.mix.copy = true;
        const auto plan = wb::convert::planQuantize(wizard().model(), request);
        QVERIFY(plan.has_value());
        QFile file(path("copy.plan.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(*wb::convert::planJson(*plan, request, {})));
        file.close();
        wizard().loadPlan(path("copy.plan.json"));
        QVERIFY(settle());
    }

    // The words that a shell makes of the text.
    static QStringList wordsOf(const QString& text) {
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("printf '%s\\n' ") + text});
        if (!shell.waitForFinished()) return {};
        return QString::fromUtf8(shell.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    }

    void measureUnder(const QString& size) {
        find<QRadioButton>("bySize")->setChecked(true);
        find<QLineEdit>("size")->setText(size);
        m_bench->click("find");
        QVERIFY(wizard().isMeasuring());
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.never = QStringLiteral("Measuring the speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        QVERIFY(m_bench->open());
    }
    void cleanup() { m_bench.reset(); }

    void aPlanOfCopyIsShownAsOne() {
        loadCopy();
        auto* mix = find<QComboBox>("mix");
        QCOMPARE(mix->currentText(), QStringLiteral("COPY"));
        const QString note = find<QLabel>("mixNote")->text();
        QVERIFY2(note.startsWith(QStringLiteral("Copied as it is")), qPrintable(note));
        QVERIFY2(find<QLabel>("mixFigures")->text().isEmpty(), qPrintable(find<QLabel>("mixFigures")->text()));
        QCOMPARE(wizard().optionsText(), QStringLiteral("COPY"));
        QCOMPARE(find<QLineEdit>("target")->text(), path("model-COPY.gguf"));
        QVERIFY(wizard().hasChoices());
    }

    void aMixTakesThePlaceOfACopy() {
        loadCopy();
        auto* mix = find<QComboBox>("mix");
        mix->setCurrentText(QStringLiteral("Q6_K"));
        Q_EMIT mix->activated(mix->currentIndex());
        QVERIFY(settle());
        QCOMPARE(typeOf("blk.0.ffn_up.weight"), Dtype::Q6_K);
        QCOMPARE(mix->findText(QStringLiteral("COPY")), -1);
        QCOMPARE(wizard().optionsText(), QStringLiteral("Q6_K"));
        wizard().undo();
        QVERIFY(settle());
        QCOMPARE(mix->currentText(), QStringLiteral("COPY"));
        wizard().setPure(true);
        QVERIFY(settle());
        QCOMPARE(typeOf("blk.0.ffn_up.weight"), Dtype::Q4_K);
        QCOMPARE(wizard().optionsText(), QStringLiteral("--pure Q4_K_M"));
    }
};

WB_GUI_TEST(ChoicesTest)

} // namespace wb::test

#include "choices_test.moc"
