// SPDX-License-Identifier: MIT
#include "app/cli/inspect/verify.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"

#include "app/cli/progress_line.h"
#include "core/base/ascii.h"
#include "core/io/digests/hex.h"

#include <algorithm>

namespace wb::cli {
namespace {

struct VerifyOptions {
    std::string path;
    std::string expected;
    bool isDeep = false;
    bool hashesAll = false;
};

constexpr std::string_view hashPrefix = "sha256:";
constexpr std::size_t hashDigits = 64;

std::string hashFromWord(const std::string& word) {
    std::string hash = word.substr(std::min(hashPrefix.size(), word.size()));
    std::ranges::transform(hash, hash.begin(), ascii::lower);
    return hash;
}

std::string checkHash(const std::string& word) {
    return word.starts_with(hashPrefix) && io::isHex(hashFromWord(word), hashDigits)
               ? std::string()
               : "must be sha256: and 64 hexadecimal digits, not " + word;
}

int verdictStatus(verify::Verdict verdict) {
    switch (verdict) {
    case verify::Verdict::Intact: return done;
    case verify::Verdict::Suspicious: return 3;
    case verify::Verdict::Damaged: break;
    }
    return 4;
}

int verifyPath(const Context& context, const VerifyOptions& options) {
    if (const auto log = openLog(context); !log) return refuse(context, log.error());
    std::error_code ignored;
    if (!options.expected.empty() && std::filesystem::is_directory(options.path, ignored))
        return refuseUsage("--expect needs a file; " + options.path + " is a folder.");
    ProgressLine line(baseName(options.path), !context.quiet);
    verify::Options wanted;
    wanted.isDeep = options.isDeep;
    wanted.hashesAll = options.hashesAll;
    wanted.expectedSha256 = options.expected.empty() ? std::string() : hashFromWord(options.expected);
    wanted.threads = context.threads;
    wanted.progress = {context.stop, [&line](std::uint64_t at, std::uint64_t total) { line.set(at, total); }};
    const auto report = verify::verify(std::filesystem::path(options.path), wanted);
    if (!report) return refuse(context, report.error(), options.path);
    for (const verify::Check& check : report->checks)
        if (!check.isPassed) log(context, check.problem.message());
    if (context.json) printVerifyJson(*report, options.path);
    else printVerifyText(*report, options.path);
    return verdictStatus(report->verdict());
}

} // namespace

Command addVerify(CLI::App& program) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command =
        program.add_subcommand("verify", "Check that a model is complete and undamaged; exit 3 suspicious, 4 damaged");
    command->add_option("PATH", options->path, "Model file, index.json or folder, or an ID or name in wb library")->required();
    command->add_flag("--deep", options->isDeep, "Also read every weight and look for NaN and infinite values");
    command->add_flag("--hash", options->hashesAll, "Compute the SHA-256 of every file (default: where one is recorded)");
    command->add_option("--expect", options->expected, "The SHA-256 that the file must have")
        ->type_name("sha256:HEX")
        ->check(checkHash);
    return {command,
            [options](const Context& context) { return verifyPath(context, *options); },
            {.reads = {"PATH"}},
            false,
            {{&options->path}}};
}

} // namespace wb::cli
