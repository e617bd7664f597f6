// SPDX-License-Identifier: MIT
#include "ui/memory/memory_tab.h"

#include "core/io/file_roles.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/runnable_page.h"
#include "ui/memory/settings_panel.h"
#include "ui/memory/training_panel.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/wheel.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSaveFile>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

namespace wb::ui {

using namespace memory;

namespace {

// Further files go into the folder of the file that was chosen.
Result<bool> writeFiles(const std::vector<wb::memory::ExportedFile>& files, const QString& path, const OutputGuard& guard) {
    io::FileRoles roles;
    for (const wb::memory::ExportedFile& file : files) {
        const auto place = fsPath(file.name.empty() ? path : QFileInfo(path).dir().filePath(text(file.name)));
        WB_TRY(guard.check(place));
        roles.writes(place);
    }
    WB_TRY(roles.check());
    for (const wb::memory::ExportedFile& file : files) {
        const QString place = file.name.empty() ? path : QFileInfo(path).dir().filePath(text(file.name));
        const std::string name = QFileInfo(place).fileName().toStdString();
        QSaveFile stream(place);
        if (!stream.open(QIODevice::WriteOnly) || stream.write(QByteArray::fromStdString(file.text)) < 0 || !stream.commit())
            return fail(ErrorCode::NotWritable, Reason("memory.export_not_written"), About{name},
                        WB_TEXT("Could not write {}; choose another file."), name);
    }
    return true;
}

} // namespace

MemoryTab::MemoryTab(const Services& services, QWidget* parent)
    : Tab(parent), m_services(services), m_saving(services.jobs), m_session(new MemorySession(services, this)),
      m_choose(tabAction(this, "file", QKeySequence(Qt::CTRL | Qt::Key_M))),
      m_type(tabAction(this, "memory", QKeySequence(Qt::CTRL | Qt::Key_L))),
      m_keep(tabAction(this, "copy", QKeySequence(Qt::CTRL | Qt::Key_D))),
      m_talk(tabAction(this, "chat", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G))),
      m_log(tabAction(this, "folder", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L))),
      m_beside(tabAction(this, "chip", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B))), m_alone(tabAction(this, "remove", {})),
      m_which(tabAction(this, "table", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R))), m_what(new QLineEdit(this)),
      m_bar(new MessageBar(this)), m_empty(makeMutedLabel(this)), m_runnable(new RunnablePage(services, this)),
      m_stack(new QStackedWidget(this)), m_view(new MemoryView(*m_session, this)) {
    auto* answer = new QWidget(this);
    auto* columns = new QHBoxLayout(answer);
    columns->addWidget(makeSettings(answer));
    columns->addWidget(m_view, 1);
    auto* first = new QWidget(this);
    auto* rows = new QVBoxLayout(first);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(m_empty);
    rows->addWidget(m_runnable, 1);
    m_stack->addWidget(first);
    m_stack->addWidget(answer);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeQuestion());
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    m_bar->hide();
    addActions({m_choose, m_type, m_which, m_keep, m_talk, m_log, m_beside, m_alone});
    connect(m_which, &QAction::triggered, this, [this] {
        m_showsRunnable = true;
        refresh();
    });
    connect(m_runnable, &RunnablePage::estimateWanted, this, [this](const QString& name) { openPaths({name}); });
    connect(m_choose, &QAction::triggered, this, &MemoryTab::askForModel);
    connect(m_type, &QAction::triggered, this, [this] {
        m_what->setFocus(Qt::ShortcutFocusReason);
        m_what->selectAll();
    });
    connect(m_keep, &QAction::triggered, this, [this] {
        if (m_session->isCounted()) m_session->keep();
    });
    connect(m_talk, &QAction::triggered, this, [this] { emit chatWanted(m_session->what(), m_session->settings().context); });
    connect(m_log, &QAction::triggered, this, [this] {
        const QString path =
            askFrom(this, [](QWidget* window) { return QFileDialog::getOpenFileName(window, tr("Choose a llama.cpp log")); });
        if (!path.isEmpty()) m_session->addLog(path);
    });
    connect(m_beside, &QAction::triggered, this, [this] {
        const QString path = askFrom(this, [](QWidget* window) {
            return QFileDialog::getOpenFileName(window, tr("Choose a projector, adapter or draft model"));
        });
        if (!path.isEmpty()) m_session->addCompanion(path);
    });
    connect(m_alone, &QAction::triggered, m_session, &MemorySession::clearCompanions);
    connectSession();
    keepTranslated(this, [this] { retranslate(); });
}

