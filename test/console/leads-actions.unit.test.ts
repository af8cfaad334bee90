import { describe, expect, test } from '@jest/globals';
import { chosenLayout, LIST_COLUMNS, readColumnNames } from '#leads/export/export-columns.ts';
import type { Client } from '../../console/src/api/client.ts';
import { ApiProblem } from '../../console/src/api/problem.ts';
import { eraseLeads } from '../../console/src/pages/leads/erase-leads.ts';
import {
  columnGroups,
  rememberColumns,
  rememberedColumns,
} from '../../console/src/pages/leads/export/export-columns.ts';
import { exportPages } from '../../console/src/pages/leads/export/export-pages.ts';
import { erasePerson } from '../../console/src/pages/leads/person/people.ts';

describe('deleting leads', () => {
  function client(failures: Readonly<Record<string, number>> = {}) {
    const asked: string[] = [];
    return {
      asked,
      async change<T>(method: string, path: string): Promise<T> {
        asked.push(`${method} ${path}`);
        const status = failures[path];
        if (status !== undefined) throw new ApiProblem(status, {});
        return undefined as T;
      },
    };
  }

  test('deletes each lead by ID and counts missing ones as deleted', async () => {
    const to = client({ '/settings/leads/b': 404 });
    const counts: number[] = [];
    await eraseLeads(to, ['a', 'b', '../forms'], (count) => counts.push(count));
    expect(to.asked).toEqual([
      'DELETE /settings/leads/a',
      'DELETE /settings/leads/b',
      'DELETE /settings/leads/..%2Fforms',
    ]);
    expect(counts).toEqual([1, 2, 3]);
  });

  test('stops at an error and reports how many were deleted', async () => {
    const to = client({ '/settings/leads/b': 500 });
    const counts: number[] = [];
    await expect(eraseLeads(to, ['a', 'b', 'c'], (count) => counts.push(count))).rejects.toThrow(ApiProblem);
    expect(counts).toEqual([1]);
    expect(to.asked).toHaveLength(2);
  });
});

describe('the columns of an export', () => {
  const field = (key: string, label?: string) => ({ key, label, role: undefined });
  const valuesOf = (groups: ReturnType<typeof columnGroups>) =>
    groups.flatMap(({ options }) => options.map(({ value }) => value));

  test('are the configured fields in their order, then other keys, and never the test mark', () => {
    const groups = columnGroups([field('mail', 'E-mail'), field('fax')], ['name', 'mail', '_test', '']);
    expect(groups.find(({ label }) => label === 'Fields')?.options).toEqual([
      { value: 'body.mail', label: 'E-mail' },
      { value: 'body.fax', label: 'fax' },
      { value: 'body.name', label: 'name' },
      { value: 'body.', label: '(no name)' },
    ]);
    expect(columnGroups([], []).map(({ label }) => label)).toEqual(['Lead', 'Enrichment']);
  });

  test('have names that the API reads back, all of them', () => {
    const keys = ['score', 'a,b', '50%2C', '100%', '__proto__'];
    const values = valuesOf(columnGroups([], keys));
    const names = readColumnNames(values.join());
    expect(names).toHaveLength(values.length);
    expect(names).toEqual(expect.arrayContaining(keys.map((key) => `body.${key}`)));
    const { columns } = chosenLayout(names, LIST_COLUMNS);
    const read = columns.filter(({ kind }) => kind === 'key').map((column) => 'key' in column && column.key);
    // Whatever the API doesn't know would become an empty column for a key of that name.
    expect(read).toEqual(keys);
  });

  function memory() {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
  }

  test('are remembered for each form', () => {
    const store = memory();
    rememberColumns(store, 'form_1', ['received_at', 'body.__proto__']);
    expect(rememberedColumns(store, 'form_1')).toEqual(['received_at', 'body.__proto__']);
    expect(rememberedColumns(store, 'form_2')).toEqual([]);
  });

  test.each(['', 'null', '{', '{}', '"x"', '[1]'])('ignore what somebody else wrote there: %s', (text) => {
    const store = memory();
    store.setItem('lead-ingest.export.form_1', text);
    expect(rememberedColumns(store, 'form_1')).toEqual([]);
  });

  test('work without storage', () => {
    const full = {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('full');
      },
    };
    rememberColumns(full, 'form_1', ['score']);
    expect(rememberedColumns(full, 'form_1')).toEqual([]);
  });
});

