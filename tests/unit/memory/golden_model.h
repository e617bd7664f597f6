// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <nlohmann/json.hpp>

#include <string>

namespace wb::test {

// The models of golden/memory: their description, and the model with the types of one of its mixes, without a file.
nlohmann::json goldenModel(const std::string& name);
ModelPtr modelFromGolden(const nlohmann::json& description, const std::string& mix);

} // namespace wb::test
