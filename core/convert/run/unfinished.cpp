// SPDX-License-Identifier: MIT
#include "core/convert/run/unfinished.h"

#include "core/base/checked.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/convert/run/journal.h"
#include "core/convert/run/work_files.h"
#include "core/formats/json/json.h"
#include "core/io/atomic_writer.h"
#include "core/io/failures.h"
#include "core/io/system/part_file.h"
#include "core/io/digests/sha256.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace wb::run {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t maxJournalBytes = 1ull << 30;
constexpr std::uint64_t maxRecordBytes = 256ull << 20; // a plan names every tensor
constexpr std::size_t hashCharacters = 32;
constexpr const char* recordEnding = ".json";
constexpr const char* claimEnding = ".lock"; // next to the record

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

void removeFile(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
}

std::string textFromPath(const fs::path& path) {
    const auto text = path.generic_u8string();
    return {text.begin(), text.end()};
}

fs::path pathFromText(std::string_view text) { return fs::path(std::u8string(text.begin(), text.end())); }

// Without a state folder there are no records.
fs::path folderFromStateFolder(const fs::path& stateFolder) {
    return stateFolder.empty() ? fs::path() : stateFolder / "unfinished";
}

// Of the record or, with another ending, of the content next to it.
fs::path fileFromStateFolder(const fs::path& stateFolder, const fs::path& target, const char* ending) {
    io::Sha256 hash;
    const std::string text = textFromPath(target);
    hash.update(std::as_bytes(std::span(text)));
    const auto digest = hash.finish();
    const std::string name = digest ? io::hexText(*digest).substr(0, hashCharacters) : std::string("unnamed");
    return folderFromStateFolder(stateFolder) / (name + ending);
}

// ---- records

std::string recordJson(const RunRecord& record) {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("kind"), out.string(record.kind);
    out.key("target"), out.string(textFromPath(record.target));
    out.key("source"), out.string(textFromPath(record.source));
    out.key("plan"), out.string(record.plan);
    out.key("files"), out.beginArray();
    for (const fs::path& file : record.files) out.string(textFromPath(file));
    out.endArray();
    out.key("replace"), out.boolean(record.replace);
    out.key("bytes"), out.integer(record.bytes);
    out.key("item_bytes"), out.integer(record.itemBytes);
    out.endObject();
    out.finish();
    return json;
}

std::string textIn(const ValueObject& object, const char* key) {
    const Value* value = object.find(key);
    return value && value->string() ? *value->string() : std::string();
}

std::uint64_t numberIn(const ValueObject& object, const char* key) {
    const Value* value = object.find(key);
    return value ? value->unsignedNumber().value_or(0) : 0;
}

std::vector<std::string> textsIn(const ValueObject& object, const char* key) {
    std::vector<std::string> texts;
    const Value* value = object.find(key);
    if (!value || !value->array()) return texts;
    for (const Value& element : value->array()->first)
        if (element.string()) texts.push_back(*element.string());
    return texts;
}

// Earlier versions wrote "model" for "source" and "parts", the names of the part files, for "files", and no kind.
RunRecord objectRecord(const ValueObject& object) {
    RunRecord record;
    record.kind = textIn(object, "kind");
    record.target = pathFromText(textIn(object, "target"));
    record.source = pathFromText(object.find("source") ? textIn(object, "source") : textIn(object, "model"));
    record.plan = textIn(object, "plan");
    for (const std::string& file : textsIn(object, "files")) record.files.push_back(pathFromText(file));
    for (const std::string& part : textsIn(object, "parts"))
        if (isPartPath(pathFromText(part))) record.files.push_back(pathFromText(part).replace_extension());
    record.bytes = numberIn(object, "bytes");
    record.itemBytes = numberIn(object, "item_bytes");
    const Value* replace = object.find("replace");
    const bool* flag = replace ? std::get_if<bool>(&replace->data) : nullptr;
    record.replace = flag && *flag;
    return record;
}

std::optional<RunRecord> readRecord(const fs::path& file) {
    formats::Limits limits;
    limits.jsonText = limits.keptStringBytes = maxRecordBytes;
    limits.keptJsonMembers = json::keptValues;
    const auto source = io::FileSource::open(file);
    if (!source) return std::nullopt;
    std::vector<Problem> ignored;
    const auto root = json::readFile(**source, (*source)->name(), limits, ignored);
    if (!root || !root->object()) return std::nullopt;
    RunRecord record = objectRecord(*root->object());
    return record.target.empty() ? std::nullopt : std::optional(std::move(record));
}

Result<void> writeFile(const fs::path& file, const std::string& text) {
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(file));
    WB_TRY(writer.write(text));
    return writer.commit();
}

// ---- locks

