// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <string>

// What core says about a tensor in words of English, in the user's language. Text of another form stays as it is: names of schemes
// ("awq 4 bit g32", "lora r8 scale 2") are the same in every language.
namespace wb::ui {

// TensorDetails::scheme, and the steps of convert::PlannedWeight::transforms: "conjugated", "unpermute".
QString schemeText(const std::string& scheme);

// A note of TensorDetails, or the reason for which its values are unavailable (core/model/fragments.h).
QString shownFragment(const std::string& text);

} // namespace wb::ui
