// SPDX-License-Identifier: MIT
#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/names.h"
#include "core/formats/pickle/report.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace wb::pickle {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;

// A run with what it needs to live.
struct Followed {
    explicit Followed(const std::string& bytes, const formats::Limits& limits = {})
        : source("test.pkl", test::toBytes(bytes)), machine(source, limits), stream(*machine.run(0)) {}

    const Graph& graph() const { return machine.graph(); }
    std::string root() const { return preview(graph(), stream.root, 1000); }
    Stop stop() const { return stream.defects.empty() ? Stop::None : stream.defects.front().stop; }
    // "D reduce os.system ('ls',)" of each line of the trace.
    std::vector<std::string> trace() const {
        std::vector<std::string> out;
        for (const TraceLine& line : stream.trace) {
            out.push_back(std::string(levelName(line.level)) + " " + actName(line.act) + " " + preview(graph(), line.object));
            if (line.arguments != unknownNode) out.back() += " " + preview(graph(), line.arguments);
        }
        return out;
    }

    io::MemorySource source;
    Machine machine;
    Stream stream;
};

TEST(PickleOpcodes, AreAll68) {
    EXPECT_EQ(std::ranges::count_if(opcodes(), [](const Opcode& opcode) { return !opcode.name.empty(); }), 68);
    EXPECT_EQ(std::ranges::count_if(opcodes(), &Opcode::isWeightsOnly), 34);
    EXPECT_EQ(opcodes()[STACK_GLOBAL].name, "STACK_GLOBAL");
    EXPECT_EQ(opcodes()[BINUNICODE].argument, Argument::Counted4);
}

struct Value {
    const char* name;
    std::string pickle;
    const char* printed;
};

class PickleValues : public testing::TestWithParam<Value> {};

TEST_P(PickleValues, AreRead) {
    const Followed run(GetParam().pickle);
    EXPECT_EQ(run.root(), GetParam().printed);
    EXPECT_TRUE(run.stream.isComplete);
    EXPECT_EQ(run.stream.level(), DangerLevel::A);
}

const std::vector<Value> values = {
    {"none", "N.", "None"},
    {"flags", "\x80\x02\x88\x89\x86."s, "(True, False)"},
    {"oldFlags", "(I01\nI00\nt.", "(True, False)"},
    {"integers", "(I-7\nI0x1f\nL9L\nK\x05M\x01\x02J\xfe\xff\xff\xfft.", "(-7, 31, 9, 5, 513, -2)"},
    {"long", "\x80\x02\x8a\x02\xff\xfe."s, "-257"},
    {"emptyLong", "\x80\x02\x8a\x00."s, "0"},
    {"veryLong",
     "\x80\x02\x8a\x09"
     "123456789."s,
     "an integer of 9 bytes"},
    {"floats", "(F1.5\nG\x3f\xf8\0\0\0\0\0\0t."s, "(1.5, 1.5)"},
    {"strings", "(S'a\\x41\\n'\nU\x02zzt."s, "(b'aA\\x0a', b'zz')"},
    {"texts", "(Vab\\u00e9\nX\x02\0\0\0hi\x8c\x01xt."s, "('abé', 'hi', 'x')"},
    {"bytes", "(C\x01y\x42\x01\0\0\0zt."s, "(b'y', b'z')"},
    {"tuples", "(NNt\x85."s, "((None, None),)"},
    {"list", "]NaNa.", "[None, None]"},
    {"listOfMark", "(NNl.", "[None, None]"},
    {"appends", "](NNe.", "[None, None]"},
    {"dict", "}K\x01Ns(K\x02NK\x03Nu.", "{1: None, 2: None, 3: None}"},
    {"dictOfMark", "(K\x01Nd.", "{1: None}"},
    {"set", "\x80\x04\x8f(NN\x90."s, "{None, None}"},
    {"frozenset", "\x80\x04(N\x91."s, "{None}"},
    {"memo",
     "Nq\x05"
     "0h\x05.",
     "None"},
    {"textMemo", "Np7\n0g7\n.", "None"},
    {"memoize",
     "\x80\x04N\x94"
     "0h\0."s,
     "None"},
    {"dup", "N2\x86.", "(None, None)"},
    {"pop",
     "NK\x01"
     "0.",
     "None"},
    {"popsMark", "N(0.", "None"},
    {"popMark", "N(NN1.", "None"},
    {"frame", "\x80\x04\x95\x02\0\0\0\0\0\0\0N."s, "None"},
    {"orderedDict", "ccollections\nOrderedDict\n)R(K\x01Nu.", "collections.OrderedDict()"},
};

