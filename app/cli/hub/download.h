// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/hub/network.h"
#include "core/hub/download.h"

namespace wb::cli {

// What `wb download` was asked for, as typed.
struct DownloadOptions {
    std::string id;
    std::vector<std::string> files; // exact paths or globs
    std::vector<std::string> include;
    std::vector<std::string> exclude;
    std::string to;
    std::optional<hub::Hub> cache; // of the program of this hub
    std::string revision;
    std::vector<std::string> alternates;
    std::string limitRate;
    unsigned connections = 8;
    bool isDryRun = false;
    NetworkChoice network;
};

// Output, for the command only.
void printPlan(const Context& context, const hub::DownloadPlan& plan);
void printOutcome(const Context& context, const hub::DownloadOutcome& outcome, double seconds);

} // namespace wb::cli
