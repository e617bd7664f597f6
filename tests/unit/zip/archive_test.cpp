// SPDX-License-Identifier: MIT
#include "core/formats/zip/zip.h"
#include "core/io/range_source.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace wb::zip {
namespace {

using test::makeZip;
using test::ZipForm;
using test::ZipMember;
using testing::ElementsAre;
using testing::IsEmpty;

struct Opened {
    std::shared_ptr<io::ByteSource> source;
    Result<Archive> archive;
    formats::Findings findings;

    std::set<std::string> codes() {
        std::set<std::string> out;
        for (const Problem& problem : findings.take()) out.insert(problem.code.id());
        return out;
    }
    Result<std::string> content(std::string_view name) {
        const Member* member = archive->find(name);
        if (member == nullptr) return fail(ErrorCode::NotFound, "absent");
        auto bytes = readMember(*source, *member, 1 << 20, findings);
        if (!bytes) return std::unexpected(bytes.error());
        return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
};

Opened open(const std::string& zip, const formats::OpenOptions& options = {}) {
    auto source = std::make_shared<io::MemorySource>("model.pt", test::toBytes(zip));
    formats::Findings findings("model.pt", formats::Strictness::Lenient);
    auto archive = readArchive(*source, options, findings);
    return {source, std::move(archive), std::move(findings)};
}

TEST(ZipArchive, ReadsStoredAndDeflatedMembers) {
    const std::string text(100'000, 'x');
    auto zip = open(makeZip({{.name = "a/data.pkl", .content = "pickle"}, {.name = "a/code", .content = text, .deflate = true}}));
    ASSERT_TRUE(zip.archive) << zip.archive.error().message();
    EXPECT_EQ(rootFolder(*zip.archive), "a");
    EXPECT_EQ(*zip.content("a/data.pkl"), "pickle");
    EXPECT_EQ(*zip.content("a/code"), text);
    EXPECT_EQ(zip.archive->find("a/absent"), nullptr);
    EXPECT_THAT(zip.codes(), IsEmpty());
}

TEST(ZipArchive, ReadsWhatPyTorchWrites) {
    auto zip = open(makeZip({{.name = "m/data.pkl", .content = "p", .sizesFollow = true, .alignment = 64},
                             {.name = "m/data/0", .content = std::string(256, 'w'), .sizesFollow = true, .alignment = 64}}));
    ASSERT_TRUE(zip.archive) << zip.archive.error().message();
    const Member* data = zip.archive->find("m/data/0");
    ASSERT_TRUE(data->isStored());
    EXPECT_EQ(data->data->offset() % 64, 0);
    std::vector<std::byte> first(4);
    ASSERT_TRUE(storedMember(zip.source, *data)->readAt(252, first));
    EXPECT_EQ(first, test::toBytes("wwww"));
    EXPECT_FALSE(storedMember(zip.source, *data)->readAt(253, first));
    EXPECT_THAT(zip.codes(), IsEmpty());
}

TEST(ZipArchive, ReadsThe64BitForm) {
    auto zip = open(makeZip({{.name = "a/b", .content = "wide", .wide = true}}, {.wide = true}));
    ASSERT_TRUE(zip.archive) << zip.archive.error().message();
    EXPECT_EQ(*zip.content("a/b"), "wide");
    EXPECT_THAT(zip.codes(), IsEmpty());
}

TEST(ZipArchive, ReadsAnEmptyArchive) {
    auto zip = open(makeZip({}));
    ASSERT_TRUE(zip.archive) << zip.archive.error().message();
    EXPECT_TRUE(zip.archive->members.empty());
    EXPECT_THAT(zip.codes(), IsEmpty());
}

TEST(ZipArchive, FindsNamesByCaseFirst) {
    auto zip = open(makeZip({{.name = "A/Data", .content = "1"}, {.name = "a/data", .content = "2"}}));
    EXPECT_EQ(*zip.content("a/data"), "2");
    EXPECT_EQ(*zip.content("A/Data"), "1");
    EXPECT_TRUE(zip.content("A/DATA"));
    EXPECT_THAT(zip.codes(), ElementsAre("zip.case_twins"));
}

TEST(ZipArchive, FindsTheArchiveBehindAPrefix) {
    for (const bool isCounted : {false, true}) {
        auto zip = open(makeZip({{.name = "a/b", .content = "text"}}, {.prefix = "#!/bin/sh\n", .prefixIsCounted = isCounted}));
        ASSERT_TRUE(zip.archive) << zip.archive.error().message();
        EXPECT_EQ(*zip.content("a/b"), "text");
        EXPECT_THAT(zip.codes(), ElementsAre("zip.prefix"));
    }
}

TEST(ZipArchive, TakesCommentsAndSaysWhatFollows) {
    auto commented = open(makeZip({{.name = "a/b", .content = "text"}}, {.comment = "made by hand"}));
    EXPECT_THAT(commented.codes(), IsEmpty());
    auto followed = open(makeZip({{.name = "a/b", .content = "text"}}, {.suffix = "garbage"}));
    EXPECT_EQ(*followed.content("a/b"), "text");
    EXPECT_THAT(followed.codes(), ElementsAre("zip.suffix"));
}

struct Trick {
    const char* name;
    std::vector<ZipMember> members;
    ZipForm form;
    std::set<std::string> codes;
};

class ZipTricks : public testing::TestWithParam<Trick> {};

TEST_P(ZipTricks, AreSaid) {
    auto zip = open(makeZip(GetParam().members, GetParam().form));
    ASSERT_TRUE(zip.archive) << zip.archive.error().message();
    for (const Member& member : zip.archive->members)
        if (member.data) (void)readMember(*zip.source, member, 1 << 20, zip.findings);
    EXPECT_EQ(zip.codes(), GetParam().codes);
}

const std::vector<Trick> tricks = {
    {"name", {{.name = "a/b", .content = "x", .localName = "a/c"}}, {}, {"zip.local_central_mismatch"}},
    {"method", {{.name = "a/b", .content = "x", .localMethod = 8}}, {}, {"zip.local_central_mismatch"}},
    {"crc", {{.name = "a/b", .content = "x", .localCrc = 7}}, {}, {"zip.local_central_mismatch"}},
    {"size", {{.name = "a/b", .content = "x", .localBytes = 7}}, {}, {"zip.local_central_mismatch"}},
    {"flags", {{.name = "a/b", .content = "x", .localFlags = 4}}, {}, {"zip.local_central_mismatch"}},
    {"encrypted", {{.name = "a/b", .content = "x", .flags = 1}}, {}, {"zip.flag_bits"}},
    {"patched", {{.name = "a/b", .content = "x", .flags = 1 << 5}}, {}, {"zip.flag_bits"}},
    {"wrongCrc", {{.name = "a/b", .content = "x", .crc = 7}}, {}, {"zip.crc"}},
    {"duplicate", {{.name = "a/b", .content = "x"}, {.name = "a/b", .content = "y"}}, {}, {"zip.duplicate"}},
    {"overlap",
     {{.name = "a/b", .content = "x"}, {.name = "a/b2", .content = "x", .header = 0}},
     {},
     {"zip.overlap", "zip.local_central_mismatch"}},
    {"outside", {{.name = "a/b", .content = "x", .header = 1 << 30}}, {}, {"zip.outside_file", "zip.prefix"}},
    {"traversal", {{.name = "a/../../b", .content = "x"}}, {}, {"path.traversal"}},
    {"absolute", {{.name = "/etc/b", .content = "x"}}, {}, {"path.traversal"}},
    {"drive", {{.name = "C:b", .content = "x"}}, {}, {"path.traversal"}},
    {"control", {{.name = "a\nb", .content = "x"}}, {}, {"path.traversal"}},
    {"gap", {{.name = "a/b", .content = "x"}, {.name = "a/c", .content = "x", .padding = std::string(100, '-')}}, {}, {"zip.gap"}},
    {"cutDirectory", {{.name = "a/b", .content = "x"}}, {.members = 5}, {"zip.directory_damaged"}},
    {"twoDirectories", {{.name = "a/b", .content = "x"}}, {.suffix = makeZip({})}, {"zip.prefix", "zip.multiple_eocd"}},
};

INSTANTIATE_TEST_SUITE_P(All, ZipTricks, testing::ValuesIn(tricks),
                         [](const auto& trick) { return std::string(trick.param.name); });

TEST(ZipArchive, RemembersGaps) {
    auto zip = open(makeZip({{.name = "a/b", .content = "x"}, {.name = "a/c", .content = "x", .padding = std::string(100, '-')}}));
    ASSERT_EQ(zip.archive->gaps.size(), 1);
    EXPECT_EQ(zip.archive->gaps[0].length(), 100);
}

TEST(ZipArchive, RefusesWhatIsNoArchive) {
    EXPECT_EQ(open("PK\x03\x04 and nothing else").archive.error().reason, Reason("zip.no_directory"));
    EXPECT_EQ(open("").archive.error().reason, Reason("zip.no_directory"));
    EXPECT_EQ(open(makeZip({{.name = "a", .content = "x"}}, {.disk = 1})).archive.error().reason, Reason("zip.divided"));
    EXPECT_EQ(open(makeZip({{.name = "a", .content = "x"}}, {.directoryOffset = 1 << 20})).archive.error().reason,
              Reason("zip.no_directory"));
}

TEST(ZipArchive, KeepsItsCaps) {
    const std::string zip = makeZip({{.name = "a", .content = "x"}, {.name = "b", .content = "x"}});
    formats::OpenOptions options;
    options.limits.archiveMembers = 1;
    EXPECT_EQ(open(zip, options).archive.error().reason, Reason("zip.too_many_members"));
    options.limits = {};
    options.limits.directoryBytes = 50;
    EXPECT_EQ(open(zip, options).archive.error().reason, Reason("zip.directory_too_long"));
}

TEST(ZipArchive, CanBeCanceled) {
    std::stop_source stop;
    stop.request_stop();
    formats::OpenOptions options;
    options.progress.stop = stop.get_token();
    EXPECT_EQ(open(makeZip({{.name = "a", .content = "x"}}), options).archive.error().code, ErrorCode::Canceled);
}

TEST(ZipMember, RefusesWhatCannotBeUnpacked) {
    auto tooLong = open(makeZip({{.name = "a", .content = std::string(1000, 'x'), .deflate = true, .bytes = 999}}));
    EXPECT_EQ(tooLong.content("a").error().reason, Reason("zip.cannot_unpack"));
    auto tooShort = open(makeZip({{.name = "a", .content = std::string(1000, 'x'), .deflate = true, .bytes = 1001}}));
    EXPECT_EQ(tooShort.content("a").error().reason, Reason("zip.cannot_unpack"));
    auto noDeflate = open(makeZip({{.name = "a", .content = "no deflate stream", .method = 8}}));
    EXPECT_EQ(noDeflate.content("a").error().reason, Reason("zip.cannot_unpack"));
    auto foreign = open(makeZip({{.name = "a", .content = "x", .method = 12}}));
    EXPECT_EQ(foreign.content("a").error().reason, Reason("zip.method"));
    EXPECT_NE(foreign.content("a").error().message().find("bzip2"), std::string::npos);
    auto bomb = open(makeZip({{.name = "a", .content = "x", .deflate = true, .bytes = 1 << 30}}));
    EXPECT_EQ(bomb.content("a").error().reason, Reason("zip.member_too_large"));
}

TEST(ZipArchive, SurvivesEveryCutAndEveryChangedByte) {
    const std::string whole = makeZip({{.name = "m/data.pkl", .content = "pickle", .sizesFollow = true, .alignment = 64},
                                       {.name = "m/code", .content = "code", .deflate = true, .wide = true}},
                                      {.wide = true});
    const auto touch = [](const std::string& zip) {
        auto opened = open(zip);
        if (!opened.archive) return;
        for (const Member& member : opened.archive->members) {
            if (member.data) {
                EXPECT_LE(member.data->end(), zip.size());
            }
            (void)readMember(*opened.source, member, 1 << 16, opened.findings);
        }
    };
    for (std::size_t length = 0; length < whole.size(); ++length) touch(whole.substr(0, length));
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const char value : {'\x00', '\xFF', '\x01'}) {
            std::string changed = whole;
            changed[at] = value;
            touch(changed);
        }
}

TEST(ZipCorpus, ReadsWhatOthersWrote) {
    WB_NEED_SHARED("fixtures/torch/state_dict_dtypes.pt");
    auto source = io::FileSource::open(test::shared() / "fixtures/torch/state_dict_dtypes.pt");
    formats::Findings findings("state_dict_dtypes.pt", formats::Strictness::Lenient);
    const auto archive = readArchive(**source, {}, findings);
    ASSERT_TRUE(archive) << archive.error().message();
    EXPECT_NE(archive->find(std::string(rootFolder(*archive)) + "/data.pkl"), nullptr);
    for (const Member& member : archive->members) EXPECT_TRUE(readMember(**source, member, 1 << 20, findings));
    EXPECT_TRUE(findings.take().empty());
}

} // namespace
} // namespace wb::zip
