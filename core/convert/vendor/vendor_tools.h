// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/format_id.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Conversions that only the program of a vendor can do (docs/reference/conversion.md, "ONNX and vendor tools"): which program,
// whether it is installed, its version and its exact command. Nothing is bundled or installed, and nothing here starts a program.
namespace wb::convert {

enum class VendorTarget : std::uint8_t { TensorRt, OpenVino, CoreMl, TfLite, OnnxGraph };

struct VendorTargetInfo {
    VendorTarget target;
    const char* word;   // of --to: "tensorrt"
    const char* title;  // "TensorRT engine"
    const char* ending; // of the new file; empty: a folder
};
std::span<const VendorTargetInfo> vendorTargets();
const VendorTargetInfo& info(VendorTarget target);
std::optional<VendorTarget> vendorTargetFromWord(std::string_view word);

// Where programs are searched.
struct VendorSearch {
    std::vector<std::filesystem::path> folders;
    static VendorSearch fromEnvironment(); // PATH
};

// One conversion as a command.
struct VendorCommand {
    std::string tool;                           // "trtexec", "coremltools"
    std::optional<std::filesystem::path> found; // the program; empty: not installed
    std::string version;                        // empty: unknown
    std::vector<std::string> words;             // the program first, by its path if it was found
    std::vector<std::string> steps;             // sentences: what the command does not do by itself
    std::string install;                        // how to install the tool
    std::vector<std::filesystem::path> outputs; // files or the folder that the tool writes
};

// The command for a source of this format. Paths become absolute, so that none looks like an option. Unsupported, with the formats
// that the target can be made of, if no tool reads the source.
Result<VendorCommand> vendorCommand(VendorTarget target, FormatId format, const std::filesystem::path& source,
                                    const std::filesystem::path& out, const VendorSearch& search);

// The command as one line for a shell.
std::string commandLine(const VendorCommand& command);

} // namespace wb::convert