// Null if none exists: asking for it would make one.
Result<std::unique_ptr<io::LockedFile>> takeIfThere(const fs::path& file) {
    if (!isThere(file)) return nullptr;
    return io::LockedFile::open(file);
}

// A file that cannot be written is not locked; the run that resumes it reports that.
bool isHeld(const fs::path& file) {
    const auto taken = takeIfThere(file);
    return !taken && taken.error().reason == io::heldByAnotherRun;
}

// A claim that a killed program left is removed on the way.
bool isClaimed(const fs::path& claimFile) {
    auto taken = takeIfThere(claimFile);
    if (taken && *taken) (*taken)->remove();
    return !taken && taken.error().reason == io::heldByAnotherRun;
}

// ---- what a journal says

struct JournalState {
    bool isThere = false;
    bool isOurs = false; // of any version
    std::string kind;    // of the producer
    std::optional<JournalText> text;
};

std::string secondWord(std::string_view text) {
    const std::size_t begin = std::min(text.find(' '), text.size() - 1) + 1;
    return std::string(text.substr(begin, std::min(text.find_first_of(" \n", begin), text.size()) - begin));
}

// Also of one that is held: every line has a check value, and only whole ones count.
JournalState readJournal(const fs::path& target) {
    JournalState state;
    const auto source = io::FileSource::open(journalPath(target));
    if (!source) return state;
    state.isThere = true;
    std::string text(std::min((*source)->size(), maxJournalBytes), '\0');
    if (!(*source)->readAt(0, std::as_writable_bytes(std::span(text)))) return state;
    state.isOurs = isJournal(text);
    state.text = parseJournal(text);
    if (state.text) state.kind = state.text->job.kind;
    else if (state.isOurs) state.kind = secondWord(text); // where earlier versions had it
    return state;
}

// The part files of a run, as journal and record name them.
std::set<fs::path> recordParts(const RunRecord& record, const JournalState& journal) {
    std::set<fs::path> parts;
    for (const fs::path& file : record.files) parts.insert(partPath(file));
    if (journal.text)
        for (const PartMark& mark : journal.text->parts) parts.insert(record.target.parent_path() / mark.name);
    if (journal.isOurs && parts.empty()) parts.insert(partPath(record.target));
    return parts;
}

// Adds size and time of one of the run's files, if it exists.
void addFile(const fs::path& file, UnfinishedRun& run) {
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    const auto source = io::FileSource::open(file);
    if (!source) return;
    const io::Identity& identity = (*source)->identity();
    run.bytes += identity.bytes;
    run.changed = std::max(run.changed.value_or(0), identity.modifiedNs / nanoseconds);
}

// Bytes that the journal knows to be written, if the record contains the item sizes.
std::optional<std::uint64_t> writtenBytes(const RunRecord& record, const JournalText& journal) {
    if (record.bytes == 0 || record.itemBytes == 0) return std::nullopt;
    std::uint64_t written = 0;
    for (const auto& [item, known] : journal.records) {
        const auto begin = checked::mul(item, record.itemBytes);
        if (!begin || *begin >= record.bytes) continue;
        std::uint64_t bytes = std::min(record.itemBytes, record.bytes - *begin), part = bytes;
        std::from_chars(known.text.data(), known.text.data() + known.text.size(), part);
        written += std::min(bytes, part); // items do not overlap: at most record.bytes
    }
    return written;
}

int percentFromPart(std::uint64_t part, std::uint64_t whole) {
    return static_cast<int>(100 * static_cast<long double>(part) / static_cast<long double>(whole));
}

UnfinishedRun::State stateFromStateFolder(const fs::path& stateFolder, const fs::path& target) {
    using enum UnfinishedRun::State;
    if (!isFolder(target.parent_path())) return Away;
    return isHeld(journalPath(target)) || isClaimed(fileFromStateFolder(stateFolder, target, claimEnding)) ? Held : Waiting;
}

UnfinishedRun describe(const fs::path& stateFolder, RunRecord record, const JournalState& journal) {
    UnfinishedRun run;
    run.state = stateFromStateFolder(stateFolder, record.target);
    if (record.kind.empty()) record.kind = journal.kind;
    if (journal.text) {
        const JobId& job = journal.text->job;
        run.written = writtenBytes(record, *journal.text);
        if (run.written) run.percent = percentFromPart(*run.written, record.bytes);
        else if (job.items > 0) run.percent = percentFromPart(journal.text->records.size(), job.items);
        if (!journal.text->records.empty()) run.fingerprint = job.fingerprint;
    }
    for (const fs::path& part : recordParts(record, journal)) addFile(part, run);
    addFile(journalPath(record.target), run);
    run.canResume = run.state == UnfinishedRun::State::Waiting && !record.plan.empty() && journal.text.has_value();
    run.record = std::move(record);
    return run;
}

