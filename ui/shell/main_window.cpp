// SPDX-License-Identifier: MIT
#include "ui/shell/main_window.h"

#include "ui/shell/palette/command_palette.h"
#include "ui/shell/palette/page_commands.h"
#include "ui/shell/start/file_drop.h"
#include "ui/shell/help_dialogs.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/jobs/jobs_tab.h"
#include "ui/shell/message_line.h"
#include "ui/shell/navigation_rail.h"
#include "ui/shell/settings/language.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/shell/settings/settings_store.h"
#include "ui/shell/start/start_page.h"
#include "ui/shell/tab.h"
#include "ui/shell/window_actions.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/mnemonic.h"
#include "ui/widgets/paths.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui {
namespace {
constexpr int jobTitleWidth = 280; // pixels in the status bar
}

MainWindow::MainWindow(SettingsStore& settings, QueuedJobRunner& runner, const WindowPlaces& places, const Devices* devices,
                       QWidget* parent)
    : QMainWindow(parent), m_settings(settings), m_runner(runner), m_places(places), m_devices(devices),
      m_session(places.sessionFile), m_jobs(new JobsModel(this)), m_actions(new WindowActions(menuBar(), this)) {
    setWindowIcon(icon(QStringLiteral("weighbridge")));
    setMinimumSize(760, 520);
    setCentralWidget(makeCentre());
    makeStatusBar();
    m_palette = new CommandPalette([this](const QString& text) { return commandsFor(text); }, this);
    connectActions();
    connectJobs();
    auto* drop = new FileDrop(this);
    connect(drop, &FileDrop::hovering, m_start, &StartPage::setDropActive);
    connect(drop, &FileDrop::dropped, this, &MainWindow::takeDrop);
    connect(&m_settings, &SettingsStore::saveFailed, this, [this](const QString& path) {
        showMessage(tr("Could not save the settings to %1.").arg(QDir::toNativeSeparators(path)), true);
    });
    updateRecent();
    restoreGeometryFromFile();
    updateTabTitles();
}

// Tabs go after the parts of the window that they tell of their end.
MainWindow::~MainWindow() {
    for (Tab* tab : std::as_const(m_tabs)) tab->disconnect(this);
}

QWidget* MainWindow::makeCentre() {
    auto* centre = new QWidget(this);
    m_rail = new NavigationRail(centre);
    m_stack = new QStackedWidget(centre);
    m_start = new StartPage(m_places.starterModel, m_stack);
    m_stack->addWidget(m_start);
    m_rail->addPlace(tr("Start"), icon(QStringLiteral("start")));
    connect(m_actions->addPlace(tr("Start"), icon(QStringLiteral("start"))), &QAction::triggered, this, [this] { showPlace(0); });
    connect(m_rail, &NavigationRail::chosen, this, &MainWindow::showPlace);
    connect(m_start, &StartPage::openFileWanted, this, &MainWindow::askForFile);
    connect(m_start, &StartPage::openFolderWanted, this, &MainWindow::askForFolder);
    connect(m_start, &StartPage::openWanted, this, [this](const QString& path) { openPaths({path}); });
    connect(m_start, &StartPage::forgetWanted, this, &MainWindow::forgetRecent);
    connect(m_start, &StartPage::placeWanted, this, &MainWindow::showTab);

    auto* layout = new QHBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_rail);
    layout->addWidget(m_stack, 1);
    return centre;
}

void MainWindow::makeStatusBar() {
    m_message = new MessageLine(this);
    m_jobsButton = new QToolButton(this);
    m_jobsButton->setObjectName(QStringLiteral("jobStrip"));
    m_jobsButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_jobsButton->setIcon(icon(QStringLiteral("jobs")));
    m_jobsButton->setFocusPolicy(Qt::StrongFocus);
    connect(m_jobsButton, &QToolButton::clicked, this, &MainWindow::showJobs);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_message, 1);
    statusBar()->addPermanentWidget(m_jobsButton);
    updateJobsButton();
}

void MainWindow::connectActions() {
    connect(m_actions->openFile, &QAction::triggered, this, &MainWindow::askForFile);
    connect(m_actions->openFolder, &QAction::triggered, this, &MainWindow::askForFolder);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions->palette, &QAction::triggered, m_palette, &CommandPalette::open);
    connect(m_actions->settings, &QAction::triggered, this, &MainWindow::showSettings);
    connect(m_actions->shortcuts, &QAction::triggered, this, [this] { showShortcuts(allActions(), this); });
    connect(m_actions->about, &QAction::triggered, this, [this] { showAbout(this); });
    connect(m_actions->fullScreen, &QAction::toggled, this,
            [this](bool on) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, on)); });
}

