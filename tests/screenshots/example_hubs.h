// SPDX-License-Identifier: MIT
#pragma once

#include "tests/servers/servers.h"

namespace wb::screenshots {

// Both hubs on this machine, with invented models, so that pictures need no network and show nobody's work.
class ExampleHubs {
public:
    static constexpr const char* model = "orchard/Maple-8B-Instruct-GGUF"; // on both hubs, with files of every kind
    static constexpr const char* gated = "lantern/Birch-160M-Coder-GGUF";  // wants consent to its terms
    static constexpr const char* small = "meadow/Sprig-8M-GGUF";
    static constexpr const char* missing = "orchard/Maple-13B-GGUF"; // was there once
    static constexpr const char* busy = "orchard/Maple-70B-Instruct";
    static constexpr const char* wholeFile = "mmproj-Maple-8B-F16.gguf"; // of `model`, can be fetched whole

    ExampleHubs();

    // The program asks them from now on, and they answer as they should.
    void answer();
    void refuse();     // connections, as without a network
    void slowDown();   // the hub wants five minutes without a question about `busy`
    void answerHtml(); // as a login page of a network does

private:
    test::Servers m_servers;
};

} // namespace wb::screenshots
