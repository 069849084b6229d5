// Calls everything that a transport has; each rank prints what it found.
import { gatherNumbers, gatherValues, sumOf } from '#listwise/ranks/gathered.js';
import { launchedBy } from '#listwise/ranks/launcher.js';
import { joinRanks } from '#listwise/ranks/mpi.js';
import { alone } from '#listwise/ranks/transport.js';

const launched = launchedBy(process.env);
const ranks = launched === undefined ? alone : await joinRanks(launched, undefined, undefined, 20); // pieces of a few bytes: no message is too long
const { rank, size } = ranks;
// Kernels have their numbers in shared memory.
const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
const words = new Int32Array(memory.buffer, 64, 1000).fill(rank + 1);
ranks.sum(words);
const long = BigInt64Array.of(2n ** 60n, -BigInt(rank));
ranks.sum(long);
const pieces = Int32Array.from({ length: 2 * size }, (_, i) => i + rank);
ranks.sumPieces(
  pieces,
  Array.from({ length: size }, () => 2),
);
const most = Float64Array.of(rank, -rank, 0.5);
ranks.max(most);
const told = Uint8Array.of(rank + 7, 1);
ranks.broadcast(told);
ranks.barrier();
const used = process.cpuUsage();
if (rank === 0) await new Promise(resolve => setTimeout(resolve, 1000));
await ranks.meet();
const { user, system } = process.cpuUsage(used);
// The last rank is asked to end while all are at work; all of them leave it at the same place, and go on after that.
const asked = new AbortController();
let turns = 0;
const left = await ranks.unlessAsked(asked.signal, async () => {
  while (turns < 5) {
    gatherValues(ranks, turns);
    turns++;
    if (turns === 3 && rank === size - 1 && rank > 0) asked.abort();
  }
  return 'done';
});
const found = {
  rank,
  size,
  sums: [words[0], words[999]],
  long: [...long].map(String),
  piece: [...pieces.subarray(2 * rank, 2 * rank + 2)],
  most: [...most],
  alike: [...ranks.gatherAlike(Float64Array.of(rank, 0.5))],
  // As many numbers as the rank says, none of rank 0.
  gathered: [...gatherNumbers(ranks, new Float64Array(rank).fill(rank))],
  values: gatherValues(ranks, { name: `rank ${rank}` }),
  total: sumOf(ranks, rank),
  told: [...told],
  left: { ...left, turns },
  slept: user + system < 500_000,
  name: ranks.name,
};
process.stdout.write(`${JSON.stringify(found)}\n`);
ranks.close();
