// SPDX-License-Identifier: MIT
#include "core/memory/serving/calibration.h"

#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"
#include "core/memory/amounts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

// The file of measured loads and its form.
namespace wb::memory {
namespace {

constexpr std::array<std::string MeasuredLoad::*, 9> words = {
    &MeasuredLoad::date,  &MeasuredLoad::runtime,      &MeasuredLoad::backend, &MeasuredLoad::device,  &MeasuredLoad::driver,
    &MeasuredLoad::build, &MeasuredLoad::architecture, &MeasuredLoad::model,   &MeasuredLoad::settings};
constexpr const char* titles = "date,runtime,backend,device,driver,build,architecture,model,settings,estimated,measured";
constexpr std::array parts = {PartKind::Weights, PartKind::Keys,   PartKind::Values,   PartKind::State,
                              PartKind::Compute, PartKind::Output, PartKind::Overhead, PartKind::Lora};
constexpr std::uint64_t maxBytes = 16 << 20; // of the file

// A field in quotes where it has to be. A spreadsheet would compute what starts with =, +, - or @.
std::string field(const std::string& word) {
    std::string text = !word.empty() && std::string_view("=+-@").find(word[0]) != std::string_view::npos ? " " + word : word;
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c == '\n' || c == '\r' ? ' ' : c;
    }
    return quoted + '"';
}

std::vector<std::string> fieldsFromLine(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += '"';
            ++i;
        } else if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) fields.emplace_back();
        else if (c != '\r') fields.back() += c;
    }
    return fields;
}

std::optional<std::uint64_t> numberFromText(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return number;
}

std::optional<MeasuredLoad> fieldsLoad(const std::vector<std::string>& fields) {
    if (fields.size() != words.size() + 2 + parts.size()) return {};
    MeasuredLoad load;
    for (std::size_t i = 0; i < words.size(); ++i) load.*words[i] = fields[i];
    const auto estimated = numberFromText(fields[words.size()]), measured = numberFromText(fields[words.size() + 1]);
    if (!estimated || !measured) return {};
    load.estimated = *estimated;
    load.measured = *measured;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto bytes = numberFromText(fields[words.size() + 2 + i]);
        if (!bytes) return {};
        load.parts[parts[i]] = *bytes;
    }
    return load;
}

bool isSameButForDate(MeasuredLoad a, const MeasuredLoad& b) {
    a.date = b.date;
    return a == b;
}

} // namespace

std::string today() {
    const std::chrono::year_month_day day = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

std::string loadsCsv(std::span<const MeasuredLoad> loads) {
    std::string text = titles;
    for (const PartKind kind : parts) text += fmt::format(",{}", partName(kind));
    text += '\n';
    for (const MeasuredLoad& load : loads) {
        for (const auto word : words) text += field(load.*word) + ',';
        text += fmt::format("{},{}", load.estimated, load.measured);
        for (const PartKind kind : parts) text += fmt::format(",{}", load.parts[kind]);
        text += '\n';
    }
    return text;
}

Result<std::vector<MeasuredLoad>> loadsOfCsv(std::string_view text, const std::string& file) {
    std::vector<MeasuredLoad> loads;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        const std::string_view row = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line == 1 || row.empty()) continue;
        auto load = fieldsLoad(fieldsFromLine(row));
        if (!load)
            return fail(ErrorCode::Malformed, Reason("memory.measured_line"), About{file},
                        WB_TEXT("Line {} of {} is not a valid measurement; clear the measurements or fix the line."), line, file);
        loads.push_back(std::move(*load));
    }
    return loads;
}

std::filesystem::path loadsFile(const std::filesystem::path& stateFolder) { return stateFolder / "measured_loads.csv"; }

Result<std::vector<MeasuredLoad>> readLoads(const std::filesystem::path& file) {
    std::error_code ignored;
    if (file.empty() || !std::filesystem::exists(file, ignored)) return std::vector<MeasuredLoad>();
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(file));
    if (source->size() > maxBytes)
        return fail(ErrorCode::TooLarge, Reason("memory.measured_file"), About{io::baseName(file)},
                    WB_TEXT("{} is too large for a measurements file; clear the measurements."), io::baseName(file));
    std::string text(static_cast<std::size_t>(source->size()), '\0');
    WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(text))));
    return loadsOfCsv(text, io::baseName(file));
}

void mergeLoads(std::vector<MeasuredLoad>& all, std::span<const MeasuredLoad> loads) {
    std::erase_if(all, [&](const MeasuredLoad& before) {
        return std::ranges::any_of(loads, [&](const MeasuredLoad& load) { return isSameButForDate(before, load); });
    });
    all.insert(all.end(), loads.begin(), loads.end());
    if (all.size() > maxLoads) all.erase(all.begin(), all.end() - maxLoads);
}

Result<void> addLoads(const std::filesystem::path& file, std::span<const MeasuredLoad> loads) {
    WB_TRY_ASSIGN(std::vector<MeasuredLoad> all, readLoads(file));
    mergeLoads(all, loads);
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(file));
    WB_TRY(writer.write(loadsCsv(all)));
    return writer.commit();
}

Result<void> clearLoads(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::remove(file, error);
    if (!error) return {};
    return fail(ErrorCode::NotWritable, Reason("memory.measured_not_cleared"), About{io::baseName(file)},
                WB_TEXT("Could not remove {}; remove it manually."), io::baseName(file));
}

} // namespace wb::memory
