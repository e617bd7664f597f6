// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_item.h"
#include "core/convert/quantize/quantize_output.h"
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/child.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <fstream>
#ifdef __linux__
#include <malloc.h>
#endif

// What is said about a run's memory before it begins, and what it takes.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

// Tensors of 2048 x 2048, so that items reach their full size.
fs::path writeWideModel(const test::TemporaryFolder& folder, unsigned count) {
    std::vector<gguf::WrittenTensor> tensors;
    for (unsigned i = 0; i < count; ++i)
        tensors.push_back({fmt::format("blk.{}.ffn_up.weight", i), *Shape::make({2048, 2048}), Dtype::F16});
    const auto layout = gguf::layOut(
        {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", count)}, tensors);
    std::string content = layout->header;
    content.resize(layout->fileBytes, '\x21');
    return folder.file("wide.gguf", content);
}

TEST(JobMemory, BuffersAreAsLargeAsPlanned) {
    const test::TemporaryFolder folder;
    for (const auto type : {quant::FileType::Q8_0, quant::FileType::Q4_K_M, quant::FileType::F16}) {
        const QuantizePlan plan = planFile(writeWideModel(folder, 2), type);
        const auto items = workItems(plan, itemElements(plan));
        const auto backend = quant::makeCpuBackend();
        const BufferSizes sizes = bufferSizes(plan, items, backend->bestValues());
        ItemBuffers reserved, grown;
        reserved.reserve(sizes);
        for (const WorkItem& item : items) {
            const auto reader = TensorReader::open(*plan.model, plan.model->tensors[plan.tensors[item.tensor].source]);
            std::vector<std::byte> result(outputItems(plan, {&item, 1})[0].bytes);
            ASSERT_TRUE(reader && quantizeItem(plan, item, *reader, *backend, result, reserved));
            ASSERT_TRUE(quantizeItem(plan, item, *reader, *backend, result, grown));
        }
        EXPECT_EQ(reserved.bytes(), sizes.bytes()) << "nothing grew beyond it";
        EXPECT_GE(grown.bytes(), sizes.bytes()) << "and nothing needs less";
    }
}

TEST(JobMemory, GrowsWithThreadsUpToTheItems) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeWideModel(folder, 1), quant::FileType::Q8_0); // sixteen items
    const std::uint64_t step = peakMemory(plan, 2) - peakMemory(plan, 1);
    const auto items = workItems(plan, itemElements(plan));
    const std::uint64_t result = outputItems(plan, items)[0].bytes; // all are alike
    EXPECT_EQ(step, result + bufferSizes(plan, items, quant::makeCpuBackend()->bestValues()).bytes());
    EXPECT_EQ(peakMemory(plan, 16), peakMemory(plan, 1) + 15 * step);
    EXPECT_EQ(peakMemory(plan, 40), peakMemory(plan, 16));
}

// A row of a hundred million elements is worked on in parts, one that is copied too.
TEST(JobMemory, DoesNotGrowWithRows) {
    const test::TemporaryFolder folder;
    std::vector<gguf::WrittenTensor> tensors = {{"blk.0.ffn_up.weight", *Shape::make({8, 1 << 27}), Dtype::F16},
                                                {"rope_freqs.weight", *Shape::make({1 << 29}), Dtype::F32}};
    const auto layout = gguf::layOut(
        {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)}, tensors);
    const auto path = folder.file("endless.gguf", layout->header);
    std::filesystem::resize_file(path, layout->fileBytes); // mostly a hole
    const QuantizePlan plan = planFile(path, quant::FileType::Q8_0);
    EXPECT_LT(peakMemory(plan, 1), 16ull << 20);
    EXPECT_LT(peakMemory(plan, 100), 512ull << 20);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// A figure of /proc/self/status in bytes.
std::uint64_t statusBytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kilobytes = 0;
        if (word == key + ":" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
}

TEST(JobMemory, IsWhatTheProcessGrowsBy) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeWideModel(folder, 6), quant::FileType::Q8_0);
    constexpr std::uint64_t slack = 3 << 20; // what the allocator keeps
    EXPECT_EQ(inChild([&] {
                  // A first run touches code and tables, which the system counts in pieces of a size of its own.
                  if (!runQuantize(plan, folder.path() / "first.gguf", {1}, {})) return false;
                  malloc_trim(0);
                  std::ofstream("/proc/self/clear_refs") << 5; // the peak counts from here on
                  const std::uint64_t before = statusBytes("VmRSS");
                  if (!runQuantize(plan, folder.path() / "out.gguf", {1}, {})) return false;
                  const std::uint64_t grown = statusBytes("VmHWM") - before;
                  return before > 0 && grown < peakMemory(plan, 1) + slack && grown + slack / 3 > peakMemory(plan, 1);
              }),
              0);
}

#endif

} // namespace
} // namespace wb::quantize
