// SPDX-License-Identifier: MIT
#include "tests/unit/worker/child/tasks.h"

int main(int argc, char** argv) { return wb::worker::serveIfAsked(argc, argv, wb::test::childTasks()).value_or(2); }
