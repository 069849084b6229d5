/** Shapley values from their definition: every subset of features, weighted. */

/** The value of a game for a set of players, as bits. */
export type Game = (known: number) => number;

/** n players. */
export function shapleyValues(game: Game, n: number): number[] {
  const values = Array.from({ length: 1 << n }, (_, known) => game(known));
  return Array.from({ length: n }, (_, f) => {
    let sum = 0;
    for (let known = 0; known < 1 << n; known++) {
      if (known & (1 << f)) continue;
      sum += weight(size(known), n) * (values[known | (1 << f)]! - values[known]!);
    }
    return sum;
  });
}

/** As Lundberg and others 2020: half of what two features add together beyond each alone; the rest on the diagonal. */
export function shapleyInteractions(game: Game, n: number): number[][] {
  const values = Array.from({ length: 1 << n }, (_, known) => game(known));
  const matrix = shapleyValues(game, n).map((value, f) => Array.from({ length: n }, (_, g) => (f === g ? value : 0)));
  for (let f = 0; f < n; f++) {
    for (let g = 0; g < n; g++) {
      if (f === g) continue;
      const [one, other] = [1 << f, 1 << g];
      let sum = 0;
      for (let known = 0; known < 1 << n; known++) {
        if (known & (one | other)) continue;
        const together = values[known | one | other]! - values[known | one]! - values[known | other]! + values[known]!;
        sum += (weight(size(known), n - 1) * together) / 2;
      }
      matrix[f]![g] = sum;
      matrix[f]![f]! -= sum;
    }
  }
  return matrix;
}

/** |S|! (n - |S| - 1)! / n! */
function weight(known: number, n: number): number {
  let weight = 1 / n;
  for (let k = 1; k <= known; k++) weight *= k / (n - k);
  return weight;
}

function size(set: number): number {
  let bits = 0;
  for (let rest = set; rest > 0; rest &= rest - 1) bits++;
  return bits;
}
