// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/client.h"
#include "core/hub/queue.h"
#include "core/memory/cards/fit.h"
#include "ui/browse/browse_cache.h"
#include "ui/shell/services/hub_network.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/widgets/sentence.h"

#include <filesystem>
#include <set>
#include <QTimer>

#include <array>

namespace wb::ui::browse {

// The user's query.
struct Question {
    wb::hub::SearchRequest request;
    bool asksHuggingFace = true;
    bool asksModelScope = true;

    bool asks(wb::hub::Hub hub) const { return hub == wb::hub::Hub::HuggingFace ? asksHuggingFace : asksModelScope; }
    bool operator==(const Question&) const = default;
};

// A page that is shown, and whether it came from the disk because the hub did not answer.
struct ShownPage {
    ModelPage page;
    bool isOld = false;
};

// The memory of a model on a page, estimated from its headers at the usual context.
struct FileFit {
    QString path; // of its first file
    std::uint64_t context = 0;
    std::vector<wb::memory::Fit> fits; // RAM first, without a name; then the GPUs
};

// Searches, pages of models and downloads over both hubs. Lives on the GUI thread; every exchange is a job. Typing is answered once
// it pauses for 300 ms, and only the newest question is.
class BrowseSession : public QObject {
    Q_OBJECT

public:
    static constexpr int pauseMs = 300;

    BrowseSession(const Services& services, HubNetwork network, QObject* parent = nullptr);

    void ask(const Question& question);    // after a pause in typing
    void askNow(const Question& question); // the same without a pause
    void askForMore();                     // the next page of each hub that has one
    bool hasMore() const;
    bool isAsking() const;
    std::optional<WaitBoard::Waiting> waiting() const; // what the search waits for; it counts down with askingChanged
    const std::vector<wb::hub::ModelRow>& rows() const { return m_rows; }

    void openPage(const wb::hub::Repository& repository);
    bool isOpeningPage() const { return m_page.isRunning(); }

    // Reads the headers of the files of one model by range and counts; only the newest request is answered, and only if it can be
    // estimated. `files` are indices into the page's list.
    void countMemory(const ModelPage& page, const std::vector<std::size_t>& files);

    // The memories of this machine as they were when the last page was opened: RAM first; empty before the first search.
    const std::vector<wb::memory::Memory>& memories() const { return m_memories; }

    // Looks which files of the page are in our folder with the size of the list; emits `presenceKnown`.
    void findPresent(const ModelPage& page);
    std::filesystem::path repositoryFolder(const wb::hub::Repository& repository) const;

    // What fetches these files of the page into our folder, for the queue.
    wb::hub::QueuedDownload queuedDownload(const ModelPage& page, const QStringList& files) const;

signals:
    void cleared();         // a new question: rows() is empty
    void rowAdded(int row); // rows() has one more, in the order of the question
    void rowAboutToBeAdded(int row);
    void askingChanged();
    void troubled(const wb::Error& error); // of a search; what is on the disk is shown instead
    void showsOldRows();                   // rows come from an earlier time
    void pageOpened(const wb::ui::browse::ShownPage& page);
    void pageFailed(const wb::Error& error);
    void twinFound(const wb::ui::browse::Twin& twin); // of the newest page
    void memoryCounted(const wb::ui::browse::FileFit& fit);
    void memoriesKnown();
    void presenceKnown(const wb::hub::Repository& of, const std::set<std::string>& files);

private:
    struct Side { // one hub
        std::unique_ptr<LatestJob> job;
        std::string next;
        bool isDone = true;
        unsigned emptyPages = 0; // in a row
        std::shared_ptr<WaitBoard> board = std::make_shared<WaitBoard>();
    };
    struct Answer {
        wb::hub::SearchPage page;
        std::optional<Error> trouble; // the page is from the disk
    };
    Side& side(wb::hub::Hub hub) { return m_sides[static_cast<std::size_t>(hub)]; }
    void start();
    void askHub(wb::hub::Hub hub);
    void take(wb::hub::Hub hub, const Answer& answer);
    void findTwin(const ModelPage& page);
    void addRow(const wb::hub::ModelRow& row);
    void measureMemories();
    bool isBefore(const wb::hub::ModelRow& a, const wb::hub::ModelRow& b) const;
    Result<wb::hub::Network> network(const std::shared_ptr<WaitBoard>& board = std::make_shared<WaitBoard>()) const;

    const Services& m_services;
    HubNetwork m_network;
    BrowseCache m_cache;
    Question m_question;
    QTimer m_pause;
    QTimer m_countdown;
    std::array<Side, 2> m_sides;
    std::vector<wb::hub::ModelRow> m_rows;
    LatestJob m_page;
    LatestJob m_twin;
    LatestJob m_memory;
    LatestJob m_present;
    LatestJob m_measuring;
    std::vector<wb::memory::Memory> m_memories;
};

} // namespace wb::ui::browse
