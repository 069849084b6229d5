/** How numbers are written, by the style that a column or an axis names. */
import type { NumberStyle } from './charts.js';

const NONE = '–';

type Writers = Readonly<Record<NumberStyle, (value: number, digits?: number) => string>>;

const writers: Writers = {
  general: (value, digits = 4) =>
    tooLong(value) ? value.toExponential(2) : grouped(Number(value.toPrecision(digits))),
  significant: (value, digits = 4) =>
    hasMoreDigits(value, digits) ? grouped(Math.round(value)) : value.toPrecision(digits),
  value: (value, digits = 4) => rounded(value, digits),
  difference: (value, digits = 4) => (Number(rounded(value, digits)) > 0 ? '+' : '') + rounded(value, digits),
  count: value => grouped(value),
  percent: (value, digits = 1) => `${rounded(100 * value, digits)} %`,
  p: value => (value < 0.0001 ? '< 0.0001' : value.toFixed(4)),
  seconds: value => (value < 10 ? `${Number(value.toPrecision(2))} s` : `${grouped(Math.round(value))} s`),
};

/** For a terminal, from which people copy: in ASCII, p-values and general numbers as other programs take them. */
const plainWriters: Writers = {
  ...writers,
  general: (value, digits = 4) => String(Number(value.toPrecision(digits))),
  significant: (value, digits = 4) => (hasMoreDigits(value, digits) ? value.toFixed(0) : value.toPrecision(digits)),
  p: value => (value < 1e-4 ? value.toExponential(1) : value.toFixed(4)),
};

/** As a page writes it. */
export function written(value: number | string, style: NumberStyle = 'general', digits?: number): string {
  if (typeof value === 'string') return withWholePercents(value);
  return Number.isFinite(value) ? minus(writers[style](value, digits)) : NONE;
}

/** As a terminal writes it. */
export function plain(value: number | string, style: NumberStyle = 'general', digits?: number): string {
  if (typeof value === 'string') return value;
  return Number.isNaN(value) ? '-' : plainWriters[style](value, digits);
}

/** A number in a sentence: four decimals, as trec_eval prints; a dash where there is none. */
export function fixed(value: number, digits?: number): string {
  return plain(value, 'value', digits);
}

/** A difference in a sentence: with its sign. */
export function signed(value: number, digits?: number): string {
  return plain(value, 'difference', digits);
}

/** A p-value in a sentence: never a bare zero. */
export function pValue(p: number): string {
  return plain(p, 'p');
}

/**
 * For the ticks of an axis, whose values are round: as short as they can be, with as many decimals as the others have.
 */
export function tick(value: number, style: NumberStyle = 'general', all: readonly number[] = [value]): string {
  const unit = style === 'percent' ? 100 : 1;
  const shown = Number((unit * value).toPrecision(6));
  const decimals = Math.max(...all.map(other => decimalsOf(Number((unit * other).toPrecision(6)))));
  const text = all.some(tooLong) ? shown.toExponential() : grouped(shown, shown === 0 ? 0 : decimals);
  return minus((style === 'difference' && value > 0 ? '+' : '') + text + (style === 'percent' ? ' %' : ''));
}

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

function tooLong(value: number): boolean {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e9 || size < 1e-4);
}

/** Before the point: a power of ten would only be harder to read. */
function hasMoreDigits(value: number, digits: number): boolean {
  return !tooLong(value) && Math.abs(value) >= 10 ** digits;
}

function grouped(value: number, decimals = 0): string {
  return value.toLocaleString('en-GB', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(8, decimals),
  });
}

/** What rounds to zero has no sign. */
function rounded(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** Numbers inside a sentence with the sign that belongs to them, not a hyphen. */
export function withMinusSigns(sentence: string): string {
  return withWholePercents(sentence.replaceAll(/(?<=[\s(])-(?=\d)/g, '\u2212'));
}

/** No line ends between a number and its percent sign. */
function withWholePercents(text: string): string {
  return text.replaceAll(/(?<=\d) (?=%)/g, '\u00a0');
}

function minus(text: string): string {
  return text.replaceAll('-', '\u2212');
}
