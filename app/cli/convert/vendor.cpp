// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"
#include "app/cli/output_file.h"
#include "core/base/text.h"
#include "core/convert/trust.h"
#include "core/convert/vendor/child.h"
#include "core/formats/open.h"

#include <cstdio>

// `wb convert IN OUT --to tensorrt|openvino|coreml|tflite|onnx-graph`: the command of another program, printed or run.
namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using convert::VendorCommand;

struct VendorRun {
    std::optional<int> exit;        // empty: not run
    std::optional<FormatId> opened; // the format of the new file; empty: not run, or it does not open
};

std::string vendorJson(const VendorCommand& command, const VendorRun& run) {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    const auto textOrNull = [&out](const char* key, const std::string& text) {
        out.key(key);
        if (text.empty()) out.null();
        else out.string(text);
    };
    const auto texts = [&out](const char* key, const std::vector<std::string>& list) {
        out.key(key), out.beginArray();
        for (const std::string& text : list) out.string(text);
        out.endArray();
    };
    out.beginObject();
    out.key("tool"), out.string(command.tool);
    textOrNull("found", command.found ? io::pathText(*command.found) : std::string());
    textOrNull("version", command.version);
    texts("command", command.words);
    texts("steps", command.steps);
    out.key("install"), out.string(command.install);
    out.key("ran"), out.boolean(run.exit.has_value());
    out.key("exit");
    if (run.exit) out.integer(*run.exit);
    else out.null();
    textOrNull("format", run.opened ? formatName(*run.opened) : "");
    out.endObject();
    out.finish();
    return json;
}

void print(const VendorCommand& command, convert::VendorTarget target) {
    fmt::print("{}: ", info(target).title);
    if (command.found) {
        fmt::print("{}{} ({})\n\n", command.tool, command.version.empty() ? "" : " " + command.version,
                   escapeControls(toUtf8(io::pathText(*command.found))));
    } else {
        fmt::print("{} was not found. To install it: {}\n\n", command.tool, command.install);
    }
    fmt::print("  {}\n", escapeControls(toUtf8(convert::commandLine(command))));
    for (const std::string& step : command.steps) fmt::print("\n{}\n", step);
}

// Those that no other file has the name of.
std::vector<fs::path> newOutputs(const VendorCommand& command) {
    std::vector<fs::path> paths = command.outputs;
    std::error_code ignored;
    std::erase_if(paths, [&ignored](const fs::path& path) { return fs::exists(fs::symlink_status(path, ignored)); });
    return paths;
}

Result<void> checkOutputs(const Context& context, const VendorCommand& command, const Model& model) {
    WB_TRY(context.files->alsoRead(model));
    WB_TRY(context.files->alsoWork(command.outputs, command.outputs.front()));
    std::error_code ignored;
    for (const fs::path& path : command.outputs) {
        if (fs::is_directory(path, ignored) && !fs::is_empty(path, ignored))
            return fail(ErrorCode::Invalid, Reason("vendor.folder"), About{io::baseName(path)},
                        WB_TEXT("{} is a folder that contains files; choose another name."), io::baseName(path));
        if (!context.files->isForced() && fs::exists(fs::symlink_status(path, ignored)) && !fs::is_directory(path, ignored))
            return fail(ErrorCode::NotWritable, run::targetExists, About{io::baseName(path)},
                        WB_TEXT("{} already exists; choose another name, or allow replacing it."), io::baseName(path));
    }
    return {};
}

// The log goes to stderr, so that stdout has the result alone.
Result<int> runTool(const Context& context, const VendorCommand& command) {
    const auto output = [&context](std::string_view text) {
        if (!context.quiet) std::fwrite(text.data(), 1, text.size(), stderr);
        log(context, std::string(text));
    };
    const std::vector<fs::path> incomplete = newOutputs(command);
    auto status = convert::runChild(command.words, output, context.stop);
    if (status && *status == 0) return status;
    std::error_code ignored;
    for (const fs::path& path : incomplete) fs::remove_all(path, ignored);
    return status;
}

} // namespace

int convertByVendor(const Context& context, const ConvertOptions& options, convert::VendorTarget target) {
    const auto model = formats::open(fs::path(options.in), context.openOptions());
    if (!model) return refuse(context, model.error(), options.in);
    const auto command = convert::vendorCommand(target, (*model)->format, fs::path(options.in), fs::path(options.out),
                                                convert::VendorSearch::fromEnvironment());
    if (!command) return refuse(context, command.error(), options.in);
    VendorRun run;
    if (options.runTool && command->found) {
        auto trusted = convert::requireTrust(**model, options.yes);
        if (!trusted && confirms(context, trusted.error())) trusted = {};
        if (!trusted) return refuseJob(context, trusted.error());
        if (const auto files = checkOutputs(context, *command, **model); !files) return refuseJob(context, files.error());
        if (const auto opened = openLog(context); !opened) return refuse(context, opened.error());
        const auto status = runTool(context, *command);
        if (!status) return refuse(context, status.error());
        run.exit = *status;
        const auto made = formats::open(command->outputs.front(), context.openOptions());
        if (*status == 0 && made) run.opened = (*made)->format;
    }
    if (context.json) {
        const std::string json = vendorJson(*command, run);
        std::fwrite(json.data(), 1, json.size(), stdout);
    } else if (!run.exit) {
        print(*command, target);
    }
    if (!options.runTool) return done;
    if (!command->found)
        return refuse(context, makeError(ErrorCode::NotFound, Reason("vendor.not_found"), About{command->tool},
                                         WB_TEXT("{} was not found. To install it: {}"), command->tool, command->install));
    if (*run.exit != 0)
        return refuse(context, makeError(ErrorCode::Invalid, Reason("vendor.failed"), About{command->tool},
                                         WB_TEXT("{} failed with status {}; its output says why."), command->tool, *run.exit));
    if (!run.opened)
        return refuse(context, makeError(ErrorCode::Malformed, Reason("vendor.not_opened"), About{command->tool},
                                         WB_TEXT("{} ended, but {} cannot be opened."), command->tool, baseName(options.out)));
    if (!context.json && !context.quiet)
        fmt::print("Wrote {} ({})\n", escapeControls(toUtf8(options.out)), formatTitle(*run.opened));
    return done;
}

} // namespace wb::cli
