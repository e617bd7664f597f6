// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/json/json.h"
#include "core/formats/json/scanner.h"
#include "core/formats/pickle/names.h"
#include "core/formats/skops/skops.h"
#include "core/formats/tfjs/tfjs.h"
#include "core/formats/xgboost/xgboost.h"

#include <algorithm>
#include <array>
#include <set>

// What is in JSON texts: the configuration of a Keras model, of a Hugging Face folder, the schema of a skops archive. Each text
// is walked as a whole, token by token, because a rule that looks at the characters alone is passed by "\u004cambda".
namespace wb::scan {

using json::Token;

constexpr std::size_t maxForeign = 1000; // of one text

// The strings of one object that the rules look at. The last of several members with one key counts, as for Python.
struct Members {
    std::string className;
    std::string module;
    std::string config;     // where it is a string: Keras names functions there
    std::string registered; // "package>class" of a class that is not Keras' own
    std::string templateText;
    std::vector<std::string> remote; // the texts of its auto_map: modules with their classes
    bool hasClass = false;
    bool isAutoMap = false; // the object is one, or is inside one
    std::size_t position = 0;
};

namespace {

// Walks a text and calls `leave` with the members of each object, inner ones first; false where it is not JSON to the end.
template <typename Leave>
bool eachObject(std::string text, const Leave& leave) {
    json::takePythonNumbers(text);
    json::Scanner scanner(text, json::Scanner::greatestDepth);
    std::vector<Members> open;
    std::string key;
    bool isRemote = false;
    int lists = 0; // open arrays of an auto_map
    for (Token token = scanner.next(); token != Token::End; token = scanner.next()) {
        switch (token) {
        case Token::Bad:
            while (!open.empty()) {
                leave(open.back());
                open.pop_back();
            }
            return false;
        case Token::BeginObject:
            isRemote = !open.empty() && (open.back().isAutoMap || key == "auto_map");
            open.emplace_back().position = scanner.position();
            open.back().isAutoMap = isRemote;
            key.clear();
            break;
        case Token::BeginArray: // objects in it are walked by themselves
            lists += !open.empty() && (lists > 0 || key == "auto_map") ? 1 : 0;
            key.clear();
            break;
        case Token::EndArray:
            lists -= lists > 0 ? 1 : 0;
            key.clear();
            break;
        case Token::EndObject: {
            const Members members = std::move(open.back());
            open.pop_back();
            leave(members);
            if (members.isAutoMap && !open.empty()) std::ranges::copy(members.remote, std::back_inserter(open.back().remote));
            key.clear();
            break;
        }
        case Token::Key: key = scanner.text(); break;
        case Token::String: {
            if (open.empty()) break;
            Members& members = open.back();
            const std::string value(scanner.text());
            if ((members.isAutoMap || lists > 0) && members.remote.size() < maxForeign) members.remote.push_back(value);
            if (key == "class_name") members.className = value, members.hasClass = true;
            else if (key == "module") members.module = value;
            else if (key == "config") members.config = value;
            else if (key == "registered_name") members.registered = value;
            else if (key == "chat_template" || key == "template") members.templateText = value;
            key.clear();
            break;
        }
        default: key.clear();
        }
    }
    return true;
}

// Modules whose classes are Keras' own.
bool isOfKeras(std::string_view module) {
    static constexpr std::array own = {"keras",      "tf_keras",  "tensorflow.keras", "tensorflow.python.keras",
                                       "keras_core", "keras_nlp", "keras_cv",         "keras_hub"};
    return module.empty() || std::ranges::any_of(own, [&](std::string_view name) {
               return module == name || (module.starts_with(name) && module[name.size()] == '.');
           });
}

} // namespace

void Examiner::nameInText(ScannedFile& file, const std::string& module, const std::string& name, DangerLevel level,
                          std::uint64_t position) {
    constexpr std::size_t most = 20'000;
    const auto isIt = [&](const DangerousName& n) { return n.module == module && n.name == name; };
    if (std::ranges::any_of(file.globals, isIt)) return;
    file.level = std::max(file.level, level);
    if (file.globals.size() < most) file.globals.push_back({toUtf8(module), toUtf8(name), level, position});
}

// A file whose names are known goes into the report with a call for each of level C and D.
void Examiner::addNamed(const Item& item, ScannedFile file) {
    const auto globals = file.globals;
    const std::uint32_t index = add(item, std::move(file));
    for (const DangerousName& name : globals)
        if (name.level > DangerLevel::B)
            m_danger.calls.push_back({index, 0, name.position, name.module, name.name, name.level, "import", "", false});
}

// Keras imports the module of an object that it makes from a configuration, and takes the class or function there by its name
// (CVE-2025-1550, CVE-2025-9905 and those after them); a Lambda layer brings its code along.
void Examiner::keras(const Item& item, const Members& members, ScannedFile& file) {
    if (members.className == "Lambda" || members.className == "__lambda__") {
        file.level = DangerLevel::D;
        find(item, Severity::Error, "keras.lambda", members.position,
             WB_TEXT("{}: a Lambda layer contains code that runs when the model is loaded."));
        return;
    }
    if (!members.hasClass || isOfKeras(members.module)) return;
    const std::string& name = members.className == "function" && !members.config.empty() ? members.config : members.className;
    const DangerLevel level = pickle::globalDangerLevel(members.module, name);
    // Keras writes functions of a model's own as if they were Python's: the loading program must provide them.
    if (members.module == "builtins" && level != DangerLevel::D) return;
    nameInText(file, members.module, name, level, members.position);
}

// transformers imports these modules of the folder, or of a repository before "--", when the user allows it
// (huggingface/transformers: src/transformers/dynamic_module_utils.py, get_class_from_dynamic_module).
void Examiner::remoteCode(const Item& item, const Members& members, ScannedFile& file) {
    std::set<std::string> files;
    for (const std::string& text : members.remote) {
        const std::size_t dot = text.rfind('.');
        if (dot == std::string::npos || dot == 0) continue;
        const std::string module = text.substr(0, dot);
        const std::size_t dashes = module.find("--");
        files.insert(dashes == std::string::npos ? module + ".py"
                                                 : module.substr(0, dashes) + ": " + module.substr(dashes + 2) + ".py");
        nameInText(file, module, text.substr(dot + 1), DangerLevel::C, members.position);
    }
    file.level = std::max(file.level, DangerLevel::C);
    std::string names;
    for (const std::string& name : files) names += (names.empty() ? "" : ", ") + formats::shown(name);
    find(item, Severity::Warning, remoteCodeNamed, members.position,
         WB_TEXT("{}: its auto_map names Python code that runs when the model is loaded with trust_remote_code=True: {}."),
         {names.empty() ? "…" : names});
}

// Formats that are JSON: their values are in it, or in the files that it names.
static const char* jsonFormat(std::string_view text) {
    if (tfjs::sniff(text)) return "tfjs";
    return xgboost::sniff(std::as_bytes(std::span(text)).first(std::min<std::size_t>(text.size(), 4096))) ? "xgboost" : "";
}

bool Examiner::json(const Item& item, const std::string& text) {
    ScannedFile file = entry(item, jsonFormat(text));
    std::vector<std::string> templates;
    std::set<std::string> foreign;
    const bool isWhole = eachObject(text, [&](const Members& members) {
        keras(item, members, file);
        const bool isForeign = members.hasClass && members.registered.find('>') != std::string::npos;
        if (isForeign && foreign.size() < maxForeign && foreign.insert(members.registered).second)
            find(item, Severity::Note, "keras.foreign_class", members.position,
                 WB_TEXT("{}: loading it requires the class {}, which is not part of Keras."),
                 {formats::shown(members.registered)});
        if (!members.templateText.empty()) templates.push_back(members.templateText);
        if (!members.isAutoMap && !members.remote.empty()) remoteCode(item, members, file);
    });
    if (isWhole) file.why = "JSON";
    // Other texts start with a brace, too; only one that would name classes is a configuration that could not be followed.
    file.isIncomplete = !isWhole && (file.level > DangerLevel::A || text.find("class_name") != std::string::npos);
    addNamed(item, std::move(file));
    for (const std::string& source : templates) chatTemplate(item, source);
    return isWhole;
}

// A skops file names the class of every object in its schema.
void Examiner::skops(const Item& item, const std::string& schema) {
    ScannedFile file = entry(item, "skops");
    skops::judge(schema, file);
    addNamed(item, std::move(file));
}

} // namespace wb::scan
