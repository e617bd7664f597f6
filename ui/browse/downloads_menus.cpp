// SPDX-License-Identifier: MIT
#include "ui/browse/downloads_menus.h"

#include "ui/widgets/icons.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QLocale>
#include <QMenu>
#include <QTime>

#include <algorithm>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

struct DownloadsMenu {
    Q_DECLARE_TR_FUNCTIONS(DownloadsMenu)
};

constexpr quint64 megabyte = 1'000'000;
constexpr quint64 speeds[] = {0, megabyte, 5 * megabyte, 20 * megabyte, 100 * megabyte}; // bytes per second; 0: no limit

constexpr int hour = 60;
constexpr Hours dayParts[] = {{22 * hour, 7 * hour}, {0, 6 * hour}, {18 * hour, 8 * hour}};

// Adds an entry that is checked where it is the present choice.
void addChoice(QMenu* menu, QActionGroup* group, const QString& text, bool isChosen, std::function<void()> choose) {
    QAction* const action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(isChosen);
    group->addAction(action);
    QObject::connect(action, &QAction::triggered, group, std::move(choose));
}

void addSpeeds(QMenu* menu, const QString& title, quint64 current, const std::function<void(quint64 bytesPerSecond)>& choose) {
    QMenu* const limits = menu->addMenu(title);
    auto* group = new QActionGroup(limits);
    for (const quint64 speed : speeds)
        addChoice(limits, group,
                  speed == 0 ? DownloadsMenu::tr("Unlimited") : DownloadsMenu::tr("Up to %1 MB/s").arg(speed / megabyte),
                  speed == current, [choose, speed] { choose(speed); });
}

} // namespace

void addSpeedMenu(QMenu* menu, Downloads& downloads, quint64 id) {
    const auto& entries = downloads.queue().entries();
    const auto found = std::ranges::find(entries, id, &QueuedDownload::id);
    if (found == entries.end()) return;
    addSpeeds(menu, DownloadsMenu::tr("Speed limit of this download"), found->bytesPerSecond,
              [&downloads, id](quint64 speed) { downloads.setLimit(id, speed); });
}

void addQueueCommands(QMenu* menu, Downloads& downloads) {
    const DownloadQueue& queue = downloads.queue();
    QAction* const pause = menu->addAction(icon(QStringLiteral("pause")), DownloadsMenu::tr("Pause all downloads"));
    pause->setObjectName(QStringLiteral("pauseDownloads"));
    pause->setCheckable(true);
    pause->setChecked(queue.isPaused());
    QObject::connect(pause, &QAction::toggled, &downloads, &Downloads::pauseAll);
    addSpeeds(menu, DownloadsMenu::tr("Speed limit of all downloads"), queue.totalLimit(),
              [&downloads](quint64 speed) { downloads.setTotalLimit(speed); });
    QMenu* const schedule = menu->addMenu(DownloadsMenu::tr("Download schedule"));
    auto* group = new QActionGroup(schedule);
    addChoice(schedule, group, DownloadsMenu::tr("Any time"), !queue.hours(), [&downloads] { downloads.setHours(std::nullopt); });
    const auto time = [](int minute) { return QLocale().toString(QTime(minute / hour, minute % hour), QLocale::ShortFormat); };
    for (const Hours& part : dayParts)
        addChoice(schedule, group, DownloadsMenu::tr("%1 to %2").arg(time(part.begin), time(part.end)), queue.hours() == part,
                  [&downloads, part] { downloads.setHours(part); });
}

} // namespace wb::ui::browse
