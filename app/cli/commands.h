// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command.h"

namespace wb::cli {

// The commands, each declared in its own file.
Command addInspect(CLI::App& program);
Command addScan(CLI::App& program);
Command addVerify(CLI::App& program);
Command addDiff(CLI::App& program);
Command addQuantize(CLI::App& program);
Command addConvert(CLI::App& program);
Command addMerge(CLI::App& program);
Command addLogits(CLI::App& program);
Command addGenerate(CLI::App& program);
Command addChat(CLI::App& program);
Command addPerplexity(CLI::App& program);
Command addBench(CLI::App& program);
Command addTokenize(CLI::App& program);
Command addTemplate(CLI::App& program);
Command addMemory(CLI::App& program);
Command addLibrary(CLI::App& program);
Command addSearch(CLI::App& program);
Command addDownload(CLI::App& program);
Command addUnfinished(CLI::App& program);
Command addDevices(CLI::App& program);

// All of them in the order of the help, with the options that every command takes.
std::vector<Command> addCommands(CLI::App& program, Context& context);

} // namespace wb::cli
