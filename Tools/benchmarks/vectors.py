"""Makes the vectors of `run vectors`, and measures hnswlib with them.

The texts are the names, sections and descriptions of the packages in Debian's package index. The
vectors are their latent semantic analysis: TF-IDF and a truncated SVD with 100 dimensions.

usage: vectors.py make DIRECTORY | vectors.py hnswlib DIRECTORY
"""

import os
import re
import subprocess
import sys
import time

import numpy as np

DIMENSIONS = 100
QUERY_COUNT = 1000
NEIGHBOR_COUNT = 10


def texts():
    dump = subprocess.run(
        ["apt-cache", "dumpavail"], check=True, capture_output=True, text=True, errors="replace"
    ).stdout
    found = {}
    for stanza in dump.split("\n\n"):
        fields = dict(re.findall(r"(?m)^([A-Za-z-]+): (.*)$", stanza))
        if "Package" in fields:
            words = [fields["Package"], fields.get("Section", ""), fields.get("Tag", "")]
            words.append(fields.get("Description", fields.get("Description-en", "")))
            found[fields["Package"]] = " ".join(words)
    return [found[name] for name in sorted(found)]


def make(directory):
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(min_df=3, sublinear_tf=True).fit_transform(texts())
    vectors = TruncatedSVD(DIMENSIONS, random_state=1).fit_transform(words).astype(np.float32)
    vectors = vectors[np.linalg.norm(vectors, axis=1) > 1e-6]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # Equal texts have equal vectors, whose order is arbitrary.
    vectors = np.unique(vectors, axis=0)
    vectors = vectors[np.random.default_rng(1).permutation(len(vectors))]
    queries, base = vectors[:QUERY_COUNT], vectors[QUERY_COUNT:]
    truth = np.argsort(-(queries @ base.T), axis=1)[:, :NEIGHBOR_COUNT].astype(np.int32)
    base.tofile(os.path.join(directory, "base.f32"))
    queries.tofile(os.path.join(directory, "queries.f32"))
    truth.tofile(os.path.join(directory, "truth.i32"))


def memory_mebibytes():
    with open("/proc/self/status") as status:
        return int(re.search(r"RssAnon:\s+(\d+)", status.read()).group(1)) / 1024


def measure(directory):
    import hnswlib

    base = np.fromfile(os.path.join(directory, "base.f32"), np.float32).reshape(-1, DIMENSIONS)
    queries = np.fromfile(os.path.join(directory, "queries.f32"), np.float32)
    queries = queries.reshape(-1, DIMENSIONS)
    truth = np.fromfile(os.path.join(directory, "truth.i32"), np.int32)
    truth = truth.reshape(-1, NEIGHBOR_COUNT)
    before = memory_mebibytes()
    index = hnswlib.Index(space="cosine", dim=DIMENSIONS)
    index.init_index(max_elements=len(base), ef_construction=128, M=16)
    start = time.perf_counter()
    index.add_items(base, num_threads=1)
    seconds = time.perf_counter() - start
    memory = memory_mebibytes() - before
    path = os.path.join(directory, "hnswlib.index")
    index.save_index(path)
    disk = os.path.getsize(path) / 2**20
    for width in (20, 64, 128):
        index.set_ef(width)
        best = 0
        for _ in range(5):
            start = time.perf_counter()
            found = [index.knn_query(query, k=NEIGHBOR_COUNT, num_threads=1)[0][0] for query in queries]
            best = max(best, len(queries) / (time.perf_counter() - start))
        hits = sum(len(set(one) & set(other)) for one, other in zip(found, truth))
        print(
            f"| hnswlib, ef {width} | {hits / truth.size:.3f} | {best:,.0f} | {seconds:.1f} s"
            f" | {memory:.0f} MiB | {disk:.0f} MiB |", flush=True)


if __name__ == "__main__":
    {"make": make, "hnswlib": measure}[sys.argv[1]](sys.argv[2])
