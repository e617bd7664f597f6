// SPDX-License-Identifier: MIT
#include "core/hub/download_file.h"

#include "core/hub/answers.h"
#include "core/hub/file_job.h"
#include "core/hub/file_name.h"
#include "core/hub/hash_thread.h"
#include "core/hub/resolve.h"
#include "core/hub/save_thread.h"
#include "core/io/atomic_writer.h"
#include "core/io/failures.h"
#include "core/io/digests/sha256.h"
#include "core/jobs/team.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

namespace wb::hub {
namespace {

constexpr auto betweenSaves = std::chrono::seconds(2); // what a power cut costs
constexpr auto maxWait = std::chrono::milliseconds(250);

// What tells this content from every other: the hub's hash of it, else where and at which commit it is.
std::string taskFingerprint(const FileTask& task, std::uint64_t pieceBytes) {
    io::Sha256 hash;
    const std::string& name = expectedHash(task.file);
    const std::string text =
        fmt::format("{} {} {}", name.empty() ? task.repository.text() + ":" + task.file.path : name, task.file.bytes, pieceBytes);
    hash.update(std::as_bytes(std::span(text)));
    const auto digest = hash.finish();
    return digest ? io::hexText(*digest) : std::string("unnamed");
}

run::OutputPlan taskPlan(const FileTask& task, std::uint64_t pieceBytes) {
    run::OutputPlan plan;
    plan.target = task.target;
    plan.files.push_back({task.target, {}, task.file.bytes});
    for (std::uint64_t at = 0; at < task.file.bytes; at += pieceBytes) {
        const std::uint64_t bytes = std::min(pieceBytes, task.file.bytes - at);
        plan.items.push_back({0, at, bytes, bytes});
    }
    plan.job = {"download", plan.items.size(), taskFingerprint(task, pieceBytes)};
    return plan;
}

std::unexpected<Error> mismatch(const FileTask& task) {
    return fail(ErrorCode::Malformed, Reason("hub.wrong_bytes"), About{shownName(task.file.path)},
                WB_TEXT("{} did not match the hub's checksum in two attempts; try again later, or use another source."),
                shownName(task.file.path));
}

// One file's download on the thread that drives it.
class Driver {
public:
    Driver(Client& client, const Network& network, const FileTask& task, const FileOptions& options, const Progress& progress)
        : m_client(client), m_network(network), m_source(client.settings().source(task.repository.hub)), m_task(task),
          m_options(options), m_progress(progress), m_plan(taskPlan(task, options.pieceBytes)), m_files(m_plan),
          m_job(task.file.bytes, jobOptions()), m_hashing(m_files, task.file), m_saving(m_files, m_plan),
          m_session(network.transport->open()), m_idle(network.transport->open()) {}

    Result<FileDone> run();

private:
    FileJob::Options jobOptions();
    Result<void> open();
    Result<FileJob::Address> resolve();
    void resumePieces();
    Result<std::string> fetchAndHash();
    Result<std::string> verified();
    Result<void> fetch();
    Result<void> act(const FileJob::Action& action);
    Result<void> take(net::Event& event);
    Result<void> poll();
    Result<void> progressOrPause();
    void save(bool isLast);
    void saveAll();
    std::uint64_t savedBytes() const;
    void waitForDisk();
    void waitUntilAllowed(net::Time until);
    std::uint64_t maxUnsaved() const { return m_options.lines * m_options.pieceBytes / 4; }
    void reportWait();
    void slowDown(std::size_t bytes);
    void addToChecks(std::uint64_t offset, std::span<const std::byte> bytes);
    std::optional<std::uint64_t> takeCheck(std::uint64_t piece);
    std::vector<std::uint64_t> damagedPieces();
    Result<void> beginAgain();
    net::Time now() const { return m_network.clock->now(); }

