// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/known_files.h"
#include "core/formats/stream/stream.h"
#include "core/formats/pickle/machine.h"
#include "core/formats/zip/zip.h"
#include "core/model/value.h"
#include "core/scan/scan.h"

#include <string>

// The examination of one file with everything inside it, as it runs in the worker.
namespace wb::scan {

// A run of bytes to be judged: a file, a member of an archive, a payload inside a pickle.
struct Item {
    std::shared_ptr<io::ByteSource> source;
    std::string member;   // its way into the file; empty: the file itself
    int depth = 0;        // containers around it
    bool isLoaded = true; // whether loading the file loads it; a payload that nothing loads is of level C at most
};

struct Members; // json_rules.cpp

class Examiner {
public:
    Examiner(std::string file, const Options& options) : m_file(std::move(file)), m_options(options) {}

    // Adds what `item` is and would do. False where its content is of no format that is known.
    bool examine(const Item& item);

    Danger take() { return std::move(m_danger); }

private:
    bool examineBeginning(const Item& item);
    bool endsAsArchive(const Item& item) const; // and does not begin as one

    // Each takes the content it is for and adds a file to the report, or several (containers.cpp, pickles.cpp, json_rules.cpp,
    // templates.cpp, secrets.cpp, graphs.cpp).
    void zip(const Item& item);
    void zipMember(const Item& item, std::size_t file, const std::string& name, bool isEncrypted, bool isBlob);
    Result<std::vector<std::byte>> unpackMember(const Item& item, const zip::Member& member, formats::Findings& findings);
    void tar(const Item& item);
    void compressed(const Item& item, stream::Kind kind);
    void unscannable(const Item& item, const char* rule, const char* sentence);
    bool pickle(const Item& item, bool isCertain);
    void torchLegacy(const Item& item);
    void npy(const Item& item);
    void hdf5(const Item& item);
    void skops(const Item& item, const std::string& schema);
    void plainText(const Item& item);
    bool json(const Item& item, const std::string& text); // false where it is none to its end
    void chatTemplate(const Item& item, std::string_view source);
    void gguf(const Item& item);
    void safetensors(const Item& item);
    void secrets(const Item& item, std::string_view text, std::optional<std::uint64_t> begin); // begin: where `text` stands
    void secrets(const Item& item, const ValueObject& metadata);
    void secrets(const Item& item, std::uint64_t begin, std::uint64_t end); // bytes of the item, at most 4 MiB
    bool graph(const Item& item);                                           // false where it is none
    void onnx(const Item& item);
    void tensorflow(const Item& item, const char* format);
    void keras(const Item& item, const Members& members, ScannedFile& file);
    void data(const Item& item, const char* format);
    void malformed(const Item& item, const Error& error);

    struct PickleOptions {
        const char* format = "pickle";
        std::uint64_t begin = 0;
        std::string knownModules = {};
        bool mustBeTorch = false; // loads by torch.load, so that weights_only is a question
        std::uint32_t mostStreams = 64;
    };
    bool runPickles(const Item& item, bool isCertain, const PickleOptions& options);
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

// What `wb scan` calls a format that this program only recognises (docs/reference/command_line.md, "inspect"); empty where it has
// no name there.
const char* formatName(const std::optional<formats::KnownFile>& known);

// The work for one payload: whether these bytes begin like something that a loader would take apart.
bool looksLoadable(std::string_view bytes);

// The bytes that a text stands for where all of it is base64 or hexadecimal; empty where it is not.
std::optional<std::string> decodedText(std::string_view text, std::uint64_t mostBytes);

} // namespace wb::scan
