/** How numbers are written, by the style that a column or an axis names. */
import type { NumberStyle } from './charts.js';

const NONE = '–';

const writers: Readonly<Record<NumberStyle, (value: number) => string>> = {
  general: value => (tooLong(value) ? value.toExponential(2) : grouped(Number(value.toPrecision(4)))),
  value: value => value.toFixed(4),
  difference: value => (value > 0 ? '+' : '') + value.toFixed(4),
  count: value => grouped(value),
  percent: value => `${(100 * value).toFixed(1)} %`,
  p: value => (value < 0.0001 ? '< 0.0001' : value.toFixed(4)),
  seconds: value => (value < 10 ? `${Number(value.toPrecision(2))} s` : `${grouped(Math.round(value))} s`),
};

export function written(value: number | string, style: NumberStyle = 'general'): string {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? minus(writers[style](value)) : NONE;
}

/** For the ticks of an axis, whose values are round: as short as they can be. */
export function tick(value: number, style: NumberStyle = 'general'): string {
  if (style === 'percent') return minus(`${Number((100 * value).toPrecision(6))} %`);
  const text = tooLong(value) ? value.toExponential() : grouped(Number(value.toPrecision(6)));
  return minus(style === 'difference' && value > 0 ? `+${text}` : text);
}

function tooLong(value: number): boolean {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e9 || size < 1e-4);
}

function grouped(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 8 });
}

/** Numbers inside a sentence with the sign that belongs to them, not a hyphen. */
export function withMinusSigns(sentence: string): string {
  return sentence.replaceAll(/(?<=[\s(])-(?=\d)/g, '\u2212');
}

function minus(text: string): string {
  return text.replaceAll('-', '\u2212');
}
