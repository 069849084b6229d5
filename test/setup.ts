import fc from 'fast-check';
import { afterAll } from 'vitest';
import { removeTemporaryDirectories } from './temporary.js';

/** Properties try the same values every time. FAST_CHECK_SEED asks for others. */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });

// Of hooks of the same kind the first to be named runs last: what tests of the file still hold is closed by then.
afterAll(removeTemporaryDirectories);
