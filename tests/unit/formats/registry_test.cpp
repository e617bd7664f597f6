// SPDX-License-Identifier: MIT
#include "core/formats/registry.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace wb::formats {
namespace {

TEST(Registry, ListsEachWorkerTaskOnce) {
    std::set<std::string> names;
    for (const worker::WorkerTask& task : workerTasks()) EXPECT_TRUE(names.insert(task.name).second) << task.name;
    EXPECT_GE(names.size(), 8u);
}

TEST(Registry, ReadsWhatItNames) {
    std::set<FormatId> read;
    for (const Format& format : formatTable()) {
        EXPECT_TRUE(format.sniff && format.open) << formatName(format.id);
        read.insert(format.id);
    }
    for (const FormatId id : {FormatId::Gguf, FormatId::Safetensors, FormatId::PyTorch, FormatId::Onnx, FormatId::Keras,
                              FormatId::TfLite, FormatId::Flax, FormatId::Npz, FormatId::Skops, FormatId::Pickle})
        EXPECT_TRUE(read.contains(id)) << formatName(id);
}

TEST(Registry, SamplesAnArchiveOnlyWhereItIsAsked) {
    const std::string text = "{\"weight_map\": {}}";
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    const auto file = Sample::of(std::make_shared<io::MemorySource>("index.json", std::move(bytes)), {});
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->isJson());
    EXPECT_FALSE(file->isZip());
    EXPECT_TRUE(file->members().empty());
    EXPECT_EQ(file->json(), text);
    EXPECT_FALSE(file->failure());
}

} // namespace
} // namespace wb::formats
