import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { hideSecrets, Mismatch } from '../../conformance/checks/expectations.ts';
import { makeProgress } from '../../conformance/progress.ts';
import { junitOf, reportOf } from '../../conformance/report.ts';
import { type CheckedRow, casesOf, type Section } from '../../conformance/row.ts';
import { LIMITS } from '../../conformance/rows/limits.ts';
import { type Outcome, runCases } from '../../conformance/suite.ts';
import { makeTurns, openHttp } from '../../conformance/world/http.ts';
import type { World } from '../../conformance/world/world.ts';
import { readXml, testCases } from './run-conformance.ts';

describe('the report', () => {
  const row = (rule: string, surfaces?: CheckedRow['surfaces']): CheckedRow => ({
    id: rule,
    rule,
    ...(surfaces && { surfaces }),
    check: async () => {},
  });
  const [both, none, one] = [row('On both', ['1a', '1b']), row('On none'), row('On one', ['1b'])];
  const section: Section = { id: 'a', title: 'A section', rows: [both, none, one] };
  const HOSTILE = 'expected <202> & "quiet", got \u0000\u001b[31m]]>\ud800 \n\t\'';

  const outcome = (each: CheckedRow, surface: Outcome['surface'], rest: Partial<Outcome> = {}): Outcome => ({
    section,
    row: each,
    surface,
    result: 'passed',
    milliseconds: 1_234,
    ...rest,
  });
  const OUTCOMES = [
    outcome(both, '1a'),
    outcome(both, '1b', { result: 'failed', message: HOSTILE }),
    outcome(none, undefined, { result: 'skipped', message: 'takes a day' }),
    outcome(one, '1b', { result: 'untried', message: 'connect ECONNREFUSED' }),
  ];

  describe('the printed report', () => {
    const lines = reportOf([section], OUTCOMES, { color: false });

    test('has one line per row with a mark for each surface, and the message below it', () => {
      expect(lines.filter((line) => /On (both|none|one)/.test(line))).toEqual([
        '   ✓  ✗  On both',
        '   –     On none',
        '   ·  ?  On one',
      ]);
      expect(lines).toContain('         skipped: takes a day');
      expect(lines).toContain('         could not be tried: connect ECONNREFUSED');
    });

    test('ends with what was skipped and what could not be tried, and why, apart from failures', () => {
      expect(lines.slice(-7)).toEqual([
        'Skipped, because a run cannot find out or was not asked to:',
        '    1  takes a day',
        '',
        'Could not be tried, because there was no response:',
        '    1  connect ECONNREFUSED',
        '',
        '1 passed, 1 failed, 1 could not be tried, 1 skipped.',
      ]);
    });

    test('of the limits is the example in the document', () => {
      const outcomes = casesOf([LIMITS]).map((each): Outcome => {
        const skipped = 'skipped' in each.row ? each.row.skipped : undefined;
        const result = skipped === undefined ? 'passed' : 'skipped';
        return { ...each, result, ...(skipped && { message: skipped }), milliseconds: 1 };
      });
      const printed = reportOf([LIMITS], outcomes, { color: false }).join('\n');
      const [, example] = /```\n(Limits\n[^`]+)\n```/.exec(readFileSync('docs/conformance.md', 'utf8')) ?? [];
      expect(printed).toContain(`\n${example}\n`);
    });

    test('contains no control characters of a response', () => {
      expect(lines.join('\n')).not.toMatch(/[^\P{Cc}\n]/u);
    });
  });

  test('as JUnit is well-formed, whatever a response contains', () => {
    const xml = junitOf([section], OUTCOMES);
    const counts = { tests: '4', failures: '1', errors: '1', skipped: '1' };
    expect(readXml(xml).attributes).toMatchObject(counts);
    expect(testCases({ xml }).map(({ name, result }) => [name, result])).toEqual([
      ['On both (Surface 1a)', 'passed'],
      ['On both (Surface 1b)', 'failure'],
      ['On none', 'skipped'],
      ['On one (Surface 1b)', 'error'],
    ]);
    expect(testCases({ xml })[1]?.message).toContain('expected <202> & "quiet"');
  });

  test('anything that looks like a credential is masked, and the rest is kept', () => {
    const token = `ingt_srv_${'a1B'.repeat(14)}`;
    const told = `got 400 {"authorization":"Bearer ${token}","x":"whsec_abc","s":"${'0f'.repeat(32)}","m":"a@b.example"}`;
    expect(hideSecrets(told)).toBe('got 400 {"authorization":"Bearer …","x":"…","s":"…","m":"…"}');
  });
});

test.each([
  ['no connection', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'untried'],
  ['no response in time', new DOMException('too late', 'TimeoutError'), 'untried'],
  ['another response', new Mismatch('202', '200'), 'failed'],
  ['an error of the test', new TypeError('undefined'), 'failed'],
])('a row with %s: %s is %s', async (_, error, result) => {
  const check = () => Promise.reject(error);
  const row: CheckedRow = { id: 'row', rule: 'Rule', check };
  const section: Section = { id: 'a', title: 'A section', rows: [row] };
  const world = { main: { sender: {} }, signal: new AbortController().signal } as unknown as World;
  const [outcome] = await runCases(casesOf([section]), world, { quick: true, gentle: false });
  expect(outcome?.result).toBe(result);
});

test('progress is one whole line per step in a log, without control characters', () => {
  const written: string[] = [];
  const log = { isTTY: false, write: (text: string) => written.push(text) > 0 };
  const progress = makeProgress(log, () => 0);
  progress.show('creating workspaces');
  for (const done of [1, 2, 3]) progress.show('running the rows', done, 3);
  progress.end();
  expect(written).toEqual([
    'conformance: creating workspaces, after 0 s\n',
    'conformance: running the rows: 1 of 3, after 0 s\n',
  ]);
});

// burst.unit.test.ts shows that at most the given number run at the same time.
test('turns: a failure frees its turn', async () => {
  const inTurn = makeTurns(1);
  const failed = inTurn(() => Promise.reject(new Error('refused')));
  const next = inTurn(async () => 'done');
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe('done');
});

describe('a kept connection', () => {
  let server: Server;
  let http: ReturnType<typeof openHttp>;
  afterEach(() => {
    http.close();
    server.closeAllConnections();
    server.close();
  });

  async function serve(answer: (nth: number, response: ServerResponse) => void) {
    const nth = new WeakMap<object, number>();
    server = createServer((request, response) => {
      nth.set(request.socket, (nth.get(request.socket) ?? 0) + 1);
      answer(nth.get(request.socket) ?? 0, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    http = openHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  test('that the server closes as it is used again is replaced by a new one', async () => {
    await serve((nth, response) => (nth > 1 ? response.destroy() : response.end()));
    for (const path of ['/1', '/2', '/3']) {
      await expect(http.send({ path })).resolves.toMatchObject({ status: 200 });
    }
  });

  test('a request that closes new connections too has failed', async () => {
    await serve((_, response) => response.destroy());
    await expect(http.send({ path: '/' })).rejects.toThrow('socket hang up');
  });
});
