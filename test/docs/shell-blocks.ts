import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { makeProgram } from '../../bin/leadctl/main.ts';

/** A fenced block of shell commands in a document. */
export interface ShellBlock {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  /** What its first line says it needs, which the tests do not have. */
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

/** One per line, with continued lines joined and comments left out. */
function commandsOf(text: string): string[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)# .*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** `npm run …`, `npx --no-install leadctl …` and similar in the middle of a sentence or in a table. */
export function inlineCommands(document: string): string[] {
  const prose = readFileSync(document, 'utf8').replace(/```.*?```/gs, '');
  return [...prose.matchAll(/`((?:npm|npx|node) [^`]+|leadctl [^`]+)`/g)].map(([, command = '']) => command);
}

/** Words of a command line without quotes. Enough for the documents. */
export function words(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''));
}

const program = makeProgram(process, { usage: () => undefined, exitCode: () => undefined });

interface Line {
  /** `['leads', 'export']`. */
  readonly names: readonly string[];
  readonly command: Command;
  readonly options: readonly string[];
}

/** The arguments of leadctl in a line of a document. */
function parse(words: readonly string[]): Line {
  const names: string[] = [];
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*$/, ''));
  let command: Command = program;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined && command.commands.length === 0) break;
    // The value of a global option comes before the command.
    if (next === undefined) {
      if (words[words.indexOf(word) - 1]?.startsWith('--')) continue;
      throw new Error(`leadctl has no ${[...names, word].join(' ')}`);
    }
    names.push(word);
    command = next;
  }
  return { names, command, options };
}

/** Throws unless the command exists, with every option that is given and every option that it requires. */
export function checkLeadctl(words: readonly string[], { whole }: { readonly whole: boolean }): void {
  const { names, command, options } = parse(words);
  const known = [...program.options, ...command.options].map(({ long }) => long);
  const unknown = options.filter((option) => option !== '--help' && !known.includes(option));
  if (unknown.length > 0) throw new Error(`leadctl ${names.join(' ')} has no ${unknown.join(', ')}`);
  if (!whole || options.includes('--help')) return;
  if (command.commands.length > 0) throw new Error(`leadctl ${names.join(' ')} is not a whole command`);
  const missing = command.options.filter(({ mandatory, long }) => mandatory && !options.includes(long ?? ''));
  if (missing.length > 0) throw new Error(`leadctl ${names.join(' ')} wants ${missing[0]?.long}`);
}

/** The tests of leadctl that run the command. Those of the help do not count. */
export function testsOfLeadctl(words: readonly string[]): string[] {
  const { names, options } = parse(words);
  if (options.includes('--help') || names.length === 0) return ['test/leadctl/command-line.test.ts'];
  const quoted = names.map((name) => `'${name}'`).join(', ');
  return globSync('test/leadctl/*.test.ts')
    .filter((file) => !file.endsWith('command-line.test.ts'))
    .filter((file) => readFileSync(file, 'utf8').includes(quoted));
}
