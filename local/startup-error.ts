/** Something that the person at the keyboard can mend. Shown as its one line, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
