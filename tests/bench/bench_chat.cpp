// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "ui/chat/transcript.h"
#include "ui/widgets/theme.h"

#include <QApplication>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <ctime>

// How long the GUI thread is busy with one look at a growing answer: from the text that arrived to the picture. The window looks 30
// times a second; below 16 ms it stays at 60 Hz. Times are the processor's of that thread: other programs do not count.
namespace {

using namespace wb::ui;
using chat::ShownTurn;
using chat::Transcript;

constexpr std::size_t bytesALook = 24; // 200 tokens a second
constexpr double frameMs = 16;

double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Some 750 bytes a part: paragraphs, lists, a table and code, in two scripts.
std::string answer(int parts = 12) {
    std::string text;
    for (int part = 1; part <= parts; ++part) {
        text +=
            "## Part " + std::to_string(part) +
            "\n\nA paragraph with **bold** words, `code` and [a link](https://example.org/), "
            "as answers have them, and some more words until the line is full. 中文也可以混在一起。\n\n- one\n- two\n  - inner\n\n"
            "| name | bytes |\n|------|------:|\n| blk.0.attn_q.weight | 552960 |\n| blk.0.ffn_down.weight | 884736 |\n\n"
            "```cpp\nfor (std::size_t i = 0; i < count; ++i) {\n    sum += values[i] * weights[i];\n}\nreturn sum;\n```\n\n";
    }
    return text;
}

std::vector<ShownTurn> conversation(int turns) {
    std::vector<ShownTurn> all;
    for (int i = 1; i <= turns; ++i) {
        ShownTurn turn;
        turn.id = i;
        turn.isAnswer = i % 2 == 0;
        turn.text = turn.isAnswer ? answer().substr(0, 1500) : "What about part " + std::to_string(i) + "?";
        all.push_back(std::move(turn));
    }
    return all;
}

// One block that grows: lines of code, rows of a table, points of a list, words of a paragraph.
std::string block(int kind) {
    std::string text = kind == 0 ? "```cpp\n" : kind == 1 ? "| name | bytes | share |\n|---|---:|---:|\n" : "";
    for (int line = 0; text.size() < 20'000; ++line) {
        const std::string number = std::to_string(line);
        if (kind == 0) text += "    sum[" + number + "] += values[i] * weights[i]; // line " + number + "\n";
        else if (kind == 1) text += "| blk." + number + ".attn_q.weight | 552960 | " + number + " % |\n";
        else if (kind == 2) text += "- the point number " + number + " has some **bold** words\n";
        else text += "the sentence number " + number + " of one paragraph has some **bold** words. ";
    }
    return text;
}

void stream(benchmark::State& state, const std::string& whole) {
    std::vector<double> looks;
    for (auto _ : state) {
        Transcript transcript;
        transcript.resize(900, 700);
        transcript.setTurns(conversation(static_cast<int>(state.range(0))));
        transcript.show();
        QCoreApplication::processEvents();
        ShownTurn growing;
        growing.id = state.range(0) + 1;
        growing.isAnswer = growing.isGrowing = true;
        transcript.updateLast(growing);
        for (std::size_t from = 0; from < whole.size();) {
            const std::string piece(wb::utf8Prefix(std::string_view(whole).substr(from), bytesALook));
            from += piece.size();
            const double before = threadMs();
            transcript.growLast(piece);
            QCoreApplication::processEvents(); // lays out and paints
            looks.push_back(threadMs() - before);
        }
    }
    std::ranges::sort(looks);
    const auto at = [&](double share) { return looks[static_cast<std::size_t>(share * static_cast<double>(looks.size() - 1))]; };
    state.counters["p50_ms"] = at(0.5);
    state.counters["p95_ms"] = at(0.95);
    state.counters["p99_ms"] = at(0.99);
    state.counters["max_ms"] = looks.back();
    state.counters["beyond_16_ms"] = static_cast<double>(std::ranges::count_if(looks, [](double ms) { return ms > frameMs; })) /
                                     static_cast<double>(looks.size());
}

// An answer of about 9,000 bytes, behind as many turns as the argument says.
void streamAnswer(benchmark::State& state) { stream(state, answer()); }

// One of 20,000 bytes: all kinds of blocks, or one of a kind.
void streamLong(benchmark::State& state) { stream(state, answer(27)); }
void streamCode(benchmark::State& state) { stream(state, block(0)); }
void streamTable(benchmark::State& state) { stream(state, block(1)); }
void streamList(benchmark::State& state) { stream(state, block(2)); }
void streamParagraph(benchmark::State& state) { stream(state, block(3)); }

} // namespace

BENCHMARK(streamAnswer)->Arg(0)->Arg(200)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(streamLong)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(streamCode)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(streamTable)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(streamList)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(streamParagraph)->Arg(0)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    applyTheme(Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
