// SPDX-License-Identifier: MIT
#include "app/cli/context.h"

#include "core/base/text.h"
#include "core/io/byte_source.h"
#include "core/io/failures.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

namespace wb::cli {

std::string baseName(const std::string& path) {
    const std::filesystem::path typed(path);
    return io::pathText((typed.has_filename() ? typed : typed.parent_path()).filename());
}

formats::OpenOptions Context::openOptions() const {
    formats::OpenOptions options;
    options.threads = threads;
    options.progress.stop = stop;
    return options;
}

std::string deviceOption(const Context& context) { return "--device " + deviceText(context.device); }

// A path is identified by its last part, an id of a hub as a whole, unless the sentence says its repository.
int refuse(const Context& context, const Error& error, const std::string& path) {
    if (!error.input.empty() || isWrongOutput(error)) return refuse(context, error);
    if (!path.starts_with("hf:") && !path.starts_with("ms:")) return refuse(context, named(baseName(path), error));
    const std::string repository = path.substr(0, path.find_first_of(":@", 3));
    return refuse(context, error.message().find(repository) == std::string::npos ? named(path, error) : error);
}

int refuse(const Context& context, const Error& error) {
    if (error.code == ErrorCode::Canceled) {
        fmt::print(stderr, "wb: canceled\n");
        return canceledByUser;
    }
    if (isWrongOutput(error)) return refuseUsage(error.message()); // the log may be the file that must not be written
    // A path that does not exist is wrong anywhere, so it is shown as a whole.
    if (const std::string word = error.reason == Reason("io.not_found") ? context.files->missingWord(error.subject) : std::string();
        !word.empty() && word != error.subject)
        return refuse(context, io::notFound(word).error());
    if (const auto usable = context.log->check(); !usable && usable.error().reason != error.reason)
        return refuse(context, usable.error()); // nothing was written yet that it could add to
    const std::string sentence = error.message();
    fmt::print(stderr, "wb: {}\n", escapeControls(toUtf8(sentence)));
    log(context, sentence + (error.detail.empty() ? "" : " | " + error.detail));
    if (error.subject != baseName(context.log->path)) (void)context.log->open(); // one sentence is printed already
    return failed;
}

Error withOption(const Error& error, const char* option) {
    std::string sentence = error.message();
    sentence.pop_back(); // the full stop
    return makeError(error.code, error.reason, About{error.subject}, "{} ({}).", sentence, option);
}

int refuse(const Context& context, const Error& error, std::span<const Remedy> remedies) {
    const auto remedy = std::ranges::find(remedies, error.reason, &Remedy::reason);
    return refuse(context, remedy == remedies.end() ? error : withOption(error, remedy->option));
}

int refuseUsage(const std::string& sentence) {
    fmt::print(stderr, "wb: {}\n", escapeControls(toUtf8(sentence)));
    return wrongUsage;
}

Result<void> openLog(const Context& context) {
    auto opened = context.log->open();
    if (!opened) return std::unexpected(named(baseName(context.log->path), std::move(opened).error()));
    return opened;
}

void log(const Context& context, const std::string& line) {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    context.log->add(fmt::format("{:%FT%TZ} {}", fmt::gmtime(now), escapeControls(toUtf8(line))));
}

void logProblems(const Context& context, const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) log(context, fmt::format("{} {}", severityName(problem.severity), problem.message()));
}

} // namespace wb::cli