void MemoryTab::connectSession() {
    connect(m_session, &MemorySession::changed, this, &MemoryTab::refresh);
    connect(m_session, &MemorySession::opened, this, [this] {
        m_showsRunnable = false;
        refresh();
        if (QFileInfo::exists(m_session->what())) emit Tab::opened(m_session->what());
        if (const auto& trouble = m_session->counted()->loadsTrouble) m_bar->showMessage(*trouble);
    });
    connect(m_session, &MemorySession::troubled, this, [this](const Error& error) { m_bar->showMessage(error); });
    connect(m_view, &MemoryView::quantizeWanted, this,
            [this](const QString& type) { emit quantizeWanted(m_session->what(), type); });
}

MemoryTab::~MemoryTab() { m_services.openModels->set(id(), {}); }

QString MemoryTab::title() const { return tr("Memory"); }

QIcon MemoryTab::icon() const { return ui::icon(QStringLiteral("memory")); }

QWidget* MemoryTab::makeSettings(QWidget* parent) {
    auto* scroll = new QScrollArea(parent);
    auto* column = new QWidget(scroll);
    m_use = new QComboBox(column);
    m_use->setObjectName(QStringLiteral("use"));
    needFocusForWheel(m_use);
    m_useLabel = new QLabel(column);
    m_useLabel->setBuddy(m_use);
    m_running = new SettingsPanel(*m_session, column);
    m_training = new TrainingPanel(*m_session, column);
    m_training->hide();
    connect(m_use, &QComboBox::currentIndexChanged, this, &MemoryTab::chooseUse);
    auto* layout = new QVBoxLayout(column);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_useLabel, m_use, m_running, m_training}) layout->addWidget(widget);
    layout->addStretch(1);
    scroll->setWidget(column);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // what it holds is what Tab stops at
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(280);
    return scroll;
}

void MemoryTab::fillUses() {
    const QSignalBlocker guard(m_use);
    const int present = std::max(0, m_use->currentIndex());
    m_use->clear();
    m_use->addItems(
        {tr("Inference"), tr("Full fine-tuning"), tr("LoRA"), tr("QLoRA"), tr("Prompt tuning"), tr("Prefix tuning"), tr("DPO")});
    m_use->setCurrentIndex(present);
}

void MemoryTab::chooseUse() {
    const int use = m_use->currentIndex();
    m_running->setVisible(use == 0);
    m_training->setVisible(use > 0);
    if (use > 0) m_training->start(static_cast<wb::memory::Method>(use - 1));
    else m_session->setTraining({});
}

// A program that cannot say the settings refuses when it is chosen, with the reason.
void MemoryTab::fillExports() {
    m_exports->clear();
    const auto names = wb::memory::exportTargets();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto target = static_cast<wb::memory::ExportTarget>(i);
        if (wb::memory::isForTraining(target) != m_session->training().has_value()) continue;
        const QString name = QString::fromLatin1(names[i]);
        connect(m_exports->addAction(tr("Copy settings for %1").arg(name)), &QAction::triggered, this,
                [this, target] { copyExport(target); });
        connect(m_exports->addAction(tr("Save settings for %1…").arg(name)), &QAction::triggered, this,
                [this, target] { saveExport(target); });
    }
    fillReports();
    fillMeasured();
}

