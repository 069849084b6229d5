/** Writes the list of rows that the dense kernel asks for: addresses of `count` rows of `width` float32 values. */
export function listRows(buffer: ArrayBuffer, list: number, rows: number, width: number, count: number): void {
  const addresses = new Uint32Array(buffer, list, count);
  for (let i = 0; i < count; i++) addresses[i] = rows + 4 * width * i;
}
