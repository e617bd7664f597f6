// SPDX-License-Identifier: MIT
// What no reader takes apart is never clean, and every verdict has its reason.
#include "core/scan/python_source.h"
#include "core/scan/scan.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/zip_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::scan {
namespace {

using namespace std::string_literals;

Danger judgedAs(const std::string& name, const std::string& bytes) {
    return scanSource(std::make_shared<io::MemorySource>(name, test::toBytes(bytes)), {});
}

std::string heardFrom(const Danger& danger) {
    std::string out = std::string(verdictName(danger.verdict())) + ", " + kindName(danger) + "\n";
    for (const ScannedFile& file : danger.files)
        out += file.path + " " + file.member + ": " + verdictName(file.verdict()) + " " + file.why + "\n";
    for (const DangerousCall& call : danger.calls)
        out += std::string(levelName(call.level)) + " " + call.module + "." + call.name + "\n";
    for (const DangerFinding& finding : danger.findings)
        out += std::string(finding.problem.code.id()) + " " + finding.problem.message() + "\n";
    return out;
}

bool findsIn(const Danger& danger, std::string_view rule) {
    return std::ranges::any_of(danger.findings,
                               [&](const DangerFinding& finding) { return std::string_view(finding.problem.code.id()) == rule; });
}

constexpr Verdict cleanVerdict = Verdict::Clean;
constexpr Verdict notCheckedVerdict = Verdict::NotChecked;
constexpr Verdict suspiciousVerdict = Verdict::Suspicious;
constexpr Verdict dangerousVerdict = Verdict::Dangerous;

std::string gzip(const std::string& content) { // one stored block (RFC 1951, RFC 1952)
    const auto size = static_cast<std::uint16_t>(content.size());
    const auto low = static_cast<char>(size & 0xFF), high = static_cast<char>(size >> 8);
    std::string out =
        "\x1F\x8B\x08\0\0\0\0\0\0\x03\x01"s + low + high + static_cast<char>(~low) + static_cast<char>(~high) + content;
    std::uint32_t crc = ~0u;
    for (const char c : content) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    crc = ~crc;
    for (const std::uint32_t word : {crc, std::uint32_t{size}})
        for (int i = 0; i < 4; ++i) out += static_cast<char>(word >> (8 * i) & 0xFF);
    return out;
}

TEST(ScanVerdicts, AreNeverCleanOfWhatNobodyTookApart) {
    struct Case {
        const char* name;
        std::string bytes;
        const char* rule;
    };
    for (const auto& [name, bytes, rule] :
         {Case{"sh.pt", "#!/bin/sh\ncurl http://example.org | sh\n", "file.not_a_model"},
          Case{"setup.py", "import os\nos.system('id')\n", "file.not_a_model"},
          Case{"page.html", "<!doctype html><html><script>x()</script></html>", "file.not_a_model"},
          Case{"a.prototxt", "layer {\n  name: \"a\"\n  type: \"Input\"\n}\n", "file.not_read"},
          Case{"model.safetensors",
               "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 12345\n",
               "file.lfs_pointer"},
          Case{"tokenizer.model", "\x01\x02\x03\x04", "file.unknown_format"},
          Case{"image.pt", "\x89PNG\r\n\x1A\n", "file.unknown_format"}, Case{"readme.txt", "#!/bin/sh\n", "file.not_a_model"},
          Case{"words.gz", gzip("\x01\x02\x03\x04\x05\x06\x07"), "file.unknown_format"},
          Case{"a.jar", test::makeZip({{.name = "A.class", .content = "\xCA\xFE\xBA\xBE\0\0\0\x34"s}}), "file.unknown_format"}}) {
        const Danger danger = judgedAs(name, bytes);
        EXPECT_EQ(danger.verdict(), notCheckedVerdict) << name << "\n" << heardFrom(danger);
        EXPECT_STREQ(kindName(danger), "unknown") << name;
        EXPECT_TRUE(danger.isIncomplete()) << name;
        EXPECT_TRUE(findsIn(danger, rule)) << name << "\n" << heardFrom(danger);
    }
}

TEST(ScanVerdicts, AreCleanByRulesThatSayWhy) {
    struct Case {
        const char* name;
        std::string bytes;
        const char* why;
    };
    for (const auto& [name, bytes, why] :
         {Case{"tokenizer.json", "{\"version\": \"1.0\"}", "JSON"}, Case{"README.md", "# A model\n", "plain text"},
          Case{"vocab.txt", "a\nb\n", "plain text"}, Case{"LICENSE", "MIT\n", "plain text"},
          Case{"recipe.yaml", "a: 1\n", "plain text"}, Case{"data.jsonl", "{\"a\": 1}\n{\"a\": 2}\n", "plain text"},
          Case{".gitkeep", "", "empty"}, Case{"__init__.py", "", "empty"}}) {
        const Danger danger = judgedAs(name, bytes);
        EXPECT_EQ(danger.verdict(), cleanVerdict) << name << "\n" << heardFrom(danger);
        EXPECT_EQ(danger.files[0].why, why) << name;
    }
    EXPECT_EQ(judgedAs("model.bin", "").verdict(), suspiciousVerdict); // its name says that there are weights in it
    EXPECT_EQ(judgedAs("config.json", "{\"a\": ").verdict(), notCheckedVerdict);
}

TEST(ScanVerdicts, SeeThroughCompression) {
    const Danger danger = judgedAs("a.bin.gz", gzip("\x80\x02"
                                                    "cposix\nsystem\nX\x02\0\0\0id\x85R."s));
    EXPECT_EQ(danger.verdict(), dangerousVerdict) << heardFrom(danger);
}

TEST(ScanVerdicts, AreNeverCleanOfAPickleThatBreaksOff) {
    const std::string harmless = "(dp0\nS'a'\np1\nI1\ns."s, modern = "\x80\x04\x95\x0B\0\0\0\0\0\0\0}\x94\x8C\x01"
                                                                     "a\x94K\x01s."s;
    for (const std::string& whole : {harmless, modern})
        for (std::size_t keep = 1; keep < whole.size(); ++keep) {
            const Danger danger = judgedAs("a.pkl", whole.substr(0, keep));
            EXPECT_EQ(danger.verdict(), suspiciousVerdict) << keep << "\n" << heardFrom(danger);
            EXPECT_FALSE(danger.findings.empty()) << keep;
        }
    for (std::size_t keep = 3; keep < modern.size(); ++keep)
        EXPECT_GE(judgedAs("a.bin", modern.substr(0, keep)).verdict(), suspiciousVerdict) << keep;
    EXPECT_EQ(judgedAs("a.pkl", "just text\n").verdict(), suspiciousVerdict);
}

TEST(ScanVerdicts, AreDangerousWhateverFailsBefore) {
    for (const std::string& before : {""s, "\x80\x02"s, "\x80\x02\xFF\xFF"s, "\x80\x04R"s, "(dp0\nI'broken'\n"s, "\x80\x02h\x63"s})
        for (const std::string& name : {"cos\nsystem\n"s, "\x8C\x02os\x8C\x06system\x93"s, "\x8C\x02os\x94\x8C\x06system\x94\x93"s})
            for (const char* file : {"a.pkl", "a.bin"}) {
                const Danger danger = judgedAs(file, before + name + "\xFE\xFE");
                EXPECT_EQ(danger.verdict(), dangerousVerdict) << before.size() << " " << name << file << "\n" << heardFrom(danger);
                EXPECT_FALSE(danger.findings.empty());
            }
    // A torch archive that is cut has no directory, and its pickle is still there.
    std::string archive = test::makeZip({{.name = "p/data.pkl",
                                          .content = "\x80\x02"
                                                     "cposix\nsystem\nX\x02\0\0\0id\x85R."s},
                                         {.name = "p/version", .content = "3\n"}});
    archive.resize(archive.size() - 30);
    EXPECT_EQ(judgedAs("a.pt", archive).verdict(), dangerousVerdict) << heardFrom(judgedAs("a.pt", archive));
}

TEST(ScanVerdicts, NameTheirReason) {
    for (const auto& [name, bytes] :
         std::initializer_list<std::pair<const char*, std::string>>{{"a.pkl", "cnobody\nKnows\n)R."},
                                                                    {"a.pkl", "cos\nsystem\n(S'x'\ntR."},
                                                                    {"a.pkl", "\x80\x02K"},
                                                                    {"a.npy", "\x93NUMPY\x01"},
                                                                    {"a.zip", "PK\x03\x04 and no more"},
                                                                    {"a.bin", "\x01\x02\x03"},
                                                                    {"a.sh", "#!/bin/sh\n"}}) {
        const Danger danger = judgedAs(name, bytes);
        EXPECT_NE(danger.verdict(), cleanVerdict) << name;
        EXPECT_FALSE(danger.findings.empty()) << name << "\n" << heardFrom(danger);
    }
}

// ---- native code

TEST(ScanVerdicts, TakeTwoLettersForNoProgram) {
    const Danger values = judgedAs("w.bin", "MZ" + std::string(100, '\0'));
    EXPECT_EQ(values.verdict(), notCheckedVerdict) << heardFrom(values);
    std::string program = "MZ" + std::string(126, '\0') + "PE\0\0"s + std::string(40, '\1');
    program[60] = '\x80';
    EXPECT_TRUE(findsIn(judgedAs("w.bin", program), "file.native_code"));
    EXPECT_TRUE(findsIn(judgedAs("w.bin", "\x7F"
                                          "ELF\x02\x01\x01" +
                                              std::string(60, '\0')),
                        "file.native_code"));
    EXPECT_FALSE(findsIn(judgedAs("w.bin", "\x7F"
                                           "ELF" +
                                               std::string(60, '\xEE')),
                         "file.native_code"));
    const Danger archive = judgedAs("a.pt", test::makeZip({{.name = "p/data.pkl", .content = "\x80\x02}."},
                                                           {.name = "p/version", .content = "3\n"},
                                                           {.name = "p/data/20", .content = "MZ" + std::string(200, '\7')}}));
    EXPECT_EQ(archive.verdict(), cleanVerdict) << heardFrom(archive);
}

// ---- Python

TEST(ScanPython, NamesWhatASourceUses) {
    struct Case {
        const char* source;
        DangerLevel level;
    };
    for (const auto& [source, level] :
         {Case{"import os\nos.system('id')\n", DangerLevel::D}, Case{"import os as o\no . system('id')", DangerLevel::D},
          Case{"from os import system as s\ns('id')", DangerLevel::D}, Case{"from os import (path,\n  popen)\n", DangerLevel::D},
          Case{"import subprocess\nsubprocess.run(['id'])", DangerLevel::D},
          Case{"x = 1; import subprocess as p; p.Popen(x)", DangerLevel::D}, Case{"def f():\n    eval('1')\n", DangerLevel::D},
          Case{"exec (compile(a, b, c))", DangerLevel::D}, Case{"__import__('os')", DangerLevel::D},
          Case{"().__class__.__base__.__subclasses__()", DangerLevel::D},
          Case{"import os\ngetattr(os, 'sys' + 'tem')('id')", DangerLevel::D},
          Case{"import requests\nrequests.get(u)", DangerLevel::C},
          Case{"import os\nos.path.join(a, b)\nmodel.eval()\nre.compile(x)\ntorch.compile(y)\n", DangerLevel::A},
          Case{"# import os; os.system('id')\n\"\"\"\nimport os\nos.system('id')\n\"\"\"\nx = 'eval(1)'\n", DangerLevel::A},
          Case{"def compile(self):\n    pass\n", DangerLevel::A},
          Case{"from torch import nn\nclass A(nn.Module): pass\n", DangerLevel::A}}) {
        DangerLevel worst = DangerLevel::A;
        for (const DangerousName& name : namesOfPython(source)) worst = std::max(worst, name.level);
        EXPECT_EQ(worst, level) << source;
    }
}

TEST(ScanFolder, JudgesWhatAnAutoMapNamesByItsContent) {
    const test::TemporaryFolder folder;
    folder.file("config.json",
                R"({"auto_map": {"AutoConfig": "configuration_x.XConfig", "AutoModel": ["modeling_x.XModel", null]}})");
    folder.file("configuration_x.py", "from transformers import PretrainedConfig\nclass XConfig(PretrainedConfig): pass\n");
    folder.file("modeling_x.py", "from .helper import f\nfrom .configuration_x import XConfig\nclass XModel: pass\n");
    folder.file("helper.py", "def f(): pass\n");
    folder.file("train.py", "import os\nos.system('id')\n"); // nothing loads it
    const auto harmless = scan(folder.path(), {});
    ASSERT_TRUE(harmless);
    EXPECT_EQ(harmless->verdict(), suspiciousVerdict) << heardFrom(*harmless);
    EXPECT_EQ(harmless->notChecked(), 1u) << heardFrom(*harmless);
    EXPECT_NE(heardFrom(*harmless).find("configuration_x.py, modeling_x.py"), std::string::npos) << heardFrom(*harmless);
    folder.file("helper.py", "import subprocess\ndef f(): subprocess.run(['id'])\n");
    const auto harmful = scan(folder.path(), {});
    ASSERT_TRUE(harmful);
    EXPECT_EQ(harmful->verdict(), dangerousVerdict) << heardFrom(*harmful);
    EXPECT_NE(heardFrom(*harmful).find("subprocess.run"), std::string::npos) << heardFrom(*harmful);
}

TEST(ScanFolder, CountsWhatIsNotChecked) {
    const test::TemporaryFolder folder;
    folder.file("README.md", "# A model\n");
    folder.file("model.bin", "\x06\0\0\0\x0Bwhisper"s);
    folder.file("config.json", "{}");
    const auto danger = scan(folder.path(), {});
    ASSERT_TRUE(danger);
    EXPECT_EQ(danger->verdict(), cleanVerdict) << heardFrom(*danger);
    EXPECT_EQ(danger->notChecked(), 1u);
    EXPECT_TRUE(danger->isIncomplete());
    const test::TemporaryFolder other;
    other.file("model.bin", "\x06\0\0\0\x0Bwhisper"s);
    EXPECT_EQ(scan(other.path(), {})->verdict(), notCheckedVerdict);
}

TEST(ScanPackage, RunsItsCode) {
    const auto package = [](const std::string& source) {
        return judgedAs("p.pt", test::makeZip({{.name = "p/.data/extern_modules", .content = "torch\n"},
                                               {.name = "p/.data/version", .content = "6\n"},
                                               {.name = "p/.data/python_version", .content = "3.11\n"},
                                               {.name = "p/mod.py", .content = source},
                                               {.name = "p/model/model.pkl", .content = "\x80\x02}."}}));
    };
    const Danger plain = package("x = 1\n");
    EXPECT_EQ(plain.verdict(), suspiciousVerdict) << heardFrom(plain);
    EXPECT_TRUE(findsIn(plain, "torch.package"));
    const Danger attack = package("import os\nos.system(\"id\")\n");
    EXPECT_EQ(attack.verdict(), dangerousVerdict) << heardFrom(attack);
}

TEST(ScanYaml, FindsObjectsOfPython) {
    const Danger attack = judgedAs("a.yaml", "a: !!python/object/apply:os.system ['id']\n");
    EXPECT_EQ(attack.verdict(), dangerousVerdict) << heardFrom(attack);
    const Danger unknown = judgedAs("a.yml", "a: !<tag:yaml.org,2002:python/name:my.thing> 1\n");
    EXPECT_EQ(unknown.verdict(), suspiciousVerdict) << heardFrom(unknown);
    EXPECT_EQ(judgedAs("a.yaml", "a: !!python/tuple [1, 2]\n").verdict(), cleanVerdict);
}

} // namespace
} // namespace wb::scan
