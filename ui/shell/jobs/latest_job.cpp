// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/latest_job.h" // for the meta-object compiler
