// SPDX-License-Identifier: MIT
#include "ui/browse/downloads.h"

#include "core/jobs/job_threads.h"
#include "ui/shell/jobs/job.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QTime>

#include <algorithm>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

constexpr int tickMs = 500; // countdowns change every second

QString requestTitle(const DownloadRequest& request) {
    const QString name = text(request.repository.name);
    return request.files.size() == 1 ? text(request.files.front()).section(u'/', -1) : name;
}

// What opens as the model: the first of its GGUF files, else the folder.
QString modelIn(const QString& folder, const DownloadRequest& request) {
    for (const std::string& file : request.files)
        if (file.ends_with(".gguf")) return folder + u'/' + text(file);
    return folder;
}

// Where a journal knows more than the list, after a kill: all programs show the same progress.
void useJournals(DownloadQueue& queue, const std::vector<InterruptedDownload>& interrupted) {
    const std::vector<QueuedDownload> entries = queue.entries();
    for (const QueuedDownload& each : entries)
        for (const InterruptedDownload& one : interrupted)
            if (each.request.files.size() == 1 && one.run.written && covers(each.request, one.request))
                queue.setProgress(each.id, *one.run.written, one.run.record.bytes);
}

} // namespace

Downloads::Downloads(const Services& services, HubNetwork network, QObject* parent)
    : QObject(parent), m_services(services), m_network(std::move(network)), m_load(services.jobs), m_look(services.jobs),
      m_save(services.jobs) {
    m_tick.setInterval(tickMs);
    connect(&m_tick, &QTimer::timeout, this, &Downloads::tick);
}

Downloads::~Downloads() = default; // the runner stops the jobs of a view that goes away

int Downloads::minute() const {
    if (m_network.minuteOfDay) return m_network.minuteOfDay();
    const QTime now = QTime::currentTime();
    return now.hour() * 60 + now.minute();
}

// ---- saved state

void Downloads::load() {
    if (std::exchange(m_isLoaded, true)) return;
    const auto work = [folder = fsPath(m_services.stateFolder)](const Progress&) -> Result<Loaded> {
        Loaded loaded;
        if (auto file = QueueFile::open(folder)) loaded.file = *std::move(file);
        if (loaded.file) loaded.queue = loaded.file->read();
        loaded.interrupted = interruptedDownloads(folder);
        useJournals(loaded.queue, loaded.interrupted);
        return loaded;
    };
    m_load.start<Loaded>(
        tr("Loading the download list"), work, [this](const Loaded& loaded) { take(loaded); },
        [this](const Error& error) { emit failed(error); });
}

// What was added before the list was read comes last, and what was set by then holds.
void Downloads::take(const Loaded& loaded) {
    DownloadQueue queue = loaded.queue;
    std::map<quint64, quint64> numbers;
    for (const QueuedDownload& early : m_queue.entries()) numbers[early.id] = queue.add(early);
    if (m_queue.isPaused()) queue.pauseAll(true);
    if (m_queue.totalLimit() > 0) queue.setTotalLimit(m_queue.totalLimit());
    if (m_queue.hours()) queue.setHours(m_queue.hours());
    m_queue = std::move(queue);
    m_file = loaded.file;
    m_interrupted = loaded.interrupted;
    std::map<quint64, Running> jobs;
    for (auto& [id, running] : m_jobs) jobs[numbers.at(id)] = std::move(running);
    m_jobs = std::move(jobs);
    m_totalLimit->set(m_queue.totalLimit());
    if (m_queue.next(minute(), m_network.clock->now())) emit aboutToResume();
    edited();
}

void Downloads::refreshStores() {
    if (!m_isLoaded || m_load.isRunning()) return;
    const auto work = [folder = fsPath(m_services.stateFolder)](const Progress&) -> Result<std::vector<InterruptedDownload>> {
        return interruptedDownloads(folder);
    };
    m_look.start<std::vector<InterruptedDownload>>(
        tr("Checking for interrupted downloads"), work,
        [this](const std::vector<InterruptedDownload>& found) {
            m_interrupted = found;
            edited();
        },
        [](const Error&) {});
}

