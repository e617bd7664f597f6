// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/danger.h"
#include "core/model/model.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The confirmation required before a model is used for more than looking at it. Weighbridge runs no code of a model; the result
// may still be loaded elsewhere, and tensors of a malicious file deserve no trust. Every command and every tab asks here.
namespace wb::convert {

// The refusal of a model that was not confirmed. Programs add how it is allowed.
inline constexpr Reason untrustedSource = "convert.untrusted_source";

// Loading the model in its original program would run code that is unknown or dangerous (levels C and D of wb scan).
struct Confirmation {
    std::string source; // name of the file or folder
    DangerLevel level = DangerLevel::C;
    std::vector<std::string> names; // that would be called, "os.system", the most dangerous first; empty: `finding` is the cause
    std::optional<Problem> finding; // the most severe one; empty: code that could not be followed
};

// What has to be confirmed after a scan of `source`; empty: nothing.
std::optional<Confirmation> dangerConfirmation(const std::string& source, const Danger& danger);

// The same of an opened model: its pickles as they were read, else the texts of its files (the template of a GGUF file, the
// configuration of a folder), which are scanned now. Opens files.
std::optional<Confirmation> confirmationFor(const Model& model);

// The same of a model that is not open yet, in two steps. Each file from which loaders take code (scan::filesWithCode) is judged by
// itself; a file that cannot be read needs no confirmation here, since opening it reports that.
struct TextsJudged {
    std::vector<Confirmation> needed;            // of files that contain texts only
    std::vector<std::filesystem::path> unjudged; // the others
};
TextsJudged judgeTexts(const std::filesystem::path& model); // fast enough to be done before the model is opened
// Scans each file, in a worker process. `progress` counts the bytes of a single file, else files. Fails only where it is canceled.
Result<std::vector<Confirmation>> judgeByScan(std::span<const std::filesystem::path> files, const Progress& progress);

// Fails with untrustedSource, and a sentence that tells what would run, unless the model is harmless or `isTrusted`.
Result<void> requireTrust(const Model& model, bool isTrusted);

} // namespace wb::convert