    Client& m_client;
    const Network& m_network;
    const Source& m_source;
    const FileTask& m_task;
    const FileOptions& m_options;
    const Progress& m_progress;
    run::OutputPlan m_plan;
    run::RunFiles m_files;
    FileJob m_job;
    HashThread m_hashing;
    SaveThread m_saving;
    std::unique_ptr<net::NetworkSession> m_session;
    std::unique_ptr<net::NetworkSession> m_idle; // waits without taking bytes
    std::unique_ptr<run::Claim> m_claim;
    std::map<net::RequestId, unsigned> m_lineOf;
    std::map<unsigned, net::RequestId> m_requestOf;
    std::map<std::uint64_t, std::uint64_t> m_saved; // bytes of each piece that the journal knows
    std::map<std::uint64_t, run::Check> m_checks;   // of pieces that come
    std::uint64_t m_prefix = 0;                     // when it was looked at last
    net::Time m_savedAt{};
    std::uint64_t m_savedBytes = 0; // fetched by then
    std::uint64_t m_safeBytes = 0;  // fetched, and on the disk and in the journal by now
    net::Time m_allowedAt{};        // where the speed is limited
    net::Time m_waitReported{};
};

FileJob::Options Driver::jobOptions() {
    FileJob::Options options;
    options.lines = m_options.lines;
    options.pieceBytes = m_options.pieceBytes;
    options.attempts = m_options.attempts;
    options.clock = m_network.clock;
    options.explain = [this](const net::Head& head) {
        return answerError(net::Answer{{}, head, {}}, m_source, &m_task.repository, m_task.file.path);
    };
    options.isAllowed = [this](const net::Url& from, const net::Url& to) { return isAllowedTarget(m_client.settings(), from, to); };
    return options;
}

// The hub is asked last before anything changes, so that its refusals leave no trace.
Result<void> Driver::open() {
    if (!m_options.stateFolder.empty()) {
        run::RunRecord record{"download", m_task.target, {}, m_task.plan, {m_task.target}, m_task.replace};
        record.bytes = m_task.file.bytes;
        record.itemBytes = m_options.pieceBytes;
        auto claimed = run::claim(m_options.stateFolder, std::move(record));
        if (!claimed && claimed.error().reason == io::heldByAnotherRun) return std::unexpected(claimed.error());
        if (claimed) m_claim = *std::move(claimed);
    }
    FileJob::Address address;
    const auto ask = [this, &address]() -> Result<void> {
        WB_TRY_ASSIGN(address, resolve());
        return {};
    };
    WB_TRY(m_files.open(m_task.replace, false, ask));
    if (m_claim) m_claim->writeRecord();
    resumePieces(); // before the first line takes a piece
    m_job.resolved(now(), std::move(address));
    return {};
}

// Compares the hub's present response with its list.
Result<FileJob::Address> Driver::resolve() {
    auto resolved = resolveFile(m_client, m_task.repository, m_task.file.path, m_progress);
    if (!resolved) return std::unexpected(std::move(resolved).error());
    const std::string& known = expectedHash(m_task.file);
    const std::string& said = m_task.file.sha256.empty() ? resolved->gitSha1 : resolved->sha256;
    const bool isOther =
        (resolved->bytes && *resolved->bytes != m_task.file.bytes) || (!known.empty() && !said.empty() && known != said);
    if (isOther)
        return fail(ErrorCode::Changed, Reason("hub.source_changed"), About{shownName(m_task.file.path)},
                    WB_TEXT("{} no longer matches the file listed by the hub; start the download again."),
                    shownName(m_task.file.path));
    return FileJob::Address{std::move(resolved->url), resolved->isHub};
}

// "" is a whole piece, a number this many bytes of one.
void Driver::resumePieces() {
    for (const auto& [piece, record] : m_files.journal().records()) {
        std::uint64_t bytes = m_plan.items[piece].bytes;
        if (!record.text.empty()) std::from_chars(record.text.data(), record.text.data() + record.text.size(), bytes);
        bytes = std::min(bytes, m_plan.items[piece].bytes);
        m_job.resumePiece(piece, bytes);
        m_saved[piece] = bytes;
    }
}

Result<void> Driver::act(const FileJob::Action& action) {
    if (const auto* close = std::get_if<FileJob::Close>(&action)) {
        const auto request = m_requestOf.find(close->line);
        if (request == m_requestOf.end()) return {};
        m_session->abort(request->second);
        m_lineOf.erase(request->second);
        m_requestOf.erase(request);
        return {};
    }
    if (const auto* open = std::get_if<FileJob::Open>(&action)) {
        net::Request request;
        request.url = open->url;
        request.headers = headersFor(m_source, open->url.isSameOrigin(m_source.endpoint));
        if (!open->isWhole) request.headers.add("Range", fmt::format("bytes={}-{}", open->begin, open->end - 1));
        const net::RequestId id = m_session->start(std::move(request));
        m_lineOf[id] = open->line;
        m_requestOf[open->line] = id;
        return {};
    }
    auto address = resolve();
    if (!address && address.error().code == ErrorCode::Canceled) return std::unexpected(std::move(address).error());
    if (address) m_job.resolved(now(), *std::move(address));
    else m_job.resolveFailed(std::move(address).error());
    return {};
}

Result<void> Driver::take(net::Event& event) {
    const auto line = m_lineOf.find(event.request);
    if (line == m_lineOf.end()) return {};
    if (const auto* head = std::get_if<net::Head>(&event.what)) {
        m_job.head(now(), line->second, *head);
    } else if (auto* bytes = std::get_if<net::Body>(&event.what)) {
        const auto place = m_job.body(now(), line->second, bytes->size());
        if (place.count > 0) {
            const auto wanted = std::span<const std::byte>(*bytes).first(place.count);
            WB_TRY(m_files.write({0, place.offset, place.count, 0}, wanted));
            addToChecks(place.offset, wanted);
            slowDown(place.count);
            bytes->resize(place.count);
            m_hashing.offer(place.offset, std::move(*bytes));
        }
    } else {
        const unsigned index = line->second;
        m_lineOf.erase(line);
        m_requestOf.erase(index);
        m_job.ended(now(), index, std::get<net::Event::End>(event.what).failure);
    }
    return {};
}

// While the bytes are at hand; a piece that does not come in one go from its beginning has no check here.
void Driver::addToChecks(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::uint64_t piece = offset / m_options.pieceBytes, inPiece = offset % m_options.pieceBytes;
        const auto part =
            bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), m_options.pieceBytes - inPiece)));
        if (inPiece == 0) m_checks[piece] = run::Check();
        const auto check = m_checks.find(piece);
        if (check != m_checks.end() && check->second.bytes() == inPiece) check->second.add(part);
        else if (check != m_checks.end()) m_checks.erase(check);
        offset += part.size();
        bytes = bytes.subspan(part.size());
    }
}

