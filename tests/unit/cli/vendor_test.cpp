// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/convert/vendor/child.h"
#include "core/convert/vendor/vendor_tools.h"
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

// Conversions by tools of vendors, with programs of the same names that stand in for them.
namespace wb {
namespace {

namespace fs = std::filesystem;
using convert::VendorTarget;
using test::runWb;

class Vendor : public testing::Test {
protected:
    Vendor() {
        fs::create_directories(bin);
        const char* const path = std::getenv("PATH");
        m_before = path ? path : "";
        ::setenv("PATH", (bin.string() + ":/usr/bin:/bin").c_str(), 1);
    }
    ~Vendor() override { ::setenv("PATH", m_before.c_str(), 1); }

    fs::path program(const std::string& name, const std::string& script) const {
        const fs::path path = bin / name;
        std::ofstream(path) << "#!/bin/sh\n" << script;
        fs::permissions(path, fs::perms::owner_all);
        return path;
    }

    void package(const std::string& name) const { fs::create_directories(folder.path() / "lib/python3.11/site-packages" / name); }

    test::Finished convert(const std::vector<std::string>& options) const {
        std::vector<std::string> words = {"convert", source.string(), out.string()};
        words.insert(words.end(), options.begin(), options.end());
        return runWb(words);
    }

    const test::TemporaryFolder folder;
    const fs::path bin = folder.path() / "bin";
    const fs::path source = test::shared() / "fixtures/runtime/onnx/dynamic_int8.onnx";
    const fs::path out = folder.path() / "out.onnx";

private:
    std::string m_before;
};

TEST_F(Vendor, AreShownAndNotRun) {
    WB_NEED_SHARED("fixtures/runtime/onnx");
    const auto missing = convert({"--to", "openvino", "--json"});
    ASSERT_EQ(missing.status, 0) << missing.err;
    EXPECT_TRUE(missing.json()["found"].is_null());
    EXPECT_EQ(missing.json()["install"], "pip install openvino");
    EXPECT_EQ(missing.json()["command"][0], "ovc");
    EXPECT_EQ(missing.json()["ran"], false);
    EXPECT_EQ(convert({"--to", "openvino", "--run"}).status, 1);

    const fs::path tool = program("ovc", "touch " + (folder.path() / "ran").string());
    package("openvino-2026.1.0.dist-info");
    package("openvino_telemetry-3.0.dist-info");
    const auto found = convert({"--to", "openvino", "--json"});
    ASSERT_EQ(found.status, 0) << found.err;
    EXPECT_EQ(found.json()["found"], tool.string());
    EXPECT_EQ(found.json()["version"], "2026.1.0");
    const std::vector<std::string> words = {tool.string(), source.string(), "--output_model", out.string()};
    EXPECT_EQ(found.json()["command"], words);
    EXPECT_FALSE(fs::exists(folder.path() / "ran"));
    EXPECT_FALSE(fs::exists(out));
    EXPECT_NE(convert({"--to", "openvino"}).out.find("ovc"), std::string::npos);
}

TEST_F(Vendor, RunOnRequestAndAreChecked) {
    WB_NEED_SHARED("fixtures/runtime/onnx");
    program("trtexec", "echo building; for w in \"$@\"; do case $w in --saveEngine=*) cp '" + source.string() +
                           "' \"${w#--saveEngine=}\";; esac; done\n");
    const auto run = convert({"--to", "tensorrt", "--run", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["ran"], true);
    EXPECT_EQ(run.json()["exit"], 0);
    EXPECT_EQ(run.json()["format"], "onnx"); // of the file that stands in for an engine
    EXPECT_NE(run.err.find("building"), std::string::npos);
    EXPECT_TRUE(fs::exists(out));
    EXPECT_EQ(convert({"--to", "tensorrt", "--run"}).status, 1); // it exists
    fs::remove(out);
    program("trtexec", "for w in \"$@\"; do case $w in --saveEngine=*) echo half > \"${w#--saveEngine=}\";; esac; done\necho "
                       "broken >&2\nexit 3\n");
    const auto failed = convert({"--to", "tensorrt", "--run"});
    EXPECT_EQ(failed.status, 1);
    EXPECT_NE(failed.err.find("status 3"), std::string::npos) << failed.err;
    EXPECT_NE(failed.err.find("broken"), std::string::npos);
    EXPECT_FALSE(fs::exists(out)); // what it left was incomplete
    program("trtexec", "exit 0\n");
    EXPECT_EQ(convert({"--to", "tensorrt", "--run"}).status, 1); // nothing was written
}

// Loading a pickle runs its code: of a file with dangerous calls it is refused without a confirmation.
TEST_F(Vendor, DoNotLoadDangerousPicklesUnasked) {
    WB_NEED_SHARED("corpus/modelaudit");
    program("python3", "touch " + (folder.path() / "ran").string() + "\n");
    package("skl2onnx-1.19.1.dist-info");
    const auto run = [&](const fs::path& pickle) {
        return runWb({"convert", pickle.string(), out.string(), "--to", "onnx-graph", "--run"});
    };
    const auto refused = run(test::shared() / "corpus/modelaudit/tests/assets/exploits/exploit_ultimate_50pct.pkl");
    EXPECT_EQ(refused.status, 1);
    EXPECT_FALSE(fs::exists(folder.path() / "ran")) << refused.err;
    run(test::shared() / "fixtures/runtime/sklearn/mlp_p4.pkl");
    EXPECT_TRUE(fs::exists(folder.path() / "ran"));
}

// A tool that needs Python counts only with the package.
TEST_F(Vendor, OfPythonAreFoundWithTheirPackage) {
    const fs::path python = program("python3", "exit 0\n");
    const convert::VendorSearch search{{bin}};
    const auto command = [&] {
        return convert::vendorCommand(VendorTarget::CoreMl, FormatId::TorchExport, folder.path() / "-m.pt2", out, search);
    };
    const auto without = command();
    ASSERT_TRUE(without);
    EXPECT_FALSE(without->found);
    package("coremltools-8.2.dist-info");
    const auto with = command();
    ASSERT_TRUE(with && with->found);
    EXPECT_EQ(*with->found, python);
    EXPECT_EQ(with->version, "8.2");
    EXPECT_TRUE(with->words[3].starts_with("/")) << with->words[3]; // no name looks like an option
    EXPECT_EQ(convert::vendorCommand(VendorTarget::CoreMl, FormatId::Onnx, source, out, search).error().reason.id(),
              "vendor.source");
}

TEST_F(Vendor, EveryRouteNamesBothPathsOnce) {
    for (const convert::VendorTargetInfo& info : convert::vendorTargets())
        for (int format = 0; format <= static_cast<int>(FormatId::Megatron); ++format) {
            const auto command = convert::vendorCommand(info.target, static_cast<FormatId>(format), "/in put", "/out put", {});
            if (!command) continue;
            const auto line = commandLine(*command);
            EXPECT_EQ(line.find("/in put"), line.rfind("/in put")) << line;
            EXPECT_NE(line.find("/in put"), std::string::npos) << line;
            EXPECT_NE(line.find("/out put"), std::string::npos) << line;
            EXPECT_FALSE(command->install.empty());
        }
}

TEST_F(Vendor, EndWithAllTheirProcesses) {
    const fs::path tool = program("slow", "sleep 60 & echo $!; wait\n");
    std::string printed;
    std::stop_source stop;
    const std::vector<std::string> words = {tool.string()};
    const auto status = convert::runChild(
        words,
        [&](std::string_view text) {
            printed += text;
            stop.request_stop();
        },
        stop.get_token());
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::Canceled);
    const int sleeper = std::stoi(printed);
    bool isGone = false;
    for (int i = 0; i < 200 && !isGone; ++i) {
        std::ifstream stat("/proc/" + std::to_string(sleeper) + "/stat");
        std::string number, name, state;
        isGone = !(stat >> number >> name >> state) || state == "Z";
        if (!isGone) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_TRUE(isGone);
    const std::vector<std::string> none = {(bin / "none").string()};
    EXPECT_EQ(convert::runChild(none, [](std::string_view) {}, {}).error().code, ErrorCode::NotFound);
    const std::vector<std::string> signaled = {program("killed", "kill -9 $$\n").string()};
    EXPECT_EQ(convert::runChild(signaled, [](std::string_view) {}, {}).value_or(0), 128 + SIGKILL);
}

} // namespace
} // namespace wb
#endif
