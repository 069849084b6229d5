/** Dates and times as a number: days since 1970-01-01, UTC where no zone is written. */

const DATE =
  /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?(?:\d\d)?)?)?$/i;
const DAY = 86_400;

/** Undefined for text that is no date as ISO 8601 writes it, with `/` for `-` allowed. */
export function daysOf(text: string): number | undefined {
  const found = DATE.exec(text.trim());
  if (found === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = found;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that the month does not have would be one of the next month.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const seconds = 3600 * Number(hour) + 60 * Number(minute) + Number(second) + Number(`0.${fraction || 0}`);
  return date.getTime() / (1000 * DAY) + (seconds - zoneSeconds(zone)) / DAY;
}

function zoneSeconds(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const seconds = 3600 * Number(digits.slice(0, 2)) + 60 * Number(digits.slice(2));
  return zone[0] === '-' ? -seconds : seconds;
}