// Of a piece that is complete; forgotten here.
std::optional<std::uint64_t> Driver::takeCheck(std::uint64_t piece) {
    const auto check = m_checks.extract(piece);
    if (check.empty() || check.mapped().bytes() != m_plan.items[piece].bytes) return std::nullopt;
    return check.mapped().value();
}

// Where the speed is limited the next bytes wait, and after them the server.
void Driver::slowDown(std::size_t bytes) {
    for (const auto& limit : m_options.limits) m_allowedAt = std::max(m_allowedAt, limit->take(now(), bytes));
}

void Driver::reportWait() {
    const auto waiting = m_job.waiting(now());
    if (!waiting || waiting->until == m_waitReported) return;
    m_waitReported = waiting->until;
    if (m_network.report) m_network.report({waiting->why, waiting->until});
}

// Passes the bytes received since the last call to the journal.
void Driver::save(bool isLast) {
    if (m_saving.isSaving()) return;
    m_safeBytes = m_savedBytes;
    const std::uint64_t fetched = m_job.fetchedBytes();
    const bool isTime = isLast || now() >= m_savedAt + betweenSaves || fetched >= m_savedBytes + maxUnsaved() / 2;
    if (!isTime || fetched == m_savedBytes) return;
    std::vector<SaveThread::Piece> pieces;
    for (std::uint64_t i = 0; i < m_job.pieces().count(); ++i) {
        const std::uint64_t bytes = m_job.pieces().done(i);
        if (bytes <= m_saved[i]) continue;
        const bool isWhole = bytes == m_plan.items[i].bytes;
        pieces.push_back({i, bytes, isWhole ? takeCheck(i) : std::nullopt});
    }
    if (pieces.empty()) return;
    for (const SaveThread::Piece& piece : pieces) m_saved[piece.index] = piece.bytes;
    m_saving.save(std::move(pieces));
    m_savedAt = now();
    m_savedBytes = fetched;
}

