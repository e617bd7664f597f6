// SPDX-License-Identifier: MIT
#include "ui/browse/downloads_view.h"

#include "ui/browse/downloads_model.h"
#include "ui/shell/jobs/progress_delegate.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

using Is = QueuedDownload::State;

constexpr quint64 megabyte = 1'000'000;
constexpr quint64 speeds[] = {0, megabyte, 5 * megabyte, 20 * megabyte, 100 * megabyte}; // bytes per second; 0: no limit

constexpr int hour = 60;
constexpr Hours parts[] = {{0, 0}, {22 * hour, 7 * hour}, {0, 6 * hour}, {18 * hour, 8 * hour}}; // the first: all day

QStringList speedNames() {
    QStringList names = {DownloadsView::tr("Unlimited")};
    for (const quint64 speed : std::span(speeds).subspan(1)) names << DownloadsView::tr("Up to %1 MB/s").arg(speed / megabyte);
    return names;
}

QStringList hourNames() {
    const auto time = [](int minute) { return QLocale().toString(QTime(minute / hour, minute % hour), QLocale::ShortFormat); };
    QStringList names = {DownloadsView::tr("Any time")};
    for (const Hours& each : std::span(parts).subspan(1))
        names << DownloadsView::tr("%1 to %2").arg(time(each.begin), time(each.end));
    return names;
}

int indexOfSpeed(quint64 speed) {
    const auto found = std::ranges::find(speeds, speed);
    return found == std::end(speeds) ? -1 : static_cast<int>(found - std::begin(speeds));
}

int indexOfHours(const std::optional<Hours>& hours) {
    const auto found = std::ranges::find(parts, hours.value_or(parts[0]));
    return found == std::end(parts) ? -1 : static_cast<int>(found - std::begin(parts));
}

void setIndex(QComboBox* box, int index) {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(index);
}

void setTexts(QComboBox* box, const QStringList& texts, const QString& name) {
    const QSignalBlocker quiet(box);
    const int current = std::max(box->currentIndex(), 0);
    box->clear();
    box->addItems(texts);
    box->setCurrentIndex(current);
    nameBox(box, name);
    box->setToolTip(name);
}

} // namespace

DownloadsView::DownloadsView(Downloads& downloads, QWidget* parent)
    : QWidget(parent), m_downloads(downloads), m_model(new DownloadsModel(downloads, this)), m_list(new QTreeView(this)),
      m_empty(makeMutedLabel(this)), m_state(makeMutedLabel(this)) {
    makeActions();
    makeList();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(makeBar());
    layout->addWidget(m_empty);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_state);
    connect(&m_downloads, &Downloads::changed, this, &DownloadsView::refresh);
    connect(&m_downloads, &Downloads::rowChanged, this, [this](int row) {
        if (row == m_list->currentIndex().row()) refresh();
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DownloadsView::refresh);
    keepTranslated(this, [this] { retranslate(); });
}

void DownloadsView::makeActions() {
    m_goOn = tabAction(this, "resume", {});
    m_pause = tabAction(this, "pause", {});
    m_earlier = tabAction(this, "sort-up", QKeySequence(Qt::ALT | Qt::Key_Up));
    m_later = tabAction(this, "sort-down", QKeySequence(Qt::ALT | Qt::Key_Down));
    m_page = tabAction(this, "browse", {});
    m_remove = tabAction(this, "trash", QKeySequence(Qt::Key_Delete));
    m_pauseAll = tabAction(this, "pause", {});
    m_pauseAll->setCheckable(true);
    m_clear = tabAction(this, "clear", {});
    m_goOn->setObjectName(QStringLiteral("downloadGoOn"));
    m_pause->setObjectName(QStringLiteral("downloadPause"));
    m_remove->setObjectName(QStringLiteral("downloadRemove"));
    m_state->setObjectName(QStringLiteral("downloadSentence"));
    m_list->addActions(commands());
    connect(m_goOn, &QAction::triggered, this, &DownloadsView::goOn);
    connect(m_pause, &QAction::triggered, this, [this] { withChosen([this](quint64 id) { m_downloads.pause(id); }); });
    connect(m_earlier, &QAction::triggered, this, [this] { move(-1); });
    connect(m_later, &QAction::triggered, this, [this] { move(1); });
    connect(m_page, &QAction::triggered, this, [this] {
        if (const auto row = chosen(); row.request) emit pageWanted(Repository(row.request->repository));
    });
    connect(m_remove, &QAction::triggered, this, &DownloadsView::remove);
    connect(m_pauseAll, &QAction::toggled, this, [this](bool isPaused) {
        if (isPaused != m_downloads.queue().isPaused()) m_downloads.pauseAll(isPaused);
    });
    connect(m_clear, &QAction::triggered, &m_downloads, &Downloads::removeDone);
}

