// SPDX-License-Identifier: MIT
// `wb` with fault injection: devices fail as WEIGHBRIDGE_GPU_FAULT says. Only tests start it.
#include "app/cli/wb.h"
#include "tests/gpu/faults/faults.h"

int main(int argc, char** argv) {
    wb::test::enableFaults();
    return wb::cli::run({argv, argv + argc});
}
