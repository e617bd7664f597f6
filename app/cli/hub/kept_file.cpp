// SPDX-License-Identifier: MIT
#include "app/cli/hub/kept_file.h"

#include "core/formats/json/json.h"
#include "core/hub/answers.h"
#include "core/io/atomic_writer.h"
#include "core/io/digests/sha256.h"

namespace wb::cli {
namespace {

constexpr std::uint64_t keptVersion = 1;
constexpr std::uint64_t maxKeptBytes = 64u << 20;

} // namespace

std::filesystem::path keptFile(const std::filesystem::path& folder, const std::string& question) {
    if (folder.empty()) return {};
    io::Sha256 hash;
    hash.update(std::as_bytes(std::span(question)));
    const auto digest = hash.finish();
    return digest ? folder / (io::hexText(*digest) + ".json") : std::filesystem::path();
}

void keepObject(const std::filesystem::path& file, const std::function<void(JsonWriter&)>& fill) {
    if (file.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    json.beginObject();
    json.key("version"), json.integer(keptVersion);
    fill(json);
    json.endObject();
    json.finish();
    auto writer = io::AtomicWriter::create(file);
    if (writer && writer->write(text)) (void)writer->commit();
}

std::optional<ValueObject> readKept(const std::filesystem::path& file) {
    if (file.empty()) return std::nullopt;
    const auto source = io::FileSource::open(file);
    if (!source) return std::nullopt;
    formats::Limits limits;
    limits.jsonText = maxKeptBytes;
    limits.keptJsonMembers = 1u << 20; // a list is read whole
    std::vector<Problem> problems;
    auto json = json::readFile(**source, (*source)->name(), limits, problems);
    if (!json || !json->object() || hub::numberIn(*json->object(), "version") != keptVersion) return std::nullopt;
    return *json->object();
}

} // namespace wb::cli
