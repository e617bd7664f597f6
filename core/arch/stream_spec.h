// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/hyperparameters.h"
#include "core/arch/model_spec.h"

namespace wb::arch {

// The keys hyper_connection.* .
StreamSpec readStreams(Hyperparameters& keys);

// The keys ple.*, without NgramSpec::length.
NgramSpec readNgrams(Hyperparameters& keys);

} // namespace wb::arch
