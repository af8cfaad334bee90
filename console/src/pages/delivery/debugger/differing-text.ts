import type { MarkedSide } from './mark-difference.ts';

const MOST_RUNS = 4;
const MOST_PIECES = 24;

/** What only this side has, in words, for those who do not see the marks. */
export function onlyHere({ runs }: MarkedSide): string {
  const marked = runs.filter(({ differs }) => differs);
  if (marked.length === 0) return 'nothing';
  const texts = marked.slice(0, MOST_RUNS).map(({ pieces }) => {
    const shown = pieces.slice(0, MOST_PIECES).map(({ text, unseen }) => (unseen ? `[${text}]` : text));
    const text = shown.join('').replace(/^ +$/, (spaces) => (spaces.length === 1 ? 'a space' : 'spaces'));
    return /^(?:a space|spaces)$/.test(text) ? text : `“${text}${pieces.length > MOST_PIECES ? '…' : ''}”`;
  });
  const counted = [...Map.groupBy(texts, (text) => text)].map(([text, all]) =>
    all.length > 1 ? `${text} (${all.length} times)` : text,
  );
  return counted.join(', ') + (marked.length > MOST_RUNS ? ' and more' : '');
}
