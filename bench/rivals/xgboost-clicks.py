"""Trains XGBoost, unbiased where asked, and writes its scores after every so many trees. Run by bench/clicks.mjs."""
import json
import sys

import numpy
import xgboost

job = json.loads(sys.argv[1])


def read(name):
    return numpy.fromfile(f"{job['folder']}/{name}")


def features(part):
    return numpy.column_stack([read(f"{part}.{f}") for f in range(job["features"])])


rows, label = features("data"), read("label")
if job["positions"]:
    # The position of a document is its place in the query.
    order = numpy.lexsort([read("positions"), numpy.arange(len(label)) // job["documents"]])
    rows, label = rows[order], label[order]
train = xgboost.DMatrix(rows, label=label, group=[job["documents"]] * (len(label) // job["documents"]))
booster = xgboost.train(
    {
        "objective": job["objective"],
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_leaves": 31,
        "max_depth": 0,
        "eta": 0.1,
        "lambdarank_unbiased": job["positions"],
        "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": job["documents"],
        "nthread": job["threads"],
        "seed": 1,
    },
    train,
    job["trees"],
)
for part in ["validate", "test"]:
    rows = xgboost.DMatrix(features(part))
    for trees in range(job["every"], job["trees"] + 1, job["every"]):
        scores = booster.predict(rows, output_margin=True, iteration_range=(0, trees))
        scores.astype(float).tofile(f"{job['folder']}/{part}.scores.{trees}")
