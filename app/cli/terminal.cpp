// SPDX-License-Identifier: MIT
#include "app/cli/terminal.h"

#include <cstdio>
#include <iostream>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <cstdlib>
#include <string_view>
#else
#include <unistd.h>
#endif

namespace wb::cli {

#ifdef _WIN32
namespace {

// _isatty() also says yes for NUL.
bool isTerminal(DWORD stream) {
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(stream), &mode) != 0;
}

// Code pages belong to the console, which outlives this process.
UINT formerOutputPage = 0;

void restoreOutputPage() { SetConsoleOutputCP(formerOutputPage); }

void interpretEscapes(DWORD stream) {
    const HANDLE console = GetStdHandle(stream);
    DWORD mode = 0;
    if (GetConsoleMode(console, &mode)) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

std::string utf8FromWide(std::wstring_view wide) {
    const auto units = static_cast<int>(wide.size());
    std::string text(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr)),
                     '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(), static_cast<int>(text.size()), nullptr, nullptr);
    return text;
}

// A console gives bytes of a code page that lacks most characters; only this call gives all. It returns at the end of a line or
// with a full buffer. Ctrl+C ends it without text, and the handler of the process decides.
bool readConsoleLine(std::string& line) {
    std::wstring wide;
    while (!wide.ends_with(L'\n')) {
        wchar_t buffer[512];
        DWORD units = 0;
        SetLastError(ERROR_SUCCESS);
        if (!ReadConsoleW(GetStdHandle(STD_INPUT_HANDLE), buffer, 512, &units, nullptr)) return false;
        if (units == 0 && GetLastError() == ERROR_OPERATION_ABORTED) continue;
        if (units == 0 || buffer[0] == L'\x1a') return false; // Ctrl+Z
        wide.append(buffer, units);
    }
    wide.erase(wide.find_last_not_of(L"\r\n") + 1);
    line = utf8FromWide(wide);
    return true;
}

} // namespace

void setUpStreams() {
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    if (!isTerminal(STD_OUTPUT_HANDLE) && !stderrIsTerminal()) return;
    formerOutputPage = GetConsoleOutputCP();
    if (formerOutputPage != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) std::atexit(restoreOutputPage);
    interpretEscapes(STD_OUTPUT_HANDLE);
    interpretEscapes(STD_ERROR_HANDLE);
}

std::vector<std::string> commandLine(int argc, char** argv) {
    int count = 0;
    wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
    if (words == nullptr) return {argv, argv + argc};
    std::vector<std::string> line;
    for (int i = 0; i < count; ++i) line.push_back(utf8FromWide(words[i]));
    LocalFree(words);
    return line;
}

bool stdinIsTerminal() { return isTerminal(STD_INPUT_HANDLE); }

bool stderrIsTerminal() { return isTerminal(STD_ERROR_HANDLE); }

bool readLine(std::string& line) {
    if (stdinIsTerminal()) return readConsoleLine(line);
    return static_cast<bool>(std::getline(std::cin, line));
}
#else
bool stdinIsTerminal() { return ::isatty(STDIN_FILENO) != 0; }

bool stderrIsTerminal() { return ::isatty(STDERR_FILENO) != 0; }

void setUpStreams() {}

std::vector<std::string> commandLine(int argc, char** argv) { return {argv, argv + argc}; }

bool readLine(std::string& line) { return static_cast<bool>(std::getline(std::cin, line)); }
#endif

} // namespace wb::cli