// The table in front, for a message or a spreadsheet.
void MemoryTab::fillReports() {
    m_exports->addSeparator();
    const std::initializer_list<std::pair<QString, ReportForm>> forms = {{tr("Copy table as text"), ReportForm::Text},
                                                                         {tr("Copy table as Markdown"), ReportForm::Markdown},
                                                                         {tr("Copy table as JSON"), ReportForm::Json},
                                                                         {tr("Copy table as CSV"), ReportForm::Csv}};
    for (const auto& [title, form] : forms)
        connect(m_exports->addAction(title), &QAction::triggered, this, [this, form = form] { copyReport(form); });
}

void MemoryTab::copyReport(ReportForm form) {
    QGuiApplication::clipboard()->setText(report(m_view->heading(), m_view->shownTable(), m_view->shownColumns(), form));
}

void MemoryTab::fillMeasured() {
    if (m_session->loadCount() == 0) return;
    m_exports->addSeparator();
    connect(m_exports->addAction(tr("Export measurements…")), &QAction::triggered, this, &MemoryTab::saveMeasured);
    connect(m_exports->addAction(tr("Clear measurements")), &QAction::triggered, m_session, &MemorySession::clearMeasured);
}

void MemoryTab::saveMeasured() {
    const QString path =
        askFrom(this, [](QWidget* window) { return QFileDialog::getSaveFileName(window, tr("Export measurements"), QString()); });
    if (path.isEmpty()) return;
    const auto work = [csv = m_session->measuredCsv(), path, guard = m_services.openModels->guard()](const Progress&) {
        return writeFiles({{std::string(), csv.toStdString()}}, path, guard);
    };
    m_saving.start<bool>(
        tr("Exporting measurements"), work, [](bool) {}, [this](const Error& error) { m_bar->showMessage(error); });
}

void MemoryTab::copyExport(wb::memory::ExportTarget target) {
    const auto files = m_session->exported(target);
    if (!files) return m_bar->showMessage(files.error());
    QString all;
    for (const wb::memory::ExportedFile& file : *files)
        all += (file.name.empty() ? QString() : QStringLiteral("\n# %1\n").arg(text(file.name))) + text(file.text);
    QGuiApplication::clipboard()->setText(all);
}

void MemoryTab::saveExport(wb::memory::ExportTarget target) {
    const auto files = m_session->exported(target);
    if (!files) return m_bar->showMessage(files.error());
    const QString path =
        askFrom(this, [](QWidget* window) { return QFileDialog::getSaveFileName(window, tr("Save settings"), QString()); });
    if (path.isEmpty()) return;
    const auto work = [files = *files, path, guard = m_services.openModels->guard()](const Progress&) {
        return writeFiles(files, path, guard);
    };
    const auto failed = [this](const Error& error) { m_bar->showMessage(error); };
    m_saving.start<bool>(tr("Saving settings"), work, [](bool) {}, failed);
}

QWidget* MemoryTab::makeQuestion() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_what->setObjectName(QStringLiteral("what"));
    m_what->setClearButtonEnabled(true);
    connect(m_what, &QLineEdit::returnPressed, this, [this] { m_session->open(m_what->text()); });
    auto* choose = new QToolButton(row);
    choose->setDefaultAction(m_choose);
    choose->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(m_what, 1);
    m_export = new QToolButton(row);
    m_export->setObjectName(QStringLiteral("export"));
    m_exports = new QMenu(m_export);
    m_export->setIcon(ui::icon(QStringLiteral("export")));
    m_export->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setMenu(m_exports);
    connect(m_exports, &QMenu::aboutToShow, this, &MemoryTab::fillExports);
    layout->addWidget(choose);
    auto* which = new QToolButton(row);
    which->setDefaultAction(m_which);
    which->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(which);
    auto* talk = new QToolButton(row);
    talk->setDefaultAction(m_talk);
    talk->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(talk);
    auto* log = new QToolButton(row);
    log->setDefaultAction(m_log);
    layout->addWidget(log);
    auto* beside = new QToolButton(row);
    beside->setDefaultAction(m_beside);
    layout->addWidget(beside);
    layout->addWidget(m_export);
    return row;
}

