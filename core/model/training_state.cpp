// SPDX-License-Identifier: MIT
#include "core/model/parameters.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <string>

namespace wb {
namespace {

using namespace std::string_view_literals;

// Words of a component: "optimizer_states" has "optimizer" and "states", "cuda_rng_state" has "rng".
constexpr std::array stateWords = {"optimizer"sv, "optimizers"sv, "optim"sv, "rng"sv, "rngs"sv};
// Whole components. "OPTIMIZER_SLOT" follows a dot in TensorFlow's names, so it is a component, too.
constexpr std::array stateComponents = {"opt_state"sv,       "opt_states"sv,    "optimizer_slot"sv, "seed_generator"sv,
                                        "lr_scheduler"sv,    "lr_schedulers"sv, "lr_sched"sv,       "lr_scheduler_state_dict"sv,
                                        "seed_generators"sv, "param_groups"sv};
// The first component alone: a model may have a part of this name deeper inside.
constexpr std::array stateRoots = {"scheduler"sv, "schedulers"sv, "scheduler_state_dict"sv, "sched"sv, "grad_scaler"sv, "scaler"sv,
                                   "callbacks"sv, "loops"sv};
// Last components, of optimizers that store their state next to each variable.
constexpr std::array stateLeaves = {"exp_avg"sv,        "exp_avg_sq"sv,     "max_exp_avg_sq"sv, "momentum_buffer"sv, "square_avg"sv,
                                    "exp_avg_sq_row"sv, "exp_avg_sq_col"sv, "beta1_power"sv,    "beta2_power"sv,     "adam"sv,
                                    "adam_1"sv,         "adagrad"sv,        "rmsprop"sv,        "rmsprop_1"sv};

bool contains(const auto& list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

// Calls `visit` for each piece between the separators; true once one call is true.
bool anyPiece(std::string_view text, std::string_view separators, auto visit) {
    while (true) {
        const std::size_t end = text.find_first_of(separators);
        if (visit(text.substr(0, end))) return true;
        if (end == std::string_view::npos) return false;
        text.remove_prefix(end + 1);
    }
}

// The state dict of an optimizer alone: "state.0.exp_avg", by the number of the parameter.
bool isNumberedState(std::string_view path) {
    constexpr std::string_view root = "state.";
    if (!path.starts_with(root)) return false;
    const std::string_view number = path.substr(root.size(), path.find('.', root.size()) - root.size());
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

bool hasStateWord(std::string_view component) {
    return anyPiece(component, "_-", [](std::string_view word) { return contains(stateWords, word); });
}

} // namespace

bool isTrainingState(std::string_view name) {
    const std::string path = ascii::lowered(name);
    const std::string_view all(path);
    if (isNumberedState(all)) return true;
    if (contains(stateRoots, all.substr(0, all.find_first_of("./")))) return true;
    const std::size_t last = all.find_last_of("./");
    if (contains(stateLeaves, last == std::string_view::npos ? all : all.substr(last + 1))) return true;
    return anyPiece(all, "./", [](std::string_view part) { return contains(stateComponents, part) || hasStateWord(part); });
}

} // namespace wb
