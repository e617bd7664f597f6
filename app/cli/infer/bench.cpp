// SPDX-License-Identifier: MIT
#include "core/infer/benchmark.h"
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/infer/engine_options.h"
#include "app/cli/infer/load_model.h"
#include "app/cli/progress_line.h"
#include "core/base/json_writer.h"
#include "core/jobs/thread_pool.h"

#include <cstdio>

namespace wb::cli {
namespace {

// `wb bench` as typed.
struct BenchOptions {
    std::string model;
    infer::BenchmarkOptions benchmark;
    infer::EngineOptions engine;
};

void writeRates(JsonWriter& json, std::string_view name, const infer::Rates& rates) {
    json.key(name);
    json.beginObject();
    json.key("median");
    json.number(rates.median);
    json.key("min");
    json.number(rates.min);
    json.key("max");
    json.number(rates.max);
    json.endObject();
}

class BenchRun {
public:
    BenchRun(const Context& context, const BenchOptions& options) : m_context(context), m_options(options) {}

    Result<void> run() {
        infer::EngineOptions engine = m_options.engine;
        WB_TRY_ASSIGN(const infer::Graph graph, openGraph(m_context, m_options.model));
        engine.context = m_options.benchmark.context();
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, graph, engine));
        WB_TRY_ASSIGN(auto loaded, loadModel(m_context, planned));
        const std::size_t printed = loaded->remarks().size();
        infer::Session session(std::move(loaded));
        WB_TRY_ASSIGN(const infer::Benchmarked rates, infer::benchmark(session, m_options.benchmark, {m_context.stop, {}}));
        printRemarks(m_context, session.engine(), printed);
        m_context.json ? printJson(session.engine(), rates) : printTable(session.engine(), rates);
        return {};
    }

private:
    unsigned threads() const { return m_context.threads > 0 ? m_context.threads : jobs::machineThreads(); }

    // Of reading weights while tokens are drawn, 10^9 bytes per second.
    static double bandwidth(const infer::Engine& engine, const infer::Benchmarked& rates) {
        return static_cast<double>(engine.load().bytesPerToken) * rates.generate.median / 1e9;
    }

    void printJson(const infer::Engine& engine, const infer::Benchmarked& rates) const {
        const infer::EngineLoad load = engine.load();
        JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
        json.beginObject();
        json.key("model");
        json.string(m_options.model);
        json.key("device");
        json.string(engine.device());
        json.key("kernels");
        engine.kernels().empty() ? json.null() : json.string(engine.kernels());
        json.key("threads");
        json.integer(threads());
        writeRates(json, "prompt_tps", rates.prompt);
        writeRates(json, "generate_tps", rates.generate);
        json.key("bytes_per_token");
        json.integer(load.bytesPerToken);
        json.key("bandwidth_gbs");
        json.number(bandwidth(engine, rates));
        json.key("load_seconds");
        json.number(load.seconds);
        json.key("repack_seconds");
        json.number(load.repackSeconds);
        json.endObject();
        json.finish();
        std::fputc('\n', stdout);
    }

    void printTable(const infer::Engine& engine, const infer::Benchmarked& rates) const {
        const infer::EngineLoad load = engine.load();
        const auto row = [](const char* what, std::size_t count, const infer::Rates& r) {
            std::printf("%-8s %6zu tokens  %10.2f tokens/s  (%.2f to %.2f)\n", what, count, r.median, r.min, r.max);
        };
        const std::string kernels = engine.kernels().empty() ? "" : " (kernels: " + engine.kernels() + ")";
        std::printf("%s on %s%s, %u threads; loaded in %.2f s, %.2f s of it repacking\n", baseName(m_options.model).c_str(),
                    engine.device().c_str(), kernels.c_str(), threads(), load.seconds, load.repackSeconds);
        if (m_options.benchmark.prompt > 0) row("prompt", m_options.benchmark.prompt, rates.prompt);
        if (m_options.benchmark.generate == 0) return;
        row("generate", m_options.benchmark.generate, rates.generate);
        std::printf("weights  %.1f MB per token, %.1f GB/s while generating\n", static_cast<double>(load.bytesPerToken) / 1e6,
                    bandwidth(engine, rates));
    }

    const Context& m_context;
    const BenchOptions& m_options;
};

int bench(const Context& context, const BenchOptions& options) {
    const auto result = BenchRun(context, options).run();
    return result ? done : refuse(context, result.error(), options.model);
}

} // namespace

Command addBench(CLI::App& program) {
    auto options = std::make_shared<BenchOptions>();
    infer::BenchmarkOptions& benchmark = options->benchmark;
    const auto tokens = CLI::Range(std::size_t{0}, std::size_t{1} << 24);
    CLI::App* command = program.add_subcommand("bench", "Benchmark prompt processing and token generation of a GGUF model");
    command->add_option("MODEL", options->model, "GGUF model: a file, or an ID or name in wb library")->required();
    command->add_option("--prompt", benchmark.prompt, "Prompt length in tokens (default: 512)")->type_name("N")->check(tokens);
    command->add_option("--generate", benchmark.generate, "Number of tokens to generate (default: 128)")
        ->type_name("N")
        ->check(tokens);
    command->add_option("--repeat", benchmark.repeat, "Number of measured repetitions, after one warm-up (default: 5)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100'000}));
    command->add_option("--depth", benchmark.depth, "Tokens in the KV cache before the test (default: 0)")
        ->type_name("N")
        ->check(tokens);
    addCacheTypes(*command, options->engine);
    addGpuOptions(*command, options->engine);
    return {command,
            [options](const Context& context) { return bench(context, *options); },
            {.reads = {"MODEL"}},
            true,
            {{&options->model}}};
}

} // namespace wb::cli
