// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <iterator>

#ifdef __linux__
#include <sys/resource.h>

// What befalls the program when a file may not grow (ulimit -f), as on a disk that is full.
namespace wb {
namespace {

namespace fs = std::filesystem;

// The limit of this process, which its children inherit.
class FileSizeLimit {
public:
    explicit FileSizeLimit(std::uint64_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit less{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &less);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
};

TEST(FileSizeLimits, AreToldInASentence) {
    const test::TemporaryFolder folder;
    const auto model = quantize::writeSmallModel(folder, 1).string();
    const FileSizeLimit limit(100'000);
    const auto run = test::runWb({"quantize", model, (folder.path() / "out.gguf").string(), "Q8_0", "--device", "cpu"});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.errorLines(), 1) << run.err;
    EXPECT_TRUE(run.err.starts_with("wb: ") && run.err.find("out.gguf") != std::string::npos) << run.err;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing is left but the model";
}

// The report holds more than the table, so that a limit between the two lets only it fail.
TEST(FileSizeLimits, OfAReportCostNothingOfWhatWasMeasured) {
    const test::TemporaryFolder folder;
    const auto model = test::writeModel(folder).string();
    const auto report = (folder.path() / "report.json").string();
    const std::vector<std::string> words = {"quantize", model, (folder.path() / "out.gguf").string(), "Q4_K_M", "--dry-run"};
    const auto usual = test::runWb(words);
    ASSERT_EQ(usual.status, 0) << usual.err;
    auto reporting = words;
    reporting.insert(reporting.end(), {"--report", report});
    const FileSizeLimit limit(usual.out.size());
    const auto run = test::runWb(reporting);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, usual.out);
    EXPECT_EQ(run.errorLines(), 1) << run.err;
    EXPECT_NE(run.err.find("report.json"), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(report));
}

} // namespace
} // namespace wb
#endif
