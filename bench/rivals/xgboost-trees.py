"""Trains and scores with XGBoost, and prints its results as JSON. Run by bench/trees.mjs."""
import json
import resource
import sys
import time

import xgboost

job = json.loads(sys.argv[1])
start = time.perf_counter()
train = xgboost.DMatrix(job["train"] + "?format=libsvm")
load = time.perf_counter() - start
early = {}
if job["patience"] > 0:
    validate = xgboost.DMatrix(job["validate"] + "?format=libsvm")
    early = {"evals": [(validate, "validate")], "early_stopping_rounds": job["patience"], "verbose_eval": False}
start = time.perf_counter()
booster = xgboost.train(
    {
        "objective": job["objective"],
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_leaves": job["leaves"],
        "max_depth": 0,
        "max_bin": job["bins"],
        "eta": job["rate"],
        "nthread": job["threads"],
        "eval_metric": "ndcg@10",
    },
    train,
    job["trees"],
    **early,
)
trained = time.perf_counter() - start
iterations = booster.num_boosted_rounds()
peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
test = xgboost.DMatrix(job["test"] + "?format=libsvm")
start = time.perf_counter()
scores = booster.predict(test)
score = time.perf_counter() - start
with open(job["scores"], "w") as out:
    out.writelines(f"{value!r}\n" for value in scores.tolist())
# Binning happens inside the first iteration: it cannot be measured apart.
print(json.dumps({"load": load, "bin": 0, "train": trained, "iterations": iterations, "score": score, "peakBytes": peak}))
