// SPDX-License-Identifier: MIT
#include "core/formats/pickle/machine.h"
#include "core/formats/torch/torch.h"

#include <benchmark/benchmark.h>

#include <string>

// The pickle machine over the list of tensors of a large checkpoint, as torch.save writes it.
namespace wb {
namespace {

using namespace std::string_literals;

std::string u32(std::uint32_t value) {
    std::string out;
    for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
}

std::string text(const std::string& value) { return "X" + u32(static_cast<std::uint32_t>(value.size())) + value; }

// An OrderedDict of `count` matrices, each with its storage; the opcodes and memo numbers of torch.save (protocol 2).
std::string stateDict(std::uint32_t count) {
    std::uint32_t memo = 0;
    const auto put = [&memo] { return "r" + u32(memo++); };
    std::string out = "\x80\x02"
                      "ccollections\nOrderedDict\n"s +
                      put() + ")R" + put() + "(";
    for (std::uint32_t i = 0; i < count; ++i) {
        out += text("model.layers." + std::to_string(i) + ".mlp.down_proj.weight") + put();
        out += "ctorch._utils\n_rebuild_tensor_v2\n" + put() + "((" + text("storage") + put() + "ctorch\nFloatStorage\n" + put() +
               text(std::to_string(i)) + put() + text("cpu") + put() + "J" + u32(1 << 20) + "t" + put() + "QK" +
               std::string(1, '\0');
        out += "M\x00\x04M\x00\x04\x86"s + put() + "M\x00\x04K\x01\x86"s + put() +
               "\x89"
               "ccollections\nOrderedDict\n" +
               put() + ")R" + put() + "t" + put() + "R" + put();
    }
    return out + "u.";
}

void runMachine(benchmark::State& state) {
    const std::string pickle = stateDict(static_cast<std::uint32_t>(state.range(0)));
    const auto bytes = std::as_bytes(std::span(pickle));
    const io::MemorySource source("model.pkl", {bytes.begin(), bytes.end()});
    std::uint64_t opcodes = 0;
    for (auto _ : state) {
        pickle::Machine machine(source);
        const auto stream = machine.run(0);
        if (!stream || !stream->isComplete) return state.SkipWithError("the pickle was not read");
        opcodes += stream->opcodes;
        benchmark::DoNotOptimize(stream->root);
    }
    state.counters["opcodes/s"] = benchmark::Counter(static_cast<double>(opcodes), benchmark::Counter::kIsRate);
}
BENCHMARK(runMachine)->Arg(1000)->Arg(100'000)->Unit(benchmark::kMillisecond);

// Half a million opcodes of the smallest kind.
void runNumbers(benchmark::State& state) {
    std::string pickle = "(";
    for (int i = 0; i < 500'000; ++i) pickle += "K\x01";
    pickle += "l.";
    const auto bytes = std::as_bytes(std::span(pickle));
    const io::MemorySource source("numbers.pkl", {bytes.begin(), bytes.end()});
    std::uint64_t opcodes = 0;
    for (auto _ : state) {
        pickle::Machine machine(source);
        const auto stream = machine.run(0);
        if (!stream || !stream->isComplete) return state.SkipWithError("the pickle was not read");
        opcodes += stream->opcodes;
    }
    state.counters["opcodes/s"] = benchmark::Counter(static_cast<double>(opcodes), benchmark::Counter::kIsRate);
}
BENCHMARK(runNumbers)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace wb

BENCHMARK_MAIN();
