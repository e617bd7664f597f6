// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"

namespace wb::test {

using ui::convert::Wizard;

// What comes back at the next start, also where something it needs is gone.
class SessionTest : public QObject {
    Q_OBJECT

private:
    static constexpr const char* tensor = "blk.0.ffn_up.weight";

    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    QString failure() const { return m_bench->failure(); }
    bool settle() const { return m_bench->settle(); }
    void restartWith(const QJsonObject& session) {
        m_bench->restart();
        m_bench->tab->restoreSession(session);
        QVERIFY(settle());
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        QVERIFY(m_bench->open());
    }
    void cleanup() { m_bench.reset(); }

    void theChoicesOutliveAMatrixThatIsGone() {
        wizard().choices().setMatrix(writeMatrix(path("here.dat")));
        wizard().choices().setTypes({tensor}, Dtype::Q8_0);
        QVERIFY(settle());
        const QJsonObject session = m_bench->tab->saveSession();
        QVERIFY(QFile::rename(path("here.dat"), path("away.dat")));
        restartWith(session);
        QVERIFY2(failure().contains(QStringLiteral("here.dat")), qPrintable(failure()));
        QCOMPARE(wizard().choices().matrixPath(), path("here.dat"));
        QVERIFY(!wizard().canRun());
        QCOMPARE(m_bench->tab->saveSession(), session);
        wizard().choices().setMatrix({});
        QVERIFY(settle());
        QVERIFY2(failure().isEmpty(), qPrintable(failure()));
        QCOMPARE(wizard().choices().request().types, (std::map<std::string, Dtype>{{tensor, Dtype::Q8_0}}));
        QVERIFY(wizard().canRun());
    }

    void theChoicesOutliveAModelThatIsGone() {
        wizard().choices().setTypes({tensor}, Dtype::Q8_0);
        QVERIFY(settle());
        const QJsonObject session = m_bench->tab->saveSession();
        QVERIFY(QFile::rename(path("model-f32.gguf"), path("away.gguf")));
        restartWith(session);
        QVERIFY2(failure().contains(QStringLiteral("model-f32.gguf")), qPrintable(failure()));
        QCOMPARE(m_bench->tab->saveSession(), session);
        QVERIFY(QFile::rename(path("away.gguf"), path("model-f32.gguf")));
        restartWith(session);
        QCOMPARE(wizard().choices().request().types.size(), std::size_t{1});
    }

    void aPlanOfAnotherModelIsDroppedWithASentence() {
        wizard().choices().setMix(quant::FileType::F16);
        QVERIFY(settle());
        wizard().run(path("half.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        wizard().backToPlan();
        QJsonObject session = m_bench->tab->saveSession();
        session.insert(QStringLiteral("model"), path("half.gguf"));
        restartWith(session);
        QVERIFY2(failure().contains(QStringLiteral("not the model that this plan was made for")), qPrintable(failure()));
        QVERIFY(wizard().canRun());
        QCOMPARE(wizard().choices().request().mix.fileType, quant::MixOptions().fileType);
        wizard().choices().setMix(quant::FileType::Q6_K);
        QVERIFY(settle());
        QVERIFY2(failure().isEmpty(), qPrintable(failure()));
    }
};

WB_GUI_TEST(SessionTest)

} // namespace wb::test

#include "session_test.moc"
