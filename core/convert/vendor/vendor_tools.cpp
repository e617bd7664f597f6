// SPDX-License-Identifier: MIT
#include "core/convert/vendor/vendor_tools.h"

#include "core/base/text.h"
#include "core/convert/vendor/find_program.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::array targets = {
    VendorTargetInfo{VendorTarget::TensorRt, "tensorrt", "TensorRT engine", ".engine"},
    VendorTargetInfo{VendorTarget::OpenVino, "openvino", "OpenVINO IR", ".xml"},
    VendorTargetInfo{VendorTarget::CoreMl, "coreml", "Core ML package", ".mlpackage"},
    VendorTargetInfo{VendorTarget::TfLite, "tflite", "LiteRT (TFLite) model", ".tflite"},
    VendorTargetInfo{VendorTarget::OnnxGraph, "onnx-graph", "ONNX model", ".onnx"},
};

#ifdef _WIN32
constexpr const char* python = "python";
#else
constexpr const char* python = "python3";
#endif

// A tool for some sources. "{in}" and "{out}" in its words are the paths, which reach Python code as arguments only.
struct Route {
    VendorTarget target;
    std::vector<FormatId> sources;
    const char* tool;
    const char* program;
    const char* package; // of Python; empty: the program is all
    std::vector<const char*> words;
    const char* install;
    const char* step = nullptr;   // what the user has to know, as a sentence
    const char* beside = nullptr; // ending of a second file
};

const std::vector<Route>& routes() {
    static const std::vector<Route> all = {
        {VendorTarget::TensorRt,
         {FormatId::Onnx},
         "trtexec",
         "trtexec",
         "",
         {"--onnx={in}", "--saveEngine={out}"},
         "https://docs.nvidia.com/deeplearning/tensorrt/latest/installing-tensorrt/installing.html",
         WB_TEXT("The engine runs only on the GPU model and TensorRT version that built it.")},
        {VendorTarget::OpenVino,
         {FormatId::Onnx, FormatId::SavedModel, FormatId::TfLite, FormatId::TfGraph},
         "ovc",
         "ovc",
         "openvino",
         {"{in}", "--output_model", "{out}"},
         "pip install openvino",
         nullptr,
         ".bin"},
        {VendorTarget::OpenVino,
         {FormatId::HuggingFace},
         "optimum",
         "optimum-cli",
         "optimum-intel",
         {"export", "openvino", "--model", "{in}", "{out}"},
         "pip install optimum-intel[openvino]"},
        {VendorTarget::CoreMl,
         {FormatId::TorchExport},
         "coremltools",
         python,
         "coremltools",
         {"-c", "import sys, torch, coremltools as ct; ct.convert(torch.export.load(sys.argv[1])).save(sys.argv[2])", "{in}",
          "{out}"},
         "pip install coremltools torch"},
        {VendorTarget::CoreMl,
         {FormatId::SavedModel, FormatId::KerasH5, FormatId::TfGraph},
         "coremltools",
         python,
         "coremltools",
         {"-c", "import sys, coremltools as ct; ct.convert(sys.argv[1], source='tensorflow').save(sys.argv[2])", "{in}", "{out}"},
         "pip install coremltools tensorflow"},
        {VendorTarget::TfLite,
         {FormatId::SavedModel},
         "tflite_convert",
         "tflite_convert",
         "tensorflow",
         {"--saved_model_dir={in}", "--output_file={out}"},
         "pip install tensorflow"},
        {VendorTarget::TfLite,
         {FormatId::Keras, FormatId::KerasH5},
         "tflite_convert",
         "tflite_convert",
         "tensorflow",
         {"--keras_model_file={in}", "--output_file={out}"},
         "pip install tensorflow"},
        {VendorTarget::OnnxGraph,
         {FormatId::HuggingFace},
         "optimum",
         "optimum-cli",
         "optimum-onnx",
         {"export", "onnx", "--model", "{in}", "{out}"},
         "pip install optimum-onnx"},
        {VendorTarget::OnnxGraph,
         {FormatId::SavedModel},
         "tf2onnx",
         python,
         "tf2onnx",
         {"-m", "tf2onnx.convert", "--saved-model", "{in}", "--output", "{out}"},
         "pip install tf2onnx tensorflow"},
        {VendorTarget::OnnxGraph,
         {FormatId::TfLite},
         "tf2onnx",
         python,
         "tf2onnx",
         {"-m", "tf2onnx.convert", "--tflite", "{in}", "--output", "{out}"},
         "pip install tf2onnx tensorflow"},
        {VendorTarget::OnnxGraph,
         {FormatId::TorchExport},
         "torch.onnx",
         python,
         "torch",
         {"-c", "import sys, torch; torch.onnx.export(torch.export.load(sys.argv[1]), (), sys.argv[2], dynamo=True)", "{in}",
          "{out}"},
         "pip install torch onnx onnxscript"},
        {VendorTarget::OnnxGraph,
         {FormatId::Pickle, FormatId::Joblib},
         "skl2onnx",
         python,
         "skl2onnx",
         {"-c",
          "import sys, joblib, numpy, skl2onnx; m = joblib.load(sys.argv[1]); open(sys.argv[2], "
          "'wb').write(skl2onnx.to_onnx(m, numpy.zeros((1, m.n_features_in_), numpy.float32)).SerializeToString())",
          "{in}", "{out}"},
         "pip install skl2onnx joblib",
         WB_TEXT("The tool loads the pickle, which runs the code in it; scan the file first.")},
    };
    return all;
}

