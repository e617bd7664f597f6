// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/small_model.h"
#include "tests/unit/support/system_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

// In what order a run brings its files to the disk: only what is there outlives a power failure.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

struct Event {
    bool isRename = false; // else a flush
    fs::path file;
    std::string journal; // what it held at that moment
};

std::string readText(const fs::path& file) {
    if (!fs::exists(file)) return {};
    const auto bytes = test::readFile(file);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<Event> planEvents(const QuantizePlan& plan, const fs::path& target) {
    std::vector<Event> events;
    const auto journal = fs::path(target) += ".part.journal";
    test::SystemCalls calls;
    calls.fsync = [&](const fs::path& file) { return events.push_back({false, file, readText(journal)}), 0; };
    calls.rename = [&](const fs::path& file) { return events.push_back({true, file, readText(journal)}), 0; };
    convert::RunOptions options;
    options.threads = 1;
    options.flushBytes = 1; // after every item
    EXPECT_TRUE(runQuantize(plan, target, options, {}));
    return events;
}

TEST(PowerFailure, FindsTheNamesOnTheDisk) {
    const test::TemporaryFolder folder;
    const auto events = planEvents(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), folder.path() / "out.gguf");
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events[0].file, folder.path()) << "before any work";
}

TEST(PowerFailure, FindsFinishedItemsInTheJournal) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0);
    const auto events = planEvents(plan, folder.path() / "out.gguf");
    for (std::size_t item = 0; item < plan.tensors.size(); ++item) // one a tensor
        EXPECT_TRUE(std::ranges::any_of(events, [&](const Event& event) {
            return event.file.filename() == "out.gguf.part.journal" &&
                   event.journal.find(fmt::format("\n{} ", item)) != std::string::npos;
        })) << item;
}

TEST(PowerFailure, BetweenTwoRenamesFindsTheMark) {
    const test::TemporaryFolder folder;
    const auto events =
        planEvents(planFile(writeSplitModel(folder, 1, 2), quant::FileType::Q8_0, true), folder.path() / "out.gguf");
    const auto isMarked = [](const Event& event) {
        return event.file.filename() == "out.gguf.part.journal" && event.journal.find("renaming") != std::string::npos;
    };
    const auto marked = std::ranges::find_if(events, isMarked);
    const auto renamed = std::ranges::find_if(events, &Event::isRename);
    ASSERT_NE(renamed, events.end());
    EXPECT_LT(marked, renamed);
}

} // namespace
} // namespace wb::quantize

#endif
