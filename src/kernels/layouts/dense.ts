/** What the kernel of dense nets and its callers agree on. */
export const activations = ['tanh', 'sigmoid', 'relu'] as const;

/** Weights of a hidden layer lie in tiles of so many units while they last, then of 4. */
export const TILE_UNITS = 12;
