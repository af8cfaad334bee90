/** Stands in the place of a form's id, in addresses and queries, for what belongs to no form. */
export const NO_FORM = 'none';
