/** Work that takes long waits until what is quick stands on the screen; then one after the other, keys between them. */
const waiting: (() => void)[] = [];

export function afterPaint(work: () => void): void {
  if (waiting.push(work) === 1) requestAnimationFrame(() => setTimeout(next));
}

function next(): void {
  try {
    waiting[0]?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) setTimeout(next);
  }
}
