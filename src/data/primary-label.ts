/**
 * The name of the label source that is meant when none is named.
 *
 * @example
 * import { PRIMARY_LABEL } from 'listwise/data';
 *
 * const labels = data.label(PRIMARY_LABEL);
 */
export const PRIMARY_LABEL = 'label';