void MemoryTab::askForModel() {
    const QString folder = m_services.folderToOpenFrom();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Choose a model to estimate"), folder);
    });
    if (!path.isEmpty()) openPaths({path});
}

bool MemoryTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1) return false;
    m_what->setText(paths.first());
    m_session->open(paths.first());
    return true;
}

// A log belongs to the model that is open.
bool MemoryTab::takeDrop(const QStringList& paths) {
    const bool isLog =
        paths.size() == 1 && (paths.first().endsWith(QStringLiteral(".log")) || paths.first().endsWith(QStringLiteral(".txt")));
    if (!isLog) return openPaths(paths);
    m_session->addLog(paths.first());
    return true;
}

QList<QAction*> MemoryTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    for (QAction* action : {m_choose, m_type, m_which, m_keep, m_talk, m_log, m_beside, m_alone})
        if (found.size() < limit && action->text().contains(text, Qt::CaseInsensitive)) found << action;
    return found;
}

QJsonObject MemoryTab::saveSession() const {
    if (!m_session->counted()) return {};
    return {{QStringLiteral("what"), m_session->what()}};
}

void MemoryTab::restoreSession(const QJsonObject& session) {
    const QString what = session.value(QStringLiteral("what")).toString();
    if (what.isEmpty()) return;
    m_what->setText(what);
    m_session->open(what);
}

void MemoryTab::enterModel() {
    const QString what = m_session->what();
    const Counted* const counted = m_session->counted();
    m_services.openModels->set(id(), counted && QFileInfo::exists(what) ? QList{ModelInUse{what, counted->subject.model}}
                                                                        : QList<ModelInUse>());
}

void MemoryTab::refresh() {
    enterModel();
    m_stack->setCurrentIndex(m_session->counted() && !m_showsRunnable ? 1 : 0);
    m_empty->setVisible(!m_session->counted());
    m_view->setEnabled(m_session->isCounted());
    m_export->setEnabled(m_session->isCounted());
    m_keep->setEnabled(m_session->isCounted());
    m_beside->setEnabled(m_session->estimate() != nullptr);
    m_alone->setEnabled(!m_session->companions().empty());
    m_talk->setEnabled(m_session->estimate() && QFileInfo::exists(m_session->what()));
    if (m_session->failure().isEmpty()) m_bar->hide();
    else m_bar->showMessage(m_session->failure());
}

void MemoryTab::retranslate() {
    m_choose->setText(tr("Choose model…"));
    m_type->setText(tr("Model size or name"));
    m_which->setText(tr("What can I run?"));
    m_which->setToolTip(tr("Lists the models that fit on this computer or on a card"));
    m_keep->setText(tr("Add to comparison"));
    m_talk->setText(tr("Chat with these settings"));
    m_talk->setToolTip(tr("Starts a chat with the model at this context length"));
    m_log->setText(tr("Add llama.cpp log…"));
    m_log->setToolTip(tr("Log that llama.cpp printed while loading this model; used to calibrate later estimates for the device"));
    m_beside->setText(tr("Add projector, adapter or draft model…"));
    m_beside->setToolTip(tr("A multimodal projector (mmproj), a LoRA adapter or a draft model for speculative decoding"));
    m_alone->setText(tr("Remove added files"));
    m_what->setPlaceholderText(tr("7B, 8x7B, 235B-A22B, Qwen3-8B, hf:owner/name:file or a model path; press Enter"));
    m_what->setAccessibleName(tr("Model size, name, path or hub ID"));
    m_useLabel->setText(tr("Task"));
    m_use->setAccessibleName(m_useLabel->text());
    fillUses();
    m_export->setText(tr("Export"));
    m_export->setToolTip(tr("Export settings for vLLM, llama-server, Ollama, LLaMA-Factory or Axolotl"));
    m_empty->setText(tr("Enter a size such as 7B, or drop a model here, to estimate its memory requirements."));
    refresh();
}

} // namespace wb::ui
