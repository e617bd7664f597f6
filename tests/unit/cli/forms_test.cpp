// SPDX-License-Identifier: MIT
#include "app/cli/inspect/value_file.h"
#include "tests/unit/support/forms.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace wb::cli {
namespace {

TEST(ExportNpy, WritesEveryFormOfSource) {
    const test::TemporaryFolder folder;
    test::writeForms(folder.path());
    const ModelPtr model = test::openForms(folder.path());
    const std::vector<float> expected = test::formValues();
    Context context;
    context.quiet = true;
    const auto indexOf = [&](const char* form) {
        return static_cast<std::size_t>(std::ranges::find(model->tensors, form, &TensorInfo::name) - model->tensors.begin());
    };
    for (const char* form : test::readableForms) {
        const auto target = folder.path() / (std::string(form) + ".npy");
        const auto exported = exportValues(context, *model, {indexOf(form)}, target.string());
        ASSERT_TRUE(exported) << exported.error().message();
        const auto file = test::readFile(target);
        std::vector<float> values(expected.size());
        ASSERT_GT(file.size(), values.size() * sizeof(float));
        std::memcpy(values.data(), file.data() + file.size() - values.size() * sizeof(float), values.size() * sizeof(float));
        EXPECT_EQ(values, expected) << form;
    }
    const auto refused = exportValues(context, *model, {indexOf("unavailable")}, (folder.path() / "none.npy").string());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason("forms.missing"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "none.npy"));
}

} // namespace
} // namespace wb::cli
