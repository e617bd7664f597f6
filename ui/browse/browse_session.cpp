// SPDX-License-Identifier: MIT
#include "ui/browse/browse_session.h"

#include "core/hub/remote_model.h"
#include "core/io/system/file_stat.h"
#include "core/memory/cards/memories.h"
#include "core/jobs/job_threads.h"
#include "ui/shell/services/devices.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <algorithm>
#include <set>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

// A hub that does not answer must not keep files from being opened, which the same few threads do.
using Waiting = jobs::JobThreads::Idle;

constexpr std::uint64_t maxCardBytes = 1u << 20; // more than this is no description

// Everything about one model; the card may be missing.
Result<ModelPage> fetchPage(Client& client, const Repository& repository, const Progress& progress) {
    ModelPage page;
    WB_TRY_ASSIGN(page.info, client.info(repository, progress));
    Repository pinned = repository;
    if (!page.info.commit.empty()) pinned.revision = page.info.commit;
    WB_TRY_ASSIGN(page.files, client.files(pinned, progress));
    page.card = page.info.card;
    if (!page.card.empty()) return page;
    auto card = client.text(pinned, "README.md", maxCardBytes, progress);
    if (card) page.card = std::move(*card);
    else if (card.error().code == ErrorCode::Canceled) return std::unexpected(card.error());
    return page;
}

// The same bytes under the same name on the other hub: only equal SHA-256 counts, and no answer is no twin.
Result<Twin> fetchTwin(Client& client, const ModelPage& page, const Progress& progress) {
    Twin twin;
    twin.of = page.info.repository;
    twin.repository.hub = twin.of.hub == Hub::HuggingFace ? Hub::ModelScope : Hub::HuggingFace;
    twin.repository.name = twin.of.name;
    std::set<std::string> hashes;
    for (const RemoteFile& file : page.files.files)
        if (!file.sha256.empty()) hashes.insert(file.sha256);
    if (hashes.empty()) return twin;
    WB_TRY_ASSIGN(const FileList files, client.files(twin.repository, progress));
    for (const RemoteFile& file : files.files) twin.files += hashes.contains(file.sha256) ? 1 : 0;
    return twin;
}

Result<FileFit> countFiles(Client& client, const ModelPage& page, const std::vector<std::size_t>& files,
                           const memory::DeviceLister& devices, const Progress& progress) {
    formats::OpenOptions options;
    options.progress = progress;
    WB_TRY_ASSIGN(const ModelPtr model, openListedModel(client, page.pinned(), page.files, files, options));
    WB_TRY_ASSIGN(const memory::Subject subject, memory::memorySubject(model));
    memory::Settings settings;
    settings.context = memory::defaultContext(subject.spec);
    WB_TRY_ASSIGN(const memory::Weights weights, subject.weights(nullptr));
    WB_TRY(memory::estimate(subject, weights, settings)); // names the parts that cannot be estimated
    FileFit fit{text(page.files.files[files.front()].path), settings.context, {}};
    for (const memory::Memory& memory : memory::memoriesHere(devices))
        fit.fits.push_back(memory::checkFit(subject, weights, settings, memory));
    return fit;
}

} // namespace

BrowseSession::BrowseSession(const Services& services, HubNetwork network, QObject* parent)
    : QObject(parent), m_services(services), m_network(std::move(network)), m_cache(m_network.cacheFolder), m_page(services.jobs),
      m_twin(services.jobs), m_memory(services.jobs), m_present(services.jobs), m_measuring(services.jobs) {
    for (Side& one : m_sides) one.job = std::make_unique<LatestJob>(services.jobs);
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &BrowseSession::start);
    constexpr int countdownMs = 500;
    m_countdown.setInterval(countdownMs);
    connect(&m_countdown, &QTimer::timeout, this, [this] {
        if (!isAsking()) m_countdown.stop();
        if (waiting()) emit askingChanged();
    });
}

// A person waits and can ask again.
Result<Network> BrowseSession::network(const std::shared_ptr<WaitBoard>& board) const { return m_network.open(board, 2); }

void BrowseSession::ask(const Question& question) {
    m_question = question;
    m_pause.start();
}

void BrowseSession::askNow(const Question& question) {
    m_question = question;
    start();
}

