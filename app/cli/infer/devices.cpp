// SPDX-License-Identifier: MIT

#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/infer/cpu_info.h"
#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/infer/simd_levels.h"
#include "core/io/system/main_memory.h"
#include "gpu/compute/device_report.h"
#include "gpu/compute/kernel_choice.h"

#include <cmath>
#include <cstdio>

namespace wb::cli {
namespace {

// A form of the fast kernel of a type of weights.
struct FastKernel {
    gpu::FastVerdict verdict;
    bool used = false; // unless the user chooses
};

struct DeviceRow {
    gpu::DeviceInfo info;
    bool cpu = false;
    std::string selfTest = "not run";
    std::string remark; // why the device is not used; for the table and the log
    std::vector<FastKernel> fast;
    std::optional<gpu::compute::Measurement> measured;
};

DeviceRow cpuRow() {
    DeviceRow row;
    row.cpu = true;
    row.info.name = cpuName();
    row.info.features = infer::simdLevels();
    row.info.driver = row.info.features.empty() ? "" : row.info.features.front();
    row.info.memory = io::mainMemory().bytes;
    row.selfTest = cpuSelfTest() ? "passed" : "failed";
    row.info.usable = row.selfTest == "passed";
    return row;
}

DeviceRow gpuRow(const gpu::compute::DeviceReport& report) {
    DeviceRow row;
    row.info = report.info;
    if (!report.selfTest) {
        row.remark = "lacks " + report.info.lacks;
        return row;
    }
    row.info.usable = report.selfTest->has_value();
    row.selfTest = row.info.usable ? "passed" : "failed";
    if (!row.info.usable) row.remark = report.selfTest->error().message();
    for (const gpu::Feature feature : report.wrongFeatures) {
        std::erase(row.info.features, gpu::featureName(feature));
        row.remark +=
            fmt::format("{}without {}, which produces wrong results", row.remark.empty() ? "" : ", ", gpu::featureName(feature));
    }
    for (const gpu::FastVerdict& verdict : report.fast) row.fast.push_back({verdict, report.isUsed(verdict)});
    row.measured = report.measured;
    return row;
}

std::string kernelName(const gpu::FastVerdict& verdict) {
    return verdict.dtype == Dtype::Unknown ? "attention" : std::string(name(verdict.dtype));
}

void writeFast(JsonWriter& json, const FastKernel& kernel) {
    const gpu::FastVerdict& verdict = kernel.verdict;
    json.beginObject();
    json.key("type"), json.string(kernelName(verdict));
    json.key("form"), json.string(verdict.form == gpu::FastForm::Packed ? "packed" : "float");
    json.key("error");
    if (std::isfinite(verdict.error)) json.number(verdict.error);
    else json.null();
    json.key("speedup"), json.number(verdict.speedup);
    json.key("batch_speedup");
    if (verdict.dtype != Dtype::Unknown) json.number(verdict.batchSpeedup);
    else json.null();
    json.key("used"), json.boolean(kernel.used);
    const std::string refused = gpu::compute::refusal(verdict);
    json.key("refused");
    if (refused.empty()) json.null();
    else json.string(refused);
    json.endObject();
}

void writeMeasurement(JsonWriter& json, const std::optional<gpu::compute::Measurement>& measured) {
    json.key("measured");
    if (!measured) return json.null();
    json.beginObject();
    json.key("prompt_tps"), json.number(measured->gpu.prompt);
    json.key("generate_tps"), json.number(measured->gpu.generate);
    json.key("cpu_prompt_tps"), json.number(measured->cpu.prompt);
    json.key("cpu_generate_tps"), json.number(measured->cpu.generate);
    json.key("faster"), json.string(measured->isGpuFaster() ? "gpu" : "cpu");
    json.key("seconds"), json.number(measured->seconds);
    json.endObject();
}

void writeRow(JsonWriter& json, const DeviceRow& row) {
    const gpu::DeviceInfo& info = row.info;
    json.newline();
    json.beginObject();
    json.key("index"), json.integer(info.index);
    json.key("kind"), json.string(row.cpu ? "cpu" : "gpu");
    json.key("name"), json.string(info.name);
    json.key("driver"), json.string(info.driver);
    json.key("memory");
    if (info.memory > 0) json.integer(info.memory);
    else json.null();
    json.key("usable"), json.boolean(info.usable);
    json.key("software"), json.boolean(!row.cpu && info.software());
    json.key("features"), json.beginArray();
    for (const std::string& feature : info.features) json.string(feature);
    json.endArray();
    json.key("selftest"), json.string(row.selfTest);
    json.key("fast_kernels"), json.beginArray();
    for (const FastKernel& kernel : row.fast) writeFast(json, kernel);
    json.endArray();
    writeMeasurement(json, row.measured);
    json.endObject();
}

void printJson(const std::vector<DeviceRow>& rows) {
    JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    json.beginObject();
    json.key("devices"), json.beginArray();
    for (const DeviceRow& row : rows) writeRow(json, row);
    json.endArray();
    json.endObject();
    json.finish();
    fmt::print("\n");
}

std::string kindText(const DeviceRow& row) { return row.cpu ? "cpu" : row.info.software() ? "gpu (software)" : "gpu"; }

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

void printTable(const std::vector<DeviceRow>& rows) {
    Table table({{"#", true}, {"Kind"}, {"Name"}, {"Driver"}, {"Memory", true}, {"Self-test"}, {"Features"}});
    for (const DeviceRow& row : rows) {
        const std::string memory = row.info.memory > 0 ? humanBytes(row.info.memory) : "-";
        const std::string test = row.remark.empty() ? row.selfTest : row.selfTest + ": " + row.remark;
        table.add({std::to_string(row.info.index), kindText(row), row.info.name, row.info.driver, memory, test,
                   joined(row.info.features)});
    }
    table.print();
}

// "Fast kernels of gpu:1: Q4_K 3.1x (packed), Q4_K 0.4x (float, refused: 0.4x the speed of the exact kernel), …": the speed
// relative to exact kernels.
std::string fastText(const DeviceRow& row) {
    std::vector<std::string> kernels;
    for (const auto& [verdict, used] : row.fast) {
        const std::string refused = gpu::compute::refusal(verdict);
        const std::string why = !refused.empty() ? ", refused: " + refused : used ? "" : ", not used";
        kernels.push_back(fmt::format("{} {:.1f}x ({}{})", kernelName(verdict), verdict.speedup,
                                      verdict.form == gpu::FastForm::Packed ? "packed" : "float", why));
    }
    return fmt::format("Fast kernels of {}: {}.", row.info.option(), fmt::join(kernels, ", "));
}

std::string speedText(const DeviceRow& row) {
    if (!row.measured)
        return fmt::format("Speed of {}: not measured; run wb devices --measure{}.", row.info.option(),
                           row.info.software() ? " --device " + row.info.option() : "");
    const auto& [prompt, generate] = row.measured->gpu;
    const auto& [cpuPrompt, cpuGenerate] = row.measured->cpu;
    return fmt::format("Speed of {}: prompt {:.0f} tokens/s, response {:.1f} tokens/s; CPU: {:.0f} and {:.1f}. The {} is faster{}.",
                       row.info.option(), prompt, generate, cpuPrompt, cpuGenerate, row.measured->isGpuFaster() ? "GPU" : "CPU",
                       row.info.software() ? ", but auto never uses a software device" : "");
}

// Lines about a device, below the table.
std::vector<std::string> remarks(const DeviceRow& row) {
    std::vector<std::string> lines;
    if (!row.fast.empty()) lines.push_back(fastText(row));
    if (!row.cpu && row.info.usable) lines.push_back(speedText(row));
    return lines;
}

// The device that was named, else all GPUs.
Result<void> measureDevices(const Context& context) {
    const Progress progress{context.stop, {}};
    if (!context.device.isAutomatic()) {
        WB_TRY(gpu::compute::measureChosen(context.device, context.threads, progress));
        return {};
    }
    WB_TRY_ASSIGN(const auto all, gpu::devices());
    bool isMeasured = false;
    for (const gpu::DeviceInfo& info : all) {
        if (!info.usable || info.software()) continue;
        WB_TRY(gpu::compute::measureChosen({DeviceRef::Kind::Number, info.index}, context.threads, progress));
        isMeasured = true;
    }
    if (isMeasured) return {};
    return fail(ErrorCode::NotFound, Reason("device.none"),
                WB_TEXT("There is no GPU to measure; name a software device with --device gpu:N."));
}

int devices(const Context& context, bool measures) {
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    if (measures)
        if (const auto measured = measureDevices(context); !measured) return refuse(context, measured.error());
    std::vector<DeviceRow> rows = {cpuRow()};
    const auto found = gpu::compute::reportDevices();
    if (found) {
        for (const auto& report : *found) rows.push_back(gpuRow(report));
    } else {
        log(context, found.error().message());
    }
    for (const DeviceRow& row : rows)
        if (!row.remark.empty()) log(context, row.info.name + ": " + row.remark);
    for (const DeviceRow& row : rows)
        for (const std::string& line : remarks(row)) log(context, line);
    if (context.json) {
        printJson(rows);
        return done;
    }
    printTable(rows);
    for (const DeviceRow& row : rows)
        for (const std::string& line : remarks(row)) fmt::print("{}\n", line);
    if (!found) fmt::print("{}\n", found.error().message());
    return done;
}

} // namespace

Command addDevices(CLI::App& program) {
    CLI::App* command = program.add_subcommand("devices", "List compute devices: the CPU and all Vulkan devices");
    const auto measures = std::make_shared<bool>(false);
    command->add_flag("--measure", *measures,
                      "Measure the speed of each GPU, or of the one named by --device, and of the CPU, and keep the result");
    return {command, [measures](const Context& context) { return devices(context, *measures); }};
}

} // namespace wb::cli
