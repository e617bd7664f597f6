// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/shell/settings/language.h"
#include "ui/shell/settings/settings_store.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace wb::ui;

class SettingsTest : public QObject {
    Q_OBJECT

private:
    static QString write(const QTemporaryDir& folder, const QByteArray& content) {
        const QString path = folder.filePath(QStringLiteral("settings.json"));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(content);
        return path;
    }

private slots:
    void cleanup() {
        applyLanguage(QStringLiteral("en"));
        applyTheme(Theme::Light);
    }

    void everythingComesBack() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("made/on/demand/settings.json"));
        const Settings chosen{QStringLiteral("zh_CN"),
                              Theme::Dark,
                              3,
                              QStringLiteral("/a cache"),
                              QStringLiteral("/模型"),
                              {wb::DeviceRef::Kind::Processor},
                              QStringLiteral("/models"),
                              QStringLiteral("http://proxy:8080"),
                              14,
                              16'384};
        SettingsStore(path).set(chosen);
        QVERIFY(SettingsStore(path).settings() == chosen);
    }

    void missingFileGivesDefaultsSilently() {
        const QTemporaryDir folder;
        const SettingsStore store(folder.filePath(QStringLiteral("settings.json")));
        QVERIFY(store.settings() == Settings());
        QVERIFY(store.movedAsideTo().isEmpty());
    }

    void brokenFileIsKeptAside_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addRow("cut off") << QByteArray("{\"version\": 1, \"theme\": \"da");
        QTest::addRow("not JSON") << QByteArray("\x7f"
                                                "ELF");
        QTest::addRow("another version") << QByteArray("{\"version\": 99, \"theme\": \"dark\"}");
        QTest::addRow("not an object") << QByteArray("[1, 2]");
        QTest::addRow("empty") << QByteArray();
    }

    void brokenFileIsKeptAside() {
        QFETCH(QByteArray, content);
        const QTemporaryDir folder;
        const QString path = write(folder, content);
        const SettingsStore store(path);
        QVERIFY(store.settings() == Settings());
        QCOMPARE(store.movedAsideTo(), path + QStringLiteral(".bad"));
        QFile kept(store.movedAsideTo());
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), content);
        QVERIFY(!QFile::exists(path));
    }

    void wrongValuesFallBackOneByOne() {
        const QTemporaryDir folder;
        const SettingsStore store(
            write(folder, R"({"version":1,"theme":"pink","threads":-4,"language":7,"openFolder":"/models"})"));
        QVERIFY(store.settings().theme == Theme::System);
        QCOMPARE(store.settings().threads, 0);
        QVERIFY(store.settings().language.isEmpty());
        QCOMPARE(store.settings().openFolder, QStringLiteral("/models"));
    }

    void aFolderInTheWayIsReported() {
        const QTemporaryDir folder;
        SettingsStore store(folder.path()); // a folder cannot be replaced by a file
        const QSignalSpy failed(&store, &SettingsStore::saveFailed);
        Settings settings;
        settings.threads = 2;
        store.set(settings);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(store.settings().threads, 2);
    }

    void themeIsAppliedAtOnce() {
        const QTemporaryDir folder;
        SettingsStore store(folder.filePath(QStringLiteral("settings.json")));
        Settings settings;
        settings.theme = Theme::Dark;
        store.set(settings);
        QVERIFY(isDarkTheme());
        QCOMPARE(QApplication::palette().color(QPalette::Base), themePalette(true).color(QPalette::Base));
        settings.theme = Theme::Light;
        store.set(settings);
        QVERIFY(!isDarkTheme());
    }

    void textHasContrast_data() {
        QTest::addColumn<bool>("dark");
        QTest::addRow("light") << false;
        QTest::addRow("dark") << true;
    }

    // WCAG 2.1 level AA asks for 4.5 : 1.
    void textHasContrast() {
        QFETCH(bool, dark);
        const QPalette palette = themePalette(dark);
        const ThemeColors colors = themeColors(dark);
        const QColor base = palette.color(QPalette::Base);
        for (const QColor& background : {base, palette.color(QPalette::Window), palette.color(QPalette::AlternateBase)}) {
            for (const QColor& text : {palette.color(QPalette::Text), colors.muted, palette.color(QPalette::Link), colors.error,
                                       colors.warning, colors.good})
                QVERIFY2(contrast(text, background) >= 4.5, qPrintable(text.name() + u' ' + background.name()));
        }
        QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Text), colors.accentSoft) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Link), colors.accentSoft) >= 4.5);
        for (const QColor& code : {colors.codeKeyword, colors.codeString, colors.codeNumber, colors.muted})
            QVERIFY2(contrast(code, colors.accentSoft) >= 4.5, qPrintable(code.name()));
    }

private:
    static double luminance(const QColor& color) {
        const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    }

    static double contrast(const QColor& a, const QColor& b) {
        const double first = luminance(a) + 0.05;
        const double second = luminance(b) + 0.05;
        return std::max(first, second) / std::min(first, second);
    }
};

WB_GUI_TEST(SettingsTest)
#include "settings_test.moc"
