// SPDX-License-Identifier: MIT
#include "ui/inspect/latest_job.h" // for the meta-object compiler
