/** The end of a command's help. */
export function examples(...commands: readonly string[]): string {
  const lines = commands.map((command) => `  $ npx leadctl --outputs outputs.json ${command}`);
  return `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`;
}
