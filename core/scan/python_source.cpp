// SPDX-License-Identifier: MIT
#include "core/scan/python_source.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

namespace wb::scan {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t maxNames = 1000;
constexpr std::size_t maxTokens = 2'000'000;

// Paths that a reference to, or to anything inside them, is of this level. One with a star at the end stands for all names that
// start so.
struct Path {
    std::string_view path;
    DangerLevel level = DangerLevel::D;
};
constexpr std::array paths = {
    Path{"os.system"},
    Path{"os.popen*"},
    Path{"os.exec*"},
    Path{"os.spawn*"},
    Path{"os.posix_spawn*"},
    Path{"os.startfile"},
    Path{"os.fork*"},
    Path{"posix.system"},
    Path{"nt.system"},
    Path{"subprocess"},
    Path{"pty"},
    Path{"commands"},
    Path{"popen2"},
    Path{"socket"},
    Path{"ctypes"},
    Path{"cffi"},
    Path{"marshal.load*"},
    Path{"runpy"},
    Path{"code.Interact*"},
    Path{"winreg"},
    Path{"builtins.eval"},
    Path{"builtins.exec"},
    Path{"builtins.compile"},
    Path{"builtins.__import__"},
    Path{"asyncio.create_subprocess*"},
    Path{"types.CodeType"},
    Path{"types.FunctionType"},
    Path{"torch.utils.cpp_extension"},
    Path{"torch.ops.load_library"},
    Path{"requests", DangerLevel::C},
    Path{"urllib.request", DangerLevel::C},
    Path{"http.client", DangerLevel::C},
    Path{"httpx", DangerLevel::C},
    Path{"aiohttp", DangerLevel::C},
    Path{"ftplib", DangerLevel::C},
    Path{"smtplib", DangerLevel::C},
    Path{"paramiko", DangerLevel::C},
    Path{"webbrowser", DangerLevel::C},
    Path{"shutil.rmtree", DangerLevel::C},
    Path{"os.remove*", DangerLevel::C},
    Path{"os.unlink", DangerLevel::C},
    Path{"os.rmdir", DangerLevel::C},
    Path{"pickle.load*", DangerLevel::C},
    Path{"importlib.import_module", DangerLevel::C},
};

// Names of the interpreter's inside, from which every module can be reached.
constexpr std::array innerNames = {"__builtins__"sv, "__subclasses__"sv, "__globals__"sv, "__import__"sv};

// Functions that are dangerous when they are called under their bare name.
constexpr std::array calledBuiltins = {"eval"sv, "exec"sv, "compile"sv, "__import__"sv};

// Modules whose names getattr may pick by a text.
constexpr std::array modulesOfDanger = {"os"sv, "builtins"sv, "posix"sv, "nt"sv, "sys.modules"sv};

std::optional<DangerLevel> levelOfPath(std::string_view path) {
    for (const Path& known : paths) {
        const bool isPrefix = known.path.ends_with('*');
        const std::string_view stem = known.path.substr(0, known.path.size() - (isPrefix ? 1 : 0));
        if (!path.starts_with(stem)) continue;
        if (isPrefix || path.size() == stem.size() || path[stem.size()] == '.') return known.level;
    }
    return std::nullopt;
}

struct Token {
    enum class Kind : std::uint8_t { Name, Sign, Line, End };
    Kind kind = Kind::End;
    std::string_view text;
    std::size_t position = 0;
};

bool isNameByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// Names, single characters and ends of lines; strings, comments and continued lines leave nothing.
class Tokens {
public:
    explicit Tokens(std::string_view source) : m_source(source) {}

    Token next() {
        while (m_at < m_source.size()) {
            const char c = m_source[m_at];
            if (c == '#') m_at = std::min(m_source.find('\n', m_at), m_source.size());
            else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') ++m_at;
            else if (c == '\\') m_at += 2;
            else if (c == '"' || c == '\'') skipString();
            else if (isNameByte(c)) {
                if (const Token name = takeName(); name.kind == Token::Kind::Name) return name;
            } else {
                return {c == '\n' ? Token::Kind::Line : Token::Kind::Sign, m_source.substr(m_at++, 1), m_at - 1};
            }
        }
        return {};
    }

private:
    // A prefix of a string is no name: rb"…", f'…'.
    Token takeName() {
        const std::size_t begin = m_at;
        while (m_at < m_source.size() && isNameByte(m_source[m_at])) ++m_at;
        const std::string_view name = m_source.substr(begin, m_at - begin);
        const bool isQuoted = m_at < m_source.size() && (m_source[m_at] == '"' || m_source[m_at] == '\'');
        if (!isQuoted || name.size() > 2) return {Token::Kind::Name, name, begin};
        skipString();
        return {};
    }

    // A backslash keeps a quote from ending the string, in raw ones too.
    void skipString() {
        const std::string_view quote = m_source.substr(m_at, 1);
        const std::string triple = std::string(quote) + std::string(quote) + std::string(quote);
        const bool isLong = m_source.substr(m_at).starts_with(triple);
        const std::string_view end = isLong ? std::string_view(triple) : quote;
        m_at += end.size();
        while (m_at < m_source.size()) {
            if (m_source.substr(m_at).starts_with(end)) {
                m_at += end.size();
                return;
            }
            if (m_source[m_at] == '\n' && !isLong) return;
            m_at += m_source[m_at] == '\\' ? 2 : 1;
        }
    }

    std::string_view m_source;
    std::size_t m_at = 0;
};

class Reading {
public:
    explicit Reading(std::string_view source) {
        Tokens tokens(source);
        for (Token token = tokens.next(); token.kind != Token::Kind::End && m_tokens.size() < maxTokens; token = tokens.next())
            m_tokens.push_back(token);
    }

