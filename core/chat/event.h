// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/chat/load_plan.h"
#include "core/infer/generate.h"
#include "core/model/model.h"
#include "core/text/model_sampling.h"

#include <string>
#include <variant>

// The reports of a Completer during its work, in order.
namespace wb::chat {

// A loaded model.
struct ModelFacts {
    std::size_t context = 0;      // tokens that it holds
    std::size_t contextMax = 0;   // tokens that it was trained for
    text::ModelSampling sampling; // that its author advises
    bool hasTemplate = false;     // without a chat template it continues the text of the messages
    std::string suitableTemplate; // without one: the source of a usual form that suits its vocabulary (known_templates.h)
    ModelPtr model;               // its index; null: it is not on this computer
};

struct LoadProgress {
    std::uint64_t done = 0, total = 0; // bytes
};

// Where the model will be and how much memory it needs: before a weight is read, and again when a device was abandoned.
struct LoadPlanned {
    LoadPlan plan;
};

struct ModelLoaded {
    ModelFacts model;
};

// Something that the user should know about where the model runs.
struct Remarked {
    Problem remark;
};

struct PromptProgress {
    std::uint64_t read = 0, total = 0; // tokens
};

// The response grew.
struct TextDelta {
    std::string text;            // whole characters
    std::size_t contextUsed = 0; // tokens that the model holds now
};

struct Completed {
    infer::Generated response;
    std::size_t contextUsed = 0;
    std::string device; // that computed it, for people: "cpu", "gpu:1"
};

struct Failed {
    Error error;                 // Canceled: loading was stopped
    std::size_t contextUsed = 0; // 0 if no model is loaded
    bool hasModel = false;       // a model is still loaded: the former one, if loading failed
};

using Event = std::variant<LoadProgress, LoadPlanned, ModelLoaded, Remarked, PromptProgress, TextDelta, Completed, Failed>;

// Whether a request has ended with this event.
inline bool isLast(const Event& event) {
    return std::holds_alternative<ModelLoaded>(event) || std::holds_alternative<Completed>(event) ||
           std::holds_alternative<Failed>(event);
}

// A visitor from one lambda per type of event.
template <class... Handlers>
struct EventHandlers : Handlers... {
    using Handlers::operator()...;
};

} // namespace wb::chat
