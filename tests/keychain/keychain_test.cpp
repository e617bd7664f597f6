// SPDX-License-Identifier: MIT
// The keychain on a real Secret Service: run it inside dbus-run-session with gnome-keyring, as ./dev test --full does.
#include "app/store/keychain/keychain.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <cstdio>
#include <optional>

namespace {

using namespace wb;

template <typename T>
T waitFor(const std::function<void(std::function<void(T)>)>& start) {
    QEventLoop loop;
    std::optional<T> answer;
    start([&](T value) {
        answer = std::move(value);
        loop.quit();
    });
    if (!answer) loop.exec();
    return *answer;
}

int failures = 0;
void expect(bool holds, const char* what) {
    std::printf("%s %s\n", holds ? "ok  " : "FAIL", what);
    failures += holds ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const auto keychain = store::makeKeychain();
    const auto read = [&](hub::Hub hub) { return waitFor<std::string>([&](auto done) { keychain->read(hub, std::move(done)); }); };
    const auto write = [&](hub::Hub hub, const std::string& token) {
        return waitFor<bool>([&](auto done) { keychain->write(hub, token, std::move(done)); });
    };
    expect(read(hub::Hub::HuggingFace).empty(), "nothing is kept at first");
    expect(write(hub::Hub::HuggingFace, "hf_first"), "a token is kept");
    expect(write(hub::Hub::ModelScope, "ms-second"), "one of the other hub too");
    expect(read(hub::Hub::HuggingFace) == "hf_first", "it is read again");
    expect(write(hub::Hub::HuggingFace, "hf_third"), "another takes its place");
    expect(read(hub::Hub::HuggingFace) == "hf_third", "and is read");
    expect(write(hub::Hub::HuggingFace, ""), "it is removed");
    expect(read(hub::Hub::HuggingFace).empty(), "and gone");
    expect(read(hub::Hub::ModelScope) == "ms-second", "the other one stays");
    expect(write(hub::Hub::ModelScope, "") && write(hub::Hub::ModelScope, ""), "removing twice is no failure");
    return failures == 0 ? 0 : 1;
}