// One writing at a time, so that an older list never comes last.
void Downloads::save() {
    if (!m_file || m_save.isRunning()) {
        m_isUnsaved = m_file != nullptr;
        return;
    }
    m_isUnsaved = false;
    const auto work = [file = m_file, json = m_queue.toJson()](const Progress&) -> Result<bool> {
        WB_TRY(file->write(json));
        return true;
    };
    const auto again = [this] {
        if (m_isUnsaved) save();
    };
    m_save.start<bool>(
        tr("Saving the download list"), work, [again](bool) { again(); }, [this](const Error& error) { emit failed(error); });
}

void Downloads::edited() {
    const auto isCovered = [this](const InterruptedDownload& each) {
        return std::ranges::any_of(m_queue.entries(), [&each](const QueuedDownload& queued) {
            return queued.state != QueuedDownload::State::Done && covers(queued.request, each.request);
        });
    };
    std::erase_if(m_interrupted, isCovered);
    startNext();
    save();
    emit changed();
}

// ---- rows

Downloads::Row Downloads::row(int row) const {
    const auto& entries = m_queue.entries();
    const auto index = static_cast<std::size_t>(row);
    if (row < 0 || index >= entries.size() + m_interrupted.size()) return {};
    if (index < entries.size()) return {&entries[index].request, &entries[index], nullptr};
    const InterruptedDownload& interrupted = m_interrupted[index - entries.size()];
    return {&interrupted.request, nullptr, &interrupted.run};
}

void Downloads::showRow(quint64 id) {
    const auto& entries = m_queue.entries();
    const auto found = std::ranges::find(entries, id, &QueuedDownload::id);
    if (found != entries.end()) emit rowChanged(static_cast<int>(found - entries.begin()));
}

std::optional<WaitBoard::Waiting> Downloads::waiting(const QueuedDownload& download) const {
    const net::Time now = m_network.clock->now();
    if (download.state == QueuedDownload::State::Queued && download.error && download.notBefore > now)
        return WaitBoard::Waiting{*download.error, std::chrono::duration<double>(download.notBefore - now).count()};
    const auto running = m_jobs.find(download.id);
    return running == m_jobs.end() ? std::nullopt : running->second.board->at(now);
}

double Downloads::bytesPerSecond(quint64 id) const {
    const auto running = m_jobs.find(id);
    return running == m_jobs.end() ? 0 : running->second.job->unitsPerSecond();
}

void Downloads::tick() {
    if (m_queue.isOpen(minute())) releaseAll();
    else holdAll(); // until the hours come
    startNext();
    for (const QueuedDownload& each : m_queue.entries())
        if (waiting(each)) showRow(each.id);
}

// ---- what the user does

quint64 Downloads::add(QueuedDownload download) {
    const quint64 id = m_queue.add(std::move(download));
    resume(id); // if it already existed, paused
    return id;
}

void Downloads::addIfSpace(QueuedDownload download, const FileList& list) {
    const auto isSame = [&](const QueuedDownload& each) { return isSameDownload(each.request, download.request); };
    if (std::ranges::any_of(m_queue.entries(), isSame)) {
        add(std::move(download));
        return;
    }
    DownloadRequest request = download.request;
    request.bytesOfOthers = m_queue.bytesOfOthers(0);
    const auto work = [request, list](const Progress&) { return planListed(request, list); };
    startJob<DownloadPlan>(
        *m_services.jobs, tr("Checking free disk space"), this, work,
        [this, download](const Result<DownloadPlan>& plan) {
            if (!plan && plan.error().code == ErrorCode::Canceled) return;
            if (!plan) emit failed(plan.error());
            else if (plan->warning) emit isTight(download, *plan->warning);
            else add(download);
        },
        false);
}

// A job that had not begun ends at once and leaves m_jobs.
void Downloads::stopJob(quint64 id) {
    const auto running = m_jobs.find(id);
    if (running == m_jobs.end()) return;
    const std::shared_ptr<JobHandle> job = running->second.job;
    job->cancel();
}

bool Downloads::pauseJob(quint64 id) {
    const auto running = m_jobs.find(id);
    if (running == m_jobs.end()) return false;
    running->second.job->setPaused(true); // onPaused() follows at once
    if (!*running->second.isPaused) stopJob(id);
    return m_jobs.contains(id);
}

// Their entries stay as they are: they continue with the queue.
void Downloads::holdAll() {
    std::vector<quint64> ids;
    for (auto& [id, running] : m_jobs)
        if (!*running.isPaused) ids.push_back(id);
    for (const quint64 id : ids) {
        const auto running = m_jobs.find(id);
        if (running == m_jobs.end()) continue;
        running->second.isHeld = true;
        pauseJob(id);
    }
}

