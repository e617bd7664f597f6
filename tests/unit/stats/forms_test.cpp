// SPDX-License-Identifier: MIT
#include "compare.h"
#include "compare_maps.h"
#include "core/stats/map/difference.h"
#include "core/stats/map/largest.h"
#include "core/stats/stored_block.h"
#include "tests/unit/support/forms.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::stats {
namespace {

// Statistics, heat map, difference and the note of an element do not depend on how a tensor is stored.
class FormsOfTensors : public testing::Test {
protected:
    FormsOfTensors() { test::writeForms(m_folder.path()); }

    TensorReader reader(const char* form) {
        if (!m_model) m_model = test::openForms(m_folder.path());
        return TensorReader::open(*m_model, test::formTensor(*m_model, form)).value();
    }

private:
    test::TemporaryFolder m_folder;
    ModelPtr m_model;
};

TEST_F(FormsOfTensors, HaveTheSameStatistics) {
    const auto backend = makeCpuBackend();
    for (const Axis axis : {Axis::Row, Axis::Column}) {
        const Options options{.channels = axis, .threads = 4};
        const TensorReader stored = reader("stored");
        const std::string expected = test::exactText(backend->compute(stored, options, {}).value(), stored.shape());
        for (const char* form : test::readableForms) {
            const auto stats = backend->compute(reader(form), options, {});
            ASSERT_TRUE(stats) << stats.error().message();
            EXPECT_EQ(test::exactText(*stats, stored.shape()), expected) << form;
        }
    }
}

TEST_F(FormsOfTensors, HaveTheSameHeatMap) {
    const TensorReader stored = reader("stored");
    const Matrix matrix = sliceMatrix(stored.shape(), 0);
    const auto backend = makeCpuMapBackend(3);
    const TensorMap expected = backend->build({&stored}, matrix, {}).value();
    for (const char* form : test::readableForms) {
        SCOPED_TRACE(form);
        const TensorReader other = reader(form);
        const auto map = backend->build({&other}, matrix, {});
        ASSERT_TRUE(map) << map.error().message();
        test::expectSame(*map, expected);
        const auto part = readGrid({&other}, matrix, {41, 7, 90, 200}, 1, {});
        ASSERT_TRUE(part) << part.error().message();
        EXPECT_EQ(part->mean, readGrid({&stored}, matrix, {41, 7, 90, 200}, 1, {})->mean);
        const auto top = largestElements({&other}, *map, 20, {}), expectedTop = largestElements({&stored}, expected, 20, {});
        ASSERT_EQ(top->size(), expectedTop->size());
        for (std::size_t i = 0; i < top->size(); ++i) EXPECT_EQ((*top)[i].index, (*expectedTop)[i].index);
    }
}

TEST_F(FormsOfTensors, DoNotDiffer) {
    for (const char* form : test::readableForms) {
        const auto difference = compareTensors(reader("stored"), reader(form), 2, {});
        ASSERT_TRUE(difference) << difference.error().message();
        EXPECT_EQ(difference->changed, 0u) << form;
        EXPECT_EQ(difference->compared, test::formRows * test::formColumns) << form;
    }
    EXPECT_GT(compareTensors(reader("stored"), reader("codes"), 2, {})->changed, 70'000u);
}

TEST_F(FormsOfTensors, ShowTheSameElement) {
    const std::uint64_t index = 123 * test::formColumns + 45;
    for (const char* form : test::readableForms) {
        const auto block = readBlock(reader(form), index);
        ASSERT_TRUE(block) << block.error().message();
        EXPECT_EQ(block->values, std::vector<double>{double{test::formValues()[index]}}) << form;
    }
}

} // namespace
} // namespace wb::stats
