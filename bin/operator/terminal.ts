import type { Readable } from 'node:stream';
import { Failure } from './failure.ts';

/** What the program reads and writes; `process` is one. No other code here uses the streams or variables of the process. */
export interface Terminal {
  readonly stdin: Input;
  /** For the result only. */
  readonly stdout: Output;
  /** For questions, progress and failures. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long an offboarding waits until no function knows the workspace. Shorter only where nobody sends to it. */
  readonly forgottenAfterMilliseconds?: number | undefined;
}

export type Input = Readable & { readonly isTTY?: boolean };

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Names come from users and imports. Escape sequences in them must not control the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{fffd}');
}

/** Quoted so that the operator can paste it into a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command as the operator can paste it. Values are quoted, as one word or as one word per element. */
export type PrintedCommand = (
  texts: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
) => string;

export const printedCommand: PrintedCommand = (texts, ...values) =>
  String.raw({ raw: texts }, ...values.map((value) => [value].flat().map(shellWord).join(' '))).trimEnd();

/** As in shells: 128 plus the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

export interface Interruption {
  /** Listens from the first call on. Before it, Ctrl-C ends the program, which suits short commands and questions. */
  readonly signal: () => AbortSignal;
  /** The failure to report instead of the errors that aborting caused. */
  readonly failure: () => Failure | undefined;
  /** Standard output can no longer be written to, as after `leadctl … | head`. */
  readonly readerIsGone: () => boolean;
  readonly close: () => void;
}

/** Turns Ctrl-C and a closed output into a signal, so that work can stop between two steps and report where. */
export function makeInterruption(stdout: Output): Interruption {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let listening = false;
  let gone = false;
  const readerGoes = () => {
    gone = true;
    abort();
  };
  return {
    signal() {
      if (!listening) {
        listening = true;
        // Once: the second Ctrl-C ends the program at once.
        for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
        stdout.once('error', readerGoes);
      }
      return controller.signal;
    },
    failure() {
      if (!controller.signal.aborted) return undefined;
      return new Failure('interrupted', 'Interrupted. Run the command again.', INTERRUPTED_STATUS);
    },
    readerIsGone: () => gone,
    close() {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
      stdout.off('error', readerGoes);
    },
  };
}

export function interrupted(message: string): Failure {
  return new Failure('interrupted', message, INTERRUPTED_STATUS);
}

const BAR_WIDTH = 30;
/** Redrawing more often is not visible, and slows the work on slow terminals. */
const REDRAW_MS = 100;

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** @param total undefined if it is unknown. */
  readonly show: (done: number, total: number | undefined, note: string) => void;
  readonly clear: () => void;
}

/** On stderr, and only on a terminal: in a log it would be noise, and stdout is for the result. */
export function makeProgressBar(screen: Screen, now: () => number = Date.now): ProgressBar {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    show(done, total, note) {
      const last = done === total;
      if (!screen.isTTY || (!last && now() - drawnAt < REDRAW_MS)) return;
      drawnAt = now();
      drawn = true;
      screen.write(`\r\u001b[K${total === undefined ? '' : `${barOf(done, total)} `}${note}`);
    },
    clear() {
      if (drawn) screen.write('\r\u001b[K');
      drawn = false;
    },
  };
}

export function barOf(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const full = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${done}/${total}`;
}

/** The result of a command, for programs and for people. */
export interface CommandResult {
  readonly result: unknown;
  readonly lines: readonly string[];
  /** Not 0 if the result is bad news, for scripts. */
  readonly exitCode?: number;
}

export function print({ result, lines }: CommandResult, json: boolean, stdout: Output): void {
  const text = json ? jsonFor(stdout, result) : lines.map(printable).join('\n');
  stdout.write(`${text}\n`);
}

export function printFailure(
  { code, message }: { code: string; message: string },
  json: boolean,
  stderr: Output,
): void {
  const text = json ? jsonFor(stderr, { error: { code, message } }) : `leadctl: ${printable(message)}`;
  stderr.write(`${text}\n`);
}

/** One line of JSON. On a terminal, control characters become JSON escapes of the same value. */
export function jsonFor(output: Output, value: unknown): string {
  return escapedFor(output, JSON.stringify(value));
}

/**
 * Text of leads, made safe for the output. Files and pipes get every character unchanged. A terminal gets C0, C1 and
 * bidirectional controls as escapes such as `\u001b`, because they could control it or disguise text. Newlines and tabs
 * stay, and carriage returns at line ends: elsewhere they let text overwrite the line.
 */
export function escapedFor(output: Output, text: string): string {
  if (!output.isTTY) return text;
  return text.replace(/\r(?!\n)|[^\P{Cc}\r\n\t]|\p{Bidi_Control}/gu, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** "1 lead", "2 leads" */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Columns as wide as their widest cell. Put names last: the last column is not padded. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
