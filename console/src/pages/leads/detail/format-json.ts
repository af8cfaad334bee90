const INDENT = '  ';
/** Bodies may nest as deep as they are long: indented all the way, 128 KB would become gigabytes. */
const DEEPEST_LINES = 40;

/**
 * The same JSON with a line for each value, down to some depth. Works on the text: parsed and written anew, numbers
 * would lose digits and repeated keys would be gone.
 */
export function formatJson(text: string): string {
  const tokens = text.match(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  const parts: string[] = [];
  let depth = 0;
  const newLine = () => depth <= DEEPEST_LINES && parts.push('\n', INDENT.repeat(depth));
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token === '}' || token === ']') {
      depth -= 1;
      if (before !== '{' && before !== '[') newLine();
    } else if (before === '{' || before === '[' || before === ',') {
      newLine();
    }
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
  }
  return parts.join('');
}
