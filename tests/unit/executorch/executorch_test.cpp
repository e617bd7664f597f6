// SPDX-License-Identifier: MIT
#include "core/formats/executorch/executorch.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace wb::executorch {
namespace {

std::filesystem::path fixtures() { return test::shared() / "fixtures/runtime/executorch"; }

TEST(ExecuTorch, ConstantsOfAProgramAreRead) {
    WB_NEED_SHARED("fixtures/runtime/executorch");
    const auto model = open(fixtures() / "model.pte", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::ExecuTorch);
    EXPECT_TRUE((*model)->problems.empty());
    std::set<std::string> seen, wanted;
    for (const TensorInfo& tensor : (*model)->tensors) seen.insert(test::hashOfValues(**model, tensor));
    std::ifstream in(fixtures() / "model.pte.expected.json"); // whose names are not in the program
    for (const auto& tensor : nlohmann::json::parse(in)["tensors"]) wanted.insert(tensor["sha256"].get<std::string>());
    EXPECT_TRUE(std::ranges::includes(seen, wanted));
}

TEST(ExecuTorch, AFolderJoinsAProgramAndItsData) {
    WB_NEED_SHARED("fixtures/runtime/executorch");
    ASSERT_TRUE(isFolder(fixtures() / "external"));
    const auto model = openFolder(fixtures() / "external", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ(test::expectTruth(**model, "runtime/executorch/external"), 0u);
    const auto alone = open(fixtures() / "external/model.pte", {});
    ASSERT_TRUE(alone) << alone.error().message();
    EXPECT_TRUE(
        std::ranges::none_of((*alone)->tensors, [](const TensorInfo& t) { return t.name == "fc.weight" && t.isReadable(); }));
}

TEST(ExecuTorch, IsCutAndBentAtEveryByteWithoutHarm) {
    WB_NEED_SHARED("fixtures/runtime/executorch");
    for (const char* name : {"model.pte", "external/_default_external_constant.ptd"}) {
        const auto content = test::readFile(fixtures() / name);
        test::cutAndBend(readIndex, nullptr, {test::inMemory("a.pte", content)}, 0, content);
    }
}

} // namespace
} // namespace wb::executorch
