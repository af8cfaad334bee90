import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Where the lines of one function go: all into its file, warnings and errors also before the engineer's eyes. */
export interface FunctionLog {
  follow(output: Readable): void;
  write(line: string): void;
  close(): Promise<void>;
}

export type Print = (line: string) => void;

/** Lines of so long are written together: each write by itself would cost more than the line. */
const FLUSH_MILLISECONDS = 50;

export function openFunctionLog(folder: string, functionName: string, print: Print): FunctionLog {
  // Of this run only: nothing that grows for ever.
  const file = createWriteStream(join(folder, `${functionName}.log`), { flags: 'w' });
  file.on('error', (error) => print(`${functionName}: its log cannot be written: ${error.message}`));
  let unwritten = '';
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    // An environment's last words may come after the end.
    if (file.writable && unwritten !== '') file.write(unwritten);
    unwritten = '';
  }
  function write(line: string): void {
    unwritten += `${line}\n`;
    timer ??= setTimeout(flush, FLUSH_MILLISECONDS).unref();
    const alarming = warningText(line);
    if (alarming !== undefined) print(`${functionName}: ${alarming}`);
  }
  return {
    write,
    follow(output) {
      createInterface({ input: output }).on('line', write);
    },
    async close() {
      flush();
      file.end();
      await finished(file).catch(() => undefined);
    },
  };
}

/** What to show of a line that warns of something, in short; undefined for all others. */
export function warningText(line: string): string | undefined {
  if (line.startsWith('{')) {
    // Most lines are harmless, and large.
    if (!MAY_ALARM.test(line)) return undefined;
    const record = parseRecord(line);
    const level = String(record?.level ?? '').toUpperCase();
    if (!ALARMING.has(level)) return undefined;
    // Metrics in embedded format are for CloudWatch.
    const { _aws, ...rest } = record ?? {};
    return `${level} ${typeof rest.message === 'string' ? rest.message : JSON.stringify(rest)}`;
  }
  const [, level, message] = /^[^\t]*\t[^\t]*\t(WARN|ERROR|FATAL)\t(.*)$/s.exec(line) ?? [];
  return level === undefined ? undefined : `${level} ${message?.replaceAll('\r', '\n  ')}`;
}

const ALARMING = new Set(['WARN', 'ERROR', 'CRITICAL', 'FATAL']);
const MAY_ALARM = /"level"\s*:\s*"(?:warn|error|critical|fatal)"/i;

function parseRecord(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