void Downloads::releaseAll() {
    for (auto& [id, running] : m_jobs)
        if (std::exchange(running.isHeld, false)) running.job->setPaused(false);
}

bool Downloads::isHeldWithAll(quint64 id) const {
    const auto running = m_jobs.find(id);
    return running != m_jobs.end() && running->second.isHeld;
}

const JobHandle* Downloads::job(quint64 id) const {
    const auto running = m_jobs.find(id);
    return running == m_jobs.end() ? nullptr : running->second.job.get();
}

QString Downloads::result(quint64 id) const {
    const auto found = m_results.find(id);
    return found == m_results.end() ? QString() : found->second;
}

void Downloads::cancel(quint64 id) {
    m_queue.cancel(id);
    stopJob(id);
    edited();
}

void Downloads::pause(quint64 id) {
    if (const auto running = m_jobs.find(id); running != m_jobs.end())
        running->second.isHeld = false; // the queue does not resume it
    m_queue.pause(id);
    pauseJob(id);
    edited();
}

// A paused job continues, where it is still there.
void Downloads::resume(quint64 id) {
    const auto running = m_jobs.find(id);
    if (running != m_jobs.end() && *running->second.isPaused) running->second.job->setPaused(false);
    else m_queue.resume(id);
    edited();
}

void Downloads::move(quint64 id, int places) {
    m_queue.move(id, places);
    edited();
}

void Downloads::remove(quint64 id) {
    const QueuedDownload* found = m_queue.find(id);
    if (!found) return;
    const DownloadRequest request = found->request;
    const bool isWhole = found->state == QueuedDownload::State::Done;
    const bool isRunning = m_jobs.contains(id);
    m_queue.remove(id);
    stopJob(id);
    if (!isWhole && !isRunning) clean(request); // a running one is cleaned when its job has let go
    edited();
}

void Downloads::removeDone() {
    m_queue.removeDone();
    edited();
}

void Downloads::setLimit(quint64 id, quint64 bytesPerSecond) {
    m_queue.setLimit(id, bytesPerSecond);
    if (const auto running = m_jobs.find(id); running != m_jobs.end()) running->second.limit->set(bytesPerSecond);
    edited();
}

void Downloads::pauseAll(bool isPaused) {
    m_queue.pauseAll(isPaused);
    if (m_queue.isOpen(minute())) releaseAll();
    else holdAll();
    edited();
}

void Downloads::setTotalLimit(quint64 bytesPerSecond) {
    m_queue.setTotalLimit(bytesPerSecond);
    m_totalLimit->set(bytesPerSecond);
    edited();
}

void Downloads::setHours(std::optional<Hours> hours) {
    m_queue.setHours(hours);
    tick();
    edited();
}

void Downloads::goOn(const DownloadRequest& interrupted) {
    QueuedDownload download;
    download.request = interrupted;
    add(std::move(download));
}

void Downloads::discard(const DownloadRequest& interrupted) {
    const DownloadRequest request = interrupted; // the row goes
    std::erase_if(m_interrupted, [&request](const InterruptedDownload& each) { return isSameDownload(each.request, request); });
    clean(request);
    edited();
}

void Downloads::clean(const DownloadRequest& request) {
    const auto work = [folder = fsPath(m_services.stateFolder), request](const Progress&) -> Result<bool> {
        for (const InterruptedDownload& each : interruptedDownloads(folder))
            if (covers(request, each.request)) WB_TRY(run::discard(folder, each.run.record.target));
        return true;
    };
    const quint64 number = ++m_lastCleaning;
    m_cleaned[number] = request;
    startJob<bool>(
        *m_services.jobs, tr("Removing an incomplete download"), this, work,
        [this, number](const Result<bool>& result) {
            m_cleaned.erase(number);
            if (!result && result.error().code != ErrorCode::Canceled) emit failed(result.error());
            startNext();
        },
        false);
}

// ---- jobs

// Also by a job of the same files whose entry was removed, or by its own one that was reported to stop.
bool Downloads::isHeld(const QueuedDownload& download) const {
    return std::ranges::any_of(m_jobs, [&](const auto& each) { return meets(each.second.request, download.request); }) ||
           std::ranges::any_of(m_cleaned, [&](const auto& each) { return meets(each.second, download.request); });
}

