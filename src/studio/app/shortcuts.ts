/** Keys of the view that is shown; whoever types in a field is left alone. */
let known: Readonly<Record<string, () => unknown>> = {};

export function shortcuts(keys: Readonly<Record<string, () => unknown>>): void {
  known = keys;
}

document.addEventListener('keydown', event => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || (target as Element).closest('input, select, textarea, dialog')) return;
  if (key === '/') {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
  } else if (Object.hasOwn(known, key)) known[key]!();
});
