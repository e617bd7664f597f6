// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::cli {
namespace {

using namespace std::string_literals;
using test::runWb;
using testing::HasSubstr;

std::string array(const std::string& values) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
    header.resize(117, ' ');
    return "\x93NUMPY\1\0\x76\0"s + header + "\n" + values;
}

// An archive of two arrays; with `bent` one bit of the values of "b" is flipped after its checksum was computed.
std::string archive(bool bent, bool deflate = false) {
    const std::string good(16, '\1');
    std::string bad = good;
    bad[5] = static_cast<char>(bad[5] ^ 0x10);
    // The checksum of array(good), which the builder computes by itself for an unbent member.
    const std::string intact = test::makeZip({{.name = "b.npy", .content = array(good)}});
    const std::size_t crcOffset = 14;
    std::uint32_t crc = 0;
    for (int i = 3; i >= 0; --i) crc = crc << 8 | static_cast<unsigned char>(intact[crcOffset + static_cast<std::size_t>(i)]);
    return test::makeZip({{.name = "a.npy", .content = array(good)},
                          {.name = "b.npy", .content = array(bent ? bad : good), .deflate = deflate, .crc = crc}});
}

class Checksums : public testing::TestWithParam<bool> {
protected:
    const test::TemporaryFolder folder;
    const std::string intact = folder.file("intact.npz", archive(false, GetParam())).string();
    const std::string bent = folder.file("bent.npz", archive(true, GetParam())).string();
    const std::string out = (folder.path() / "out.safetensors").string();
};

TEST_P(Checksums, AreComparedWhereValuesAreRead) {
    for (const char* option : {"--stats", "--sha256"}) {
        EXPECT_EQ(runWb({"inspect", intact, option, "--exit-code"}).status, 0) << option;
        const auto damaged = runWb({"inspect", bent, option, "--exit-code", "--json"});
        EXPECT_EQ(damaged.status, 4) << option;
        const auto problems = damaged.json()["problems"];
        ASSERT_EQ(problems.size(), 1u);
        EXPECT_EQ(problems[0]["severity"], "error");
        EXPECT_THAT(problems[0]["message"].get<std::string>(), HasSubstr("b.npy"));
    }
    EXPECT_EQ(runWb({"inspect", bent, "--stats", "--tensor", "a", "--exit-code"}).status, 0);
}

TEST_P(Checksums, StopAConversion) {
    EXPECT_EQ(runWb({"convert", intact, out}).status, 0);
    const auto refused = runWb({"convert", bent, out, "--force"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.errorLines(), 1);
    EXPECT_THAT(refused.err, testing::AllOf(HasSubstr("b.npy"), HasSubstr("--yes")));
    EXPECT_EQ(runWb({"convert", bent, out, "--force", "--yes"}).status, 0);
}

INSTANTIATE_TEST_SUITE_P(Members, Checksums, testing::Bool(), [](const auto& of) { return of.param ? "deflated" : "stored"; });

} // namespace
} // namespace wb::cli
