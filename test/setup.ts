import fc from 'fast-check';

/** Properties try the same values every time. FAST_CHECK_SEED asks for others. */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
