/** What goes on, for whoever waits: on stderr, since stdout is for the table alone. */
export function say(what: string): void {
  console.error(`  ${new Date().toISOString().slice(11, 19)} ${what}`);
}
