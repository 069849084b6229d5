import { inTurns, type Steps, type Turns } from '../steps.js';
import type { TrainContext } from './trainer.js';

/**
 * The result of the steps; undefined where a signal came before the end. Several ranks leave the work together: one
 * that left alone would keep the others waiting.
 */
export async function unlessAborted<T>(
  steps: Steps<T>,
  turns: Turns,
  { ranks, signal, note }: Pick<TrainContext, 'ranks' | 'signal' | 'note'>,
): Promise<T | undefined> {
  if (ranks.size === 1) return turns.unlessAborted(steps, signal);
  await turns.pause();
  const ended = await ranks.unlessAsked(signal, () => inTurns(steps));
  if ('done' in ended) return ended.done;
  note(`${ended.asked.map(rank => `rank ${rank}`).join(', ')} got a signal: all ranks end`);
  return undefined;
}