void MainWindow::connectJobs() {
    connect(&m_runner, &QueuedJobRunner::jobAdded, m_jobs, &JobsModel::add);
    connect(m_jobs, &JobsModel::countsChanged, this, &MainWindow::updateJobsButton);
    connect(m_jobs, &JobsModel::dataChanged, this, &MainWindow::updateJobsButton);
}

QList<Command> MainWindow::commandsFor(const QString& text) {
    constexpr int fromEachTab = 30;
    QList<Command> commands;
    for (QAction* action : m_actions->all()) {
        if (action == m_actions->palette) continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        commands.append({withoutMnemonic(action->text()), keys, action->icon(), [action] { action->trigger(); },
                         withoutMnemonic(englishText(action->text()))});
    }
    for (Tab* tab : std::as_const(m_tabs)) {
        const QList<QAction*> actions = tab->paletteActions(text, fromEachTab);
        for (const QPointer<QAction> action : actions) {
            const auto run = [this, tab, action] {
                showPlace(m_stack->indexOf(tab));
                if (action) action->trigger();
            };
            commands.append({withoutMnemonic(action->text()),
                             action->shortcut().toString(QKeySequence::NativeText),
                             action->icon(),
                             run,
                             withoutMnemonic(englishText(action->text())),
                             {},
                             true});
        }
        if (!text.isEmpty()) // what is requested by name
            commands += commandsIn(tab, actions, [this, tab] { showPlace(m_stack->indexOf(tab)); });
    }
    for (const RecentFile& file : m_session.recent.files()) {
        const QFileInfo info(file.path);
        commands.append({tr("Open %1").arg(info.fileName()), shortPath(info.path()), icon(QStringLiteral("file")),
                         [this, path = file.path] { openPaths({path}); }});
    }
    for (Command& command : commands) command.synonyms = commandSynonyms(command.title, command.alias);
    return commands;
}

