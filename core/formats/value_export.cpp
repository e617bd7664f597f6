// SPDX-License-Identifier: MIT
#include "core/formats/value_export.h"

#include "core/base/ascii.h"
#include "core/formats/npy/write_npy.h"
#include "core/formats/safetensors/writer.h"
#include "core/formats/value_csv.h"
#include "core/formats/zip/writer.h"
#include "core/io/atomic_writer.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace wb::formats {
namespace {

struct Ending {
    const char* text;
    ValueForm form;
};
constexpr std::array endings = {Ending{".npy", ValueForm::Npy}, Ending{".csv", ValueForm::Csv}, Ending{".npz", ValueForm::Npz},
                                Ending{".safetensors", ValueForm::Safetensors}};

Result<void> refuseModelFile(const Model& model, const std::filesystem::path& target) {
    std::error_code ignored;
    for (const ModelFile& file : model.files)
        if (std::filesystem::equivalent(model.folder / file.name, target, ignored))
            return fail(ErrorCode::Invalid, Reason("export.model_file"), About{io::baseName(target)},
                        WB_TEXT("{} is part of the model itself; export to another file."), io::pathText(target));
    return {};
}

// The readers of all tensors, opened before anything is written, and progress over all of them.
class Job {
public:
    static Result<Job> open(const Model& model, std::span<const std::size_t> tensors, const Progress& progress) {
        Job job(progress);
        for (const std::size_t index : tensors) {
            WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(model, model.tensors[index]));
            job.m_total += reader.byteCount(reader.elements());
            job.m_names.push_back(model.tensors[index].name);
            job.m_readers.push_back(std::move(reader));
        }
        return job;
    }

    std::size_t count() const { return m_readers.size(); }
    const TensorReader& reader(std::size_t i) const { return m_readers[i]; }
    const std::string& name(std::size_t i) const { return m_names[i]; }

    Result<void> writeElements(std::size_t i, Dtype written, const npy::Sink& sink) {
        WB_TRY(npy::writeElements(m_readers[i], written, sink, part()));
        m_done += m_readers[i].byteCount(m_readers[i].elements());
        return {};
    }

    Progress part() const {
        return {m_progress.stop, [this](std::uint64_t done, std::uint64_t) {
                    if (m_progress.report) m_progress.report(std::min(m_done + done, m_total), m_total);
                }};
    }

private:
    explicit Job(const Progress& progress) : m_progress(progress) {}

    const Progress& m_progress;
    std::vector<TensorReader> m_readers;
    std::vector<std::string> m_names;
    std::uint64_t m_total = 0;
    std::uint64_t m_done = 0;
};

Result<void> writeNpy(Job& job, io::AtomicWriter& out) {
    const Dtype written = npy::writtenType(job.reader(0).dtype());
    WB_TRY(out.write(std::string_view(npy::npyHeader(written, job.reader(0).shape()))));
    return job.writeElements(0, written, [&out](std::span<const std::byte> bytes) { return out.write(bytes); });
}

Result<void> writeNpz(Job& job, io::AtomicWriter& out) {
    zip::Writer archive([&out](std::span<const std::byte> bytes) { return out.write(bytes); });
    for (std::size_t i = 0; i < job.count(); ++i) {
        const Dtype written = npy::writtenType(job.reader(i).dtype());
        const std::string header = npy::npyHeader(written, job.reader(i).shape());
        WB_TRY(archive.begin(job.name(i) + ".npy", header.size() + *rowBytes(written, job.reader(i).elements())));
        WB_TRY(archive.write(std::as_bytes(std::span(header))));
        WB_TRY(job.writeElements(i, written, [&archive](std::span<const std::byte> bytes) { return archive.write(bytes); }));
        WB_TRY(archive.end());
    }
    return archive.finish();
}

Result<void> writeSafetensors(Job& job, io::AtomicWriter& out) {
    std::vector<safetensors::WrittenTensor> written;
    for (std::size_t i = 0; i < job.count(); ++i) {
        const Dtype own = job.reader(i).dtype();
        written.push_back({job.name(i), safetensors::canHold(own) ? own : Dtype::F32, job.reader(i).shape()});
    }
    WB_TRY_ASSIGN(const safetensors::Layout layout, safetensors::layOut(written, {}));
    WB_TRY(out.write(std::string_view(layout.header)));
    std::vector<std::size_t> order(job.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { // an empty tensor has the place of the next one
        return std::pair(layout.offsets[i], written[i].shape.elements() != 0);
    });
    for (const std::size_t i : order)
        WB_TRY(job.writeElements(i, written[i].dtype, [&out](std::span<const std::byte> bytes) { return out.write(bytes); }));
    return {};
}

} // namespace

std::optional<ValueForm> valueFormForPath(const std::filesystem::path& target) {
    const std::string ending = io::pathText(target.extension());
    const auto* known = std::ranges::find_if(endings, [&](const Ending& one) { return ascii::same(one.text, ending); });
    return known == endings.end() ? std::nullopt : std::optional(known->form);
}

bool holdsSeveral(ValueForm form) { return form == ValueForm::Npz || form == ValueForm::Safetensors; }

Result<void> exportTensors(const Model& model, std::span<const std::size_t> tensors, const std::filesystem::path& target,
                           const Progress& progress) {
    const auto form = valueFormForPath(target);
    if (!form)
        return fail(ErrorCode::Invalid, Reason("export.ending"), About{io::baseName(target)},
                    WB_TEXT("{} ends in none of .npy, .csv, .npz and .safetensors, which are the forms values are exported in."),
                    io::baseName(target));
    if (tensors.empty())
        return fail(ErrorCode::Invalid, Reason("export.nothing"), About{io::baseName(target)},
                    WB_TEXT("No tensor selected for {}; select one."), io::baseName(target));
    if (tensors.size() > 1 && !holdsSeveral(*form))
        return fail(ErrorCode::Invalid, Reason("export.one_only"), About{io::baseName(target)},
                    WB_TEXT("{} can hold one tensor, and {} are chosen; write them to .npz or .safetensors."), io::baseName(target),
                    tensors.size());
    WB_TRY(refuseModelFile(model, target));
    WB_TRY_ASSIGN(Job job, Job::open(model, tensors, progress));
    WB_TRY_ASSIGN(auto out, io::AtomicWriter::create(target));
    switch (*form) {
    case ValueForm::Npy: WB_TRY(writeNpy(job, out)); break;
    case ValueForm::Csv:
        WB_TRY(writeCsv(job.reader(0), [&out](std::string_view text) { return out.write(text); }, job.part()));
        break;
    case ValueForm::Npz: WB_TRY(writeNpz(job, out)); break;
    case ValueForm::Safetensors: WB_TRY(writeSafetensors(job, out)); break;
    }
    return out.commit();
}

} // namespace wb::formats
