// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/run/run_check.h"
#include "ui/widgets/sentence.h"

#include <memory>

namespace wb::ui::convert {

// One run of the queue.
struct QueuedRun {
    enum class State {
        Waiting,
        Running, // or its model is being read again for it
        Stopped, // canceled; progress is saved
        Failed,
        Done,
    };
    quint64 id = 0; // given by the queue; a later run has a larger one
    QString model;  // the input
    QString type;   // what it becomes, as both programs call it: "Q4_K_M"
    QString target;
    QString plan;         // the text of its plan file, by which it outlives the program; empty: it does not
    bool replace = false; // the target may exist
    State state = State::Waiting;
    std::optional<int> percent; // progress, if known
    Sentence failure;           // of one that failed
    JobPtr job;                 // null: to be made of `plan` when its turn comes

    bool isOpen() const { return state == State::Waiting || state == State::Stopped; } // it is still to be done
};

// A run that was planned for the queue, with the questions before it joins.
struct PlannedRun {
    QueuedRun run;
    RunCheck check;
};

} // namespace wb::ui::convert
