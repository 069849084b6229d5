/** Where every thread of a crew begins: makes the service of its module, says that it is up, and serves. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, Service, ThreadData, ToThread } from './crew.js';
import { toFailure } from './failure.js';
import { serveTasks } from './task-board.js';

const { module, job, board, thread } = workerData as ThreadData;
const tell = (message: FromThread) => parentPort!.postMessage(message);
const ending = new AbortController();

try {
  const { serve } = (await import(module)) as { serve(job: unknown): Service<unknown> | Promise<Service<unknown>> };
  const service = await serve(job);
  parentPort!.on('message', (message: ToThread) => {
    if ('abort' in message) ending.abort();
    else void answer(service, message.id, message.request);
  });
  tell({ ready: true });
  if (board !== undefined) serveTasks(board, service.tasks!, thread);
} catch (error) {
  tell({ failure: toFailure(error) });
}

async function answer(service: Service<unknown, unknown, unknown>, id: number, request: unknown): Promise<void> {
  try {
    const context = { signal: ending.signal, report: (report: unknown) => tell({ id, report }) };
    tell({ id, answer: await service.answer!(request, context) });
  } catch (error) {
    tell({ id, failure: toFailure(error) });
  }
}