QComboBox* DownloadsView::addBox(const char* name) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    return box;
}

QWidget* DownloadsView::makeBar() {
    auto* bar = new QWidget(this);
    auto* rows = new QVBoxLayout(bar);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QHBoxLayout;
    auto* choices = new QHBoxLayout;
    rows->addLayout(layout);
    rows->addLayout(choices);
    for (QAction* action : commands()) {
        auto* button = new QToolButton(bar);
        button->setDefaultAction(action);
        if (action == m_goOn || action == m_pauseAll) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        layout->addWidget(button);
    }
    layout->addStretch(1);
    m_own = addBox("downloadOwnSpeed");
    m_speed = addBox("downloadSpeed");
    m_hours = addBox("downloadHours");
    const auto addLabeled = [&](QComboBox* box) {
        auto* label = makeMutedLabel(bar);
        label->setWordWrap(false);
        label->setBuddy(box);
        choices->addWidget(label);
        choices->addWidget(box);
        return label;
    };
    QLabel* const all = addLabeled(m_speed);
    QLabel* const hours = addLabeled(m_hours);
    QLabel* const own = addLabeled(m_own);
    keepTranslated(bar, [all, hours, own] {
        all->setText(tr("All downloads:"));
        hours->setText(tr("Schedule:"));
        own->setText(tr("Selected download:"));
    });
    choices->addStretch(1);
    connect(m_own, &QComboBox::activated, this, &DownloadsView::limitChosen);
    connect(m_speed, &QComboBox::activated, this, [this](int choice) { m_downloads.setTotalLimit(speeds[choice]); });
    connect(m_hours, &QComboBox::activated, this,
            [this](int choice) { m_downloads.setHours(choice == 0 ? std::nullopt : std::optional(parts[choice])); });
    return bar;
}

void DownloadsView::makeList() {
    m_list->setObjectName(QStringLiteral("downloads"));
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setItemDelegateForColumn(DownloadsModel::Progress, new ProgressDelegate(m_list));
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(DownloadsModel::State, QHeaderView::Stretch);
    m_list->setColumnWidth(DownloadsModel::Name, 230);
    m_list->setColumnWidth(DownloadsModel::Progress, 125);
    m_list->setColumnWidth(DownloadsModel::Size, 80);
    m_list->setColumnWidth(DownloadsModel::Speed, 100);
    showActionsOnRightClick(m_list);
}

void DownloadsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_downloads.refreshStores();
}

Downloads::Row DownloadsView::chosen() const { return m_downloads.row(m_list->currentIndex().row()); }

void DownloadsView::withChosen(const std::function<void(quint64 id)>& use) {
    if (const auto row = chosen(); row.queued) use(row.queued->id);
}

void DownloadsView::move(int places) {
    const int to = m_list->currentIndex().row() + places;
    withChosen([this, places](quint64 id) { m_downloads.move(id, places); });
    if (m_downloads.row(to).queued) m_list->setCurrentIndex(m_model->index(to, 0));
}

