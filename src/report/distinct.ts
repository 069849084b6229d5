/** "a", "a (2)": runs of two folders may have one name, and no two things that are shown may. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map(name => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = 2;
    while (taken.has(`${name} (${number})`)) number++;
    const made = `${name} (${number})`;
    taken.add(made);
    return made;
  });
}