// A kill must not cost more than a piece a connection: where the disk is slower than the network, the network waits.
void Driver::waitForDisk() {
    if (m_job.fetchedBytes() < m_safeBytes + maxUnsaved()) return;
    const net::Time before = now();
    m_saving.waitUntilSaved();
    m_job.extendDeadlines(now() - before);
}

Result<void> Driver::poll() {
    if (const auto error = m_saving.error()) return std::unexpected(*error);
    if (const auto error = m_hashing.error()) return std::unexpected(*error);
    const std::uint64_t prefix = m_job.pieces().prefix();
    if (prefix < m_prefix) m_hashing.restart(); // a server that forgot ranges sends all again, and perhaps other bytes
    m_prefix = prefix;
    m_hashing.setPrefix(prefix);
    save(false);
    waitForDisk();
    reportWait();
    return progressOrPause();
}

// A pause blocks the thread inside the progress. Received bytes are in the journal by then, so that every program counts the same
// bytes, and the pause is not a stall of the server.
Result<void> Driver::progressOrPause() {
    const bool pauses = m_options.isPausing && m_options.isPausing();
    if (pauses) saveAll();
    const net::Time before = now();
    WB_TRY(m_progress.at(pauses ? savedBytes() : m_job.pieces().doneBytes(), m_task.file.bytes));
    m_job.extendDeadlines(now() - before);
    return {};
}

void Driver::saveAll() {
    m_saving.waitUntilSaved();
    save(true);
    m_saving.waitUntilSaved();
}

std::uint64_t Driver::savedBytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [piece, saved] : m_saved) bytes += saved;
    return bytes;
}

Result<void> Driver::fetch() {
    while (m_job.state() == FileJob::State::Running) {
        for (const FileJob::Action& action : m_job.takeActions()) WB_TRY(act(action));
        net::Time until = now() + maxWait;
        if (const auto next = m_job.nextTime(now())) until = std::min(until, *next);
        if (now() < m_allowedAt) waitUntilAllowed(until);
        else if (auto event = m_session->next(until, m_progress.stop)) WB_TRY(take(*event));
        m_job.tick(now());
        WB_TRY(poll());
    }
    for (const FileJob::Action& action : m_job.takeActions()) WB_TRY(act(action));
    if (m_job.state() == FileJob::State::Failed) return std::unexpected(m_job.error());
    return {};
}

// Unread bytes are not a stall of their server.
void Driver::waitUntilAllowed(net::Time until) {
    const net::Time before = now();
    net::waitUntil(*m_idle, *m_network.clock, std::min(until, m_allowedAt), m_progress.stop);
    m_job.extendDeadlines(now() - before);
}

// Pieces whose bytes on the disk are no longer those that came.
std::vector<std::uint64_t> Driver::damagedPieces() {
    std::vector<std::uint64_t> damaged;
    std::vector<std::byte> buffer;
    for (const auto& [piece, record] : m_files.journal().records())
        if (record.text.empty() && !m_files.holds(m_plan.items[piece], record.check, buffer)) damaged.push_back(piece);
    return damaged;
}

// Bytes that the network changed show in no record, so then all come again.
Result<void> Driver::beginAgain() {
    std::vector<std::uint64_t> pieces = damagedPieces();
    const bool isNamed = m_files.isRenamed(0);
    if (isNamed) WB_TRY(m_files.startOver()); // a file with its final name is no longer written
    if (isNamed || pieces.empty()) {
        pieces.resize(m_job.pieces().count());
        std::iota(pieces.begin(), pieces.end(), std::uint64_t{0});
    }
    for (const std::uint64_t piece : pieces) m_saved.erase(piece);
    m_hashing.restart();
    m_prefix = 0;
    m_job.fetchAgain(pieces);
    return {};
}