void DownloadsView::goOn() {
    const auto row = chosen();
    if (row.queued) m_downloads.resume(row.queued->id);
    else if (row.request) m_downloads.goOn(*row.request);
}

// What was fetched of an unfinished one is lost with it, so that is asked.
void DownloadsView::remove() {
    const auto row = chosen();
    if (!row.request) return;
    if (row.queued && row.queued->state == Is::Done) {
        m_downloads.remove(row.queued->id);
        return;
    }
    askToRemove(*row.request, row.queued ? std::optional<quint64>(row.queued->id) : std::nullopt);
}

void DownloadsView::askToRemove(const DownloadRequest& request, std::optional<quint64> id) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Remove the download?"),
                                tr("The partial download will be deleted. To finish it later, pause it instead."),
                                QMessageBox::NoButton, window());
    box->setObjectName(QStringLiteral("removeDownload"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* go = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(go, &QPushButton::clicked, this, [this, id, request] {
        if (id) m_downloads.remove(*id);
        else m_downloads.discard(request);
    });
    box->open();
}

void DownloadsView::limitChosen(int choice) {
    withChosen([this, choice](quint64 id) { m_downloads.setLimit(id, speeds[choice]); });
}

void DownloadsView::refresh() {
    const auto row = chosen();
    const bool isQueued = row.queued && row.queued->state != Is::Done;
    const bool isHeld = isQueued && row.queued->state != Is::Running && (row.queued->state != Is::Queued || row.queued->error);
    m_goOn->setEnabled(isHeld || row.run);
    m_pause->setEnabled(isQueued && row.queued->state != Is::Paused && row.queued->state != Is::Canceled);
    m_earlier->setEnabled(row.queued && m_list->currentIndex().row() > 0);
    m_later->setEnabled(row.queued && m_downloads.row(m_list->currentIndex().row() + 1).queued);
    m_page->setEnabled(row.request != nullptr);
    m_remove->setEnabled(row.request != nullptr);
    m_own->setEnabled(isQueued);
    setIndex(m_own, indexOfSpeed(row.queued ? row.queued->bytesPerSecond : 0));
    const DownloadQueue& queue = m_downloads.queue();
    m_pauseAll->setChecked(queue.isPaused());
    m_pauseAll->setEnabled(queue.isPaused() || m_downloads.rowCount() > 0);
    m_clear->setEnabled(std::ranges::any_of(queue.entries(), [](const auto& each) { return each.state == Is::Done; }));
    setIndex(m_speed, indexOfSpeed(queue.totalLimit()));
    setIndex(m_hours, indexOfHours(queue.hours()));
    m_empty->setVisible(m_downloads.rowCount() == 0);
    m_list->setVisible(m_downloads.rowCount() > 0);
    m_state->setText(m_model->sentence(m_list->currentIndex().row()));
    m_state->setVisible(row.queued && (row.queued->error || m_downloads.waiting(*row.queued)));
    if (!m_list->currentIndex().isValid() && m_model->rowCount() > 0) m_list->setCurrentIndex(m_model->index(0, 0));
}

void DownloadsView::retranslate() {
    m_goOn->setText(tr("Resume"));
    m_pause->setText(tr("Pause download"));
    m_earlier->setText(tr("Move up"));
    m_later->setText(tr("Move down"));
    m_page->setText(tr("Show model page"));
    m_remove->setText(tr("Remove download…"));
    m_pauseAll->setText(tr("Pause all"));
    m_clear->setText(tr("Clear finished"));
    m_empty->setText(tr("No downloads. Select a model and click Download."));
    m_list->setAccessibleName(tr("Downloads"));
    setTexts(m_own, speedNames(), tr("Speed limit of the selected download"));
    setTexts(m_speed, speedNames(), tr("Speed limit of all downloads"));
    setTexts(m_hours, hourNames(), tr("Download schedule"));
    m_model->retranslate();
    refresh();
}

} // namespace wb::ui::browse
