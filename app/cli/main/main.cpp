// SPDX-License-Identifier: MIT
#include "app/cli/wb.h"

int main(int argc, char** argv) { return wb::cli::run(argc, argv); }
