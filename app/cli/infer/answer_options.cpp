// SPDX-License-Identifier: MIT
#include "app/cli/infer/answer.h"

#include "app/cli/infer/engine_options.h"

namespace wb::cli {
namespace {

void addSampling(CLI::App& command, AnswerOptions& options) {
    command.add_option("--temperature", options.temperature, "Sampling temperature (0: greedy)")->type_name("T");
    command.add_option("--top-k", options.topK, "Sample from the K most likely tokens (0: off)")->type_name("N");
    command.add_option("--top-p", options.topP, "Nucleus sampling: keep the most likely tokens up to this total probability")
        ->type_name("P");
    command.add_option("--min-p", options.minP, "Drop tokens less likely than P times the most likely one")->type_name("P");
    command.add_option("--typical", options.typicalP, "Locally typical sampling up to this total probability")->type_name("P");
    command.add_option("--repeat-penalty", options.repeatPenalty, "Repetition penalty (1: off)")->type_name("X");
    command.add_option("--repeat-last-n", options.repeatLast, "Number of last tokens to penalize (-1: whole context)")
        ->type_name("N")
        ->check(CLI::Range(-1, 1 << 30));
    command.add_option("--presence-penalty", options.presencePenalty, "0: none")->type_name("X");
    command.add_option("--frequency-penalty", options.frequencyPenalty, "0: none")->type_name("X");
    command.add_option("--dry-multiplier", options.dryMultiplier, "DRY penalty for repeated sequences (0: off)")->type_name("X");
    command
        .add_option("--dry-base", options.dryBase, "DRY base; the penalty grows exponentially with the length beyond --dry-allowed")
        ->type_name("X");
    command.add_option("--dry-allowed", options.dryAllowed, "DRY: longest repetition without penalty, in tokens")->type_name("N");
    command.add_option("--dry-last-n", options.dryLast, "DRY: number of last tokens to search (-1: whole context)")
        ->type_name("N")
        ->check(CLI::Range(-1, 1 << 30));
    command.add_option("--xtc-probability", options.xtcProbability, "XTC: probability of removing the top tokens (0: off)")
        ->type_name("P");
    command
        .add_option("--xtc-threshold", options.xtcThreshold,
                    "XTC: tokens above this probability are removed, except the least likely of them")
        ->type_name("P");
    command.add_option("--mirostat", options.mirostat, "Mirostat sampling, version 1 or 2")
        ->type_name("1|2")
        ->check(CLI::Range(1, 2));
    command.add_option("--mirostat-tau", options.mirostatTau, "Mirostat target entropy (tau), in bits")->type_name("X");
    command.add_option("--mirostat-eta", options.mirostatEta, "Mirostat learning rate (eta)")->type_name("X");
    command.add_option("--adaptive-target", options.adaptiveTarget, "Adaptive-p: target token probability (negative: off)")
        ->type_name("P");
    command.add_option("--adaptive-decay", options.adaptiveDecay, "Adaptive-p: decay of the running average")->type_name("P");
    addRepeated(command, "--logit-bias", options.logitBias, "Add V to the logit of a token (repeatable)")->type_name("ID=V");
    command.add_option("--seed", options.seed, "Random seed (default: a new one for each run)")->type_name("N");
}

} // namespace

void addAnswer(CLI::App& command, AnswerOptions& options) {
    command
        .add_option("--max-tokens", options.maxTokens, "Maximum number of tokens to generate (default: until the context is full)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command
        .add_option("--context", options.context,
                    "Context length: tokens of prompt and response (default: the model's, up to 8192)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command.add_option("--reasoning-budget", options.reasoningBudget, "Maximum number of reasoning tokens; the model then answers")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{0}, std::size_t{0xffff'ffff}));
    addRepeated(command, "--stop", options.stopStrings, "Stop string (repeatable)")->type_name("TEXT");
    CLI::Option* const grammar = command.add_option("--grammar", options.grammar, "Constrain the output with this GBNF grammar")
                                     ->type_name("FILE.gbnf")
                                     ->check(checkNotEmpty);
    command.add_option("--json-schema", options.jsonSchema, "Constrain the output to JSON that matches this schema")
        ->type_name("FILE.json")
        ->check(checkNotEmpty)
        ->excludes(grammar);
    addCacheTypes(command, options.engine);
    addGpuOptions(command, options.engine);
    command.add_flag("--ignore-eos", options.ignoreEnd, "Ignore end-of-text tokens and keep generating");
    command.add_flag("--no-remember", options.forgetsLoad, "Do not record this load's memory use for wb memory");
    addSampling(command, options);
}

} // namespace wb::cli
