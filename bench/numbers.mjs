/** The number of an option, or what it is without it; anything else than a number above 0 ends the run. */
export function numberOf(given, key, fallback) {
  const value = Number(given[key] ?? fallback);
  if (value > 0 && Number.isFinite(value)) return value;
  console.error(`--${key} ${given[key]} must be a number above 0`);
  return process.exit(2);
}
