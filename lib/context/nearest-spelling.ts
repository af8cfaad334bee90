/** The word that was probably meant, if one is near enough for a slip of the finger. */
export function nearestSpelling(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const [nearest] = words
    .map((word) => ({ word, edits: editsBetween(wanted, word.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= Math.max(1, Math.floor(typed.length / 3))
    ? nearest.word
    : undefined;
}

/** Letters to put in, take out or change: Levenshtein's distance, a row of his table at a time. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] as number) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
