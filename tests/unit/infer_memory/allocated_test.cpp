// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/memory_plan.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

// What a load really takes of the heap beside what was planned: every allocation of this program is counted.
namespace {

std::atomic<std::int64_t> live = 0; // bytes

void* counted(void* memory) {
    if (memory) live += static_cast<std::int64_t>(malloc_usable_size(memory));
    return memory;
}

void* orThrow(void* memory) {
    if (!memory) throw std::bad_alloc();
    return counted(memory);
}

void release(void* memory) {
    if (memory) live -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

void* aligned(std::size_t bytes, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return orThrow(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}

} // namespace

// The other forms call these.
void* operator new(std::size_t bytes) { return orThrow(std::malloc(bytes > 0 ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return aligned(bytes, alignment); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace wb::infer {
namespace {

// What the engine keeps beside its buffers (the plan of the graph, names, readers) does not grow with the model's weights.
constexpr double fixedBytes = 256 << 10;

void expectPlanned(const ModelPtr& model, std::size_t context, cpu::CacheType type, const std::string& name) {
    const cpu::CpuOptions options{.threads = 2, .context = context, .keys = type, .values = type};
    const auto graph = planGraph(model);
    ASSERT_TRUE(graph) << name << ": " << graph.error().message();
    const auto planned = planMainMemory(*graph, options, 0);
    ASSERT_TRUE(planned) << name << ": " << planned.error().message();
    const std::int64_t before = live;
    auto engine = cpu::makeCpuEngine(*graph, options, {});
    ASSERT_TRUE(engine) << name << ": " << engine.error().message();
    const auto allocated = static_cast<double>(live - before);
    const auto expected = static_cast<double>(planned->total());
    std::cout << name << ": planned " << expected << ", allocated " << allocated << ", " << 100 * (allocated / expected - 1)
              << " %\n";
    EXPECT_NEAR(allocated, expected, 0.03 * expected + fixedBytes) << name;
    EXPECT_GE(allocated, 0.97 * expected) << name;
    EXPECT_EQ((*engine)->load().memory.total(), planned->total()) << name;
}

TEST(Loads, TakeWhatWasPlannedWithinThreePercent) {
    WB_NEED_SHARED("arch");
    for (const char* name : {"llama", "qwen3", "qwen3moe", "gemma3", "gemma4", "gpt-oss", "glm4moe", "gpt2", "phi3-longrope"})
        for (const auto type : {cpu::CacheType::F16, cpu::CacheType::Q8_0})
            expectPlanned(test::ArchModel::open(name).model, 0, type, name);
}

// The model that a new user gets, where it has been downloaded; as large as real ones are.
TEST(Loads, OfTheStarterModelTakeWhatWasPlanned) {
    const char* const home = std::getenv("HOME");
    const std::filesystem::path path =
        std::filesystem::path(home ? home : "") / ".cache/weighbridge/models/SmolLM2-135M-Instruct.Q4_1.gguf";
    if (!std::filesystem::exists(path)) {
        std::cout << "the starter model is not here; the models of shared/arch say the same\n";
        return;
    }
    const auto model = formats::open(path);
    ASSERT_TRUE(model) << model.error().message();
    for (const std::size_t context : {512u, 8192u}) expectPlanned(*model, context, cpu::CacheType::F16, "SmolLM2-135M");
}

} // namespace
} // namespace wb::infer
