"""Trains LightGBM, with positions where there are some, and writes its scores after every so many trees. Run by bench/clicks.mjs."""
import json
import sys

import lightgbm
import numpy

job = json.loads(sys.argv[1])


def read(name):
    return numpy.fromfile(f"{job['folder']}/{name}")


def features(part):
    return numpy.column_stack([read(f"{part}.{f}") for f in range(job["features"])])


label = read("label")
train = lightgbm.Dataset(
    features("data"),
    label=label.astype(int),
    group=[job["documents"]] * (len(label) // job["documents"]),
    position=read("positions").astype(int) if job["positions"] else None,
)
booster = lightgbm.train(
    {
        "objective": "lambdarank",
        "num_leaves": 31,
        "learning_rate": 0.1,
        "min_data_in_leaf": 50,
        "lambdarank_truncation_level": job["documents"],
        "extra_trees": job.get("extraTrees", False),
        "num_threads": job["threads"],
        "seed": 1,
        "deterministic": True,
        "verbose": -1,
    },
    train,
    job["trees"],
)
for part in ["validate", "test"]:
    rows = features(part)
    for trees in range(job["every"], job["trees"] + 1, job["every"]):
        scores = booster.predict(rows, raw_score=True, num_iteration=trees)
        scores.tofile(f"{job['folder']}/{part}.scores.{trees}")
