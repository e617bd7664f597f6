// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/memory_plan.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/infer_types/typed_model.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
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

// The C library may leave up to a step of unused addresses behind an aligned block and counts them as usable, so that what was
// asked for is noted in front of the block.
void* aligned(std::size_t bytes, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    const std::size_t rounded = (bytes + step - 1) / step * step;
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(step, step + rounded));
    if (!memory) throw std::bad_alloc();
    std::memcpy(memory, &rounded, sizeof rounded);
    live += static_cast<std::int64_t>(rounded);
    return memory + step;
}

void releaseAligned(void* data, std::align_val_t alignment) {
    if (!data) return;
    auto* const memory = static_cast<std::byte*>(data) - static_cast<std::size_t>(alignment);
    std::size_t rounded = 0;
    std::memcpy(&rounded, memory, sizeof rounded);
    live -= static_cast<std::int64_t>(rounded);
    std::free(memory);
}

} // namespace

// The other forms call these.
void* operator new(std::size_t bytes) { return orThrow(std::malloc(bytes > 0 ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return aligned(bytes, alignment); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t alignment) noexcept { releaseAligned(memory, alignment); }
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept { releaseAligned(memory, alignment); }

namespace wb::infer {
namespace {

// What the engine keeps beside its buffers (the plan of the graph, names, readers, its team of threads) grows with the number of
// tensors and with nothing else: the plan of the buffers is exact.
constexpr double besideABuffer = 24 << 10, besideATensor = 600;

constexpr std::array cacheTypes = {std::pair{CacheType::F16, "f16"}, std::pair{CacheType::Q8_0, "q8_0"},
                                   std::pair{CacheType::F32, "f32"}};

void expectPlanned(const ModelPtr& model, std::size_t context, CacheType type, const std::string& name) {
    const EngineOptions options{.threads = 2, .context = context, .keys = type, .values = type};
    const auto graph = planGraph(model);
    ASSERT_TRUE(graph) << name << ": " << graph.error().message();
    const auto planned = planMainMemory(*graph, options, 0);
    ASSERT_TRUE(planned) << name << ": " << planned.error().message();
    const std::int64_t before = live;
    auto engine = cpu::makeCpuEngine(*graph, options, {});
    ASSERT_TRUE(engine) << name << ": " << engine.error().message();
    const auto allocated = static_cast<double>(live - before), expected = static_cast<double>(planned->total());
    std::cout << name << ": planned " << planned->total() << ", allocated " << live - before << ", "
              << 100 * (allocated / expected - 1) << " %\n";
    EXPECT_GE(allocated, expected) << name;
    EXPECT_LE(allocated, expected + besideABuffer + besideATensor * static_cast<double>(model->tensors.size())) << name;
    EXPECT_LE(allocated, 1.03 * expected) << name;
    EXPECT_EQ((*engine)->load().memory.total(), planned->total()) << name;
}

TEST(Loads, TakeWhatWasPlanned) {
    WB_NEED_SHARED("arch");
    for (const char* name : {"llama", "qwen3", "qwen3moe", "gemma3", "gemma4", "gpt-oss", "glm4moe", "gpt2", "phi3-longrope",
                             "gemma4moe", "qwen4exp", "glm-dsa", "llama4"})
        for (const auto& [type, typeName] : cacheTypes)
            expectPlanned(test::ArchModel::open(name).model, 0, type, fmt::format("{} {}", name, typeName));
}

// Weights keep the bits of their file: at most 1.06 times its bytes.
TEST(Loads, OfEveryTypeTakeWhatWasPlannedAndLittleMoreThanTheFile) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const ModelPtr source = test::ArchModel::open("llama-k256").model;
    for (const quant::FileType type : test::writtenTypes()) {
        const std::string name = quant::info(type).name;
        const ModelPtr model = test::modelInType(source, type, folder.path(), name + ".gguf");
        ASSERT_TRUE(model) << name;
        expectPlanned(model, 64, CacheType::F16, name);
        const auto graph = planGraph(model);
        ASSERT_TRUE(graph) << name;
        const auto planned = planMainMemory(*graph, {.threads = 2, .context = 64}, 0);
        ASSERT_TRUE(planned) << name;
        EXPECT_LE(static_cast<double>(planned->weights), 1.06 * static_cast<double>(model->tensorBytes())) << name;
        EXPECT_GE(static_cast<double>(planned->weights), 0.5 * static_cast<double>(model->tensorBytes())) << name;
    }
}

void expectPlannedFile(const std::filesystem::path& path, const std::vector<std::size_t>& contexts) {
    const auto model = formats::open(path);
    ASSERT_TRUE(model) << model.error().message();
    for (const std::size_t context : contexts)
        for (const auto& [type, typeName] : cacheTypes)
            expectPlanned(*model, context, type, fmt::format("{} {} {}", path.filename().string(), context, typeName));
}

TEST(Loads, OfATinyModelTakeWhatWasPlanned) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    expectPlannedFile(test::shared() / "corpus/llm/stories260K.gguf", {128, 512});
}

// The model that a new user gets, where it has been downloaded; as large as real ones are, with buffers of whole large pages.
TEST(Loads, OfTheStarterModelTakeWhatWasPlanned) {
    const char* const home = std::getenv("HOME");
    const std::filesystem::path path =
        std::filesystem::path(home ? home : "") / ".cache/weighbridge/models/SmolLM2-135M-Instruct.Q4_1.gguf";
    if (!std::filesystem::exists(path)) {
        std::cout << "the starter model is not here; the models of shared/arch say the same\n";
        return;
    }
    expectPlannedFile(path, {512, 2048, 8192});
}

} // namespace
} // namespace wb::infer
