// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

#include <functional>

namespace wb {
class Program;
}

namespace wb::ui {
class ChatTab;
class ConvertTab;
class InspectTab;
class LibraryTab;
class MemoryTab;
} // namespace wb::ui

namespace wb::screenshots {

class ExampleHubs;

// One picture. `name` is part of the file's name: "inspect-tree". `show` brings the view up; the picture is taken once all jobs
// have finished, or with `isReady`, once that is true. `close` then puts away what other views are not to show.
struct View {
    QString name;
    std::function<void()> show;
    std::function<bool()> isReady = {};
    std::function<void()> close = {};
    bool asks = false; // a question that keeps the loop of events to itself; the picture is taken of it, and it is answered with no
    QString after = {}; // the earlier view whose state this one needs
};

// Views of which each needs the state of the one before.
inline QList<View> inSequence(QList<View> views) {
    for (qsizetype i = 1; i < views.size(); ++i)
        if (views[i].after.isEmpty()) views[i].after = views[i - 1].name;
    return views;
}

// To be shown in this order. The views of a model show nothing where none is open.
QList<View> inspectViews(ui::InspectTab& tab);

// A file of every family of formats, broken ones and dangerous ones beneath `shared`, each for one picture; what is not there is
// left out. Copies that are cut lie in `home`. `isIdle` is true where no job runs.
QList<View> fileViews(ui::InspectTab& tab, const std::function<bool()>& isIdle, const QString& shared, const QString& home);

// The model at `example` compared with a folder and with a broken file beneath `shared`.
QList<View> compareViews(ui::InspectTab& tab, const std::function<bool()>& isIdle, const QString& example, const QString& shared);

// The question before Convert (or with `forChat` Chat) uses what would run code.
QList<View> questionViews(ui::ConvertTab& convert, ui::ChatTab& chat, bool forChat, const QString& shared);

// The model at `example` (empty: none) is quantized into `folder`.
QList<View> convertViews(ui::ConvertTab& tab, const QString& example, const QString& folder);

// What the hubs on this machine say, and what is seen without them.
QList<View> browseViews(Program& program, ExampleHubs& hubs);

// The invented models of every store beneath `home`, and those of `folder` (empty: none).
QList<View> libraryViews(ui::LibraryTab& tab, const QString& home, const QString& folder);

// What a model of seven billion parameters needs.
QList<View> memoryViews(ui::MemoryTab& tab);

// The model at `example` answers a question; where it is empty, the page that asks for a model.
QList<View> chatViews(ui::ChatTab& tab, const QString& example);

} // namespace wb::screenshots
