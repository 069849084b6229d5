"""Trains XGBoost with early stopping on validation NDCG@10 and writes the test scores of its best iteration. Run by run.mjs."""
import json
import sys

import xgboost

job = json.loads(sys.argv[1])
data = {part: xgboost.DMatrix(job[part] + "?format=libsvm") for part in ("train", "validate", "test")}
booster = xgboost.train(
    {
        "objective": job["objective"],
        # The dash: queries without a relevant document count 0.
        "eval_metric": "ndcg@10-",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_leaves": job["leaves"],
        "max_depth": 0,
        "eta": 0.1,
        "nthread": 1,
        "seed": job["seed"],
    },
    data["train"],
    500,
    evals=[(data["validate"], "validate")],
    early_stopping_rounds=50,
    verbose_eval=False,
)
scores = booster.predict(data["test"], iteration_range=(0, booster.best_iteration + 1))
with open(job["scores"], "w") as out:
    out.writelines(f"{value!r}\n" for value in scores.tolist())
print(json.dumps({"best": booster.best_iteration + 1, "version": xgboost.__version__}))