std::string wholePath(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    return io::pathText(error ? path : whole);
}

std::string filled(std::string word, const std::string& in, const std::string& out) {
    const auto replace = [&word](std::string_view mark, const std::string& text) {
        const std::size_t at = word.find(mark);
        if (at == std::string::npos) return false;
        word.replace(at, mark.size(), text);
        return true;
    };
    if (!replace("{in}", in)) replace("{out}", out);
    return word;
}

// Whether a shell reads the word as it is.
bool isPlain(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%";
    return !word.empty() && word.find_first_not_of(plain) == std::string::npos;
}

// "ONNX, TensorFlow SavedModel".
std::string sourceNames(VendorTarget target) {
    std::vector<FormatId> formats;
    for (const Route& route : routes())
        for (const FormatId format : route.sources)
            if (route.target == target && std::ranges::find(formats, format) == formats.end()) formats.push_back(format);
    std::string names;
    for (const FormatId format : formats) names += (names.empty() ? "" : ", ") + std::string(formatTitle(format));
    return names;
}

} // namespace

std::span<const VendorTargetInfo> vendorTargets() { return targets; }

const VendorTargetInfo& info(VendorTarget target) { return *std::ranges::find(targets, target, &VendorTargetInfo::target); }

std::optional<VendorTarget> vendorTargetFromWord(std::string_view word) {
    const auto found = std::ranges::find_if(targets, [word](const VendorTargetInfo& row) { return row.word == word; });
    return found == targets.end() ? std::nullopt : std::optional(found->target);
}

Result<VendorCommand> vendorCommand(VendorTarget target, FormatId format, const fs::path& source, const fs::path& out,
                                    const VendorSearch& search) {
    const auto route = std::ranges::find_if(routes(), [&](const Route& row) {
        return row.target == target && std::ranges::find(row.sources, format) != row.sources.end();
    });
    if (route == routes().end())
        return fail(ErrorCode::Unsupported, Reason("vendor.source"), About{io::baseName(source)},
                    WB_TEXT("No known tool converts {} ({}) to this format; these can be converted: {}."), io::baseName(source),
                    format == FormatId::Unknown ? WB_TEXT("unknown format") : formatTitle(format), sourceNames(target));
    VendorCommand command;
    command.tool = route->tool;
    command.install = route->install;
    const FoundProgram program = findProgram(route->program, route->package, search);
    command.found = program.path;
    command.version = program.version;
    command.words = {program.path ? io::pathText(*program.path) : route->program};
    const std::string in = wholePath(source), written = wholePath(out);
    for (const char* word : route->words) command.words.push_back(filled(word, in, written));
    if (route->step) command.steps.emplace_back(route->step);
    command.outputs = {out};
    if (route->beside) command.outputs.push_back(fs::path(out).replace_extension(route->beside));
    return command;
}

std::string commandLine(const VendorCommand& command) {
    std::string line;
    for (const std::string& word : command.words) line += (line.empty() ? "" : " ") + (isPlain(word) ? word : shellWord(word));
    return line;
}

} // namespace wb::convert
