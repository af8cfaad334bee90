import { expect } from '@jest/globals';
import type { OpenStack } from '../../bin/operator/open-stack.ts';
import { type Run, runLeadctl } from './run-leadctl.ts';

/** Which of the two policies has to be enough for a command. */
export type Access = 'read' | 'full';

/** What commands have printed so far, by name: `<formId>` in a later line stands for it. */
export type Values = Record<string, string>;

/**
 * What a command has to print: the whole text, a pattern of it whose named groups become values, or a part of the JSON,
 * whose texts become values.
 */
type Prints = string | RegExp | object | ((result: never) => void);

interface Options {
  readonly exits?: number;
  /** Standard input, which is a secret wherever a command reads it here. */
  readonly stdin?: string;
}

export type Row = readonly [line: string, access: Access, prints?: Prints, options?: Options];

/** Prepares what the next command needs, where no command does. */
export type Step = (values: Values, stack: OpenStack) => Promise<void>;

/** The words of a command line, in which double quotes surround a word with blanks. */
export function wordsOf(line: string, values: Values): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => fill(quoted ?? word, values));
}

/** Puts values in place of their names. The named groups of a pattern stay. */
export function fill<Text>(text: Text, values: Values): Text {
  if (typeof text === 'string') {
    return text.replace(/(?<![?k])<(\w+)>/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`nothing has printed ${name}`);
      return values[name];
    }) as Text;
  }
  if (text instanceof RegExp) return new RegExp(fill(text.source, values), text.flags) as Text;
  if (Array.isArray(text)) return text.map((each) => fill(each, values)) as Text;
  if (Object.getPrototypeOf(Object(text)) !== Object.prototype) return text;
  return Object.fromEntries(
    Object.entries(Object(text)).map(([key, each]) => [key, fill(each, values)]),
  ) as Text;
}

const CREDENTIAL = /(?:whsec_|ingt_srv_)[\w+/=]{20,}|(?<="temporaryPassword":")[^"]+/g;

/** A run of the commands of a table, one after another. */
export function openTable(outputsFile: string, values: Values) {
  const shown = new Set<string>();

  async function run([line, , , { stdin = '' } = {}]: Row): Promise<Run> {
    const args = ['--outputs', outputsFile, ...wordsOf(line, values)];
    const surroundings = { stdin: fill(stdin, values), forgottenAfterMilliseconds: 0 };
    const done = await runLeadctl(args, surroundings);
    if (line.endsWith('--json') && done.stdout.startsWith('{')) {
      const texts = Object.entries(JSON.parse(done.stdout.split('\n')[0] ?? '{}'));
      for (const [name, value] of texts) if (typeof value === 'string') values[name] = value;
    }
    return done;
  }

  /** A secret is shown once, and never repeated from standard input. */
  function expectNoOldSecret({ stdout, stderr }: Run, stdin: string): void {
    const credentials = `${stdout}${stderr}`.match(CREDENTIAL) ?? [];
    expect(credentials).toEqual([...new Set(credentials)]);
    for (const secret of [...shown, ...(stdin === '' ? [] : [stdin])]) {
      expect(`${stdout}${stderr}`).not.toContain(secret);
    }
    for (const credential of credentials) shown.add(credential);
  }

  return {
    /** Runs it and compares what it prints. */
    async expectRow(row: Row): Promise<void> {
      const [line, , prints = '', { exits = 0, stdin = '' } = {}] = row;
      const done = await run(row);
      expect(done).toMatchObject({ exitCode: exits, stderr: '' });
      expectNoOldSecret(done, fill(stdin, values));
      if (prints instanceof RegExp) {
        const pattern = fill(prints, values);
        expect(done.stdout).toMatch(pattern);
        Object.assign(values, pattern.exec(done.stdout)?.groups);
      } else if (typeof prints === 'function') {
        (prints as (result: unknown) => void)(JSON.parse(done.stdout));
      } else if (typeof prints === 'object') {
        expect(JSON.parse(done.stdout)).toMatchObject(fill(prints, values));
      } else if (prints !== '') {
        expect(done.stdout).toBe(fill(prints, values));
      } else {
        expect(line).toMatch(/ --json$/);
      }
    },
  };
}