// Empty where nothing of the run is left.
std::optional<UnfinishedRun> runFromStateFolder(const fs::path& stateFolder, RunRecord record) {
    const JournalState journal = readJournal(record.target);
    UnfinishedRun run = describe(stateFolder, std::move(record), journal);
    const bool isGone = run.state == UnfinishedRun::State::Waiting && !journal.isThere;
    return isGone ? std::nullopt : std::optional(std::move(run));
}

Result<void> checkUtf8(const RunRecord& record) {
    for (const fs::path* path : {&record.target, &record.source})
        if (!isUtf8(textFromPath(*path)))
            return fail(ErrorCode::Unsupported, Reason("run.name_not_utf8"), About{io::baseName(*path)},
                        WB_TEXT("{} has a name that is not valid UTF-8, so the job cannot be resumed later."), io::baseName(*path));
    return {};
}

} // namespace

Claim::Claim(fs::path file, RunRecord record, std::unique_ptr<io::LockedFile> lock)
    : m_file(std::move(file)), m_record(std::move(record)), m_lock(std::move(lock)) {}

// The files of a run outlive its claim together with the journal.
Claim::~Claim() {
    if (isFolder(m_record.target.parent_path()) && !isThere(journalPath(m_record.target))) removeFile(m_file);
    m_lock->remove();
}

// Where nothing can be written the run itself continues still.
void Claim::writeRecord() { (void)writeFile(m_file, recordJson(m_record)); }

// The claim comes before the record, as others remove a record without a journal.
Result<std::unique_ptr<Claim>> claim(const fs::path& stateFolder, RunRecord record) {
    record.target = absoluteTarget(record.target);
    record.source = absoluteTarget(record.source);
    for (fs::path& file : record.files) file = absoluteTarget(file);
    WB_TRY(checkUtf8(record));
    if (isHeld(journalPath(record.target))) return io::heldElsewhere(io::baseName(record.target));
    std::error_code ignored;
    fs::create_directories(folderFromStateFolder(stateFolder), ignored);
    WB_TRY_ASSIGN(auto lock, io::LockedFile::open(fileFromStateFolder(stateFolder, record.target, claimEnding)));
    const fs::path file = fileFromStateFolder(stateFolder, record.target, recordEnding);
    std::unique_ptr<Claim> claim(new Claim(file, std::move(record), std::move(lock)));
    // A run into a folder that was never there is refused and leaves nothing, not even this.
    if (!readRecord(file) && isFolder(claim->m_record.target.parent_path())) WB_TRY(writeFile(file, recordJson(claim->m_record)));
    return claim;
}

std::vector<UnfinishedRun> listUnfinished(const fs::path& stateFolder) {
    std::vector<UnfinishedRun> runs;
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::directory_iterator at(folderFromStateFolder(stateFolder), error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == recordEnding) files.push_back(at->path());
    for (const fs::path& file : files) {
        const auto record = readRecord(file);
        const auto run = record ? runFromStateFolder(stateFolder, *record) : std::nullopt;
        if (run) runs.push_back(*run);
        else removeFile(file);
    }
    std::ranges::stable_sort(runs, std::greater(), &UnfinishedRun::changed);
    return runs;
}

std::optional<UnfinishedRun> unfinishedAt(const fs::path& stateFolder, const fs::path& target) {
    const fs::path whole = absoluteTarget(target);
    auto record = readRecord(fileFromStateFolder(stateFolder, whole, recordEnding));
    if (record && record->target == whole) return runFromStateFolder(stateFolder, *std::move(record));
    if (!readJournal(whole).isOurs) return std::nullopt;
    return runFromStateFolder(stateFolder, RunRecord{{}, whole, {}, {}, {}, false});
}

Result<void> discard(const fs::path& stateFolder, const fs::path& target) {
    const fs::path whole = absoluteTarget(target);
    const auto run = unfinishedAt(stateFolder, whole);
    if (!run)
        return fail(ErrorCode::NotFound, noUnfinishedRun, WB_TEXT("{} has no unfinished job; check the name."),
                    io::baseName(whole));
    WB_TRY_ASSIGN(const auto journal, takeIfThere(journalPath(whole)));
    if (isClaimed(fileFromStateFolder(stateFolder, whole, claimEnding))) return io::heldElsewhere(io::baseName(whole));
    for (const fs::path& part : recordParts(run->record, readJournal(whole))) io::PartFile::removeLeft(part);
    if (journal) journal->remove();
    removeFile(fileFromStateFolder(stateFolder, whole, recordEnding));
    return {};
}

} // namespace wb::run
