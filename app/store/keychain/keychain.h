// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/token_box.h"

#include <memory>

namespace wb::store {

// The keychain of this user's system (Secret Service, KWallet, macOS, Windows). Where none exists nothing is kept, and nothing
// ever falls back to plain text. Needs a QCoreApplication with a running loop.
std::unique_ptr<hub::TokenStore> makeKeychain();

} // namespace wb::store
