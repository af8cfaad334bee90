import type { Readable } from 'node:stream';

/** What the program reads and writes: `process` is one. Nothing else here touches streams or variables of the process. */
export interface Terminal {
  readonly stdin: Input;
  /** For the answer alone. */
  readonly stdout: Output;
  /** For questions, progress and failures. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Input = Readable & { readonly isTTY?: boolean };

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command has to say: the same in a form for programs and in one for people. */
export interface Answer {
  readonly result: unknown;
  readonly lines: readonly string[];
  /** Other than 0 where the answer is that something is not as it should be: a script can ask for it. */
  readonly exitCode?: number;
}

export function print(answer: Answer, json: boolean, stdout: Output): void {
  const text = json ? jsonFor(stdout, answer.result) : answer.lines.map(printable).join('\n');
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

/** Names come from people and imports: one with escape sequences must not drive the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{fffd}');
}

/** One line of JSON. On a terminal, controls that JSON may hold as they are become escapes of the same value. */
export function jsonFor(output: Output, value: unknown): string {
  return escapedFor(output, JSON.stringify(value));
}

/**
 * What leads hold, as the output may have it. Files and pipes get every character. A terminal gets C0 and C1 controls
 * and bidirectional ones as `\u001b`: they could drive it, or show a text that is not there. Lines and tabs stay, a
 * carriage return only at the end of a line: alone, it lets the next characters overwrite the line.
 */
export function escapedFor(output: Output, text: string): string {
  if (!output.isTTY) return text;
  return text.replace(/\r(?!\n)|[^\P{Cc}\r\n\t]|\p{Bidi_Control}/gu, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Columns as wide as their widest cell. The last one is free, so it is the place for names. */
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
