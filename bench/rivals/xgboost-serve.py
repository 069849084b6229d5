# A server with XGBoost as one would write it in Python: http.server with threads, json, numpy, inplace_predict.
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import xgboost

booster = xgboost.Booster(model_file=os.path.join(sys.argv[1], "xgboost.json"))
booster.set_param({"nthread": 1})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self):
        rows = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["rows"]
        scores = booster.inplace_predict(numpy.array(rows, dtype=numpy.float32))
        order = numpy.argsort(-scores, kind="stable")
        ranked = [{"id": int(i), "score": float(scores[i]), "rank": r + 1} for r, i in enumerate(order)]
        body = json.dumps({"model": "xgboost", "documents": ranked}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
