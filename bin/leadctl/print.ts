import { type Output, printable } from '../operator/terminal.ts';

/** The result of a command, for programs and for people. */
export interface Answer {
  readonly result: unknown;
  readonly lines: readonly string[];
  /** Not 0 if the answer itself is bad news, for scripts. */
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
