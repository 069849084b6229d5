/** A grown tree, in bins. Nodes are in the order in which they were split; a child c < 0 is leaf ~c. */
export interface GrownTree {
  /** Internal nodes. */
  readonly feature: number[];
  /** Documents with a bin up to this go left. */
  readonly bin: number[];
  readonly missingLeft: boolean[];
  /** Of a category: the bins that go left; null for a number. */
  readonly levels: (readonly number[] | null)[];
  readonly left: number[];
  readonly right: number[];
  readonly gain: number[];
  /** Documents that reach the node, and each leaf. */
  readonly documents: number[];
  readonly leafDocuments: number[];
}

export function emptyTree(documents: number): GrownTree {
  return {
    feature: [],
    bin: [],
    missingLeft: [],
    levels: [],
    left: [],
    right: [],
    gain: [],
    documents: [],
    leafDocuments: [documents],
  };
}