void MainWindow::showSettings() {
    auto* dialog = new SettingsDialog(m_settings, m_places.defaultCache, m_places.defaultModels, m_devices, m_runner, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::addTab(Tab* tab) {
    const int index = m_rail->count();
    m_stack->addWidget(tab);
    m_tabs.append(tab);
    m_rail->addPlace(tab->title(), tab->icon());
    QAction* const place = m_actions->addPlace(tab->title(), tab->icon());
    if (tab->id() == QLatin1String(JobsTab::tabId)) place->setShortcuts({place->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J)});
    connect(place, &QAction::triggered, this, [this, index] { showPlace(index); });
    if (WorkSource* work = tab->workSource()) m_jobs->addSource(work);
    for (QAction* action : tab->actions()) action->setShortcutContext(Qt::WindowShortcut);
    m_tabMenus.append(m_actions->addMenu(tab->actions()));
    updateTabMenus();
    connect(tab, &Tab::message, this, &MainWindow::showMessage);
    connect(tab, &Tab::messageOver, m_message, &MessageLine::retract);
    connect(tab, &Tab::handOverWanted, this, &MainWindow::handOver);
    connect(tab, &Tab::jobsWanted, this, &MainWindow::showJobs);
    connect(tab, &Tab::comparisonWanted, this, &MainWindow::compare);
    connect(tab, &Tab::subjectChanged, this, &MainWindow::updateWindowTitle);
    connect(tab, &Tab::reminderChanged, this, [this, tab] { m_start->setReminder(tab->id(), tab->title(), tab->reminder()); });
    connect(tab, &Tab::opened, this, [this, tab](const QString& path) { rememberOpened(tab, path); });
}

void MainWindow::showPlace(int index) {
    if (index < 0 || index >= m_stack->count()) return;
    if (index == 0) updateRecent();
    if (index != m_stack->currentIndex()) m_message->forgetError(); // it concerned the previous page
    m_rail->setCurrent(index);
    m_stack->setCurrentIndex(index);
    updateTabMenus();
    updateWindowTitle();
}

void MainWindow::openPaths(const QStringList& paths) {
    QStringList absolute; // what is remembered must be found from any working directory
    for (const QString& path : paths) absolute.append(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
    for (Tab* tab : std::as_const(m_tabs)) {
        if (!tab->openPaths(absolute)) continue;
        showPlace(m_stack->indexOf(tab));
        return;
    }
    showMessage(tr("Cannot open this item."), true);
}

void MainWindow::takeDrop(const QStringList& paths) {
    auto* tab = qobject_cast<Tab*>(m_stack->currentWidget());
    if (!tab || !tab->takeDrop(paths)) openPaths(paths);
}

void MainWindow::handOver(const QString& tabId, const QStringList& paths) {
    for (Tab* tab : std::as_const(m_tabs)) {
        if (tab->id() != tabId) continue;
        showPlace(m_stack->indexOf(tab)); // one that cannot take them now shows what it is busy with
        tab->openPaths(paths);
    }
}

void MainWindow::showTab(const QString& tabId) {
    for (Tab* tab : std::as_const(m_tabs))
        if (tab->id() == tabId) showPlace(m_stack->indexOf(tab));
}

void MainWindow::showJobs() {
    showTab(QLatin1String(JobsTab::tabId));
    if (auto* jobs = qobject_cast<JobsTab*>(m_stack->currentWidget())) jobs->selectRunning();
}

void MainWindow::compare(const QStringList& paths) {
    for (Tab* tab : std::as_const(m_tabs))
        if (tab->comparePaths(paths)) return showPlace(m_stack->indexOf(tab));
}

void MainWindow::showMessage(const QString& text, bool isError) { m_message->showMessage(text, isError); }

void MainWindow::rememberOpened(const Tab* tab, const QString& path) {
    m_message->forgetError();
    const OpenedModel model = tab->describe(path);
    m_session.recent.add({path, model.format, model.bytes, model.files});
    updateRecent();
    saveSession();
}

void MainWindow::forgetRecent(const QString& path) {
    m_session.recent.remove(path);
    updateRecent();
    saveSession();
}

void MainWindow::updateRecent() {
    m_start->setRecentFiles(m_session.recent.files());
    QMenu* menu = m_actions->recentMenu();
    menu->clear();
    for (const RecentFile& file : m_session.recent.files()) {
        QAction* action = menu->addAction(icon(QStringLiteral("file")), shortPath(file.path).replace(u'&', QStringLiteral("&&")));
        connect(action, &QAction::triggered, this, [this, path = file.path] { openPaths({path}); });
    }
    menu->setEnabled(!menu->isEmpty());
}

// "Download a.gguf · 42% · 3 min 2 s left · 2 more": the oldest job that runs.
QString MainWindow::currentJobText() const {
    const int row = m_jobs->currentRow();
    if (row < 0) return {};
    const auto cell = [this, row](int column) { return m_jobs->index(row, column).data().toString(); };
    QStringList parts{m_jobsButton->fontMetrics().elidedText(cell(JobsModel::Title), Qt::ElideMiddle, jobTitleWidth)};
    if (const QString share = cell(JobsModel::Progress); !share.isEmpty()) parts << share;
    if (const QString left = cell(JobsModel::TimeLeft); !left.isEmpty()) parts << tr("%1 left").arg(left);
    const int others = m_jobs->activeCount() - 1;
    if (others > 0) parts << tr("%n more", nullptr, others);
    return parts.join(QStringLiteral(" · "));
}

void MainWindow::updateJobsButton() {
    QString shown = currentJobText();
    if (const int paused = m_jobs->pausedCount(); shown.isEmpty() && paused > 0) shown = tr("%n job(s) paused", nullptr, paused);
    if (const int waiting = m_jobs->waitingCount(); shown.isEmpty() && waiting > 0)
        shown = tr("%n unfinished job(s)", nullptr, waiting);
    m_jobsButton->setText(shown.isEmpty() ? tr("No jobs") : shown);
    m_jobsButton->setToolTip(tr("Show jobs (Ctrl+J)"));
    m_jobsButton->setAccessibleName(m_jobsButton->text());
}

void MainWindow::updateTabTitles() {
    const QList<QAction*> placeActions = m_actions->places();
    m_rail->setPlace(0, tr("Start"), icon(QStringLiteral("start")));
    placeActions[0]->setText(tr("Start"));
    for (int i = 0; i < m_tabs.size(); ++i) {
        m_rail->setPlace(i + 1, m_tabs[i]->title(), m_tabs[i]->icon());
        placeActions[i + 1]->setText(m_tabs[i]->title());
    }
    updateTabMenus();
    updateWindowTitle();
}

void MainWindow::updateTabMenus() {
    for (int i = 0; i < m_tabMenus.size(); ++i) {
        const QString title = m_tabs[i]->title();
        const bool isLatin = title.at(0).unicode() < 128; // a key that every keyboard has
        m_tabMenus[i]->setTitle(isLatin ? u'&' + title : QStringLiteral("%1(&%2)").arg(title, m_tabs[i]->id().at(0).toUpper()));
        m_tabMenus[i]->menuAction()->setVisible(m_stack->currentWidget() == m_tabs[i] && !m_tabMenus[i]->isEmpty());
    }
}

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> actions = m_actions->all();
    for (const Tab* tab : m_tabs) actions += tab->actions();
    return actions;
}

void MainWindow::updateWindowTitle() {
    const Tab* tab = qobject_cast<Tab*>(m_stack->currentWidget());
    if (!tab) return setWindowTitle(QStringLiteral("Weighbridge"));
    const QString subject = tab->subject();
    setWindowTitle(subject.isEmpty() ? tr("%1 – Weighbridge").arg(tab->title())
                                     : tr("%1 – %2 – Weighbridge").arg(subject, tab->title()));
}

QString MainWindow::folderToOpenFrom() const {
    if (!m_settings.settings().openFolder.isEmpty()) return m_settings.settings().openFolder;
    const QList<RecentFile>& files = m_session.recent.files();
    return files.isEmpty() ? QDir::homePath() : QFileInfo(files.first().path).path();
}

void MainWindow::askForFile() {
    const QStringList paths = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getOpenFileNames(window, tr("Open model files"), folderToOpenFrom());
    });
    if (!paths.isEmpty()) openPaths(paths);
}

