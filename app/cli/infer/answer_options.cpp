// SPDX-License-Identifier: MIT
#include "app/cli/infer/answer.h"

#include "app/cli/infer/engine_options.h"

namespace wb::cli {
namespace {

void addSampling(CLI::App& command, AnswerOptions& options) {
    command.add_option("--temperature", options.temperature, "0: always the best token")->type_name("T");
    command.add_option("--top-k", options.topK, "Choose among so many; 0: all")->type_name("N");
    command.add_option("--top-p", options.topP, "Choose among the first tokens with this share")->type_name("P");
    command.add_option("--min-p", options.minP, "Leave out tokens below this part of the best one's share")->type_name("P");
    command.add_option("--typical", options.typicalP, "Choose among tokens of typical surprise with this share")->type_name("P");
    command.add_option("--repeat-penalty", options.repeatPenalty, "1: none")->type_name("X");
    command.add_option("--repeat-last-n", options.repeatLast, "Tokens the penalties look at; -1: all")
        ->type_name("N")
        ->check(CLI::Range(-1, 1 << 30));
    command.add_option("--presence-penalty", options.presencePenalty, "0: none")->type_name("X");
    command.add_option("--frequency-penalty", options.frequencyPenalty, "0: none")->type_name("X");
    command.add_option("--dry-multiplier", options.dryMultiplier, "How much repeating a stretch of text costs; 0: nothing")
        ->type_name("X");
    command.add_option("--dry-base", options.dryBase, "… to the power of the length beyond --dry-allowed")->type_name("X");
    command.add_option("--dry-allowed", options.dryAllowed, "Tokens that may be repeated freely")->type_name("N");
    command.add_option("--dry-last-n", options.dryLast, "Tokens that DRY looks at; -1: all")
        ->type_name("N")
        ->check(CLI::Range(-1, 1 << 30));
    command.add_option("--xtc-probability", options.xtcProbability, "How often the best tokens are left out")->type_name("P");
    command.add_option("--xtc-threshold", options.xtcThreshold, "… those with at least this share, but one")->type_name("P");
    command.add_option("--mirostat", options.mirostat, "Hold the surprise of the text, with version 1 or 2")
        ->type_name("1|2")
        ->check(CLI::Range(1, 2));
    command.add_option("--mirostat-tau", options.mirostatTau, "… at so many bits")->type_name("X");
    command.add_option("--mirostat-eta", options.mirostatEta, "… correcting it by this part")->type_name("X");
    command.add_option("--adaptive-target", options.adaptiveTarget, "Draw tokens with about this probability; negative: off")
        ->type_name("P");
    command.add_option("--adaptive-decay", options.adaptiveDecay, "… of which so much of the past counts")->type_name("P");
    addRepeated(command, "--logit-bias", options.logitBias, "Add V to the logit of a token (repeatable)")->type_name("ID=V");
    command.add_option("--seed", options.seed, "The same seed draws the same text; another each run by default")->type_name("N");
}

} // namespace

void addAnswer(CLI::App& command, AnswerOptions& options) {
    command.add_option("--max-tokens", options.maxTokens, "End an answer after so many; to the end of the context by default")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command.add_option("--context", options.context, "Tokens of prompt and answer together; the model's by default, 8192 at most")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command.add_option("--reasoning-budget", options.reasoningBudget, "End the reasoning after so many tokens, and answer")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{0}, std::size_t{0xffff'ffff}));
    addRepeated(command, "--stop", options.stopStrings, "End before this text (repeatable)")->type_name("TEXT");
    CLI::Option* const grammar = command.add_option("--grammar", options.grammar, "Allow only texts of this grammar, in GBNF")
                                     ->type_name("FILE.gbnf")
                                     ->check(checkNotEmpty);
    command.add_option("--json-schema", options.jsonSchema, "Allow only JSON values of this schema")
        ->type_name("FILE.json")
        ->check(checkNotEmpty)
        ->excludes(grammar);
    addCacheTypes(command, options.engine);
    addGpuLayers(command, options.engine);
    command.add_flag("--ignore-eos", options.ignoreEnd, "Go on where the model would end");
    command.add_flag("--no-remember", options.forgetsLoad, "Do not remember for wb memory what the load took of the memory");
    addSampling(command, options);
}

} // namespace wb::cli
