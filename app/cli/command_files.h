// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/file_roles.h"
#include "core/model/model.h"

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

// The value of an option that writes to stdout.
inline constexpr std::string_view stdoutWord = "-";

// The options of one command whose words are files, by name. Every such option is in one of the lists.
struct FileOptions {
    std::vector<const char*> reads = {};   // files or folders; also DIR=SCALE and KIND=PATH, and "-" for stdin; never empty
    std::vector<const char*> writes = {};  // the last word is a file, which is replaced as a whole and only with --force
    std::vector<const char*> works = {};   // the target of the command's own job, which decides about a file that exists
    std::vector<const char*> appends = {}; // a log
};

// The files that the words of a command line name. Every command declares which of its options read or write files
// (Command::files), and adds here what it finds out later. So one place refuses outputs that would replace an input, two outputs of
// one name, and existing files without --force, before anything is written.
class CommandFiles {
public:
    // Of one command, whose options exist already.
    void declare(CLI::App& command, const FileOptions& options);

    // Takes the words of the command that was given, once. Fails with io::outputIsInput, io::outputTwice and stdoutTaken, which are
    // wrong usage; with outputExists; or where a file cannot be created. Leaves no trace.
    Result<void> take(const CLI::App& command, bool printsJson);

    // Files that a command determines later. They fail as take() does.
    Result<void> alsoRead(const std::filesystem::path& path);
    Result<void> alsoRead(const Model& model);
    Result<void> alsoRead(std::span<const io::Identity> files);
    Result<void> alsoWrite(const std::filesystem::path& path); // an output next to one that was named
    // The files of the command's job on `target`, with its working files.
    Result<void> alsoWork(const std::vector<std::filesystem::path>& files, const std::filesystem::path& target);

    // The word, or the path in it, that names a file or folder which does not exist and whose last component is `name`; empty:
    // none.
    std::string missingWord(std::string_view name) const;

    // Whether a file goes to stdout, so that nothing else may.
    bool usesStdout() const { return m_usesStdout; }
    bool isForced() const { return m_isForced; }

private:
    enum class Role : std::uint8_t { Read, Written, Work, Appended };
    struct Declared {
        CLI::Option* option;
        Role role;
    };

    void takeRead(const std::string& word);
    Result<void> takeWritten(const std::string& word, Role role, bool printsJson);
    Result<void> checkFree(const std::filesystem::path& path) const;

    std::vector<Declared> m_declared;
    std::vector<std::string> m_readWords; // and the paths in them
    std::vector<std::filesystem::path> m_replaced;
    io::FileRoles m_roles;
    bool m_usesStdout = false;
    bool m_isForced = false;
};

// Whether the error is one of CommandFiles or of a job's own check that is wrong usage.
bool isWrongOutput(const Error& error);

} // namespace wb::cli
