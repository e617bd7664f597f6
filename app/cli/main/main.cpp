// SPDX-License-Identifier: MIT
#include "app/cli/terminal.h"
#include "app/cli/wb.h"
#include "core/io/system/limits.h"
#include "core/scan/worker_tasks.h"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#endif

namespace {

// Where the caller closed a standard stream, the next file to be opened would take its place, and our text would go into a model.
void openStandardStreams() {
#ifndef _WIN32
    for (int stream = 0; stream < 3; ++stream)
        if (::fcntl(stream, F_GETFD) == -1) (void)::open("/dev/null", O_RDWR);
#endif
}

// Elsewhere a signal ends a program whose reader is gone; to Windows' C library its pipe is an invalid argument.
bool isClosedPipe([[maybe_unused]] const std::system_error& error) {
#ifdef _WIN32
    return error.code().value() == EINVAL && ::GetFileType(::GetStdHandle(STD_OUTPUT_HANDLE)) == FILE_TYPE_PIPE;
#else
    return false;
#endif
}

} // namespace

// Printing throws where the stream does not take it: a full disk, a pipe whose reader is gone.
int main(int argc, char** argv) {
    if (const auto status = wb::worker::serveIfAsked(argc, argv, wb::scan::allWorkerTasks())) return *status;
    openStandardStreams();
    wb::io::ignoreFileSizeSignal();
    wb::cli::setUpStreams();
    try {
        return wb::cli::run(wb::cli::commandLine(argc, argv));
    } catch (const std::bad_alloc&) { // with a sentence that needs no memory, where not even the command's own could be made
        std::fputs("wb: There is not enough memory; close other programs.\n", stderr);
        return 1;
    } catch (const std::system_error& error) {
        if (!isClosedPipe(error)) std::fprintf(stderr, "wb: %s\n", error.what());
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wb: %s\n", error.what());
        return 1;
    }
}
