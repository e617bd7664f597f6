// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/format_id.h"

#include <QString>

#include <cstdint>
#include <span>
#include <vector>

// "Which format do I need?": one table of formats that the guide's questions, the window and the glossary read.
namespace wb::ui::inspect {

enum class Goal : std::uint8_t { RunLocally, Serve, FineTune, ShareChange, ResumeTraining, Mobile, Exchange };
enum class Target : std::uint8_t { Any, Nvidia, Apple, Android, Intel };
enum class Stage : std::uint8_t { Training, Release, Deployment };

// Texts are marked for translation in the context "FormatGuide"; names of programs and files stay as they are.
struct GuideEntry {
    FormatId format;
    const char* name;
    std::vector<Goal> goals;     // that it is an answer to; empty: it is described only
    std::vector<Target> targets; // it is made for; Any: for all
    Stage stage;
    const char *purpose, *contents, *safety;
    const char* runtimes;
    bool isWritten = false; // Convert writes it
};

std::span<const GuideEntry> guideEntries();

// The first format of the table for the goal that is made for the target; if none is, the first for the goal on any target.
const GuideEntry& recommendedFormat(Goal goal, Target target);

struct FileNameEntry {
    const char* name; // as it is in folders
    const char* meaning;
};
std::span<const FileNameEntry> fileNameEntries();

QString goalText(Goal goal);
QString targetText(Target target);
QString stageText(Stage stage);
QString guideText(const char* marked); // a text of the tables in the user's language

} // namespace wb::ui::inspect
