// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/small_model.h"
#include "tests/unit/small_disk/small_disk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>
#endif

// A disk that is really full, before and during a run.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Takes all the room that is left.
void fill(const fs::path& file) {
    std::ofstream out(file, std::ios::binary);
    const std::string page(4096, 'x');
    while (out.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
    }
}

// One sentence: it ends with a full stop, and there is none with a space behind it before.
bool isOneSentence(const std::string& text) { return text.ends_with('.') && text.find(". ") == std::string::npos; }

class FullDisk : public testing::Test {
protected:
    void SetUp() override {
        QuantizeRequest request;
        request.mix.fileType = quant::FileType::Q8_0;
        auto plan = planQuantize(openStrict(source), request);
        ASSERT_TRUE(plan);
        m_plan = std::move(*plan);
        ASSERT_TRUE(runQuantize(m_plan, elsewhere.path() / "straight.gguf", {}, {}));
        m_expected = test::readFile(elsewhere.path() / "straight.gguf");
        m_sourceBytes = test::readFile(source);
    }

    void expectOn(std::uint64_t diskBytes, const std::function<void(test::Findings&)>& body) {
        std::string reason;
        const auto wrong = test::onSmallDisk(disk.path(), diskBytes, body, reason);
        if (!wrong) GTEST_SKIP() << reason;
        EXPECT_EQ(*wrong, "");
        EXPECT_EQ(test::readFile(source), m_sourceBytes);
    }

    // The run on a disk whose room vanishes after some items by `harm`; then there is room again and the same run goes on.
    void expectToGoOn(const std::function<void()>& harm) {
        const fs::path target = disk.path() / "out.gguf";
        expectOn(m_plan.fileBytes() + (256 << 10), [&](test::Findings& found) {
            std::atomic<int> items{0};
            const Progress progress{{}, [&](std::uint64_t, std::uint64_t) {
                                        if (++items == 30) harm();
                                    }};
            convert::RunOptions options;
            options.threads = 1;
            options.flushBytes = 1; // every item is journalled
            const auto full = runQuantize(m_plan, target, options, progress);
            found.need(!full, "the run ended well on a full disk");
            if (full) return;
            found.need(full.error().code == ErrorCode::NoSpace, "another code");
            found.need(isOneSentence(full.error().message()), full.error().message());
            found.need(full.error().reason == Reason("run.disk_full") && full.error().subject == "out.gguf",
                       full.error().message());
            found.need(!fs::exists(target), "a file that is not whole has its name");
            const auto again = runQuantize(m_plan, target, options, {});
            found.need(!again && again.error().code == ErrorCode::NoSpace, "the disk is still full");
            fs::remove(disk.path() / "filler");
            const auto resumed = runQuantize(m_plan, target, options, {});
            found.need(resumed.has_value(), resumed ? "" : resumed.error().message());
            if (!resumed) return;
            found.need(resumed->resumedItems >= 29, fmt::format("only {} items were taken over", resumed->resumedItems));
            found.need(test::readFile(target) == m_expected, "the file differs from one that was written in one go");
            found.need(filesIn(disk.path()) == 1, "something was left behind");
        });
    }

    const test::TemporaryFolder disk;
    const test::TemporaryFolder elsewhere;
    const fs::path source = writeSmallModel(elsewhere, 60); // 182 items: the journal outgrows its first pages
    QuantizePlan m_plan;
    std::vector<std::byte> m_expected, m_sourceBytes;
};

TEST_F(FullDisk, IsNoticedBeforeTheFirstByte) {
    expectOn(m_plan.fileBytes() / 2, [&](test::Findings& found) {
        const auto outcome = runQuantize(m_plan, disk.path() / "out.gguf", {}, {});
        found.need(!outcome, "the run ended well on a disk that is too small");
        if (outcome) return;
        found.need(outcome.error().code == ErrorCode::NoSpace, "another code");
        found.need(outcome.error().reason == Reason("run.disk_space"), outcome.error().message());
        found.need(isOneSentence(outcome.error().message()), outcome.error().message());
        found.need(filesIn(disk.path()) == 0, "something was left behind");
    });
}

// The room of the model is reserved; the journal's is not.
TEST_F(FullDisk, StopsTheJournalAndTheRunGoesOnLater) {
    expectToGoOn([&] { fill(disk.path() / "filler"); });
}

#ifdef __linux__

// A file system that reserves nothing, made from one that does: the second half of the part file gives its room away.
TEST_F(FullDisk, StopsTheModelAndTheRunGoesOnLater) {
    expectToGoOn([&] {
        const int part = open((disk.path() / "out.gguf.part").c_str(), O_RDWR | O_CLOEXEC);
        const auto half = static_cast<off_t>(m_plan.fileBytes() / 2 / 4096 * 4096);
        fallocate(part, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, half, half);
        close(part);
        fill(disk.path() / "filler");
    });
}

#endif

} // namespace
} // namespace wb::quantize
