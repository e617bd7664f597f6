// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace wb::test {

using ui::convert::Wizard;

// The window and wb list and resume each other's unfinished runs.
class SharedRunsTest : public QObject {
    Q_OBJECT

private:
    struct Ended {
        int status = -1; // -1: it was killed
        QByteArray out;
        QByteArray err;
    };

    QString path(const char* name) const { return m_bench->path(name); }
    QByteArray content(const QString& file) const {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    // wb with the state folder of the window; killed before it renames the file `killAt`, where one is named.
    Ended wb(const QStringList& words, const QString& killAt = {}) const {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), path("config"));
        if (!killAt.isEmpty()) {
            environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(WB_KILL_AT_RENAME));
            environment.insert(QStringLiteral("WB_TEST_KILL_AT"), killAt);
            environment.insert(QStringLiteral("ASAN_OPTIONS"), QStringLiteral("verify_asan_link_order=0"));
        }
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(WB_PROGRAM), words);
        process.waitForFinished(-1);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
                process.readAllStandardError()};
    }
    QStringList quantize(const QString& target) const {
        return {QStringLiteral("quantize"), path("model-f32.gguf"),   target, QStringLiteral("Q4_K_M"), QStringLiteral("--device"),
                QStringLiteral("cpu"),      QStringLiteral("--quiet")};
    }
    QJsonArray runs() const {
        const auto listed = wb({QStringLiteral("unfinished"), QStringLiteral("--json")});
        return QJsonDocument::fromJson(listed.out).object().value(QStringLiteral("runs")).toArray();
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.stopAfter = -1;
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        m_bench->services.stateFolder = path("config/weighbridge");
        m_bench->restart();
        QVERIFY(m_bench->open());
        QCOMPARE(wb(quantize(path("straight.gguf"))).status, 0);
    }
    void cleanup() { m_bench.reset(); }

    void theWindowResumesARunOfWb() {
        QCOMPARE(wb(quantize(path("small.gguf")), path("small.gguf.part")).status, -1);
        QVERIFY(QFile::exists(path("small.gguf.part")) && !QFile::exists(path("small.gguf")));
        m_bench->restart();
        QTRY_VERIFY(m_bench->job("small.gguf").canResume && m_bench->job("small.gguf").canRemove);
        m_jobs.stopAfter = 1; // all items are done: a run that computed one again would stop
        m_bench->resumeJob("small.gguf");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(!QFile::exists(path("small.gguf.part")));
        QCOMPARE(content(path("small.gguf")), content(path("straight.gguf")));
        QVERIFY(runs().isEmpty());
    }

    void wbResumesARunOfTheWindow() {
        m_jobs.stopAfter = 2;
        m_bench->wizard().run(path("small.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Plan));
        QTRY_VERIFY(QFile::exists(path("small.gguf.part")) && !QFile::exists(path("small.gguf")));
        const QJsonArray listed = runs();
        QCOMPARE(listed.size(), 1);
        QCOMPARE(listed[0][QLatin1String("kind")].toString(), QStringLiteral("quantize"));
        QCOMPARE(listed[0][QLatin1String("target")].toString(), path("small.gguf"));
        QCOMPARE(listed[0][QLatin1String("source")].toString(), path("model-f32.gguf"));
        QVERIFY(listed[0][QLatin1String("percent")].toInt() > 0);
        QCOMPARE(listed[0][QLatin1String("held")].toBool(true), false);
        const auto resumed = wb(quantize(path("small.gguf")) << QStringLiteral("--json"));
        QVERIFY2(resumed.status == 0, resumed.err.constData());
        QVERIFY2(!resumed.out.contains("dropped"), "it is the same work");
        QCOMPARE(content(path("small.gguf")), content(path("straight.gguf")));
        QVERIFY(runs().isEmpty());
    }

    void wbDiscardsARunOfTheWindow() {
        m_jobs.stopAfter = 2;
        m_bench->wizard().run(path("small.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Plan));
        QTRY_VERIFY(QFile::exists(path("small.gguf.part")));
        const auto discarded = wb({QStringLiteral("unfinished"), QStringLiteral("--discard"), path("small.gguf")});
        QVERIFY2(discarded.status == 0, discarded.err.constData());
        QVERIFY(!QFile::exists(path("small.gguf.part")) && !QFile::exists(path("small.gguf.part.journal")));
        m_bench->restart();
        QVERIFY(m_bench->job("small.gguf").id.isEmpty());
    }
};

WB_GUI_TEST(SharedRunsTest)

} // namespace wb::test

#include "shared_runs_test.moc"
#endif
