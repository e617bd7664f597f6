// SPDX-License-Identifier: MIT
#include "tests/gui/support/fake_tab.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/widgets/mnemonic.h"
#include "ui/shell/palette/command_palette.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/jobs/jobs_tab.h"
#include "ui/shell/settings/language.h"
#include "ui/shell/file_open_filter.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_line.h"
#include "ui/shell/navigation_rail.h"
#include "ui/shell/settings/device_choice.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/shell/settings/settings_store.h"
#include "ui/shell/start/recent_model.h"
#include "ui/shell/window_actions.h"
#include "ui/widgets/translated.h"

#include "core/formats/open.h"

#include <cmath>

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QFileOpenEvent>
#include <QFontDatabase>
#include <QGlyphRun>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QRawFont>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStyleOptionFocusRect>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextLayout>
#include <QTimer>

using namespace wb;
using namespace wb::ui;
using wb::test::FakeTab;

namespace {

// A window with one tab and files of its own.
struct Shell {
    explicit Shell(const QTemporaryDir& folder)
        : settings(folder.filePath(QStringLiteral("settings.json"))),
          window(settings, runner,
                 {folder.filePath(QStringLiteral("session.json")), folder.filePath(QStringLiteral("window.ini")), folder.path(),
                  QString()}),
          tab(new FakeTab) {
        window.addTab(tab);
        window.restoreSession();
        window.show();
    }

    SettingsStore settings;
    QueuedJobRunner runner;
    MainWindow window;
    FakeTab* tab;
};

bool sendDrag(QWidget* target, QEvent::Type type, const QMimeData& data) {
    const QPoint at(5, 5);
    if (type == QEvent::DragEnter) {
        QDragEnterEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &event);
        return event.isAccepted();
    }
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &event);
    return event.isAccepted();
}