Result<std::string> Driver::verified() {
    const std::string& expected = expectedHash(m_task.file);
    const auto isWanted = [this] { return m_progress.at(m_job.pieces().doneBytes(), m_task.file.bytes); };
    constexpr int rounds = 2;
    for (int round = 1;; ++round) {
        WB_TRY(fetch());
        m_saving.waitUntilSaved();
        save(true);
        WB_TRY_ASSIGN(std::string hash, m_hashing.finish(m_task.file.bytes, isWanted));
        m_saving.waitUntilSaved();
        if (const auto error = m_saving.error()) return std::unexpected(*error);
        if (expected.empty() || hash == expected) return hash;
        if (round == rounds) return mismatch(m_task);
        WB_TRY(beginAgain());
    }
}

// Received bytes are saved whatever ended the work.
Result<std::string> Driver::fetchAndHash() {
    WB_TRY_ASSIGN(const auto team, jobs::Team::make(3));
    Result<std::string> hash;
    team->run([&](unsigned worker) {
        if (worker == 1) return m_hashing.work();
        if (worker == 2) return m_saving.work();
        hash = verified();
        if (!hash) saveAll();
        m_saving.stop();
        m_hashing.stop();
    });
    return hash;
}

Result<FileDone> Driver::run() {
    WB_TRY(open());
    auto hash = fetchAndHash();
    const bool isWrong = !hash && hash.error().reason == Reason("hub.wrong_bytes");
    if (!hash && (isWrong || !m_files.hasWork())) m_files.discard();
    else if (!hash && m_progress.report) m_progress.report(savedBytes(), m_task.file.bytes); // what a resumed download starts with
    if (!hash && hash.error().code == ErrorCode::NoSpace)
        return fail(ErrorCode::NoSpace, Reason("hub.disk_full"), About{shownName(m_task.file.path)},
                    WB_TEXT("The disk became full while downloading {}; free some space and start again to resume."),
                    shownName(m_task.file.path));
    if (!hash) return std::unexpected(std::move(hash).error());
    WB_TRY(m_files.finish());
    constexpr std::size_t sha256Digits = 64;
    return FileDone{m_job.fetchedBytes(), hash->size() == sha256Digits ? *hash : std::string()};
}

Result<FileDone> writeEmpty(const FileTask& task) {
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(task.target));
    WB_TRY(writer.commit());
    return FileDone{};
}

} // namespace

Result<FileDone> downloadFile(Client& client, const Network& network, const FileTask& task, const FileOptions& options,
                              const Progress& progress) {
    if (task.file.refusal) return std::unexpected(*task.file.refusal);
    if (task.file.bytes == 0) return writeEmpty(task);
    return Driver(client, network, task, options, progress).run();
}

Result<bool> isThere(const RemoteFile& file, const std::filesystem::path& path, const Progress& progress) {
    const auto source = io::FileSource::open(path);
    if (!source || (*source)->size() != file.bytes) return false;
    if (expectedHash(file).empty()) return true; // nothing else is recorded
    constexpr std::uint64_t slabBytes = 4u << 20;
    std::vector<std::byte> slab(static_cast<std::size_t>(std::min(slabBytes, file.bytes)));
    ContentHash hash(file);
    for (std::uint64_t at = 0; at < file.bytes; at += slab.size()) {
        WB_TRY(progress.at(at, file.bytes));
        const auto piece = std::span(slab).first(static_cast<std::size_t>(std::min<std::uint64_t>(slab.size(), file.bytes - at)));
        WB_TRY((*source)->readAt(at, piece));
        hash.update(piece);
    }
    WB_TRY_ASSIGN(const std::string found, hash.finish());
    return found == expectedHash(file);
}

} // namespace wb::hub
