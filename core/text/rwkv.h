// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace wb::text {

// The bytes of an RWKV token, which the file stores with \t \n \r \xHH and \\ (BlinkDL/RWKV-LM: rwkv_vocab_v20230424.txt).
std::string bytesOfEscaped(std::string_view text);

} // namespace wb::text
