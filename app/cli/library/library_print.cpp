// SPDX-License-Identifier: MIT
#include "app/cli/library/library.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"

#include <fmt/chrono.h>

#include <cstdio>
#include <ctime>

namespace wb::cli {
namespace {

using namespace wb::library;

class Document {
public:
    Document() : json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }) {}

    void text(const char* key, const std::string& value) {
        json.key(key);
        if (value.empty()) json.null();
        else json.string(value);
    }
    void number(const char* key, std::uint64_t value) {
        json.key(key);
        if (value == 0) json.null();
        else json.integer(value);
    }
    void path(const char* key, const std::filesystem::path& value) { json.key(key), json.string(io::pathText(value)); }
    void end() {
        json.finish();
        fmt::print("\n");
    }

    JsonWriter json;
};

std::string timeText(std::int64_t seconds) {
    return seconds == 0 ? std::string() : fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

void writeFiles(Document& document, const Entry& entry) {
    document.json.key("files"), document.json.beginArray();
    for (const StoredFile& file : entry.files) {
        document.json.beginObject();
        document.path("path", file.path);
        document.json.key("bytes"), document.json.integer(file.bytes());
        document.text("sha256", file.sha256);
        document.json.endObject();
    }
    document.json.endArray();
}

void writeOrigin(Document& document, const Entry& entry) {
    document.json.key("source");
    if (!entry.origin) {
        document.json.null();
        return;
    }
    document.json.beginObject();
    document.text("hub", entry.origin->hub);
    document.text("id", entry.origin->id);
    document.text("commit", entry.origin->commit);
    document.json.endObject();
}

void writeRun(Document& document, const infer::RunCheck& run) {
    document.json.key("runs"), document.json.boolean(run.runs());
    document.text("refusal", run.refusal ? run.refusal->message() : std::string());
    document.text("fits", run.fit ? memory::verdictName(run.fit->verdict) : std::string());
}

void writeEntry(Document& document, const Listing& listing, const ShownEntry& shown) {
    const Entry& entry = *shown.entry;
    JsonWriter& json = document.json;
    json.newline();
    json.beginObject();
    document.text("id", entry.id);
    document.text("name", entry.name);
    document.text("store", kindName(listing.stores[entry.store].store.kind));
    document.path("path", entry.path);
    document.text("format", formatName(entry.facts.format));
    document.text("architecture", entry.facts.architecture);
    document.number("parameters", entry.facts.parameters);
    document.text("quant", entry.facts.quant);
    json.key("bits_per_weight");
    if (entry.bitsPerWeight() > 0) json.number(entry.bitsPerWeight());
    else json.null();
    document.number("context", entry.facts.context);
    json.key("bytes"), json.integer(entry.bytes());
    writeFiles(document, entry);
    writeOrigin(document, entry);
    document.text("licence", entry.facts.licence);
    document.text("last_used", timeText(entry.lastUsed()));
    json.key("damaged"), json.boolean(entry.facts.isDamaged);
    writeRun(document, shown.run);
    json.key("duplicates"), json.beginArray();
    for (const std::string& id : entry.duplicates) json.string(id);
    json.endArray();
    json.endObject();
}

void writeStore(Document& document, const StoreListing& store) {
    JsonWriter& json = document.json;
    json.newline();
    json.beginObject();
    document.text("kind", kindName(store.store.kind));
    document.path("path", store.store.path);
    json.key("models"), json.integer(store.models);
    json.key("bytes"), json.integer(store.bytes);
    json.key("problems"), json.beginArray();
    for (const Problem& problem : store.problems) {
        json.beginObject();
        document.text("severity", severityName(problem.severity));
        document.text("where", problem.file);
        document.text("message", problem.message());
        document.text("code", problem.code.id());
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

std::string orDash(const std::string& text) { return text.empty() ? "–" : escapeControls(text); }

std::string storeText(const Store& store) {
    const std::string owner = ownerName(store.kind);
    return owner.empty() ? escapeControls(io::pathText(store.path)) : owner;
}

std::string runText(const Entry& entry, const infer::RunCheck& run) {
    if (entry.facts.isDamaged) return "damaged";
    if (run.refusal) return run.refusal->code == ErrorCode::Malformed ? "damaged" : "not supported";
    if (!run.runs()) return "no";
    return run.fit && run.fit->verdict != memory::Verdict::Fits ? "tight" : "yes";
}

std::string resultText(const VerifiedFile& file) {
    if (file.failure) return file.failure->message();
    if (!file.isGood) return "no recorded hash";
    return *file.isGood ? "good" : "DIFFERS";
}

} // namespace

void printListingJson(const Listing& listing, const std::vector<ShownEntry>& shown) {
    Document document;
    document.json.beginObject();
    document.json.key("stores"), document.json.beginArray();
    for (const StoreListing& store : listing.stores) writeStore(document, store);
    document.json.endArray();
    document.json.key("models"), document.json.beginArray();
    for (const ShownEntry& each : shown) writeEntry(document, listing, each);
    document.json.endArray();
    document.json.key("bytes"), document.json.integer(listing.bytes);
    document.json.key("bytes_on_disk"), document.json.integer(listing.bytesOnDisk);
    document.json.endObject();
    document.end();
}

void printListing(const Listing& listing, const std::vector<ShownEntry>& shown) {
    Table table(
        {{"Id"}, {"Architecture"}, {"Parameters", true}, {"Type"}, {"Context", true}, {"Size", true}, {"Runs here"}, {"Location"}});
    for (const ShownEntry& each : shown) {
        const Entry& entry = *each.entry;
        table.add({escapeControls(entry.id), orDash(entry.facts.architecture),
                   entry.facts.parameters > 0 ? humanCount(entry.facts.parameters) : "–", orDash(entry.facts.quant),
                   entry.facts.context > 0 ? std::to_string(entry.facts.context) : "–", humanBytes(entry.bytes()),
                   runText(entry, each.run), storeText(listing.stores[entry.store].store)});
    }
    if (!shown.empty()) table.print();
    fmt::print("{}{} of {} models, {} on disk\n", shown.empty() ? "" : "\n", shown.size(), listing.entries.size(),
               humanBytes(listing.bytesOnDisk));
    for (const StoreListing& store : listing.stores)
        for (const Problem& problem : store.problems)
            fmt::print("{}: {}\n", storeText(store.store), escapeControls(problem.message()));
}

void printVerifiedJson(const std::vector<VerifiedFile>& files) {
    Document document;
    document.json.beginObject();
    document.json.key("files"), document.json.beginArray();
    for (const VerifiedFile& file : files) {
        document.json.newline();
        document.json.beginObject();
        document.path("path", file.path);
        document.text("expected", file.expected);
        document.text("sha256", file.computed);
        document.json.key("ok");
        if (file.isGood) document.json.boolean(*file.isGood);
        else document.json.null();
        document.text("error", file.failure ? file.failure->message() : std::string());
        document.json.endObject();
    }
    document.json.endArray();
    document.json.endObject();
    document.end();
}

void printVerified(const std::vector<VerifiedFile>& files) {
    Table table({{"Model"}, {"File"}, {"Result"}, {"Hash"}});
    for (const VerifiedFile& file : files)
        table.add({escapeControls(file.entry), escapeControls(file.name), resultText(file), file.computed});
    table.print();
}

void printRemovalJson(const RemovalPlan& plan) {
    Document document;
    document.json.beginObject();
    document.json.key("remove"), document.json.beginArray();
    for (const auto* paths : {&plan.trash, &plan.unlink})
        for (const auto& path : *paths) document.json.string(io::pathText(path));
    document.json.endArray();
    document.json.key("frees"), document.json.integer(plan.frees);
    document.json.key("kept"), document.json.beginArray();
    for (const RemovalPlan::Kept& kept : plan.kept) {
        document.json.beginObject();
        document.path("path", kept.path);
        document.text("why", kept.why.message());
        document.json.endObject();
    }
    document.json.endArray();
    document.json.endObject();
    document.end();
}

void printRemoval(const RemovalPlan& plan, bool isDone) {
    for (const auto& path : plan.trash) fmt::print("moved to trash: {}\n", escapeControls(io::pathText(path)));
    for (const auto& path : plan.unlink) fmt::print("link removed: {}\n", escapeControls(io::pathText(path)));
    for (const RemovalPlan::Kept& kept : plan.kept) fmt::print("{}\n", escapeControls(kept.why.message()));
    fmt::print("{} {} after emptying the trash.{}\n", isDone ? "Frees" : "Would free", humanBytes(plan.frees),
               isDone ? "" : " Nothing was removed; use --yes to move the files.");
}

} // namespace wb::cli
