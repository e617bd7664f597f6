// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/library/listing.h"

#include <map>

// One reader for each way of keeping models. Each lists names, sizes and recorded hashes and opens no model. Everything in a store
// is hostile: names are checked before they become paths, no link is followed out of it. Only a stop is an error.
namespace wb::library {

struct Found {
    std::vector<Entry> entries;
    std::vector<Problem> problems;
};

// Any folder with models somewhere in it: our own, LM Studio's, Jan's, llama.cpp's, one of the user. What huggingface_hub records
// next to a folder it filled (.cache/huggingface/download) gives hashes and the commit.
Result<Found> readFolder(const Store& store, unsigned threads, const Progress& progress);

// models--owner--name with blobs, refs and snapshots (huggingface/huggingface_hub: file_download.py, docs local-cache).
Result<Found> readHuggingFaceCache(const Store& store, const Progress& progress);

// models/owner--name/snapshots, and the older hub/models/owner/name (modelscope/modelscope: hub/snapshot_download.py).
Result<Found> readModelScopeCache(const Store& store, const Progress& progress);

// manifests/host/namespace/model/tag and blobs/sha256-… (ollama/ollama: manifest/manifest.go).
Result<Found> readOllama(const Store& store, const Progress& progress);

// Every manifest of an Ollama store with the blobs that it names. Fails with `library.manifest` where one cannot be read: it may
// name any blob.
Result<std::map<std::filesystem::path, std::vector<std::filesystem::path>>> blobsOfManifests(const std::filesystem::path& store);

} // namespace wb::library
