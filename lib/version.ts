/** Of the stack, its console and the packages. Set at each release: docs/releasing.md. */
export const VERSION = '0.1.0';
