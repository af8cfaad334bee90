/** Something in context that is not allowed. Its message is meant for the person who typed it. */
export class ContextError extends Error {
  override readonly name = 'ContextError';
}
