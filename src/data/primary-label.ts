/** The name of the label source that is meant when none is named. */
export const PRIMARY_LABEL = 'label';
