import { bundleKilobytes } from '../deterministic.ts';
import { LONG_PARTS, type PartRun, type Results } from '../measured.ts';
import { duration } from '../progress.ts';
import { table } from './counted-sections.ts';

const count = (value: number) => value.toLocaleString('en');

/** Every function of the template, with what one unit of its work uses. */
export function functionsSection({ functions, bundles }: Pick<Results, 'functions' | 'bundles'>): string {
  return `## Functions

What each function of the stack uses for one unit of its work, in a warm environment. The deployed bundles run with the variables that the template gives them, on DynamoDB Local; all other services are asked, but only their requests count. Leads have 1 KB, and the workspace of the owner's pages has 50 of them. Bytes are those of all requests and responses, without headers. Receiving and deleting messages is Lambda's work and does not count here.

${table(
  ['function', 'bundle', 'work', 'DynamoDB calls', 'read units', 'write units', 'other calls', 'KB'],
  functions.map(({ fn, work, dynamoDbCalls, readUnits, writeUnits, otherCalls, bytes }, index) => [
    ...(functions[index - 1]?.fn === fn ? ['', ''] : [fn, `${bundleKilobytes(fn, bundles[fn] ?? 0)} KB`]),
    work,
    dynamoDbCalls,
    count(readUnits),
    count(writeUnits),
    otherCalls,
    (bytes / 1_000).toFixed(1),
  ]),
)}`;
}

/** The newest run of all parts. */
export function wholeRun(parts: Results['parts']): PartRun {
  const all = Object.values(parts);
  const whole = all.filter((part) => part.whole);
  const [newest] = (whole.length > 0 ? whole : all).toSorted((one, other) => other.at.localeCompare(one.at));
  if (!newest) throw new Error('Nothing was measured');
  return newest;
}

export const dayOf = ({ at }: PartRun) => at.slice(0, 10);

/** `abc1234`, or what it was based on. */
export function commitOf({ commit }: PartRun): string {
  if (commit === 'unknown') return 'not recorded';
  return commit.endsWith('+') ? `\`${commit.slice(0, -1)}\` with changes` : `\`${commit}\``;
}

export function partsSection({ parts }: Pick<Results, 'parts'>): string {
  const run = wholeRun(parts);
  const { suite: _suite, ...measured } = parts;
  const rows = Object.entries(measured);
  const usual = rows.filter(([name]) => !LONG_PARTS.includes(name));
  const seconds = usual.reduce((sum, [, part]) => sum + part.seconds, 0);
  const notes = [...Map.groupBy(rows, ([, { note }]) => note)].flatMap(([note, noted]) =>
    note === undefined ? [] : `\n\nOf ${noted.map(([name]) => name).join(', ')}: ${note}`,
  );
  return `## When each part was measured

The parts that \`npm run bench\` measures took ${duration(seconds)} together. A part with another date or commit was measured by its name.

${table(
  ['part', 'date', 'commit', 'duration', 'machine'],
  rows.map(([name, part]) => [
    part.quick ? `${name}, with \`--quick\`` : name,
    dayOf(part),
    commitOf(part),
    part.seconds > 0 ? duration(part.seconds) : 'not recorded',
    part.machine === run.machine ? 'the same' : part.machine,
  ]),
)}${notes.join('')}`;
}
