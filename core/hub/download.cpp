// SPDX-License-Identifier: MIT
#include "core/hub/download.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/hub/content_hash.h"
#include "core/hub/file_name.h"
#include "core/hub/request_json.h"
#include "core/io/disk_space.h"
#include "core/io/failures.h"
#include "core/io/target.h"

#include <algorithm>
#include <limits>

namespace wb::hub {
namespace {

namespace fs = std::filesystem;

// Sizes are what a hub says.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return checked::add(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

std::unexpected<Error> differs(const RemoteFile& file) {
    return fail(ErrorCode::NotWritable, Reason("hub.target_differs"), About{shownName(file.path)},
                WB_TEXT("{} already exists with different contents; move it, or choose another folder."), shownName(file.path));
}

PlannedDownload planFile(const DownloadPlan& plan, const DownloadPlace& place, RemoteFile file) {
    PlannedDownload planned;
    planned.refusal = file.refusal;
    if (file.refusal) {
        planned.state = PlannedDownload::State::Refused;
    } else {
        planned.target = downloadTarget(place, plan.asked, plan.commit, file);
        const Presence presence = filePresence(place, plan.asked, plan.commit, file);
        if (presence == Presence::Present) planned.state = PlannedDownload::State::Present;
        planned.replace = presence == Presence::Former;
    }
    planned.file = std::move(file);
    return planned;
}

// A system whose disk is all but full works badly.
std::optional<Error> tightDisk(const DownloadPlan& plan, std::uint64_t left) {
    constexpr std::uint64_t comfortable = 2u << 30;
    if (left >= comfortable) return std::nullopt;
    return makeError(ErrorCode::NoSpace, Reason("hub.tight_disk"), About{plan.asked.text()},
                     WB_TEXT("{} fits, but leaves only {} of free disk space."), plan.asked.text(), humanBytes(left));
}

Result<void> checkRoom(DownloadPlan& plan, const DownloadRequest& request) {
    plan.freeBytes = io::freeSpace(request.place.root);
    std::uint64_t taken = 0; // by the parts of an earlier run
    for (const PlannedDownload& planned : plan.files) {
        if (planned.state != PlannedDownload::State::Wanted) continue;
        fs::path part = planned.target;
        taken = sum(taken, std::min(io::takenSpace(part += ".part"), planned.file.bytes));
    }
    if (!plan.freeBytes) return {};
    const std::uint64_t needed = sum(plan.toFetch, request.bytesOfOthers), room = sum(*plan.freeBytes, taken);
    if (needed <= room) {
        if (plan.toFetch > 0) plan.warning = tightDisk(plan, room - needed);
        return {};
    }
    return fail(ErrorCode::NoSpace, Reason("hub.disk_space"), About{plan.asked.text()},
                WB_TEXT("{} needs {} of disk space, but only {} is free; free some space or choose another folder."),
                plan.asked.text(), humanBytes(needed), humanBytes(room));
}

// The entry of one file in the jobs list and in `wb unfinished`.
std::string planText(const DownloadPlan& plan, const DownloadRequest& request, const RemoteFile& file) {
    DownloadRequest one;
    one.repository = plan.asked;
    one.files = {file.path};
    one.place = request.place;
    one.alternates = request.alternates;
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    writeRequest(out, one);
    out.endObject();
    out.finish();
    return json;
}

bool isMeant(const DownloadRequest& request, const std::string& path) {
    if (!request.files.empty() && std::ranges::find(request.files, path) == request.files.end()) return false;
    return !request.isWanted || request.isWanted(path);
}

// Whether the next file would fail for the same reason.
bool isOfAll(const Error& error) {
    const std::string_view reason = error.reason.id();
    return error.code == ErrorCode::NoSpace || reason.starts_with("net.") || reason == "hub.token_refused" ||
           reason == "hub.gated" || reason == "hub.offline" || reason == "hub.trouble" || reason == "hub.too_fast";
}

class Downloader {
public:
    Downloader(Client& client, const Network& network, const DownloadRequest& request, const DownloadPlan& plan,
               const Progress& progress)
        : m_client(client), m_network(network), m_request(request), m_plan(plan), m_progress(progress) {}

