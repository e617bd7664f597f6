// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/file_roles.h"
#include "core/model/model.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace wb::cli {

inline constexpr Reason outputExists("cli.output_exists"); // NotWritable; helped by --force
inline constexpr Reason stdoutTaken("cli.stdout_taken");

// What the word of an option that writes to stdout is.
inline constexpr std::string_view stdoutWord = "-";

// The files that the words of a command line name. Every command declares here which of its options read or write files, and adds
// what it finds out later. So one place refuses outputs that would replace an input, two outputs
// of one name, and existing files without --force, before anything is written.
class CommandFiles {
public:
    enum class Existing : std::uint8_t {
        NeedsForce, // is replaced as a whole, and only with --force
        IsAppended, // a log
        IsOfJob,    // the command's own job decides; such an output cannot be stdout
    };

    using Names = std::initializer_list<const char*>; // of options that the command has

    // The words of these options are files or folders that are read; also DIR=SCALE and KIND=PATH.
    void reads(CLI::App& command, Names options);
    // The last word of each of these options is a file that is written.
    void writes(CLI::App& command, Names options, Existing existing = Existing::NeedsForce);

    // Takes the words of the command that was given, once. Fails with io::outputIsInput, io::outputTwice and stdoutTaken, which are
    // wrong usage; with outputExists; or where a file cannot be created. Leaves no trace.
    Result<void> take(const CLI::App& command, bool printsJson);

    // What a command finds out later. They fail as take() does.
    Result<void> alsoRead(const std::filesystem::path& path);
    Result<void> alsoRead(const Model& model);
    Result<void> alsoRead(std::span<const io::Identity> files);
    Result<void> alsoWrite(const std::filesystem::path& path); // an output beside one that was named
    // The files of the command's job on `target`, with its working files.
    Result<void> alsoWork(const std::vector<std::filesystem::path>& files, const std::filesystem::path& target);

    // Whether a file goes to stdout, so that nothing else may.
    bool usesStdout() const { return m_usesStdout; }
    bool isForced() const { return m_isForced; }

private:
    struct Declared {
        CLI::Option* option;
        bool isWritten;
        Existing existing;
    };

    void takeRead(const std::string& word);
    Result<void> takeWritten(const std::string& word, Existing existing, bool printsJson);
    Result<void> checkFree(const std::filesystem::path& path) const;

    std::vector<Declared> m_declared;
    std::vector<std::filesystem::path> m_replaced; // Existing::NeedsForce
    io::FileRoles m_roles;
    bool m_usesStdout = false;
    bool m_isForced = false;
};

// Whether the error is one of CommandFiles or of a job's own check that is wrong usage.
bool isWrongOutput(const Error& error);

} // namespace wb::cli