describe('exporting leads', () => {
  interface Given {
    readonly text?: string;
    readonly next?: string;
    readonly error?: unknown;
  }

  /** Responds in turn and records the requests. */
  function source(...responses: readonly Given[]) {
    const asked: (string | undefined)[] = [];
    const pauses: number[] = [];
    const controller = new AbortController();
    return {
      asked,
      pauses,
      controller,
      signal: controller.signal,
      pause: async (milliseconds: number) => void pauses.push(milliseconds),
      async read(cursor: string | undefined) {
        asked.push(cursor);
        const {
          text = '',
          next,
          error,
        } = responses[asked.length - 1] ?? { error: new Error('asked too often') };
        if (error) throw error;
        const headers = {
          'content-disposition': 'attachment; filename="contact-us-1a2b.csv"',
          'x-leads': '200',
        };
        return new Response(text, {
          headers: next === undefined ? headers : { ...headers, 'x-next-cursor': next },
        });
      },
    };
  }

  async function whole(from: Parameters<typeof exportPages>[0]) {
    const chunks: Uint8Array[] = [];
    let fileName: string | undefined;
    let leads = 0;
    for await (const page of exportPages(from)) {
      chunks.push(page.bytes);
      fileName = page.fileName;
      leads += page.leads ?? 0;
    }
    return { text: Buffer.concat(chunks).toString(), fileName, leads };
  }

  test('joins all pages until there is no next cursor, including empty ones', async () => {
    const from = source({ text: 'a,b\n', next: 'c1' }, { next: 'c2' }, { text: '1,ü\n' });
    expect(await whole(from)).toEqual({ text: 'a,b\n1,ü\n', fileName: 'contact-us-1a2b.csv', leads: 600 });
    expect(from.asked).toEqual([undefined, 'c1', 'c2']);
  });

  test('a failed page is retried with increasing pauses', async () => {
    const from = source(
      { text: 'a', next: 'c1' },
      { error: ApiProblem.unreachable() },
      { error: new ApiProblem(429, {}) },
      { error: new TypeError('terminated') },
      { text: 'b' },
    );
    expect((await whole(from)).text).toBe('ab');
    expect(from.asked).toEqual([undefined, 'c1', 'c1', 'c1', 'c1']);
    expect(from.pauses).toEqual([500, 1_000, 2_000]);
  });

  test.each([
    ['gives up after some attempts', 500, 4],
    ['does not retry a rejected request', 404, 1],
  ])('%s', async (_, status, attempts) => {
    const error = new ApiProblem(status, {});
    const from = source(...Array<Given>(10).fill({ error }));
    await expect(whole(from)).rejects.toBe(error);
    expect(from.asked).toHaveLength(attempts);
  });

  test('requests nothing after being canceled, even during a pause', async () => {
    const from = source({ error: ApiProblem.unreachable() }, { text: 'never' });
    const pause = async () => from.controller.abort();
    await expect(whole({ ...from, pause })).rejects.toThrow(/abort/i);
    expect(from.asked).toHaveLength(1);
  });
});

const erased = (id: string) => ({
  submissionId: id,
  formId: 'form_1',
  receivedAt: '2026-11-15T12:00:00.000Z',
});

/** Erases with an API that gives these responses, and returns what was sent, what was told, and the outcome. */
async function erasing(responses: readonly object[], more: object = {}) {
  const sent: unknown[] = [];
  const client = {
    change: async (method: string, path: string, body: unknown) => {
      expect([method, path]).toEqual(['POST', '/settings/people/erase']);
      sent.push(body);
      return responses[sent.length - 1];
    },
  } as Pick<Client, 'change'>;
  const told: string[] = [];
  const outcome = await erasePerson(client, { email: 'ann@acme.example', ...more }, (leads) => {
    told.push(...leads.map(({ submissionId }) => submissionId));
  });
  return { sent, told, outcome };
}

test.each([{}, { cursor: 'first', mentioned: 'erase' }])(
  'repeats the request with the cursor while there is more to erase, each time with what the owner decided: %j',
  async (decided: { cursor?: string }) => {
    const { sent, told, outcome } = await erasing(
      [
        { erased: [erased('3')], mentioned: [], complete: false, reason: 'more', cursor: 'next' },
        { erased: [erased('2')], mentioned: [], complete: false, reason: 'more', cursor: 'last' },
        { erased: [], mentioned: [], complete: true },
      ],
      decided,
    );
    expect(told).toEqual(['3', '2']);
    expect(outcome.complete).toBe(true);
    const cursors = [decided.cursor, 'next', 'last'];
    expect(sent).toEqual(cursors.map((cursor) => ({ email: 'ann@acme.example', ...decided, cursor })));
  },
);

test.each(['mentioned', 'indexing', 'dead_letters'])(
  'leaves it to the owner what to do if the reason is %s, and reports what was erased',
  async (reason) => {
    const unfinished = { mentioned: [erased('9')], complete: false, reason, cursor: 'next' };
    const { sent, told, outcome } = await erasing([{ erased: [erased('3')], ...unfinished }]);
    expect(sent).toHaveLength(1);
    expect(told).toEqual(['3']);
    expect(outcome).toMatchObject(unfinished);
  },
);