void BrowseSession::measureMemories() {
    const auto work = [devices = memoryLister(m_services.devices)](const Progress&) -> Result<std::vector<memory::Memory>> {
        return memory::memoriesHere(devices);
    };
    m_measuring.start<std::vector<memory::Memory>>(
        tr("Measuring the free memory"), work,
        [this](const std::vector<memory::Memory>& memories) {
            m_memories = memories;
            emit memoriesKnown();
        },
        [](const Error&) {});
}

std::filesystem::path BrowseSession::repositoryFolder(const Repository& repository) const {
    return m_network.modelsFolder / fsPath(text(repository.name));
}

void BrowseSession::findPresent(const ModelPage& page) {
    const auto work = [folder = repositoryFolder(page.info.repository),
                       files = page.files.files](const Progress&) -> Result<std::set<std::string>> {
        std::set<std::string> present;
        for (const RemoteFile& file : files) {
            const auto stat = file.refusal ? std::nullopt : io::statFile(folder / fsPath(text(file.path)));
            if (stat && stat->identity.bytes == file.bytes) present.insert(file.path);
        }
        return present;
    };
    m_present.start<std::set<std::string>>(
        tr("Looking for downloaded files"), work,
        [this, of = page.info.repository](const std::set<std::string>& present) { emit presenceKnown(of, present); },
        [](const Error&) {});
}

void BrowseSession::start() {
    m_pause.stop();
    if (m_memories.empty()) measureMemories();
    m_rows.clear();
    emit cleared();
    for (const Hub hub : allHubs) {
        side(hub).job->cancel();
        side(hub).next.clear();
        side(hub).isDone = !m_question.asks(hub);
        side(hub).emptyPages = 0;
        if (m_question.asks(hub)) askHub(hub);
    }
    emit askingChanged();
}

bool BrowseSession::isAsking() const {
    return m_pause.isActive() || std::ranges::any_of(m_sides, [](const Side& one) { return one.job->isRunning(); });
}

std::optional<WaitBoard::Waiting> BrowseSession::waiting() const {
    for (const Side& one : m_sides)
        if (auto waiting = one.job->isRunning() ? one.board->at(m_network.clock->now()) : std::nullopt) return waiting;
    return std::nullopt;
}

bool BrowseSession::hasMore() const {
    return std::ranges::any_of(m_sides, [](const Side& one) { return !one.isDone && !one.job->isRunning(); });
}

void BrowseSession::askForMore() {
    if (m_pause.isActive()) return;
    for (const Hub hub : allHubs)
        if (!side(hub).isDone && !side(hub).job->isRunning()) askHub(hub);
    emit askingChanged();
}

void BrowseSession::askHub(Hub hub) {
    side(hub).board = std::make_shared<WaitBoard>();
    const auto network = this->network(side(hub).board);
    if (!network) {
        emit troubled(network.error());
        return;
    }
    m_countdown.start();
    const auto work = [network = *network, settings = m_network.settings, cache = m_cache, hub, request = m_question.request,
                       next = side(hub).next](const Progress& progress) -> Result<Answer> {
        const Waiting waiting;
        WB_TRY_ASSIGN(Settings known, settings());
        Client client(network, std::move(known));
        auto page = client.search(hub, request, next, progress);
        if (page) {
            if (next.empty()) cache.keep(hub, request, *page);
            return Answer{std::move(*page), {}};
        }
        if (page.error().code == ErrorCode::Canceled || !next.empty()) return std::unexpected(page.error());
        auto old = cache.find(hub, request);
        if (!old) return std::unexpected(page.error());
        return Answer{std::move(*old), page.error()};
    };
    side(hub).job->start<Answer>(
        tr("Searching for models"), work, [this, hub](const Answer& answer) { take(hub, answer); },
        [this, hub](const Error& error) {
            side(hub).isDone = true;
            emit troubled(error);
            emit askingChanged();
        });
}

void BrowseSession::take(Hub hub, const Answer& answer) {
    side(hub).next = answer.page.next;
    side(hub).isDone = answer.page.next.empty();
    for (const ModelRow& row : answer.page.rows) addRow(row);
    // Filters that a hub does not support are applied here, so that a page may be empty and the next one not.
    constexpr unsigned maxEmptyPages = 20;
    side(hub).emptyPages = answer.page.rows.empty() ? side(hub).emptyPages + 1 : 0;
    if (answer.page.rows.empty() && !side(hub).isDone && side(hub).emptyPages < maxEmptyPages) askHub(hub);
    if (answer.trouble) {
        emit troubled(*answer.trouble);
        emit showsOldRows();
    }
    emit askingChanged();
}

