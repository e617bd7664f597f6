// SPDX-License-Identifier: MIT
#include "core/hub/queue.h"

#include "core/hub/answers.h"
#include "core/hub/request_json.h"

#include <algorithm>
#include <array>

namespace wb::hub {
namespace {

constexpr int minutesOfDay = 24 * 60;

using State = QueuedDownload::State;

bool passesWithTime(const Error& error) {
    static constexpr Reason passing[] = {"hub.trouble",      "hub.too_fast",      "hub.address_expired",
                                         "net.no_such_host", "net.no_connection", "net.timeout",
                                         "net.too_slow",     "net.reset",         "net.proxy"};
    return std::ranges::find(passing, error.reason) != std::end(passing);
}

} // namespace

bool Hours::contains(int minute) const {
    if (begin == end) return true;
    return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

int Hours::minutesUntil(int minute) const { return contains(minute) ? 0 : (begin - minute + minutesOfDay) % minutesOfDay; }

bool covers(const DownloadRequest& whole, const DownloadRequest& one) {
    if (whole.repository != one.repository || whole.place != one.place || one.files.size() != 1) return false;
    return whole.files.empty() || std::ranges::find(whole.files, one.files.front()) != whole.files.end();
}

bool isSameDownload(const DownloadRequest& a, const DownloadRequest& b) {
    return a.repository == b.repository && a.place == b.place && a.files == b.files;
}

bool meets(const DownloadRequest& a, const DownloadRequest& b) {
    const bool isShared = a.repository.hub == b.repository.hub && a.repository.name == b.repository.name;
    if (a.place != b.place || (a.place.kind != PlaceKind::Folder && !isShared)) return false;
    if (a.files.empty() || b.files.empty()) return true;
    return std::ranges::any_of(a.files,
                               [&b](const std::string& file) { return std::ranges::find(b.files, file) != b.files.end(); });
}

QueuedDownload* DownloadQueue::entry(std::uint64_t id) {
    const auto found = std::ranges::find(m_entries, id, &QueuedDownload::id);
    return found == m_entries.end() ? nullptr : &*found;
}

const QueuedDownload* DownloadQueue::find(std::uint64_t id) const { return const_cast<DownloadQueue*>(this)->entry(id); }

std::uint64_t DownloadQueue::add(QueuedDownload download) {
    const auto same = std::ranges::find_if(m_entries, [&download](const QueuedDownload& each) {
        return each.state != State::Done && isSameDownload(each.request, download.request);
    });
    if (same != m_entries.end()) {
        resume(same->id);
        return same->id;
    }
    download.id = ++m_lastId;
    m_entries.push_back(std::move(download));
    return m_lastId;
}

void DownloadQueue::remove(std::uint64_t id) {
    std::erase_if(m_entries, [id](const QueuedDownload& each) { return each.id == id; });
}

void DownloadQueue::removeDone() {
    std::erase_if(m_entries, [](const QueuedDownload& each) { return each.state == State::Done; });
}

void DownloadQueue::move(std::uint64_t id, int places) {
    const QueuedDownload* found = find(id);
    if (!found) return;
    const std::ptrdiff_t from = found - m_entries.data();
    const std::ptrdiff_t to = std::clamp<std::ptrdiff_t>(from + places, 0, std::ssize(m_entries) - 1);
    const auto begin = m_entries.begin();
    if (to < from) std::rotate(begin + to, begin + from, begin + from + 1);
    else std::rotate(begin + from, begin + from + 1, begin + to + 1);
}

void DownloadQueue::moveFirst(std::uint64_t id) { move(id, -static_cast<int>(m_entries.size())); }

void DownloadQueue::pause(std::uint64_t id) {
    QueuedDownload* found = entry(id);
    if (found && found->state != State::Done) found->state = State::Paused, found->error.reset();
}

void DownloadQueue::cancel(std::uint64_t id) {
    QueuedDownload* found = entry(id);
    if (found && found->state != State::Done) found->state = State::Canceled, found->error.reset();
}

void DownloadQueue::resume(std::uint64_t id) {
    QueuedDownload* found = entry(id);
    if (!found || found->state == State::Running || found->state == State::Done) return;
    found->state = State::Queued;
    found->error.reset();
    found->notBefore = {};
}

void DownloadQueue::setLimit(std::uint64_t id, std::uint64_t bytesPerSecond) {
    if (QueuedDownload* found = entry(id)) found->bytesPerSecond = bytesPerSecond;
}

unsigned DownloadQueue::running() const {
    return static_cast<unsigned>(std::ranges::count(m_entries, State::Running, &QueuedDownload::state));
}

std::optional<std::uint64_t> DownloadQueue::next(int minute, net::Time now,
                                                 const std::function<bool(const QueuedDownload&)>& isHeld) const {
    if (!isOpen(minute) || running() >= atOnce) return std::nullopt;
    const auto isReady = [now, &isHeld](const QueuedDownload& each) {
        return each.state == State::Queued && each.notBefore <= now && !(isHeld && isHeld(each));
    };
    const auto first = std::ranges::find_if(m_entries, isReady);
    return first == m_entries.end() ? std::nullopt : std::optional(first->id);
}

void DownloadQueue::begun(std::uint64_t id) {
    if (QueuedDownload* found = entry(id)) found->state = State::Running, found->error.reset();
}

void DownloadQueue::setProgress(std::uint64_t id, std::uint64_t done, std::uint64_t total) {
    QueuedDownload* found = entry(id);
    if (!found) return;
    if (done > found->doneBytes) found->failures = 0; // it gets on
    found->doneBytes = done;
    found->bytes = total;
}

void DownloadQueue::ended(std::uint64_t id, const Result<void>& result, net::Time now) {
    QueuedDownload* found = entry(id);
    if (!found || (found->state != State::Running && !result)) return; // paused meanwhile
    found->error.reset();
    found->notBefore = {};
    if (result) {
        found->state = State::Done;
        found->doneBytes = found->bytes;
        return;
    }
    const Error& error = result.error();
    found->state = State::Queued;
    if (error.code == ErrorCode::Canceled) return;
    found->error = error;
    if (passesWithTime(error)) {
        constexpr unsigned longest = 10; // minutes
        found->notBefore = now + std::chrono::minutes(std::min(1u << std::min(found->failures++, 4u), longest));
        return;
    }
    found->state = State::Blocked;
    if (error.code == ErrorCode::NoSpace) m_isPaused = true;
}

void DownloadQueue::retryNow() {
    for (QueuedDownload& each : m_entries) each.notBefore = {};
}

std::uint64_t DownloadQueue::bytesOfOthers(std::uint64_t id) const {
    std::uint64_t bytes = 0;
    for (const QueuedDownload& each : m_entries)
        if (each.id != id && each.state != State::Done && each.state != State::Canceled && each.bytes > each.doneBytes)
            bytes += std::min(each.bytes - each.doneBytes, std::uint64_t{1} << 40);
    return bytes;
}

// ---- kept over a restart

namespace {

const char* stateName(State state) {
    switch (state) {
    case State::Paused: return "paused";
    case State::Canceled: return "canceled";
    case State::Blocked: return "blocked";
    case State::Queued:
    case State::Running:
    case State::Done: break;
    }
    return "queued";
}

State stateFromName(std::string_view name) {
    for (const State state : {State::Paused, State::Canceled, State::Blocked})
        if (name == stateName(state)) return state;
    return State::Queued;
}

// Of errors that block a download, those that the window names in a word (DownloadsModel).
Reason knownReason(std::string_view id) {
    static constexpr std::array known = {
        gatedModel, noSuchRepository, noSuchFile, noSuchRevision, tokenRefused, Reason("hub.disk_full"), Reason("hub.disk_space")};
    const auto* found = std::ranges::find_if(known, [id](Reason reason) { return id == reason.id(); });
    return found == known.end() ? Reason("hub.blocked") : *found;
}

std::optional<QueuedDownload> readEntry(const Value& value) {
    const ValueObject* object = value.object();
    if (!object) return std::nullopt;
    auto request = readRequest(*object);
    if (!request) return std::nullopt;
    QueuedDownload download;
    download.request = *std::move(request);
    download.bytes = numberIn(*object, "bytes").value_or(0);
    download.doneBytes = std::min(numberIn(*object, "done").value_or(0), download.bytes);
    download.bytesPerSecond = numberIn(*object, "limit").value_or(0);
    download.state = stateFromName(textIn(*object, "state"));
    if (download.state == State::Blocked) {
        const std::string reason = textIn(*object, "reason");
        const bool isOfDisk = reason.starts_with("hub.disk");
        download.error =
            makeError(isOfDisk ? ErrorCode::NoSpace : ErrorCode::NotReadable, knownReason(reason), "{}", textIn(*object, "why"));
    }
    return download;
}

std::optional<Hours> hoursIn(const ValueObject& object) {
    const auto begin = numberIn(object, "from"), end = numberIn(object, "until");
    if (!begin || !end || *begin >= minutesOfDay || *end >= minutesOfDay) return std::nullopt;
    return Hours{static_cast<int>(*begin), static_cast<int>(*end)};
}

} // namespace

std::string DownloadQueue::toJson() const {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("version"), out.integer(1);
    out.key("paused"), out.boolean(m_isPaused);
    out.key("limit"), out.integer(m_totalLimit);
    if (m_hours) out.key("from"), out.integer(m_hours->begin), out.key("until"), out.integer(m_hours->end);
    out.key("downloads"), out.beginArray();
    for (const QueuedDownload& each : m_entries) {
        if (each.state == State::Done) continue;
        out.newline();
        out.beginObject();
        writeRequest(out, each.request);
        out.key("bytes"), out.integer(each.bytes);
        out.key("done"), out.integer(each.doneBytes);
        out.key("limit"), out.integer(each.bytesPerSecond);
        out.key("state"), out.string(stateName(each.state));
        if (each.state == State::Blocked && each.error) {
            out.key("reason"), out.string(each.error->reason.id());
            out.key("why"), out.string(each.error->message());
        }
        out.endObject();
    }
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

Result<DownloadQueue> DownloadQueue::fromJson(std::string_view json) {
    std::vector<Problem> ignored;
    const auto value = json::parse(json, "downloads.json", {}, ignored);
    const ValueObject* object = value ? value->object() : nullptr;
    if (!object || numberIn(*object, "version") != 1u)
        return fail(ErrorCode::Malformed, Reason("hub.bad_queue"), About{"downloads.json"},
                    WB_TEXT("Cannot read the download list; starting with an empty one."));
    DownloadQueue queue;
    queue.m_isPaused = flagIn(*object, "paused");
    queue.m_totalLimit = numberIn(*object, "limit").value_or(0);
    queue.m_hours = hoursIn(*object);
    const Value* downloads = object->find("downloads");
    if (downloads && downloads->array())
        for (const Value& each : downloads->array()->first)
            if (auto download = readEntry(each)) queue.add(*std::move(download));
    return queue;
}

} // namespace wb::hub
