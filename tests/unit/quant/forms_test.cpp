// SPDX-License-Identifier: MIT
#include "core/quant/whatif/what_if.h"
#include "tests/unit/support/forms.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::quant {
namespace {

TEST(WhatIf, DoesNotDependOnTheFormOfTheSource) {
    const test::TemporaryFolder folder;
    test::writeForms(folder.path());
    const ModelPtr model = test::openForms(folder.path());
    const auto measured = [&](const char* form) {
        return measure(TensorReader::open(*model, test::formTensor(*model, form)).value(), Dtype::Q4_K, {}, {.threads = 3}, {});
    };
    const auto expected = measured("stored");
    ASSERT_TRUE(expected) << expected.error().message();
    EXPECT_GT(expected->squaredError, 0);
    for (const char* form : test::readableForms) {
        const auto whatIf = measured(form);
        ASSERT_TRUE(whatIf) << whatIf.error().message();
        EXPECT_EQ(whatIf->squaredError, expected->squaredError) << form;
        EXPECT_EQ(whatIf->bytes, expected->bytes) << form;
        EXPECT_EQ(whatIf->worst.front().row, expected->worst.front().row) << form;
    }
}

} // namespace
} // namespace wb::quant
