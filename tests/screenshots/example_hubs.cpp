// SPDX-License-Identifier: MIT
#include "tests/screenshots/example_hubs.h"

#include "tests/screenshots/example_models.h"

#include <QByteArray>

namespace wb::screenshots {
namespace {

using test::ServedFile;
using test::ServedRepository;

constexpr auto card = R"(---
license: apache-2.0
base_model: orchard/Maple-8B-Instruct
---
# Maple 8B Instruct, GGUF

Files of **Maple 8B Instruct** for `llama.cpp` and everything that reads GGUF, made with an importance matrix.

![Which file to take](https://example.org/chart.png)

| File | Bits a weight | For |
|:--|--:|:--|
| Q3_K_M | 3.4 | little memory |
| Q4_K_M | 4.5 | most people |
| Q8_0 | 8.5 | comparing |

## How to ask it

1. Open it in Chat, or run `wb chat Maple-8B-Instruct-Q4_K_M.gguf`.
2. Its template knows *system*, *user* and *assistant*.

```python
messages = [{"role": "user", "content": "What does a maple weigh?"}]
```

More on [the page of the original](https://example.org/maple). 中文说明见 ModelScope。
)";

ServedFile ggufFile(const ExampleModel& model, const ExampleQuant& quant) {
    ExampleFile file = exampleFile(model, quant);
    return test::modelFile(std::string(model.name) + "-" + quant.name + ".gguf", file.bytes, std::move(file.header));
}

ServedRepository mapleGguf() {
    ServedRepository repository{.id = ExampleHubs::model, .downloads = 184'203, .tags = {"gguf", "license:apache-2.0", "en", "zh"}};
    repository.parameters = exampleParameters(maple8b);
    repository.files = {test::textFile("README.md", card)};
    for (const ExampleQuant* quant : {&quantOf3, &quantOf4, &quantOf5, &quantOf6, &quantOf8})
        repository.files.push_back(ggufFile(maple8b, *quant));
    for (const char* part : {"BF16/Maple-8B-Instruct-BF16-00001-of-00002.gguf", "BF16/Maple-8B-Instruct-BF16-00002-of-00002.gguf"})
        repository.files.push_back(test::modelFile(part, 8'030'000'000, part));
    repository.files.push_back(test::formulaFile(ExampleHubs::wholeFile, 1'200'000, 8));
    return repository;
}

ServedRepository shards(const char* id, std::uint64_t downloads, std::uint64_t parameters, int parts) {
    ServedRepository repository{.id = id, .downloads = downloads, .parameters = parameters};
    repository.tags = {"safetensors", "license:apache-2.0", "transformers"};
    repository.files = {test::textFile("config.json", R"({"model_type":"llama","architectures":["LlamaForCausalLM"]})")};
    for (int part = 1; part <= parts; ++part) {
        const std::string name = "model-0000" + std::to_string(part) + "-of-0000" + std::to_string(parts) + ".safetensors";
        repository.files.push_back(test::modelFile(name, parameters * 2 / static_cast<unsigned>(parts), name + id));
    }
    return repository;
}

ServedRepository gguf(const char* id, const ExampleModel& model, std::uint64_t downloads) {
    ServedRepository repository{.id = id, .downloads = downloads, .parameters = exampleParameters(model), .tags = {"gguf"}};
    for (const ExampleQuant* quant : {&quantOf4, &quantOf8}) repository.files.push_back(ggufFile(model, *quant));
    return repository;
}

void setEndpoints(const std::string& huggingFace, const std::string& modelScope) {
    qputenv("HF_ENDPOINT", QByteArray::fromStdString(huggingFace));
    qputenv("MODELSCOPE_ENDPOINT", QByteArray::fromStdString(modelScope));
}

} // namespace

ExampleHubs::ExampleHubs() {
    m_servers.add(mapleGguf());
    m_servers.add(shards("orchard/Maple-8B-Instruct", 96'417, exampleParameters(maple8b), 4));
    m_servers.add(shards(busy, 31'006, 70'553'706'496, 9));
    ServedRepository birch = gguf(gated, birch160m, 12'870);
    birch.gated = "auto";
    birch.tags.emplace_back("license:other");
    m_servers.add(birch);
    m_servers.add(gguf(small, sprig, 2044));
    ServedRepository copy = mapleGguf();
    copy.downloads = 20'311;
    m_servers.addToModelScope(copy);
    ServedRepository chinese = gguf("果园/枫叶-8B-对话-GGUF", maple8b, 55'120);
    chinese.chineseName = "枫叶 8B 对话模型";
    m_servers.addToModelScope(chinese);
    for (const char* variable : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "MODELSCOPE_API_TOKEN", "HF_HUB_OFFLINE"})
        qunsetenv(variable);
    answer();
}

void ExampleHubs::answer() {
    m_servers.clearFaults();
    setEndpoints(m_servers.url("HUB"), m_servers.url("MS"));
}

void ExampleHubs::refuse() { setEndpoints("http://127.0.0.1:9", "http://127.0.0.1:9"); }

void ExampleHubs::slowDown() {
    m_servers.fault({.listener = "HUB",
                     .part = busy,
                     .skip = 0,
                     .times = 1000,
                     .onlyRanged = false,
                     .change = [](const test::HttpRequest&, test::HttpResponse& response) {
                         response = {429, {{"RateLimit", "\"api\";r=0;t=300"}}, {}};
                     }});
}

void ExampleHubs::answerHtml() {
    for (const char* listener : {"HUB", "MS"})
        m_servers.fault({.listener = listener,
                         .part = "",
                         .skip = 0,
                         .times = 1000,
                         .onlyRanged = false,
                         .change = [](const test::HttpRequest&, test::HttpResponse& response) {
                             response = {200, {{"Content-Type", "text/html"}}, "<html><body>Log in to this network</body></html>"};
                         }});
}

} // namespace wb::screenshots
