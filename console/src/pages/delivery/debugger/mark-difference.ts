import type { SignedDifference } from '#debugger/difference.ts';

/** A visible character, or the name of an invisible one. */
interface VisiblePiece {
  readonly text: string;
  /** The text names an invisible character. */
  readonly unseen: boolean;
}

const NAMES: Readonly<Record<string, string>> = { '\n': 'LF', '\r': 'CR', '\t': 'TAB', '\ufeff': 'BOM' };
const ESCAPE = /\\(?:x([0-9a-f]{2})|(.))|[^\\]/gs;
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, '\\': 92 };

/** Decodes an excerpt of the settings API, such as `\xc3\xab\n`, into characters. */
export function visiblePieces(printed: string): VisiblePiece[] {
  return charactersOf(bytesOf(printed)).map(pieceOf);
}

export function bytesOf(printed: string): Uint8Array {
  return Uint8Array.from(printed.matchAll(ESCAPE), ([whole, hex, name]) => {
    if (hex !== undefined) return Number.parseInt(hex, 16);
    return (name === undefined ? undefined : CONTROLS[name]) ?? whole.charCodeAt(0);
  });
}

/** A byte that is part of no character is returned as a number. */
function charactersOf(bytes: Uint8Array): (string | number)[] {
  const characters: (string | number)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const character = decode(bytes.subarray(at, at + length));
    characters.push(character ?? first);
    at += character === undefined ? 1 : length;
  }
  return characters;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function pieceOf(character: string | number): VisiblePiece {
  if (typeof character === 'number') return { text: hexOf(character, 2), unseen: true };
  const name = NAMES[character];
  if (name !== undefined) return { text: name, unseen: true };
  if (character === ' ' || !/^[\p{C}\p{Z}\p{M}]$/u.test(character)) return { text: character, unseen: false };
  return { text: `U+${hexOf(character.codePointAt(0) ?? 0, 4)}`, unseen: true };
}

const hexOf = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');

export function formatBytes(bytes: number): string {
  return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
}

export interface MarkedRun {
  readonly differs: boolean;
  readonly pieces: readonly VisiblePiece[];
}

export interface MarkedSide {
  readonly runs: readonly MarkedRun[];
  /** The excerpt is cut at this end. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** With less in common, marking single equal letters would confuse. */
const MIN_IN_COMMON = 0.5;

/** Marks the parts that differ in both excerpts. */
export function markDifference(
  { fromByte, expected, signed, signedByteLength }: SignedDifference,
  expectedByteLength: number,
): { readonly expected: MarkedSide; readonly signed: MarkedSide } {
  const left = visiblePieces(expected);
  const right = visiblePieces(signed);
  const common = commonPieces(left, right);
  const alikeAtFirst = commonStart(left, right).left.size;
  const side = (
    printed: string,
    pieces: readonly VisiblePiece[],
    kept: ReadonlySet<number>,
    whole: number,
  ) => {
    const cutAfter = fromByte + bytesOf(printed).length < whole;
    const runs = runsOf(pieces, kept);
    return { runs: cutAfter ? withoutTail(runs, alikeAtFirst) : runs, cutBefore: fromByte > 0, cutAfter };
  };
  return {
    expected: side(expected, left, common.left, expectedByteLength),
    signed: side(signed, right, common.right, signedByteLength),
  };
}

interface Common {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

/** The longest common subsequence. Excerpts are short, so the full table is small. */
function commonPieces(left: readonly VisiblePiece[], right: readonly VisiblePiece[]): Common {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      (lengths[row] as Uint16Array)[column] = alike(left[row], right[column])
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  if (at(0, 0) < MIN_IN_COMMON * Math.min(left.length, right.length)) return commonStart(left, right);
  const common = { left: new Set<number>(), right: new Set<number>() };
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (alike(left[row], right[column])) {
      common.left.add(row++);
      common.right.add(column++);
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

function commonStart(left: readonly VisiblePiece[], right: readonly VisiblePiece[]): Common {
  const first = left.findIndex((piece, at) => !alike(piece, right[at]));
  const same = new Set(Array.from({ length: first < 0 ? left.length : first }, (_, at) => at));
  return { left: same, right: same };
}

function alike(one: VisiblePiece | undefined, other: VisiblePiece | undefined): boolean {
  return one?.text === other?.text && one?.unseen === other?.unseen;
}

function runsOf(pieces: readonly VisiblePiece[], common: ReadonlySet<number>): MarkedRun[] {
  const runs: { differs: boolean; pieces: VisiblePiece[] }[] = [];
  for (const [at, piece] of pieces.entries()) {
    const differs = !common.has(at);
    const last = runs.at(-1);
    if (last?.differs === differs) last.pieces.push(piece);
    else runs.push({ differs, pieces: [piece] });
  }
  return runs;
}

/** The end of a cut excerpt may differ only because the other one was cut earlier. */
function withoutTail(runs: readonly MarkedRun[], alikeAtFirst: number): readonly MarkedRun[] {
  const before = runs.slice(0, -1);
  const piecesBefore = before.reduce((sum, { pieces }) => sum + pieces.length, 0);
  return runs.at(-1)?.differs && piecesBefore > alikeAtFirst ? before : runs;
}

const MAX_RUNS = 4;
const MAX_PIECES = 24;

/** The marked parts in words, for screen readers. */
export function describeDifferences({ runs }: MarkedSide): string {
  const marked = runs.filter(({ differs }) => differs);
  if (marked.length === 0) return 'nothing';
  const texts = marked.slice(0, MAX_RUNS).map(({ pieces }) => {
    const shown = pieces.slice(0, MAX_PIECES).map(({ text, unseen }) => (unseen ? `[${text}]` : text));
    const text = shown.join('').replace(/^ +$/, (spaces) => (spaces.length === 1 ? 'a space' : 'spaces'));
    return /^(?:a space|spaces)$/.test(text) ? text : `“${text}${pieces.length > MAX_PIECES ? '…' : ''}”`;
  });
  const counted = [...Map.groupBy(texts, (text) => text)].map(([text, all]) =>
    all.length > 1 ? `${text} (${all.length} times)` : text,
  );
  return counted.join(', ') + (marked.length > MAX_RUNS ? ' and more' : '');
}