INSTANTIATE_TEST_SUITE_P(All, PickleValues, testing::ValuesIn(values),
                         [](const auto& value) { return std::string(value.param.name); });

TEST(PickleMachine, RecordsACallWhateverBecomesOfIt) {
    const Followed run("cos\nsystem\n(S'ls'\ntR0N.");
    EXPECT_EQ(run.root(), "None");
    EXPECT_THAT(run.trace(), ElementsAre("D import os.system", "D reduce os.system (b'ls',)"));
    EXPECT_EQ(run.stream.trace[1].position, 19);
}

TEST(PickleMachine, FollowsEveryWayToANameAndToACall) {
    EXPECT_EQ(Followed("\x80\x04\x8c\x02os\x8c\x06system\x93."s).trace().front(), "D import os.system");
    EXPECT_THAT(Followed("(S'ls'\nios\nsystem\n.").trace(), ElementsAre("D import os.system", "D inst os.system (b'ls',)"));
    EXPECT_THAT(Followed("(cos\nsystem\nS'ls'\no.").trace(), ElementsAre("D import os.system", "D obj os.system (b'ls',)"));
    EXPECT_EQ(Followed("\x80\x02"
                       "ca\nb\n)\x81."s)
                  .trace()
                  .back(),
              "C newobj a.b ()");
    EXPECT_EQ(Followed("\x80\x04"
                       "ca\nb\n)}\x92."s)
                  .trace()
                  .back(),
              "C newobj a.b ()");
    EXPECT_EQ(Followed("\x80\x02\x82\x07."s).trace().back(), "C ext .extension 7");
    EXPECT_EQ(Followed("ca\nb\n)R)R.").trace().back(), "C reduce a.b() ()");
}

TEST(PickleMachine, JudgesChangesOfObjects) {
    EXPECT_EQ(Followed("ca\nb\n}b.").trace().back(), "D build a.b {}"); // attributes of what the whole program shares
    EXPECT_EQ(Followed("ccollections\nOrderedDict\n)RNa.").trace().back(), "C setitem collections.OrderedDict");
    EXPECT_EQ(Followed("ccollections\nOrderedDict\n)R}b.").stream.level(), DangerLevel::A);
    EXPECT_EQ(Followed("Na.").stop(), Stop::BadOperand);
}

TEST(PickleMachine, KeepsConstraintsOnArguments) {
    EXPECT_EQ(Followed("c_codecs\nencode\n(Vx\nVlatin1\ntR.").stream.level(), DangerLevel::A);
    EXPECT_EQ(Followed("c_codecs\nencode\n(Vx\nVrot13\ntR.").stream.level(), DangerLevel::C);
    EXPECT_EQ(Followed("ctorch\nFloatStorage\n)R.").stream.level(), DangerLevel::C); // a storage class is no function
    EXPECT_EQ(Followed("c__main__\nNet\n)R.").stream.level(), DangerLevel::D);
}

TEST(PickleMachine, GoesOnBehindWhereALoaderStops) {
    const Followed run("\x80\x04K\x01\x8c\x01x\x93"
                       "cos\nsystem\n."s);
    EXPECT_EQ(run.stop(), Stop::BadOperand);
    EXPECT_EQ(run.stream.defects.front().position, 7);
    ASSERT_EQ(run.stream.trace.size(), 1);
    EXPECT_TRUE(run.stream.trace[0].isBeyondStop);
    EXPECT_EQ(run.stream.level(), DangerLevel::D); // whether or not a loader fails before it
}

