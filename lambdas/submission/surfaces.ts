/** The two ways in: `1a` for backends with a Bearer token, `1b` for providers who sign each request. */
export const SURFACES = ['1a', '1b'] as const;

export type Surface = (typeof SURFACES)[number];
