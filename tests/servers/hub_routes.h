// SPDX-License-Identifier: MIT
#pragma once

#include "tests/servers/http_server.h"
#include "tests/servers/repositories.h"

#include <functional>
#include <string>
#include <vector>

namespace wb::test {

// What a hub's routes work on: one role's repositories, and how addresses of large files are made.
struct HubContext {
    std::string self; // its own address
    const std::vector<ServedRepository>* repositories = nullptr;
    std::function<std::string(const ServedFile&)> sign; // gives the address of a large file elsewhere
    std::string token;                                  // that opens gated and private ones
};

HttpResponse huggingFaceAnswer(const HubContext& hub, const HttpRequest& request);
HttpResponse modelScopeAnswer(const HubContext& hub, const HttpRequest& request);

// A file's bytes, or those that a Range asks for.
HttpResponse fileAnswer(const ServedFile& file, const HttpRequest& request, int rangedStatus = 206);

HttpResponse jsonAnswer(std::string body, int status = 200);
std::string jsonText(const std::string& text); // in quotes

// The value of a query; decoded, with '+' for a blank.
std::string queryValue(const std::string& target, const std::string& name);
std::vector<std::string> queryValues(const std::string& target, const std::string& name);

} // namespace wb::test
