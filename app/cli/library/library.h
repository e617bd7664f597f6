// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/infer/graph/run_check.h"
#include "core/library/listing.h"
#include "core/library/remove.h"
#include "core/library/verify.h"

namespace wb::cli {

// What `wb library` was asked for, as typed.
struct LibraryOptions {
    enum class Action { List, Verify, Remove } action = Action::List;
    std::vector<std::string> ids;
    std::vector<std::string> stores; // KIND=PATH
    std::string filter;
    bool findDuplicates = false;
    bool confirmed = false; // --yes
};

// A model of the listing and whether this program runs it on this computer.
struct ShownEntry {
    const library::Entry* entry = nullptr;
    infer::RunCheck run;
};

// The answers as tables for reading or as one JSON document.
void printListing(const library::Listing& listing, const std::vector<ShownEntry>& shown);
void printListingJson(const library::Listing& listing, const std::vector<ShownEntry>& shown);
void printVerified(const std::vector<library::VerifiedFile>& files);
void printVerifiedJson(const std::vector<library::VerifiedFile>& files);
void printRemoval(const library::RemovalPlan& plan, bool isDone);
void printRemovalJson(const library::RemovalPlan& plan);

} // namespace wb::cli
