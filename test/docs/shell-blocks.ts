import { globSync, readFileSync } from 'node:fs';

/** A fenced block of shell commands in a document. */
export interface ShellBlock {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  /** What its first line says that it needs: nothing here has it. */
  readonly needs: string | undefined;
  readonly commands: readonly string[];
}

export const DOCUMENTS = [...globSync('*.md'), ...globSync('docs/**/*.md')].sort();

/** Marks a block as one that no test runs, and tells readers why. */
const NEEDS = /^# needs (AWS|the npm registry|GitHub)\b/;

const FENCE = /^```(?:sh|bash|shell|console)\n(.*?)^```$/gms;

export function shellBlocks(document: string): ShellBlock[] {
  const source = readFileSync(document, 'utf8');
  return [...source.matchAll(FENCE)].map((match) => {
    const text = match[1] ?? '';
    return {
      document,
      line: source.slice(0, match.index).split('\n').length,
      text,
      needs: NEEDS.exec(text)?.[1],
      commands: commandsOf(text),
    };
  });
}

/** One a line, with lines that go on put together, and comments left out. */
function commandsOf(text: string): string[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)# .*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** `npm run …`, `npx --no-install leadctl …` and their like in the middle of a sentence or in a table. */
export function inlineCommands(document: string): string[] {
  const prose = readFileSync(document, 'utf8').replace(/```.*?```/gs, '');
  return [...prose.matchAll(/`((?:npm|npx|node) [^`]+|leadctl [^`]+)`/g)].map(([, command = '']) => command);
}

/** Words of a command line, quotes taken off. Enough for what stands in documents. */
export function words(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''));
}
