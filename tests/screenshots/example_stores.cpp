// SPDX-License-Identifier: MIT
#include "tests/screenshots/example_stores.h"

#include "tests/screenshots/example_models.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace wb::screenshots {
namespace {

QByteArray textHash(const QByteArray& text) { return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex(); }

class Writer {
public:
    explicit Writer(const QString& home) : m_home(home) {}

    void text(const QString& path, const QByteArray& content) const {
        QFile file(open(path));
        if (file.open(QIODevice::WriteOnly)) file.write(content);
    }

    void model(const QString& path, const ExampleModel& model, const ExampleQuant& quant) const {
        const ExampleFile content = exampleFile(model, quant);
        QFile file(open(path));
        if (!file.open(QIODevice::WriteOnly)) return;
        file.write(QByteArray::fromStdString(content.header));
        file.resize(static_cast<qint64>(content.bytes));
    }

    void link(const QString& target, const QString& path) const { QFile::link(target, open(path)); }

    // What huggingface_hub notes of a file that it fetched into a folder.
    void record(const QString& folder, const QString& file, const QByteArray& sha256) const {
        text(folder + QStringLiteral("/.cache/huggingface/download/") + file + QStringLiteral(".metadata"),
             QByteArray(40, 'c') + '\n' + sha256 + "\n9999999999.0\n");
    }

private:
    QString open(const QString& path) const {
        const QString whole = QDir(m_home).filePath(path);
        QDir().mkpath(QFileInfo(whole).path());
        return whole;
    }

    QString m_home;
};

const char* const folders[] = {".cache/huggingface", ".cache/modelscope",       ".ollama", ".lmstudio", ".config/Jan",
                               ".cache/llama.cpp",   ".local/share/weighbridge"};

void fillOurs(const Writer& writer, const QString& home) {
    const QString folder = QStringLiteral(".local/share/weighbridge/models/meadow/Sprig-8M-GGUF");
    for (const ExampleQuant* quant : {&quantOf8, &quantOf4}) {
        const QString name = QStringLiteral("Sprig-8M-%1.gguf").arg(QLatin1String(quant->name));
        writer.model(folder + u'/' + name, sprig, *quant);
        QFile file(QDir(home).filePath(folder + u'/' + name));
        if (file.open(QIODevice::ReadOnly)) // the second is not what was fetched
            writer.record(folder, name, textHash(quant == &quantOf8 ? file.readAll() : QByteArray("another")));
    }
}

void fillHuggingFace(const Writer& writer, const QByteArray& hash) {
    const QString repository = QStringLiteral(".cache/huggingface/hub/models--orchard--Maple-8B-Instruct-GGUF/");
    const QString commit(40, u'c');
    writer.model(repository + QStringLiteral("blobs/") + QLatin1String(hash), maple8b, quantOf4);
    writer.text(repository + QStringLiteral("refs/main"), commit.toUtf8());
    writer.link(QStringLiteral("../../blobs/") + QLatin1String(hash),
                repository + QStringLiteral("snapshots/%1/Maple-8B-Instruct-Q4_K_M.gguf").arg(commit));
}

void fillOllama(const Writer& writer, const QByteArray& hash) {
    writer.model(QStringLiteral(".ollama/models/blobs/sha256-") + QLatin1String(hash), maple8b, quantOf4);
    const QByteArray config = "{}";
    writer.text(QStringLiteral(".ollama/models/blobs/sha256-") + QLatin1String(textHash(config)), config);
    writer.text(QStringLiteral(".ollama/models/manifests/registry.ollama.ai/library/maple/8b"),
                R"({"schemaVersion":2,"config":{"digest":"sha256:)" + textHash(config) +
                    R"(","size":2},"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:)" + hash +
                    R"(","size":9}]})");
}

} // namespace

void fillStores(const QString& home) {
    const Writer writer(home);
    const QByteArray hash = textHash("Maple-8B-Instruct-Q4_K_M");
    fillOurs(writer, home);
    fillHuggingFace(writer, hash);
    fillOllama(writer, hash);
    writer.model(QStringLiteral(".cache/modelscope/models/果园--枫叶-8B-对话-GGUF/snapshots/master/枫叶-8B-对话-Q5_K_M.gguf"),
                 maple8b, quantOf5);
    writer.model(QStringLiteral(".lmstudio/models/lantern/Birch-3B-Coder-GGUF/Birch-3B-Coder-Q6_K.gguf"), birch3b, quantOf6);
    writer.model(QStringLiteral(".config/Jan/data/llamacpp/models/birch-3b/model.gguf"), birch3b, quantOf4);
    writer.model(QStringLiteral(".cache/llama.cpp/maple-8b-instruct-q3_k_m.gguf"), maple8b, quantOf3);
}

void emptyStores(const QString& home) {
    for (const char* folder : folders) QDir(QDir(home).filePath(QLatin1String(folder))).removeRecursively();
}

} // namespace wb::screenshots
