// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/fit.h"
#include "core/memory/serving/runtime_log.h"

#include <filesystem>
#include <span>

namespace wb::memory {

// One load whose memory was measured next to its estimate, on one device. Nothing of it leaves this computer.
struct MeasuredLoad {
    std::string date;    // 2026-11-23
    std::string runtime; // as typed
    std::string backend;
    std::string device; // its name; "cpu"
    std::string driver; // empty: not known
    std::string build;  // of the program; empty: not known
    std::string architecture;
    std::string model;
    std::string settings; // context=8192 ubatch=512 …
    DeviceBytes parts;    // measured
    std::uint64_t estimated = 0;
    std::uint64_t measured = 0;

    std::string deviceTitle() const { return device == "cpu" ? "CPU" : device; } // as shown

    friend bool operator==(const MeasuredLoad&, const MeasuredLoad&);
};

// What loads of this class (runtime, backend, device) for the next estimate; empty if none exists.
std::optional<Correction> loadCorrection(std::span<const MeasuredLoad> loads, const Settings& settings, const std::string& device);

// The loads of a log next to the estimate of the same model with the log's settings and without a correction: one for each device.
std::vector<MeasuredLoad> measuredLoads(const RuntimeLog& log, const Estimate& estimate, const std::string& architecture,
                                        const std::string& date);

// Adds loads to those that are remembered. One that differs only in its date is not counted twice: the new one takes its
// place. Of too many the oldest are forgotten.
void mergeLoads(std::vector<MeasuredLoad>& all, std::span<const MeasuredLoad> loads);

// Today's date as loads have it, by UTC.
std::string today();

// "context=8192 ubatch=512 parallel=1 kv=f16,f16 flash=yes gpu_layers=33".
std::string settingsText(const Settings& settings);

// Comma-separated values with a line of titles, as spreadsheets read them. Malformed, naming the line, where one has too few
// fields or no numbers.
std::string loadsCsv(std::span<const MeasuredLoad> loads);
Result<std::vector<MeasuredLoad>> loadsOfCsv(std::string_view text, const std::string& file);

// The file of all loads in the folder of the program's state; no file is no loads. Newer ones are added at the end, and of more
// than `mostLoads` the oldest go.
inline constexpr std::size_t maxLoads = 1000;
std::filesystem::path loadsFile(const std::filesystem::path& stateFolder);
Result<std::vector<MeasuredLoad>> readLoads(const std::filesystem::path& file);
Result<void> addLoads(const std::filesystem::path& file, std::span<const MeasuredLoad> loads);
Result<void> clearLoads(const std::filesystem::path& file);

} // namespace wb::memory
