// SPDX-License-Identifier: MIT
#include "core/formats/gguf/writer.h"
#include "core/formats/open.h"
#include "tests/gpu/stats/gpu_stats.h"
#include "tests/gpu/support/sample.h"
#include "tests/unit/support/support.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

// Whole models on the device and on the CPU.
namespace wb::gpu {
namespace {

class GpuModels : public test::GpuStatsTest {
protected:
    void expectTensorLikeCpu(const Model& model, const TensorInfo& tensor) {
        const auto reader = TensorReader::open(model, tensor);
        ASSERT_TRUE(reader) << reader.error().message();
        expectLikeCpu(*reader, tensor.name);
    }
};

TEST_F(GpuModels, Stories) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto model = formats::open(test::shared() / "corpus/llm/stories260K.gguf");
    ASSERT_TRUE(model) << model.error().message();
    for (const TensorInfo& tensor : (*model)->tensors) expectTensorLikeCpu(**model, tensor);
}

// One tensor of every type and shape; all of them take too long on software devices.
TEST_F(GpuModels, TheStarterModelWhereItIs) {
    if (!test::runsAll()) return; // ten seconds on software Vulkan
    const char* home = std::getenv("HOME");
    const std::filesystem::path path =
        std::filesystem::path(home != nullptr ? home : "") / ".cache/weighbridge/models/SmolLM2-135M-Instruct.Q4_1.gguf";
    if (!std::filesystem::exists(path)) return; // it is an offer to users, not a part of the reference data
    const auto model = formats::open(path);
    ASSERT_TRUE(model) << model.error().message();
    std::set<std::string> seen;
    for (const TensorInfo& tensor : (*model)->tensors)
        if (seen.insert(tensor.dtypeName() + tensor.shape.toString()).second) expectTensorLikeCpu(**model, tensor);
}

// A sparse file, so that nothing is written but a few values.
TEST_F(GpuModels, ATensorBeyondTheLargestBinding) {
    if (!test::runsAll()) return; // ten seconds on software Vulkan
    const Shape shape = *Shape::make({8300, 4096});
    const auto layout =
        gguf::layOut({gguf::makePair("general.architecture", std::string_view("llama"))}, {{"large", shape, Dtype::F32}});
    ASSERT_TRUE(layout);
    ASSERT_GT(4 * shape.elements(), maxViewBytes);
    const test::TemporaryFolder folder;
    const auto path = folder.file("large.gguf", layout->header);
    std::filesystem::resize_file(path, layout->fileBytes);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const std::uint64_t last = shape.elements() - 1;
    for (const auto& [index, value] : {std::pair<std::uint64_t, float>{5, 1.5f}, {maxViewBytes / 4, -7.25f}, {last, 3e-40f}}) {
        file.seekp(static_cast<std::streamoff>(layout->offsets[0] + 4 * index));
        file.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    file.close();
    const auto model = formats::open(path);
    ASSERT_TRUE(model) << model.error().message();
    expectTensorLikeCpu(**model, (*model)->tensors.at(0));
}

} // namespace
} // namespace wb::gpu
