/** The thread of heartbeat.ts. */
import { utimesSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { file, everyMs } = workerData as { file: string; everyMs: number };

setInterval(() => {
  const now = new Date();
  utimesSync(file, now, now);
}, everyMs);
