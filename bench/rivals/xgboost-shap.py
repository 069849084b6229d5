"""Shapley values of an XGBoost model, for bench/shap.mjs: FOLDER MODEL OUT ORDER WIDTH DOCUMENTS THREADS RUNS."""
import json
import sys
import time

import numpy as np
import xgboost as xgb

folder, model_file, out, order = sys.argv[1:5]
width, documents, threads, runs = map(int, sys.argv[5:9])
rows = np.fromfile(folder + '/rows.bin', dtype=np.float32).reshape(-1, width)[:documents]
model = xgb.Booster({'nthread': threads})
model.load_model(model_file)
model.set_param({'nthread': threads})
asked = {'pred_contribs': True} if order == 'contributions' else {'pred_interactions': True}
times = []
for _ in range(runs):
    data = xgb.DMatrix(rows, nthread=threads)
    start = time.perf_counter()
    values = model.predict(data, validate_features=False, **asked)
    times.append(time.perf_counter() - start)
values.astype(np.float32).tofile(out)
print(json.dumps({'seconds': sorted(times)[runs // 2]}))
