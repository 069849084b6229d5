import fc from 'fast-check';

/** Ensembles of up to ten features: as many as the definition is worked out for. */
export const shapes = fc.record({
  features: fc.integer({ min: 1, max: 10 }),
  leaves: fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 3 }),
  grid: fc.integer({ min: 2, max: 12 }),
  skew: fc.constantFrom(0, 0.5, 1),
  zeroMissing: fc.constantFrom(0, 0.3),
  categories: fc.constantFrom(undefined, { share: 0.5, levels: 9 }),
});

type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

/** All ten, most of them on one path. */
export const tenFeatures: Shape = {
  features: 10,
  leaves: [24, 24],
  grid: 12,
  skew: 1,
  zeroMissing: 0.3,
  categories: { share: 0.5, levels: 9 },
};
