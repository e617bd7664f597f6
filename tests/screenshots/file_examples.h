// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/model_page.h"
#include "ui/inspect/tensors/tensor_panel.h"

#include <span>

namespace wb::screenshots {

// One picture of a file of the reference data in Inspect: one panel on the left, one below on the right.
struct FileExample {
    using Side = ui::inspect::ModelPage::Side;
    using Detail = ui::inspect::ModelPage::Detail;
    using Shown = ui::inspect::TensorPanel::Shown;

    const char* name; // of the view, after "files-"
    const char* path; // beneath the reference data
    Side side = Side::Metadata;
    Detail detail = Detail::Tensor;
    const char* tensor = "";  // what its name contains; empty: the first
    Shown shown = Shown::All; // which tensors are listed
    int keptPercent = 100;    // less: a copy that is cut there
    bool disassembled = false;
    bool measured = false; // the tensors in every checkpoint of a series
    bool verified = false; // in the Integrity panel
};

// Every family of formats, its broken files and dangerous ones.
std::span<const FileExample> fileExamples();

// What is asked about before it is used in another tab.
struct QuestionExample {
    const char* name; // of the view, after "question-"
    const char* path; // beneath the reference data
    bool forChat;     // else for Convert
};
std::span<const QuestionExample> questionExamples();

} // namespace wb::screenshots
