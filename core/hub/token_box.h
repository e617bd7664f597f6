// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/settings.h"

#include <array>
#include <functional>
#include <mutex>

namespace wb::hub {

// Where this program keeps its tokens: the keychain of the system, in tests a fake. Everything happens on the thread of the
// window, where `done` is called too, once and later.
class TokenStore {
public:
    virtual ~TokenStore() = default;
    virtual void read(Hub hub, std::function<void(std::string token)> done) = 0; // empty: none is kept, or nothing keeps any
    virtual void write(Hub hub, const std::string& token, std::function<void(bool isKept)> done) = 0; // empty: removes it
};

// The tokens that the user gave in this program, before those of the environment and of the hubs' own files, which are used but
// never copied. Thread-safe.
class TokenBox {
public:
    struct Given {
        std::string token;    // empty: that of the environment, if any
        bool consent = false; // the token may go to an endpoint that is not the hub itself

        bool operator==(const Given&) const = default;
    };

    void set(Hub hub, Given given);
    Given get(Hub hub) const;

    void apply(Settings& settings) const;

private:
    mutable std::mutex m_mutex;
    std::array<Given, 2> m_given;
};

// Whether the text is one word, as a token is; anything else would end up in a header.
bool isToken(std::string_view text);

} // namespace wb::hub