    std::vector<DangerousName> run() {
        bool begins = true; // of a statement
        while (m_at < m_tokens.size()) {
            const Token& token = m_tokens[m_at];
            if (begins && (is("import") || is("from"))) {
                is("import") ? importModules() : importNames();
                continue;
            }
            begins = token.kind == Token::Kind::Line || token.text == ";" || token.text == ":";
            if (token.kind == Token::Kind::Name) chain();
            else ++m_at;
        }
        return std::move(m_names);
    }

private:
    bool is(std::string_view text, std::size_t ahead = 0) const {
        return m_at + ahead < m_tokens.size() && m_tokens[m_at + ahead].text == text;
    }
    bool isName() const { return m_at < m_tokens.size() && m_tokens[m_at].kind == Token::Kind::Name; }
    bool isLine() const { return m_at >= m_tokens.size() || m_tokens[m_at].kind == Token::Kind::Line || is(";"); }

    // a.b.c, with leading dots of a relative import.
    std::string dotted() {
        std::string path;
        while (is(".")) path += '.', ++m_at;
        while (isName()) {
            path += m_tokens[m_at++].text;
            if (!is(".") || m_at + 1 >= m_tokens.size() || m_tokens[m_at + 1].kind != Token::Kind::Name) break;
            path += '.';
            ++m_at;
        }
        return path;
    }

    std::string alias(const std::string& usual) {
        if (!is("as")) return usual;
        ++m_at;
        return isName() ? std::string(m_tokens[m_at++].text) : usual;
    }

    void importModules() {
        const std::size_t position = m_tokens[m_at++].position;
        while (!isLine()) {
            const std::string module = dotted();
            if (module.empty()) {
                ++m_at;
                continue;
            }
            const std::string first = module.substr(0, module.find('.'));
            const std::string name = alias(first);
            m_aliases[name] = name == first ? first : module;
            note(module, std::min(levelOfPath(module).value_or(DangerLevel::A), DangerLevel::C), position);
        }
    }

    void importNames() {
        const std::size_t position = m_tokens[m_at++].position;
        const std::string module = dotted();
        if (!is("import")) return;
        ++m_at;
        const bool isLong = is("(");
        if (isLong) ++m_at;
        while (m_at < m_tokens.size() && (isLong ? !is(")") : !isLine())) {
            if (!isName()) {
                ++m_at;
                continue;
            }
            const std::string name(m_tokens[m_at++].text);
            const bool isRelative = module.starts_with('.');
            const std::string path = module.ends_with('.') ? module + name : module + "." + name;
            if (!isRelative) m_aliases[alias(name)] = path;
            else (void)alias(name);
            if (isRelative) note(module.find_first_not_of('.') == std::string::npos ? path + ".*" : path, DangerLevel::C, position);
            else note(path, levelOfPath(path).value_or(DangerLevel::A), position);
        }
    }

    // A reference: what its first name is for, then the attributes.
    void chain() {
        const bool isAttribute = m_at > 0 && m_tokens[m_at - 1].text == ".";
        const bool isDefined = m_at > 0 && (m_tokens[m_at - 1].text == "def" || m_tokens[m_at - 1].text == "class");
        const std::size_t position = m_tokens[m_at].position;
        const std::string path = dotted();
        for (const std::string_view name : innerNames)
            if (("." + path + ".").find("." + std::string(name) + ".") != std::string::npos)
                note("builtins." + std::string(name), DangerLevel::D, position);
        if (isAttribute || isDefined || path.empty()) return;
        const std::string first = path.substr(0, path.find('.'));
        const auto known = m_aliases.find(first);
        const std::string whole = known != m_aliases.end() ? known->second + path.substr(first.size()) : path;
        const bool isCalled = is("(");
        if (isCalled && known == m_aliases.end() && std::ranges::find(calledBuiltins, path) != calledBuiltins.end())
            return note("builtins." + path, DangerLevel::D, position);
        if (isCalled && (path == "getattr" || path == "vars")) return pickedByText(position);
        if (known != m_aliases.end()) note(whole, levelOfPath(whole).value_or(DangerLevel::A), position);
    }

    // getattr(os, …): whatever its text is.
    void pickedByText(std::size_t position) {
        const std::size_t after = m_at++;
        if (!isName()) return;
        const std::string path = dotted();
        m_at = after + 1;
        const std::string first = path.substr(0, path.find('.'));
        const auto known = m_aliases.find(first);
        const std::string whole = known != m_aliases.end() ? known->second + path.substr(first.size()) : path;
        if (std::ranges::find(modulesOfDanger, whole) != modulesOfDanger.end()) note("builtins.getattr", DangerLevel::D, position);
    }

    void note(const std::string& path, DangerLevel level, std::size_t position) {
        if (level < DangerLevel::C || m_names.size() >= maxNames) return;
        const std::size_t dot = path.rfind('.');
        std::string module = path.substr(0, dot == std::string::npos ? path.size() : dot);
        std::string name = dot == std::string::npos ? "" : path.substr(dot + 1);
        for (DangerousName& known : m_names)
            if (known.module == module && known.name == name) {
                known.level = std::max(known.level, level);
                return;
            }
        m_names.push_back({toUtf8(module), toUtf8(name), level, position});
    }

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::map<std::string, std::string, std::less<>> m_aliases;
    std::vector<DangerousName> m_names;
};

} // namespace

std::vector<DangerousName> namesOfPython(std::string_view source) { return Reading(source).run(); }

} // namespace wb::scan