    // Canceled, or the file's own fate in `file`.
    Result<void> fetch(const PlannedDownload& planned, DownloadedFile& file);

    // Of a file that is there: a cache may still lack its name at this revision.
    Result<void> keep(const PlannedDownload& planned);

    std::uint64_t fetchedBytes() const { return m_fetched; }

private:
    Result<FileDone> fetchNow(const PlannedDownload& planned, std::vector<std::string>& sources);
    Result<FileDone> fetchInto(const PlannedDownload& planned, std::vector<std::string>& sources, const Progress& progress);
    Result<FileDone> fetchFrom(const Repository& repository, const std::string& path, const PlannedDownload& planned,
                               const Progress& progress);
    std::optional<std::string> pathAt(const Repository& repository, const RemoteFile& file);

    Client& m_client;
    const Network& m_network;
    const DownloadRequest& m_request;
    const DownloadPlan& m_plan;
    const Progress& m_progress;
    std::uint64_t m_before = 0; // bytes of the files that are done
    std::uint64_t m_fetched = 0;
};

Result<FileDone> Downloader::fetchFrom(const Repository& repository, const std::string& path, const PlannedDownload& planned,
                                       const Progress& progress) {
    FileTask task{repository, planned.file, planned.target, planned.replace, planText(m_plan, m_request, planned.file)};
    task.file.path = path;
    return downloadFile(m_client, m_network, task, m_request.options, progress);
}

// The name that a file of the same SHA-256 has in another repository.
std::optional<std::string> Downloader::pathAt(const Repository& repository, const RemoteFile& file) {
    if (file.sha256.empty()) return std::nullopt;
    const auto list = m_client.files(repository, Progress{m_progress.stop, {}});
    if (!list) return std::nullopt;
    for (const RemoteFile& each : list->files)
        if (each.sha256 == file.sha256 && each.bytes == file.bytes && !each.refusal) return each.path;
    return std::nullopt;
}

// A refusal leaves no empty folders.
Result<FileDone> Downloader::fetchNow(const PlannedDownload& planned, std::vector<std::string>& sources) {
    const std::uint64_t before = m_before;
    const Progress progress{m_progress.stop, [this, before](std::uint64_t done, std::uint64_t) {
                                if (m_progress.report) m_progress.report(before + done, m_plan.bytes);
                            }};
    WB_TRY_ASSIGN(const bool isSame, isThere(planned.file, planned.target, progress));
    if (isSame) return FileDone{};
    if (!planned.replace && io::isTaken(planned.target)) return differs(planned.file);
    WB_TRY_ASSIGN(const std::vector<fs::path> made, makeFolders(m_request.place, planned.target));
    auto done = fetchInto(planned, sources, progress);
    std::error_code isFull; // a folder that contains something stays
    for (auto folder = made.rbegin(); !done && folder != made.rend(); ++folder) fs::remove(*folder, isFull);
    return done;
}

// Another source continues in the same part file, because the content is the same.
Result<FileDone> Downloader::fetchInto(const PlannedDownload& planned, std::vector<std::string>& sources,
                                       const Progress& progress) {
    WB_TRY_ASSIGN(const auto lock, lockFor(m_request.place, m_plan.asked, planned.file));
    sources = {m_plan.repository.text()};
    auto done = fetchFrom(m_plan.repository, planned.file.path, planned, progress);
    for (const Repository& alternate : m_request.alternates) {
        if (done || done.error().code == ErrorCode::Canceled || done.error().code == ErrorCode::NoSpace) break;
        const auto path = pathAt(alternate, planned.file);
        if (!path) continue;
        sources.push_back(alternate.text());
        done = fetchFrom(alternate, *path, planned, progress);
    }
    return done;
}

Result<void> Downloader::keep(const PlannedDownload& planned) {
    m_before += planned.file.bytes;
    if (m_request.place.kind == PlaceKind::Folder) return {};
    return publish(m_request.place, m_plan.asked, m_plan.commit, planned.file, m_network.clock->unixNow());
}

Result<void> Downloader::fetch(const PlannedDownload& planned, DownloadedFile& file) {
    auto done = fetchNow(planned, file.sources);
    if (!done && done.error().code == ErrorCode::Canceled) return std::unexpected(std::move(done).error());
    Result<void> published;
    if (done) published = publish(m_request.place, m_plan.asked, m_plan.commit, planned.file, m_network.clock->unixNow());
    m_before += planned.file.bytes;
    if (!done || !published) {
        file.error = done ? published.error() : done.error();
        return {};
    }
    m_fetched += done->fetchedBytes;
    file.state =
        done->fetchedBytes > 0 || planned.file.bytes == 0 ? DownloadedFile::State::Downloaded : DownloadedFile::State::Present;
    if (file.sha256.empty()) file.sha256 = done->sha256;
    return {};
}

} // namespace

Result<FileList> listFiles(Client& client, const Repository& repository, const Progress& progress) {
    WB_TRY_ASSIGN(const ModelInfo info, client.info(repository, progress));
    Repository pinned = repository;
    if (pinned.hub == Hub::HuggingFace) pinned.revision = info.commit;
    WB_TRY_ASSIGN(FileList list, client.files(pinned, progress));
    list.commit = info.commit;
    return list;
}

Result<DownloadPlan> planDownload(Client& client, const Network&, const DownloadRequest& request, const Progress& progress) {
    WB_TRY_ASSIGN(FileList list, listFiles(client, request.repository, progress));
    return planListed(request, std::move(list));
}

Result<DownloadPlan> planListed(const DownloadRequest& request, FileList list) {
    DownloadPlan plan;
    plan.asked = plan.repository = request.repository;
    plan.commit = list.commit;
    if (plan.repository.hub == Hub::HuggingFace) plan.repository.revision = list.commit;
    for (RemoteFile& file : list.files) {
        if (!isMeant(request, file.path)) continue;
        PlannedDownload planned = planFile(plan, request.place, std::move(file));
        if (planned.state != PlannedDownload::State::Refused) plan.bytes = sum(plan.bytes, planned.file.bytes);
        if (planned.state == PlannedDownload::State::Wanted) plan.toFetch = sum(plan.toFetch, planned.file.bytes);
        plan.files.push_back(std::move(planned));
    }
    plan.folder = downloadFolder(request.place, plan.asked, plan.commit);
    WB_TRY(checkRoom(plan, request));
    return plan;
}

std::optional<DownloadRequest> requestOfPlan(const std::string& plan) {
    std::vector<Problem> ignored;
    const auto json = json::parse(plan, downloadKind, {}, ignored);
    if (!json || !json->object()) return std::nullopt;
    auto request = readRequest(*json->object());
    return request && request->files.size() == 1 ? request : std::nullopt;
}

std::optional<Error> DownloadOutcome::error() const {
    for (const DownloadedFile& file : files)
        if (file.error) return file.error;
    return std::nullopt;
}

Result<DownloadOutcome> download(Client& client, const Network& network, const DownloadRequest& request, DownloadPlan plan,
                                 const Progress& progress) {
    DownloadOutcome outcome;
    Downloader downloader(client, network, request, plan, progress);
    std::optional<Error> ofAll;
    for (const PlannedDownload& planned : plan.files) {
        DownloadedFile file{planned.file.path, planned.file.bytes, planned.file.sha256, DownloadedFile::State::Failed,
                            planned.refusal};
        if (planned.state == PlannedDownload::State::Refused) {
            file.state = DownloadedFile::State::Refused;
        } else if (planned.state == PlannedDownload::State::Present) {
            const auto kept = downloader.keep(planned);
            if (kept) file.state = DownloadedFile::State::Present;
            else file.error = kept.error();
        } else if (ofAll) {
            file.error = ofAll;
        } else {
            WB_TRY(downloader.fetch(planned, file));
        }
        if (file.error && !ofAll && file.state == DownloadedFile::State::Failed && isOfAll(*file.error)) ofAll = file.error;
        outcome.files.push_back(std::move(file));
    }
    outcome.fetchedBytes = downloader.fetchedBytes();
    outcome.plan = std::move(plan);
    return outcome;
}

} // namespace wb::hub