TEST(PickleMachine, SaysWhyALoaderStops) {
    EXPECT_EQ(Followed("").stop(), Stop::Truncated);
    EXPECT_EQ(Followed("K").stop(), Stop::Truncated);
    EXPECT_EQ(Followed("X\xff\xff\xff\xff").stop(), Stop::Truncated);
    EXPECT_EQ(Followed("\xff").stop(), Stop::UnknownOpcode);
    EXPECT_EQ(Followed("h\x07.").stop(), Stop::MissingMemo);
    EXPECT_EQ(Followed("t.").stop(), Stop::BadOperand);
    EXPECT_EQ(Followed(".").stop(), Stop::BadOperand);
    EXPECT_EQ(Followed("Ix\n.").stop(), Stop::BadArgument);
    EXPECT_EQ(Followed("\x80\x06N."s).stop(), Stop::Protocol);
    EXPECT_EQ(Followed("T\xff\xff\xff\xff.").stop(), Stop::BadArgument); // a negative length
}

TEST(PickleMachine, KeepsItsCaps) {
    formats::Limits limits;
    limits.opcodes = 3;
    EXPECT_EQ(Followed("NNNN0000.", limits).stop(), Stop::Capped);
    limits = {};
    limits.stackValues = 2;
    EXPECT_EQ(Followed("NNN.", limits).stop(), Stop::Capped);
    limits = {};
    limits.memoEntries = 1;
    EXPECT_EQ(Followed("Nq\0q\x01."s, limits).stop(), Stop::Capped);
    limits = {};
    limits.builtNodes = 4;
    EXPECT_EQ(Followed("NNNNNN.", limits).stop(), Stop::Capped);
}

TEST(PickleMachine, TakesAMemoNumberForOneEntry) {
    const Followed run("Nr\xff\xff\xff\xff"
                       "0j\xff\xff\xff\xff.");
    EXPECT_EQ(run.root(), "None");
}

TEST(PickleMachine, RunsStreamsOneAfterTheOther) {
    io::MemorySource source("two.pkl", test::toBytes("K\x01.K\x02."));
    Machine machine(source);
    const Stream first = *machine.run(0);
    const Stream second = *machine.run(first.end);
    EXPECT_EQ(machine.graph().integer(first.root), 1);
    EXPECT_EQ(machine.graph().integer(second.root), 2);
    EXPECT_EQ(second.end, 6);
}

TEST(PickleMachine, PassesOverLongBytesWithoutReadingThem) {
    class Counting final : public io::ByteSource {
    public:
        explicit Counting(std::vector<std::byte> bytes) : m_whole("big.pkl", std::move(bytes)) {}
        std::uint64_t size() const override { return m_whole.size(); }
        const std::string& name() const override { return m_whole.name(); }
        Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
            read += out.size();
            return m_whole.readAt(offset, out);
        }
        mutable std::uint64_t read = 0;

    private:
        io::MemorySource m_whole;
    };
    const std::string payload(64 << 20, 'x');
    const Counting source(test::toBytes("\x80\x04\x8e\0\0\0\x04\0\0\0\0"s + payload + "0N."));
    Machine machine(source);
    const Stream stream = *machine.run(0);
    EXPECT_TRUE(stream.isComplete);
    EXPECT_LT(source.read, 1 << 20);
}

TEST(PickleMachine, CanBeCanceled) {
    std::stop_source stop;
    stop.request_stop();
    Progress progress;
    progress.stop = stop.get_token();
    io::MemorySource source("a.pkl", test::toBytes("N."));
    EXPECT_EQ(Machine(source).run(0, progress).error().code, ErrorCode::Canceled);
}