void MainWindow::askForFolder() {
    const QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Open a model folder"), folderToOpenFrom());
    });
    if (!path.isEmpty()) openPaths({path});
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        updateTabTitles();
        updateJobsButton();
        m_message->forgetError(); // in the other language
        for (const Tab* tab : std::as_const(m_tabs)) m_start->setReminder(tab->id(), tab->title(), tab->reminder());
    }
    if (event->type() == QEvent::WindowStateChange) m_actions->fullScreen->setChecked(isFullScreen());
    QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose()) {
        event->ignore();
        return;
    }
    saveSession();
    QSettings geometry(m_places.geometryFile, QSettings::IniFormat);
    geometry.setValue(QStringLiteral("geometry"), saveGeometry());
    m_runner.cancelAll();
    event->accept();
}

bool MainWindow::mayClose() {
    const int running = m_jobs->unfinishedCount();
    if (running == 0) return true;
    return askFrom(this, [running](QWidget* window) {
        QMessageBox box(QMessageBox::Question, tr("Quit Weighbridge?"), tr("%n job(s) are still running.", nullptr, running),
                        QMessageBox::NoButton, window);
        box.setInformativeText(tr("Conversions and downloads in progress will resume the next time you start Weighbridge."));
        const QPushButton* quit = box.addButton(tr("Stop jobs and quit"), QMessageBox::DestructiveRole);
        box.setDefaultButton(box.addButton(tr("Keep running"), QMessageBox::RejectRole));
        box.exec();
        return box.clickedButton() == quit;
    });
}

void MainWindow::saveSession() {
    const auto* current = qobject_cast<Tab*>(m_stack->currentWidget());
    m_session.place = current ? current->id() : QString();
    for (const Tab* tab : std::as_const(m_tabs)) m_session.tabs.insert(tab->id(), tab->saveSession());
    if (!m_session.save()) showMessage(tr("Could not save the session to %1.").arg(m_places.sessionFile), true);
}

void MainWindow::restoreSession() {
    const QString place = m_session.place;
    for (Tab* tab : std::as_const(m_tabs)) {
        const QJsonObject session = m_session.tabs.value(tab->id()).toObject();
        if (!session.isEmpty()) tab->restoreSession(session);
        if (tab->id() == place) showPlace(m_stack->indexOf(tab));
    }
    if (!m_settings.movedAsideTo().isEmpty()) {
        showMessage(tr("Could not read the settings. The file was renamed to %1, and the defaults are used.")
                        .arg(QDir::toNativeSeparators(m_settings.movedAsideTo())),
                    true);
    }
}

void MainWindow::restoreGeometryFromFile() {
    const QSettings geometry(m_places.geometryFile, QSettings::IniFormat);
    if (!restoreGeometry(geometry.value(QStringLiteral("geometry")).toByteArray())) resize(1280, 800);
}

} // namespace wb::ui