QMimeData* fileData(const QString& path) {
    auto* data = new QMimeData;
    data->setUrls({QUrl::fromLocalFile(path)});
    return data;
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() {
        applyLanguage(QStringLiteral("en"));
        applyTheme(Theme::Light);
    }

    void dropOpensAnywhere() {
        const QTemporaryDir folder;
        Shell shell(folder);
        const std::unique_ptr<QMimeData> data(fileData(QStringLiteral("/models/a.gguf")));
        auto* field = new QLineEdit(shell.tab); // takes drops of its own
        field->show();
        shell.window.showPlace(1);
        for (QWidget* target : {static_cast<QWidget*>(&shell.window), static_cast<QWidget*>(field)}) {
            QVERIFY(sendDrag(target, QEvent::DragEnter, *data));
            QVERIFY(sendDrag(target, QEvent::Drop, *data));
        }
        QCOMPARE(shell.tab->openedPaths, (QStringList{"/models/a.gguf", "/models/a.gguf"}));
        QVERIFY(field->text().isEmpty());
    }

    void theTabInFrontMayTakeADrop() {
        const QTemporaryDir folder;
        Shell shell(folder);
        shell.tab->takesDrops = true;
        const std::unique_ptr<QMimeData> data(fileData(QStringLiteral("/models/a.gguf")));
        const auto dropOn = [&](int place) {
            shell.window.showPlace(place);
            return sendDrag(&shell.window, QEvent::DragEnter, *data) && sendDrag(&shell.window, QEvent::Drop, *data);
        };
        QVERIFY(dropOn(0));
        QVERIFY(shell.tab->droppedPaths.isEmpty());
        QVERIFY(dropOn(1));
        QCOMPARE(shell.tab->droppedPaths, QStringList{"/models/a.gguf"});
        QCOMPARE(shell.tab->openedPaths.size(), 1);
    }

    void dropOfTextIsLeftToTheField() {
        const QTemporaryDir folder;
        Shell shell(folder);
        QMimeData data;
        data.setText(QStringLiteral("name:attn"));
        auto* field = new QLineEdit(shell.tab);
        sendDrag(field, QEvent::DragEnter, data);
        sendDrag(field, QEvent::Drop, data);
        QCOMPARE(field->text(), QStringLiteral("name:attn"));
        QVERIFY(shell.tab->openedPaths.isEmpty());
    }

    void recentFilesAreRememberedAndMarkedWhenGone() {
        const QTemporaryDir folder;
        QFile there(folder.filePath(QStringLiteral("there.gguf")));
        QVERIFY(there.open(QIODevice::WriteOnly));
        {
            Shell shell(folder);
            shell.window.openPaths({there.fileName()});
            shell.window.openPaths({folder.filePath(QStringLiteral("gone.gguf"))});
            shell.window.openPaths({there.fileName()});
        }
        Shell shell(folder);
        const QList<RecentFile> files = shell.window.session().recent.files();
        QCOMPARE(files.size(), 2);
        QCOMPARE(files[0], (RecentFile{there.fileName(), QStringLiteral("GGUF"), 4096}));
        const auto* list = shell.window.findChild<QListView*>();
        QVERIFY(list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("GGUF")));
        QVERIFY(list->model()->index(1, 0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("missing")));
        QCOMPARE(shell.window.windowActions()->recentMenu()->actions().size(), 2);
        shell.window.windowActions()->recentMenu()->actions().at(1)->trigger();
        QCOMPARE(shell.tab->openedPaths, QStringList{folder.filePath(QStringLiteral("gone.gguf"))});
    }

    void recentListIsBoundedAndNewestFirst() {
        RecentFiles recent;
        for (int i = 0; i < 50; ++i) recent.add({QString::number(i), {}, 0});
        recent.add({QStringLiteral("40"), QStringLiteral("GGUF"), 1});
        QCOMPARE(recent.files().size(), RecentFiles::limit);
        QCOMPARE(recent.files().first().path, QStringLiteral("40"));
        QCOMPARE(RecentFiles::fromJson(recent.toJson()).files(), recent.files());
    }

    void sessionComesBack() {
        const QTemporaryDir folder;
        {
            Shell shell(folder);
            shell.tab->session = QJsonObject{{QStringLiteral("models"), QStringLiteral("a")}};
            shell.window.showPlace(1);
            shell.window.resize(1000, 700);
            shell.window.close();
        }
        const Shell shell(folder);
        QCOMPARE(shell.tab->session[QLatin1String("models")].toString(), QStringLiteral("a"));
        QCOMPARE(shell.window.findChild<NavigationRail*>()->current(), 1);
        QCOMPARE(shell.window.size(), QSize(1000, 700));
    }

    void brokenFilesDoNotStopTheStart() {
        const QTemporaryDir folder;
        for (const char* name : {"settings.json", "session.json", "window.ini"}) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{{{");
        }
        const Shell shell(folder);
        QVERIFY(shell.window.findChild<MessageLine*>()->text().contains(QStringLiteral("settings.json.bad")));
        QVERIFY(shell.window.session().recent.files().isEmpty());
    }

    void languageSwitchesLive() {
        const QTemporaryDir folder;
        Shell shell(folder);
        const QString english = shell.window.windowActions()->openFile->text();
        Settings settings;
        settings.language = QStringLiteral("zh_CN");
        shell.settings.set(settings);
        QTRY_VERIFY(shell.window.windowActions()->openFile->text() != english);
        QCOMPARE(shell.window.menuBar()->actions().first()->text(), QStringLiteral("文件(&F)"));
        const auto* rail = shell.window.findChild<NavigationRail*>();
        QCOMPARE(rail->findChildren<QAbstractButton*>().first()->text(), QStringLiteral("开始"));
        settings.language = QStringLiteral("en");
        shell.settings.set(settings);
        QTRY_COMPARE(shell.window.windowActions()->openFile->text(), english);
    }

    void settingsDialogChangesAtOnce() {
        const QTemporaryDir folder;
        Shell shell(folder);
        SettingsDialog dialog(shell.settings, folder.path(), folder.path(), {}, shell.runner, &shell.window);
        dialog.show();
        const auto choices = dialog.findChildren<QComboBox*>();
        QCOMPARE(choices.size(), 3);
        QTest::keyClick(choices[1], Qt::Key_End);
        QVERIFY(shell.settings.settings().theme == Theme::Dark);
        QVERIFY(isDarkTheme());
        QTest::keyClick(choices[0], Qt::Key_End);
        QCOMPARE(shell.settings.settings().language, QStringLiteral("zh_CN"));
        QTRY_COMPARE(dialog.windowTitle(), QStringLiteral("设置"));
        QCOMPARE(choices[1]->currentIndex(), static_cast<int>(Theme::Dark)); // the refilled choices keep what was chosen
        dialog.findChild<QSpinBox*>(QStringLiteral("fontSize"))->setValue(13);
        dialog.findChild<QSpinBox*>(QStringLiteral("defaultContext"))->setValue(4096);
        auto* const models = dialog.findChild<QLineEdit*>(QStringLiteral("modelsFolder"));
        auto* const proxy = dialog.findChild<QLineEdit*>(QStringLiteral("proxy"));
        models->setText(QStringLiteral("/models"));
        proxy->setText(QStringLiteral(" socks5://localhost:9050 "));
        emit proxy->editingFinished();
        const Settings& settings = shell.settings.settings();
        QCOMPARE(settings.fontSize, 13);
        QCOMPARE(settings.context, 4096);
        QCOMPARE(settings.modelsFolder, QStringLiteral("/models"));
        QCOMPARE(settings.proxy, QStringLiteral("socks5://localhost:9050"));
        dialog.findChild<QSpinBox*>(QStringLiteral("fontSize"))->setValue(1);
        QCOMPARE(shell.settings.settings().fontSize, 0); // that of the system
    }

    void settingsOfferDevices() {
        const QTemporaryDir folder;
        Shell shell(folder);
        test::TestDevices devices;
        devices.listed = {{QStringLiteral("aa"), QStringLiteral("Large GPU"), false, true},
                          {QStringLiteral("bb"), QStringLiteral("Old GPU"), false, false},
                          {QStringLiteral("cc"), QStringLiteral("Mesa"), true, true}};
        const DeviceRef last{DeviceRef::Kind::Id, 0, "cc"};
        SettingsDialog dialog(shell.settings, folder.path(), folder.path(), &devices, shell.runner, &shell.window);
        dialog.show();
        auto* choice = dialog.findChild<DeviceChoice*>();
        QTRY_COMPARE(choice->count(), 5);
        QVERIFY(choice->chosen().isAutomatic());
        QVERIFY(!(choice->model()->flags(choice->model()->index(3, 0)) & Qt::ItemIsEnabled));
        QTest::keyClick(choice, Qt::Key_End);
        QVERIFY(shell.settings.settings().device == last);
        const test::TestDevices none;
        SettingsDialog later(shell.settings, folder.path(), folder.path(), &none, shell.runner, &shell.window);
        QVERIFY(later.findChild<DeviceChoice*>()->chosen() == last); // kept, though it is not here now
        Settings settings = shell.settings.settings();
        settings.language = QStringLiteral("zh_CN");
        shell.settings.set(settings);
        QTRY_COMPARE(choice->itemText(0), QStringLiteral("自动（最快）"));
        QVERIFY(choice->chosen() == last);
    }

    void settingsMeasureAGpu() {
        const QTemporaryDir folder;
        Shell shell(folder);
        test::TestDevices devices;
        SettingsDialog without(shell.settings, folder.path(), folder.path(), &devices, shell.runner, &shell.window);
        QTRY_COMPARE(without.findChild<QLabel*>(QStringLiteral("deviceSpeed"))->text(), QStringLiteral("No GPU"));
        QVERIFY(!without.findChild<QPushButton*>(QStringLiteral("measureDevice"))->isEnabled());
        devices.speed = DeviceSpeed{QStringLiteral("Large GPU")};
        devices.time = [] { return Result<DeviceSpeed>(DeviceSpeed{QStringLiteral("Large GPU"), 2000, 80.5, 400, 12, true}); };
        SettingsDialog dialog(shell.settings, folder.path(), folder.path(), &devices, shell.runner, &shell.window);
        dialog.show();
        auto* const label = dialog.findChild<QLabel*>(QStringLiteral("deviceSpeed"));
        auto* const button = dialog.findChild<QPushButton*>(QStringLiteral("measureDevice"));
        QTRY_COMPARE(label->text(), QStringLiteral("Large GPU: not measured"));
        QCOMPARE(button->text(), QStringLiteral("Measure"));
        button->click();
        QVERIFY(!button->isEnabled());
        QTRY_COMPARE(label->text(), QStringLiteral("Large GPU: prompt 2,000 tokens/s, response 80.5 tokens/s. CPU: prompt 400 "
                                                   "tokens/s, response 12.0 tokens/s. The GPU is faster."));
        QCOMPARE(button->text(), QStringLiteral("Measure again"));
        QVERIFY(button->isEnabled());
        devices.time = [] {
            return Result<DeviceSpeed>(std::unexpected(makeError(ErrorCode::DeviceLost, Reason("test.lost"), "Lost.")));
        };
        button->click();
        QTRY_COMPARE(label->text(), QStringLiteral("Lost."));
    }

    void aFileFromTheSystemIsOpened() {
        QStringList opened;
        {
            const FileOpenFilter filter([&](const QString& path) { opened << path; });
            QFileOpenEvent file(QStringLiteral("/models/a.gguf"));
            QApplication::sendEvent(qApp, &file);
            QFileOpenEvent page(QUrl(QStringLiteral("https://example.org/")));
            QApplication::sendEvent(qApp, &page);
        }
        QFileOpenEvent late(QStringLiteral("/models/b.gguf"));
        QApplication::sendEvent(qApp, &late);
        QCOMPARE(opened, QStringList{QStringLiteral("/models/a.gguf")});
    }

    void paletteFindsActionsRecentFilesAndTensors() {
        const QTemporaryDir folder;
        Shell shell(folder);
        shell.window.openPaths({QStringLiteral("/models/tiny.gguf")});
        shell.window.showPlace(0);
        bool triggered = false;
        connect(shell.tab->action, &QAction::triggered, this, [&] { triggered = true; });
        auto* field = shell.window.commandPalette()->findChild<QLineEdit*>();
        const auto runFor = [&](const QString& text) {
            shell.window.windowActions()->palette->trigger();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
        };
        runFor(QStringLiteral("attn"));
        QTRY_VERIFY(triggered);
        QCOMPARE(shell.window.findChild<NavigationRail*>()->current(), 1);
        runFor(QStringLiteral("tiny"));
        QTRY_COMPARE(shell.tab->openedPaths.size(), 2);
        runFor(QStringLiteral("start"));
        QTRY_COMPARE(shell.window.findChild<NavigationRail*>()->current(), 0);
    }

    void closingAsksWhileJobsRun() {
        const QTemporaryDir folder;
        Shell shell(folder);
        std::atomic<bool> stopped{false};
        shell.runner.start(QStringLiteral("work"), nullptr,
                           [&](const Progress& progress) -> Result<void> {
                               while (progress.at(0, 1)) std::this_thread::yield();
                               stopped = true;
                               return std::unexpected(canceled());
                           },
                           {});
        answer(shell.window, QMessageBox::RejectRole);
        QVERIFY(!shell.window.close());
        QVERIFY(!stopped);
        answer(shell.window, QMessageBox::DestructiveRole);
        QVERIFY(shell.window.close());
        QTRY_VERIFY(stopped);
    }

    void everythingHasANameForScreenReaders() {
        const QTemporaryDir folder;
        Shell shell(folder);
        SettingsDialog dialog(shell.settings, folder.path(), folder.path(), {}, shell.runner, &shell.window);
        const auto widgets = shell.window.findChildren<QWidget*>();
        int seen = 0;
        for (QWidget* widget : widgets) {
            if (widget->focusPolicy() == Qt::NoFocus || !isOurControl(widget)) continue;
            const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(accessible && !accessible->text(QAccessible::Name).isEmpty(), qPrintable(describe(widget)));
            ++seen;
        }
        QVERIFY(seen > 10);
    }

    void everyActionHasTextAndShortcut() {
        const QTemporaryDir folder;
        const Shell shell(folder);
        QSet<QKeySequence> used;
        for (const QAction* action : shell.window.windowActions()->all()) {
            QVERIFY(!action->text().isEmpty());
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!used.contains(action->shortcut()), qPrintable(action->text()));
            used.insert(action->shortcut());
        }
    }

    void tabActionsWorkWhileTheTabIsShown() {
        const QTemporaryDir folder;
        Shell shell(folder);
        QApplication::setActiveWindow(&shell.window);
        QWidget* elsewhere = shell.window.findChild<NavigationRail*>()->findChildren<QAbstractButton*>().first();
        const QSignalSpy triggered(shell.tab->ownAction, &QAction::triggered);
        elsewhere->setFocus();
        QTest::keyClick(elsewhere, Qt::Key_F8);
        QCOMPARE(triggered.count(), 0);
        shell.window.showPlace(1);
        QTest::keyClick(elsewhere, Qt::Key_F8);
        QCOMPARE(triggered.count(), 1);
        const QAction* menu = shell.window.menuBar()->actions().at(2);
        QVERIFY(menu->isVisible());
        QCOMPARE(menu->text(), u'&' + shell.tab->title());
        shell.window.showPlace(0);
        QVERIFY(!menu->isVisible());
        shell.tab->shownTitle = QStringLiteral("转换");
        shell.window.showPlace(1);
        QCOMPARE(menu->text(), QStringLiteral("转换(&F)")); // of its id
    }

    void menusGiveEachActionAnAltKey() {
        QMenu menu;
        QAction *quantize = menu.addAction(QStringLiteral("Quantize…")), *show = menu.addAction(QStringLiteral("Quit the model")),
                *chinese = menu.addAction(QStringLiteral("重新加载")), *own = menu.addAction(QStringLiteral("&Reload"));
        giveAltKeys(&menu);
        emit menu.aboutToShow();
        QCOMPARE(quantize->text(), QStringLiteral("&Quantize…"));
        QCOMPARE(show->text(), QStringLiteral("Quit &the model"));
        QCOMPARE(chinese->text(), QStringLiteral("重新加载(&A)"));
        QCOMPARE(own->text(), QStringLiteral("&Reload"));
        emit menu.aboutToHide();
        QCOMPARE(quantize->text(), QStringLiteral("Quantize…"));
        QCOMPARE(chinese->text(), QStringLiteral("重新加载"));
    }

    void tabKeyGoesThroughTheWindowAndComesBack() {
        const QTemporaryDir folder;
        Shell shell(folder);
        QApplication::setActiveWindow(&shell.window);
        shell.window.findChild<NavigationRail*>()->findChildren<QAbstractButton*>().first()->setFocus();
        QWidget* const first = QApplication::focusWidget();
        QVERIFY(first);
        QList<QWidget*> visited;
        for (int i = 0; i < 40; ++i) {
            QWidget* now = QApplication::focusWidget();
            if (i > 0 && now == first) break;
            QVERIFY2(!visited.contains(now), qPrintable(describe(now)));
            visited.append(now);
            QTest::keyClick(now, Qt::Key_Tab);
        }
        QCOMPARE(QApplication::focusWidget(), first);
        QVERIFY(visited.size() >= 5);
        const auto texts = [&] {
            QStringList all;
            for (const QWidget* widget : visited) {
                if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) all.append(button->text());
            }
            return all;
        }();
        QVERIFY(texts.indexOf(QStringLiteral("Open file…")) < texts.indexOf(QStringLiteral("Open folder…")));
    }

    void errorsStayUntilTheNextMessage() {
        MessageLine line;
        line.showMessage(QStringLiteral("The file is damaged."), true);
        QCOMPARE(line.findChildren<QTimer*>().size(), 0);
        QCOMPARE(line.text(), QStringLiteral("The file is damaged."));
        line.showMessage(QStringLiteral("Done."), false);
        QVERIFY(!line.property("isError").toBool());
        line.retract(QStringLiteral("The file is damaged."));
        QCOMPARE(line.text(), QStringLiteral("Done."));
        line.retract(QStringLiteral("Done."));
        QVERIFY(line.text().isEmpty() && line.toolTip().isEmpty());
    }

    // The status bar shows a job and opens the Jobs page; the current page does not change by itself.
    void jobsAreShownWithoutMovingAnything() {
        const QTemporaryDir folder;
        Shell shell(folder);
        auto* page = new JobsTab(shell.window.jobs(), &shell.window);
        shell.window.addTab(page);
        shell.window.showPlace(1);
        test::turnLoop();
        const QRect before = shell.tab->geometry();
        auto* strip = shell.window.findChild<QToolButton*>(QStringLiteral("jobStrip"));
        QCOMPARE(strip->text(), QStringLiteral("No jobs"));
        std::atomic<bool> end{false};
        const auto job = shell.runner.start(QStringLiteral("Weighing a feather"), nullptr,
                                            [&end](const Progress& progress) -> Result<void> {
                                                while (!end) WB_TRY(progress.at(1, 4));
                                                return {};
                                            },
                                            {});
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("25%")), qPrintable(strip->text()));
        QVERIFY2(strip->text().startsWith(QStringLiteral("Weighing a feather")), qPrintable(strip->text()));
        test::turnLoop();
        QVERIFY(shell.tab->isVisible() && !page->isVisible());
        QCOMPARE(shell.tab->geometry(), before);
        strip->click();
        QVERIFY(page->isVisible());
        end = true;
        QTRY_COMPARE(strip->text(), QStringLiteral("No jobs"));
        shell.window.showPlace(1);
        const QAction* const place = shell.window.windowActions()->places().last();
        QVERIFY(place->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_J)));
        shell.window.windowActions()->places().last()->trigger();
        QVERIFY(page->isVisible());
    }

    void theTitleNamesWhatIsShown() {
        const QTemporaryDir folder;
        Shell shell(folder);
        shell.window.showPlace(1);
        QCOMPARE(shell.window.windowTitle(), QStringLiteral("Fake – Weighbridge"));
        shell.tab->shownSubject = QStringLiteral("model.gguf");
        Q_EMIT shell.tab->subjectChanged();
        QCOMPARE(shell.window.windowTitle(), QStringLiteral("model.gguf – Fake – Weighbridge"));
    }

    void theStartPageSaysWhatWaits() {
        const QTemporaryDir folder;
        Shell shell(folder);
        shell.window.showPlace(0);
        QVERIFY(!shell.window.findChild<QLabel*>(QStringLiteral("reminder")));
        shell.tab->shownReminder = QStringLiteral("2 runs wait.");
        Q_EMIT shell.tab->reminderChanged();
        QCOMPARE(shell.window.findChild<QLabel*>(QStringLiteral("reminder"))->text(), shell.tab->shownReminder);
        shell.window.findChild<QPushButton*>(QStringLiteral("showReminder"))->click();
        QVERIFY(shell.tab->isVisible());
        shell.tab->shownReminder.clear();
        Q_EMIT shell.tab->reminderChanged();
        QTRY_VERIFY(!shell.window.findChild<QLabel*>(QStringLiteral("reminder")));
    }

    void anErrorGoesWithWhatItWasAbout() {
        const QTemporaryDir folder;
        Shell shell(folder);
        auto* line = shell.window.findChild<MessageLine*>();
        const auto say = [&] { Q_EMIT shell.tab->message(QStringLiteral("m1.png is a PNG image."), true); };
        say();
        shell.window.showPlace(1);
        QVERIFY(line->text().isEmpty());
        say();
        shell.window.openPaths({QStringLiteral("/models/a.gguf")}); // which opens
        QVERIFY(line->text().isEmpty());
        say();
        QVERIFY(!line->text().isEmpty());
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(line->text().isEmpty());
    }

    void commandsAreFoundByTheirEnglishInChinese() {
        applyLanguage(QStringLiteral("zh_CN"));
        const QTemporaryDir folder;
        Shell shell(folder);
        auto* palette = shell.window.findChild<CommandPalette*>();
        palette->open();
        palette->findChild<QLineEdit*>()->setText(QStringLiteral("settings"));
        const auto* list = palette->findChild<QListView*>();
        QVERIFY(list->model()->rowCount() > 0);
        const QString first = list->model()->index(0, 0).data().toString();
        QVERIFY2(first.contains(QStringLiteral("设置")), qPrintable(first));
    }

    void recentFilesFollowTheLanguage() {
        applyLanguage(QStringLiteral("zh_CN"));
        RecentModel model;
        model.setFiles({{QStringLiteral("/tmp"), QStringLiteral("safetensors"), 4096, 4}});
        const QString facts = model.index(0, 0).data(RecentModel::FactsRole).toString();
        QVERIFY2(facts.contains(QStringLiteral("4 个文件")), qPrintable(facts));
    }

    void fragmentsInErrorsAreTranslated() {
        applyLanguage(QStringLiteral("zh_CN"));
        const QTemporaryDir folder;
        QFile image(folder.filePath(QStringLiteral("m1.png")));
        QVERIFY(image.open(QIODevice::WriteOnly));
        image.write("\x89PNG\r\n\x1A\n and so on");
        image.close();
        const auto opened = formats::open(image.fileName().toStdString());
        QVERIFY(!opened);
        const QString sentence = translated(opened.error());
        QVERIFY2(sentence.contains(QStringLiteral("m1.png")) && !sentence.contains(QStringLiteral("a PNG image")),
                 qPrintable(sentence));
    }

    // The system's own choice is the bold one of a collection, or has the Japanese forms.
    void chineseIsAsBoldAsTheRest() {
        if (!QFontDatabase::hasFamily(QStringLiteral("Noto Sans CJK SC"))) QSKIP("the font of the test is not installed");
        QTextLayout layout(QStringLiteral("量化"), QApplication::font());
        layout.beginLayout();
        layout.createLine();
        layout.endLayout();
        const QList<QGlyphRun> runs = layout.glyphRuns();
        QVERIFY(!runs.isEmpty());
        for (const QGlyphRun& run : runs)
            QVERIFY2(run.rawFont().weight() <= QFont::Medium && run.rawFont().familyName().endsWith(QStringLiteral("SC")),
                     qPrintable(run.rawFont().familyName() + u' ' + run.rawFont().styleName()));
    }

    // By pixels: light text on a dark ground has as much ink as dark text on a light one, whatever outlines its font has.
    void textIsAsBoldOnADarkGround() {
        const auto ink = [](const QString& text, const QColor& pen, const QColor& ground) {
            QImage image(200, 40, QImage::Format_ARGB32_Premultiplied);
            image.fill(ground);
            QPainter painter(&image);
            painter.setPen(pen);
            painter.drawText(image.rect(), Qt::AlignCenter, text);
            painter.end();
            double sum = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) sum += std::abs(qGray(image.pixel(x, y)) - qGray(ground.rgb()));
            return sum;
        };
        for (const QString& text : {QStringLiteral("Quantize"), QStringLiteral("量化模型")}) {
            const double dark = ink(text, Qt::white, Qt::black), light = ink(text, Qt::black, Qt::white);
            QVERIFY(light > 0);
            QVERIFY2(std::abs(dark / light - 1) < 0.03, qPrintable(text + QString::number(dark / light)));
        }
    }

    void noFrameIsDrawnThroughTheText() {
        QImage image(60, 30, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        const QImage before = image;
        QStyleOptionFocusRect option;
        option.rect = image.rect().adjusted(4, 4, -4, -4);
        option.state = QStyle::State_Enabled | QStyle::State_HasFocus | QStyle::State_KeyboardFocusChange;
        QTabBar tabs;
        QPushButton button;
        QCheckBox box;
        QPainter painter(&image);
        for (const QWidget* widget : std::initializer_list<const QWidget*>{&tabs, &button})
            widget->style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, widget);
        QCOMPARE(image, before);
        box.style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, &box);
        QVERIFY2(image != before, "what has no other sign of it keeps its frame");
    }