TEST(PickleNames, TakesTheWorstReading) {
    EXPECT_EQ(globalDangerLevel("collections", "OrderedDict"), DangerLevel::A);
    EXPECT_EQ(globalDangerLevel("__builtin__", "set"), DangerLevel::A);
    EXPECT_EQ(globalDangerLevel("__builtin__", "eval"), DangerLevel::D);
    EXPECT_EQ(globalDangerLevel("posix", "system"), DangerLevel::D);
    EXPECT_EQ(globalDangerLevel("asyncio.unix_events", "anything"), DangerLevel::D);
    EXPECT_EQ(globalDangerLevel("commands", "getoutput"), DangerLevel::D);
    EXPECT_EQ(globalDangerLevel("torch", "serialization.os.system"), DangerLevel::D); // a walk to os
    EXPECT_EQ(globalDangerLevel("collections", "OrderedDict.__init__.__globals__"), DangerLevel::D);
    EXPECT_EQ(globalDangerLevel("models", "Net.Block"), DangerLevel::C);
    EXPECT_EQ(globalDangerLevel("torch", "load"), DangerLevel::D);
    EXPECT_EQ(globalDangerLevel("torch", "FloatStorage"), DangerLevel::A);
    EXPECT_EQ(globalDangerLevel("evil", "FloatStorage"), DangerLevel::C);
    EXPECT_EQ(globalDangerLevel("builtins", "print"), DangerLevel::C);
    EXPECT_EQ(globalDangerLevel("", ""), DangerLevel::C);
}

TEST(PickleReport, PredictsTheRestrictedLoader) {
    const auto loads = [](const std::string& pickle) {
        const Followed run(pickle);
        return loadsWeightsOnly(run.graph(), run.stream);
    };
    EXPECT_TRUE(loads("\x80\x02}q\0."s));
    EXPECT_TRUE(loads("\x80\x02"
                      "ccollections\nOrderedDict\n)R."s));
    EXPECT_FALSE(loads("\x80\x04\x95\x01\0\0\0\0\0\0\0N."s)); // FRAME
    EXPECT_FALSE(loads("\x80\x02"
                       "ca\nb\n."s));
    EXPECT_FALSE(loads("\x80\x02"
                       "cnumpy\ndtype\n."s));
    EXPECT_FALSE(loads("\x80\x02N"s));
}

// Each file of the list is a table of text: whoever adds a row gives a reason, and no dangerous name is allowed.
TEST(PickleLists, AreWhole) {
    for (const auto level : {"allowed", "dangerous"}) {
        std::ifstream in(std::string(WB_PICKLE_LISTS) + "/" + level + ".tsv");
        std::string line;
        std::size_t rows = 0;
        while (std::getline(in, line)) {
            if (line.starts_with('#')) continue;
            ++rows;
            EXPECT_FALSE(line.ends_with('\t')) << line;
            if (std::string_view(level) != "allowed") continue;
            const std::string module = line.substr(0, line.find('\t'));
            const std::string name = line.substr(module.size() + 1, line.find('\t', module.size() + 1) - module.size() - 1);
            EXPECT_EQ(globalDanger(module, name), "") << line;
            EXPECT_NE(allowedName(module, name), nullptr) << line;
        }
        EXPECT_GT(rows, 100u);
    }
}

TEST(PickleMachine, SurvivesEveryCutAndEveryChangedByte) {
    const std::string whole =
        "\x80\x04}q\0(X\x01\0\0\0ach\ncollections\nOrderedDict\n)R(K\x01]NaNau\x94K\x02\x85K\x03(NNt\x8c\x02os\x8c\x06system\x93(NtRu."s;
    for (std::size_t length = 0; length < whole.size(); ++length) (void)Followed(whole.substr(0, length)).trace();
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int value = 0; value < 256; value += 3) {
            std::string changed = whole;
            changed[at] = static_cast<char>(value);
            const Followed run(changed);
            EXPECT_LE(run.stream.end, changed.size());
            (void)run.root();
            (void)run.trace();
        }
}

} // namespace
} // namespace wb::pickle
