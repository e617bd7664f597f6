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

#include <cmath>
#include <cstdio>

namespace wb::cli {
namespace {

// A type of weights with a fast kernel.
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

// "Fast kernels of gpu:1: Q4_K 3.1x (packed), …": the speed relative to exact kernels; unused kernels are marked.
std::string fastText(const DeviceRow& row) {
    std::vector<std::string> kernels;
    for (const auto& [verdict, used] : row.fast) {
        const char* const why = !verdict.isRight() ? ", wrong: not used" : used ? "" : ", not used";
        kernels.push_back(fmt::format("{} {:.1f}x ({}{})", kernelName(verdict), verdict.speedup,
                                      verdict.form == gpu::FastForm::Packed ? "packed" : "float", why));
    }
    return fmt::format("Fast kernels of {}: {}.", row.info.option(), fmt::join(kernels, ", "));
}

int devices(const Context& context) {
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
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
        if (!row.fast.empty()) log(context, fastText(row));
    if (context.json) {
        printJson(rows);
        return done;
    }
    printTable(rows);
    for (const DeviceRow& row : rows)
        if (!row.fast.empty()) fmt::print("{}\n", fastText(row));
    if (!found) fmt::print("{}\n", found.error().message());
    return done;
}

} // namespace

Command addDevices(CLI::App& program) {
    CLI::App* command = program.add_subcommand("devices", "List compute devices: the CPU and all Vulkan devices");
    return {command, devices};
}

} // namespace wb::cli
