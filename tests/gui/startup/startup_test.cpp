// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>

// The program as a whole, started as a user would.
class StartupTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_home;

    void begin(QProcess& program, const QStringList& arguments, const QString& platform = QStringLiteral("offscreen"),
               const QString& file = QStringLiteral(WEIGHBRIDGE_PROGRAM)) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) environment.insert(QString::fromLatin1(name), m_home.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        environment.insert(QStringLiteral("WEIGHBRIDGE_STARTUP_TRACE"), QStringLiteral("1"));
        environment.remove(QStringLiteral("DISPLAY"));
        program.setProcessEnvironment(environment);
        program.start(file, arguments);
    }

    QByteArray argumentsOutput(const QStringList& arguments, const QString& platform = QStringLiteral("offscreen"),
                               const QString& file = QStringLiteral(WEIGHBRIDGE_PROGRAM)) {
        QProcess program;
        begin(program, arguments, platform, file);
        const bool ended = program.waitForFinished(240'000);
        return ended && program.exitCode() == 0 ? program.readAllStandardOutput()
                                                : QByteArray("failed: ") + program.readAllStandardError();
    }

    // Text and icons have many shades; a blank picture has one or two colours.
    static bool isPainted(const QImage& image) {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
        }
        return colors.size() >= 32;
    }

private slots:
    void versionAndHelpNeedNoDisplay() {
        QVERIFY(argumentsOutput({QStringLiteral("--version")}, QStringLiteral("xcb")).startsWith("weighbridge "));
        const QByteArray help = argumentsOutput({QStringLiteral("--help")}, QStringLiteral("xcb"));
        QVERIFY(help.contains("[paths...]"));
    }

    void wrongOptionIsRefused() {
        QProcess program;
        begin(program, {QStringLiteral("--frobnicate")});
        QVERIFY(program.waitForFinished(60'000));
        QVERIFY(program.exitCode() != 0);
        QVERIFY(program.readAllStandardError().contains("frobnicate"));
    }

    void firstPaintIsReported() {
        QProcess program;
        begin(program, {});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += program.readAllStandardError()).contains("first paint: "), 60'000);
        program.kill();
        program.waitForFinished();
    }

    // In one language and theme: the views' own tests change both.
    void picturesOfEveryViewAreNotBlank() {
        const QTemporaryDir folder;
        const QDir home(m_home.filePath(QStringLiteral("weighbridge"))); // where the program of the other tests keeps its downloads
        const QStringList before = home.entryList({QStringLiteral("*.json")});
        const QByteArray printed = argumentsOutput({folder.path(), QStringLiteral("--looks"), QStringLiteral("zh_CN-dark")},
                                                   QStringLiteral("offscreen"), QStringLiteral(WEIGHBRIDGE_SCREENSHOTS));
        QVERIFY2(!printed.startsWith("failed: "), printed.constData());
        const QStringList names = QDir(folder.path()).entryList({QStringLiteral("*.png")});
        QVERIFY2(names.size() >= 12, printed.constData());
        for (const QString& name : names) {
            const QImage image(folder.filePath(name));
            QCOMPARE(image.size(), QSize(1280, 800));
            QVERIFY2(isPainted(image), qPrintable(name));
            QVERIFY(printed.contains(name.toUtf8()));
        }
        QCOMPARE(home.entryList({QStringLiteral("*.json")}), before);
    }
};

WB_GUI_TEST(StartupTest)
#include "startup_test.moc"
