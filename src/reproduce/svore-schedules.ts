/**
 * The methods that Table 2 and Figure 7 of Svore, Volkovs, Burges 2011 share: λ(L) alone, and λ(L) that gives way to
 * λ(S).
 */
import { z } from 'zod';
import { baseline, type Method, stepConfig, svoreConfig } from './svore.js';

export const schedulesConfig = svoreConfig.extend({
  gradient: stepConfig,
  /** Weights of λ(S) before the first tree, and η of either schedule, all to choose from. */
  from: z.array(z.number()),
  exponential: z.array(z.number()),
  linear: z.array(z.number()),
});
export type SchedulesConfig = z.output<typeof schedulesConfig>;

/** From λ(L) to λ(S) of a measure. */
export function scheduled(
  settings: SchedulesConfig,
  name: string,
  measure: string,
  schedule: 'exponential' | 'linear',
): Method {
  return {
    ...settings.gradient,
    name,
    objectives: settings.from.flatMap(w =>
      settings[schedule].map(
        eta => `normalise(schedule(lambdarank(ndcg),sigmoid(${measure}),from=${w},${schedule}=${eta}))`,
      ),
    ),
  };
}

/** By the names that the paper has for them. */
export const names = {
  newton: 'Baseline (Newton)',
  gradient: 'Baseline (Gradient Descent)',
  exponential: 'λ(L) + λ(S), Exponential',
  linear: 'λ(L) + λ(S), Linear',
} as const;

export function scheduleMethods(settings: SchedulesConfig): Record<keyof typeof names, Method> {
  return {
    newton: baseline(settings),
    gradient: { ...settings.gradient, name: names.gradient, objectives: ['normalise(lambdarank(ndcg))'] },
    exponential: scheduled(settings, names.exponential, 'ndcg', 'exponential'),
    linear: scheduled(settings, names.linear, 'ndcg', 'linear'),
  };
}
