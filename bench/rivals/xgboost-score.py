"""Scores rows with an XGBoost model, for bench/score.mjs: FOLDER MODEL WIDTH THREADS RUNS DOCUMENTS."""
import json
import sys
import time

import numpy as np
import xgboost as xgb

folder, model_file = sys.argv[1], sys.argv[2]
width, threads, runs, documents = map(int, sys.argv[3:7])
rows = np.fromfile(folder + '/rows.bin', dtype=np.float32).reshape(-1, width)


def median(times):
    return sorted(times)[len(times) // 2]


def booster(n):
    model = xgb.Booster({'nthread': n})
    model.load_model(model_file)
    model.set_param({'nthread': n})
    return model


def seconds(model, n):
    times = []
    for _ in range(runs):
        data = xgb.DMatrix(rows, nthread=n)  # a new one: predictions of a known one are remembered
        start = time.perf_counter()
        scores = model.predict(data, validate_features=False)
        times.append(time.perf_counter() - start)
    return median(times), scores


two, scores = seconds(booster(threads), threads)
single = booster(1)
one, _ = seconds(single, 1)
# One query, from an array: the quicker of the two calls there are.
query = np.ascontiguousarray(rows[:documents])
latencies = {'inplace': [], 'matrix': []}
for _ in range(101):
    start = time.perf_counter()
    single.inplace_predict(query, predict_type='margin', validate_features=False)
    latencies['inplace'].append(time.perf_counter() - start)
    start = time.perf_counter()
    single.predict(xgb.DMatrix(query, nthread=1), output_margin=True, validate_features=False)
    latencies['matrix'].append(time.perf_counter() - start)
latency = min(median(times) for times in latencies.values())
print(json.dumps({'seconds': two, 'one': one, 'latency': latency, 'mean': float(scores.mean())}))
