// SPDX-License-Identifier: MIT
#include "core/convert/run/journal.h"
#include "core/convert/run/unfinished.h"
#include "core/convert/run/work_files.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <fstream>

// The journal's text: what is believed of it, and what is not.
namespace wb::run {
namespace {

namespace fs = std::filesystem;

class JournalTextTest : public testing::Test {
protected:
    // A journal of two parts and two of five items.
    std::string written() const {
        const fs::path path = folder.path() / "out.part.journal";
        auto journal = Journal::open(path, job);
        EXPECT_TRUE((*journal)->begin(Journal::Start::Anew));
        EXPECT_TRUE((*journal)->appendParts({{"out-1.gguf.part", 17, 100}, {"deep/out 2.gguf.part", 18, 200}}));
        EXPECT_TRUE((*journal)->append({{3, {std::string("\0\n \xff", 4), 0xfeedu}}, {0, {"", 7}}}));
        journal->reset();
        const auto bytes = test::readFile(path);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    test::TemporaryFolder folder;
    const JobId job{"quantize", 5, "0123456789abcdef"};
};

TEST_F(JournalTextTest, ReadsBackAsWritten) {
    const auto read = parseJournal(written());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->job, job);
    EXPECT_FALSE(read->isRenaming);
    ASSERT_EQ(read->parts.size(), 2u);
    EXPECT_EQ(read->parts[1].name, "deep/out 2.gguf.part");
    EXPECT_EQ(read->parts[1].number, 18u);
    ASSERT_EQ(read->records.size(), 2u);
    EXPECT_EQ(read->records.at(3).text, std::string("\0\n \xff", 4));
    EXPECT_EQ(read->records.at(3).check, 0xfeedu);
}

TEST_F(JournalTextTest, IsBelievedUpToTheLineThatWasCut) {
    const std::string whole = written();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto read = parseJournal(whole.substr(0, length));
        if (!read) continue;
        EXPECT_LE(read->validBytes, length);
        EXPECT_EQ(read->validBytes, whole.rfind('\n', length == 0 ? 0 : length - 1) + 1) << length;
    }
}

TEST_F(JournalTextTest, IsBelievedUpToTheLineThatWasDamaged) {
    std::string text = written();
    text[text.find("\n3 ") + 4] ^= 1;
    const auto read = parseJournal(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->parts.size(), 2u);
    EXPECT_TRUE(read->records.empty());
}

TEST_F(JournalTextTest, RefusesOtherFirstLines) {
    for (const char* text : {"", "dear diary\n", "weighbridge quantize 7 0123\n", "weighbridge run 1 quantize 5\n",
                             "weighbridge run 1 quantize -5 0123\n", "weighbridge run 1 quantize 5 0123 more\n"})
        EXPECT_FALSE(parseJournal(text)) << text;
    EXPECT_TRUE(isJournal("weighbridge quantize 7 0123\n"));
    EXPECT_FALSE(isJournal("dear diary\n"));
}

// They would be removed with the run.
TEST_F(JournalTextTest, LeavesOutPartsElsewhere) {
    for (const char* name : {"../out.gguf.part", "a/../../out.gguf.part", "/tmp/out.gguf.part", "precious.gguf"}) {
        const fs::path path = folder.path() / "other.part.journal";
        {
            auto journal = Journal::open(path, job);
            ASSERT_TRUE((*journal)->begin(Journal::Start::Anew));
            ASSERT_TRUE((*journal)->appendParts({{name, 17, 100}}));
        }
        const auto bytes = test::readFile(path);
        const auto read = parseJournal({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        ASSERT_TRUE(read);
        EXPECT_TRUE(read->parts.empty()) << name;
        fs::remove(path);
    }
}

// A claim without a journal is a run that has just begun; one that ended leaves nothing.
TEST_F(JournalTextTest, AClaimIsListedAsLongAsItLives) {
    const fs::path state = folder.path() / "state", target = folder.path() / "begun.gguf";
    auto claimed = claim(state, {"convert", target, folder.path() / "model", "plan", {target}, true});
    ASSERT_TRUE(claimed);
    const auto runs = listUnfinished(state);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].state, UnfinishedRun::State::Held);
    EXPECT_EQ(runs[0].record.kind, "convert");
    EXPECT_EQ(runs[0].record.plan, "plan");
    EXPECT_TRUE(runs[0].record.replace);
    EXPECT_FALSE(runs[0].canResume);
    EXPECT_FALSE(claim(state, {"convert", target, {}, {}, {}, false}));
    EXPECT_FALSE(discard(state, target));
    claimed->reset();
    EXPECT_TRUE(listUnfinished(state).empty());
    EXPECT_TRUE(fs::is_empty(state / "unfinished"));
}

// What it says of the earlier run counts until that is dropped.
TEST_F(JournalTextTest, AClaimKeepsTheRecordOfTheEarlierRun) {
    const fs::path state = folder.path() / "state", target = folder.path() / "out";
    const auto source = folder.path() / "model";
    (void)written();
    {
        ASSERT_TRUE(claim(state, {"quantize", target, source, "first", {target}, false}));
    }
    EXPECT_EQ(unfinishedAt(state, target)->record.plan, "first");
    EXPECT_EQ(unfinishedAt(state, target)->percent, 40);
    EXPECT_EQ(unfinishedAt(state, target)->fingerprint, job.fingerprint);
    {
        auto second = claim(state, {"quantize", target, source, "second", {target}, false});
        ASSERT_TRUE(second);
        EXPECT_EQ(unfinishedAt(state, target)->record.plan, "first");
        (*second)->writeRecord();
    }
    EXPECT_EQ(unfinishedAt(state, target)->record.plan, "second");
    ASSERT_TRUE(discard(state, target));
    EXPECT_FALSE(unfinishedAt(state, target));
    EXPECT_EQ(discard(state, target).error().reason, noUnfinishedRun);
}

} // namespace
} // namespace wb::run
