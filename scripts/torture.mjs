/** `npm run torture`: see test/torture/main.ts, which is TypeScript. In this process, so that it ends with it. */
import './run-typescript.mjs';

await import('../test/torture/main.ts');