bool BrowseSession::isBefore(const ModelRow& a, const ModelRow& b) const {
    switch (m_question.request.sort) {
    case SortBy::Downloads: return a.downloads > b.downloads;
    case SortBy::Likes: return a.likes > b.likes;
    case SortBy::Updated: return a.updated > b.updated;
    case SortBy::Created:
    case SortBy::Trending: break; // rows do not specify it: the hubs' own order
    }
    return false;
}

void BrowseSession::addRow(const ModelRow& row) {
    const auto isSame = [&row](const ModelRow& other) { return other.hub == row.hub && other.id == row.id; };
    if (std::ranges::any_of(m_rows, isSame)) return; // a list that changed between two of its pages
    const auto at = std::ranges::upper_bound(m_rows, row, [this](const ModelRow& a, const ModelRow& b) { return isBefore(a, b); });
    const int position = static_cast<int>(at - m_rows.begin());
    emit rowAboutToBeAdded(position);
    m_rows.insert(at, row);
    emit rowAdded(position);
}

void BrowseSession::openPage(const Repository& repository) {
    m_twin.cancel();
    measureMemories();
    const auto network = this->network();
    if (!network) {
        emit pageFailed(network.error());
        return;
    }
    const auto work = [network = *network, settings = m_network.settings, cache = m_cache,
                       repository](const Progress& progress) -> Result<ShownPage> {
        const Waiting waiting;
        WB_TRY_ASSIGN(Settings known, settings());
        Client client(network, std::move(known));
        auto page = fetchPage(client, repository, progress);
        if (page) {
            cache.keep(repository, *page);
            return ShownPage{std::move(*page), false};
        }
        if (page.error().code == ErrorCode::Canceled) return std::unexpected(page.error());
        auto old = cache.find(repository);
        if (!old) return std::unexpected(page.error());
        return ShownPage{std::move(*old), true};
    };
    m_page.start<ShownPage>(
        tr("Opening model page"), work,
        [this](const ShownPage& page) {
            emit pageOpened(page);
            findPresent(page.page);
            if (!page.isOld) findTwin(page.page);
        },
        [this](const Error& error) { emit pageFailed(error); });
}

void BrowseSession::findTwin(const ModelPage& page) {
    const auto network = this->network();
    if (!network) return;
    const auto work = [network = *network, settings = m_network.settings, page](const Progress& progress) -> Result<Twin> {
        const Waiting waiting;
        WB_TRY_ASSIGN(Settings known, settings());
        Client client(network, std::move(known));
        return fetchTwin(client, page, progress);
    };
    const auto done = [this](const Twin& twin) {
        if (twin.files > 0) emit twinFound(twin);
    };
    m_twin.start<Twin>(tr("Searching the other hub"), work, done, [](const Error&) {}); // then there is one source
}

void BrowseSession::countMemory(const ModelPage& page, const std::vector<std::size_t>& files) {
    const auto network = this->network();
    if (!network || files.empty()) return;
    const auto work = [network = *network, settings = m_network.settings, devices = memoryLister(m_services.devices), page,
                       files](const Progress& progress) -> Result<FileFit> {
        const Waiting waiting;
        WB_TRY_ASSIGN(Settings known, settings());
        Client client(network, std::move(known));
        return countFiles(client, page, files, devices, progress);
    };
    m_memory.start<FileFit>(
        tr("Estimating memory for %1").arg(text(page.files.files[files.front()].path)), work,
        [this](const FileFit& fit) { emit memoryCounted(fit); }, [](const Error&) {}); // no badge
}

QueuedDownload BrowseSession::queuedDownload(const ModelPage& page, const QStringList& files) const {
    QueuedDownload download;
    DownloadRequest& request = download.request;
    request.repository = page.pinned();
    request.place = {PlaceKind::Folder, repositoryFolder(request.repository)};
    if (page.twin) request.alternates = {page.twin->repository};
    for (const QString& file : files) request.files.push_back(file.toStdString());
    for (const RemoteFile& file : page.files.files)
        if (files.contains(text(file.path))) download.bytes += file.bytes;
    return download;
}

} // namespace wb::ui::browse