private:
    // Presses a button of the question that is about to come up.
    static void answer(QWidget& window, QMessageBox::ButtonRole role) {
        auto* watch = new QTimer(&window);
        connect(watch, &QTimer::timeout, &window, [&window, watch, role] {
            auto* box = window.findChild<QMessageBox*>();
            if (!box || !box->isVisible()) return;
            watch->deleteLater();
            for (QAbstractButton* button : box->buttons()) {
                if (box->buttonRole(button) == role) return button->click();
            }
        });
        watch->start(5);
    }

    // The inner parts of Qt's own widgets are named by their owner.
    static bool isOurControl(const QWidget* widget) {
        if (widget->objectName().startsWith(QStringLiteral("qt_"))) return false;
        const bool isPart = widget->parentWidget()->inherits("QComboBox") ||
                            widget->parentWidget()->inherits("QComboBoxPrivateContainer") ||
                            widget->parentWidget()->inherits("QAbstractSpinBox");
        return !isPart && (widget->inherits("QAbstractButton") || widget->inherits("QAbstractItemView") ||
                           widget->inherits("QLineEdit") || widget->inherits("QComboBox") || widget->inherits("QAbstractSpinBox"));
    }

    static QString describe(const QWidget* widget) {
        return QStringLiteral("%1 in %2")
            .arg(QLatin1String(widget->metaObject()->className()),
                 QLatin1String(widget->parentWidget()->metaObject()->className()));
    }
};

WB_GUI_TEST(WindowTest)
#include "window_test.moc"
