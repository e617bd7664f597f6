// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/inspect/scan.h"

#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "core/scan/sarif.h"
#include "core/scan/scan.h"

namespace wb::cli {
namespace {

int verdictStatus(Verdict verdict) {
    switch (verdict) {
    case Verdict::Dangerous: return dangerous;
    case Verdict::Suspicious:
    case Verdict::NotChecked: return suspicious;
    default: return done;
    }
}

int scan(const Context& context, const ScanOptions& options) {
    if (const auto log = openLog(context); !log) return refuse(context, log.error());
    ProgressLine line(baseName(options.path), !context.quiet);
    scan::Options wanted;
    wanted.disassembles = options.disassembles;
    wanted.progress = {context.stop, [&line](std::uint64_t at, std::uint64_t total) { line.set(at, total); }};
    const auto danger = scan::scan(std::filesystem::path(options.path), wanted);
    if (!danger) return refuse(context, danger.error(), options.path);
    for (const DangerFinding& finding : danger->findings) log(context, finding.problem.message());
    if (!options.sarifFile.empty())
        if (const auto written = writeOutput(options.sarifFile, scan::dangerSarif(*danger, WEIGHBRIDGE_VERSION)); !written)
            return refuse(context, written.error(), options.sarifFile);
    if (context.json) printScanJson(*danger, options.path, options.disassembles);
    else if (!context.files->usesStdout()) printScanText(*danger, options.path, context.quiet);
    return verdictStatus(danger->verdict());
}

} // namespace

Command addScan(CLI::App& program) {
    auto options = std::make_shared<ScanOptions>();
    CLI::App* command = program.add_subcommand(
        "scan", "Show what loading a file elsewhere would run; exit 3 suspicious or not checked, 4 dangerous");
    command->footer(std::string("Levels: ") + levelsText + ".");
    command->add_option("PATH", options->path, "File or folder, or an ID or name in wb library")->required();
    command->add_option("--sarif", options->sarifFile, "Also write the findings as SARIF to this file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_flag("--disassemble", options->disassembles, "Disassemble every pickle");
    return {command,
            [options](const Context& context) { return scan(context, *options); },
            {.reads = {"PATH"}, .writes = {"--sarif"}},
            false,
            {{&options->path}}};
}

} // namespace wb::cli
