"""Scores rows with LightGBM's library through its C interface, for bench/score.mjs: LIBRARY FOLDER MODEL WIDTH THREADS RUNS DOCUMENTS."""
import ctypes
import json
import sys
import time

import numpy as np

library, folder, model_file = sys.argv[1:4]
width, threads, runs, documents = map(int, sys.argv[4:8])
rows = np.fromfile(folder + '/rows.bin', dtype=np.float32).reshape(-1, width)
lib = ctypes.cdll.LoadLibrary(library)
FLOAT32, ROW_MAJOR, RAW_SCORE, ALL_TREES = 0, 1, 1, -1


def check(code):
    if code != 0:
        lib.LGBM_GetLastError.restype = ctypes.c_char_p
        raise RuntimeError(lib.LGBM_GetLastError())


handle = ctypes.c_void_p()
iterations = ctypes.c_int()
check(lib.LGBM_BoosterCreateFromModelfile(model_file.encode(), ctypes.byref(iterations), ctypes.byref(handle)))


def predict(data, out, n):
    length = ctypes.c_int64()
    check(
        lib.LGBM_BoosterPredictForMat(
            handle,
            data.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_int(FLOAT32),
            ctypes.c_int32(len(data)),
            ctypes.c_int32(width),
            ctypes.c_int(ROW_MAJOR),
            ctypes.c_int(RAW_SCORE),
            ctypes.c_int(0),
            ctypes.c_int(ALL_TREES),
            f'num_threads={n}'.encode(),
            ctypes.byref(length),
            out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
        )
    )


def seconds(data, out, n, times):
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        predict(data, out, n)
        taken.append(time.perf_counter() - start)
    return sorted(taken)[times // 2]


scores = np.zeros(len(rows))
two = seconds(rows, scores, threads, runs)
one = seconds(rows, scores, 1, runs)
query = np.ascontiguousarray(rows[:documents])
latency = seconds(query, np.zeros(documents), 1, 101)
print(json.dumps({'seconds': two, 'one': one, 'latency': latency, 'mean': float(scores.mean())}))
