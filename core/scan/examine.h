// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/index/index.h"
#include "core/formats/known_files.h"
#include "core/formats/stream/stream.h"
#include "core/formats/pickle/machine.h"
#include "core/formats/zip/zip.h"
#include "core/model/value.h"
#include "core/scan/scan.h"

#include <string>

// The examination of one file with everything inside it, as it runs in the worker.
namespace wb::scan {

// A byte range to be judged: a file, a member of an archive, a payload inside a pickle.
struct Item {
    std::shared_ptr<io::ByteSource> source;
    std::string member;       // its way into the file; empty: the file itself
    int depth = 0;            // containers around it
    bool isLoaded = true;     // whether loading the file loads it; a payload that nothing loads is of level C at most
    bool isValues = false;    // a place where its archive keeps the values of tensors
    bool isEncrypted = false; // by the flags of its archive

    // The last component of the name, by which some rules judge a text.
    std::string_view name(std::string_view file) const;
};

struct Members; // json_rules.cpp

class Examiner {
public:
    Examiner(std::string file, const Options& options) : m_file(std::move(file)), m_options(options) {}

    // Adds what `item` is and would do. Content of no known format is not checked.
    void examine(const Item& item);

    Danger take() { return std::move(m_danger); }

private:
    bool examineBeginning(const Item& item);    // false: of no known format
    bool endsAsArchive(const Item& item) const; // and does not start as one

    // Each takes the content it is for and adds a file to the report, or several (containers.cpp, pickles.cpp, json_rules.cpp,
    // templates.cpp, secrets.cpp, graphs.cpp).
    void zip(const Item& item);
    bool stack(const Item& item); // false: not archives one after another
    void package(const Item& item, std::size_t first);
    Result<std::vector<std::byte>> unpackMember(const Item& item, const zip::Member& member, formats::Findings& findings);
    void tar(const Item& item);
    bool compressed(const Item& item,
                    stream::StreamKind kind); // false: zlib, whose sign is two bytes of many texts, and it is none
    void unscannable(const Item& item, const char* rule, const char* sentence);
    bool pickle(const Item& item, bool isCertain);
    void torchLegacy(const Item& item);
    void npy(const Item& item);
    void hdf5(const Item& item);
    void skops(const Item& item, const std::string& schema);
    void plainText(const Item& item);
    void python(const Item& item, std::string_view source);
    bool yaml(const Item& item, std::string_view text);   // false where it names no Python objects
    bool json(const Item& item, const std::string& text); // false where it is none to its end
    void chatTemplate(const Item& item, std::string_view source);
    void gguf(const Item& item);
    void safetensors(const Item& item);
    void secrets(const Item& item, std::string_view text, std::optional<std::uint64_t> begin); // start: where `text` stands
    void secrets(const Item& item, const ValueObject& metadata);
    void secrets(const Item& item, std::uint64_t begin, std::uint64_t end); // bytes of the item, at most 4 MiB
    bool indexed(const Item& item, std::string_view head); // a format of runtimes with a sign at its beginning; false: none
    void indexed(const Item& item, const char* format, formats::ReadIndex read);
    bool arrays(const Item& item); // false where it is none
    bool graph(const Item& item);  // false where it is none
    void onnx(const Item& item);
    void tensorflow(const Item& item, const char* format);
    void keras(const Item& item, const Members& members, ScannedFile& file);
    void remoteCode(const Item& item, const Members& members, ScannedFile& file);
    void data(const Item& item, const char* format, const char* why = "");
    void unknown(const Item& item);
    void unchecked(const Item& item, const char* format, Reason rule, const char* sentence);
    void notRead(const Item& item, const char* format);
    void malformed(const Item& item, const Error& error);

    struct PickleOptions {
        const char* format = "pickle";
        std::uint64_t begin = 0;
        std::string knownModules = {};
        bool mustBeTorch = false; // loads by torch.load, so that weights_only is a question
        std::uint32_t maxStreams = 64;
    };
    bool runPickles(const Item& item, bool isCertain, const PickleOptions& options);
    void findReferences(const Item& item, std::uint64_t from, std::uint32_t index, ScannedFile& file);
    void takeValuesAsOpcodes(const Item& item, std::uint64_t position, std::uint32_t index, ScannedFile& file);
    void examinePayloads(const Item& item, const pickle::Graph& graph, const pickle::Stream& stream);
    void examinePayload(const Item& item, std::string_view bytes, std::uint64_t position, bool isLoaded);

    ScannedFile entry(const Item& item, const char* format) const;
    static void nameInText(ScannedFile& file, const std::string& module, const std::string& name, DangerLevel level,
                           std::uint64_t position);
    void addNamed(const Item& item, ScannedFile file);
    std::uint32_t add(const Item& item, ScannedFile file);
    void find(const Item& item, Severity severity, Reason rule, std::optional<std::uint64_t> offset, const char* sentence,
              std::vector<std::string> arguments = {});
    void takeFindings(const Item& item, formats::Findings& findings);

    std::string m_file;
    const Options& m_options;
    Danger m_danger;
    std::uint64_t m_decoded = 0; // bytes of payloads so far
    std::string m_knownModules;  // of the archive at hand
    bool m_isTorch = false;
};

// What `wb scan` calls a format that this program only recognizes (docs/reference/command_line.md, "inspect"); empty where it has
// no name there.
const char* formatName(const std::optional<formats::KnownFile>& known);

// The work for one payload: whether these bytes start like something that a loader would parse.
bool looksLoadable(std::string_view bytes);

// Whether a file of this name is a pickle, or nothing that its maker named correctly.
bool namesPickle(std::string_view name);

// Adds what decides each verdict other than clean if no finding gives a reason yet.
void giveReasons(Danger& danger);

// The rules for files that were not checked. Findings with them are notes.
inline constexpr Reason unknownFormat("file.unknown_format");
inline constexpr Reason formatNotRead("file.not_read");
inline constexpr Reason notAModel("file.not_a_model");
inline constexpr Reason remoteCodeNamed("folder.remote_code");

// Makes a file of Python that something imports a part of the scan: at least unknown code, dangerous by its references. Its
// finding has the rule and names the file.
void takeAsCode(Danger& danger, std::size_t file, Reason rule);

// After a whole folder was scanned: the files that the auto_map of a configuration in it names, and those that they import, are
// code.
void judgeRemoteCode(Danger& danger);

// The bytes that a text is for where everything is base64 or hexadecimal; empty where it is not.
std::optional<std::string> decodedText(std::string_view text, std::uint64_t maxBytes);

} // namespace wb::scan