void Downloads::startNext() {
    if (!m_isLoaded || m_load.isRunning()) return;
    const auto held = [this](const QueuedDownload& each) { return isHeld(each); };
    while (const auto id = m_queue.next(minute(), m_network.clock->now(), held)) start(*m_queue.find(*id));
    const bool isOver = std::ranges::all_of(m_queue.entries(), [](const QueuedDownload& each) {
        using enum QueuedDownload::State;
        return each.state == Done || each.state == Paused || each.state == Canceled;
    });
    if (isOver) m_tick.stop();
    else if (!m_tick.isActive()) m_tick.start();
}

void Downloads::start(const QueuedDownload& download) {
    const quint64 id = download.id;
    m_queue.begun(id);
    const auto board = std::make_shared<WaitBoard>();
    const auto network = m_network.open(board, 5);
    if (!network) return onEnded(id, std::unexpected(network.error()));
    Running running{download.request, nullptr, std::make_shared<SpeedLimit>(download.bytesPerSecond), board};
    DownloadRequest request = download.request;
    request.options.stateFolder = fsPath(m_services.stateFolder);
    request.options.lines = 8 / DownloadQueue::atOnce;
    request.options.limits = {m_totalLimit, running.limit};
    request.options.isPausing = [isPaused = running.isPaused] { return isPaused->load(); };
    request.bytesOfOthers = m_queue.bytesOfOthers(id);
    const auto work = [network = *network, settings = m_network.settings,
                       request](const Progress& progress) -> Result<std::string> {
        WB_TRY_ASSIGN(Settings known, settings());
        Client client(network, std::move(known));
        WB_TRY_ASSIGN(DownloadPlan plan, planDownload(client, network, request, progress));
        std::string folder = qtPath(plan.folder).toStdString();
        WB_TRY_ASSIGN(const DownloadOutcome outcome, wb::hub::download(client, network, request, std::move(plan), progress));
        if (const auto error = outcome.error()) return std::unexpected(*error);
        return folder;
    };
    running.job = startJob<std::string>(
        *m_services.jobs, [name = requestTitle(request)] { return tr("Download %1").arg(name); }, this, work,
        [this, id, request](const Result<std::string>& folder) {
            if (!m_queue.find(id)) clean(request); // before what waits for its files starts
            onEnded(id, folder);
        });
    watch(id, *running.job);
    m_jobs[id] = std::move(running);
}

// Jobs pauses, resumes and cancels as the list of downloads does.
void Downloads::watch(quint64 id, JobHandle& job) {
    connect(&job, &JobHandle::progressed, this, [this, id](quint64 done, quint64 total) { onProgress(id, done, total); });
    connect(&job, &JobHandle::pausedChanged, this, [this, id](bool isPaused) { onPaused(id, isPaused); });
    if (const auto* shown = qobject_cast<Job*>(&job))
        connect(shown, &Job::canceledByUser, this, [this, id] {
            m_queue.cancel(id);
            edited();
        });
}

void Downloads::onPaused(quint64 id, bool isPaused) {
    const auto running = m_jobs.find(id);
    if (running == m_jobs.end() || running->second.job->isFinished()) return; // a paused one that ends stays paused
    *running->second.isPaused = isPaused;
    if (!isPaused) running->second.isHeld = false;
    if (running->second.isHeld) return showRow(id);
    if (isPaused) m_queue.pause(id);
    else m_queue.begun(id);
    edited();
}

// While it is paused only the last figure of the journal comes.
void Downloads::onProgress(quint64 id, quint64 done, quint64 total) {
    m_queue.setProgress(id, done, total);
    showRow(id);
    const QueuedDownload* entry = m_queue.find(id);
    if (entry && entry->state == QueuedDownload::State::Paused) save();
}

void Downloads::onEnded(quint64 id, const Result<std::string>& folder) {
    m_jobs.erase(id);
    Result<void> result;
    if (!folder) result = std::unexpected(folder.error());
    m_queue.ended(id, result, m_network.clock->now());
    if (folder) {
        if (const QueuedDownload* done = m_queue.find(id)) m_results[id] = modelIn(text(*folder), done->request);
        emit downloaded(text(*folder));
    }
    if (!folder && folder.error().code != ErrorCode::Canceled) emit failed(folder.error());
    edited();
}

} // namespace wb::ui::browse
