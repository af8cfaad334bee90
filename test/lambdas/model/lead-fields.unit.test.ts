import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { wholeLayout } from '#leads/export/export-columns.ts';
import { csvHeader, csvLeadLine, ndjsonLeadLine } from '#leads/export/lead-lines.ts';
import { toLeadTable } from '#leads/lead-row.ts';
import { wholeLead } from '#leads/views.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { fieldsOfLead, isTestLead } from '#model/lead-fields.ts';
import {
  fromLeadItem,
  fromPerhapsDamagedItem,
  itemBytes,
  type Lead,
  type LeadItem,
  toLeadItem,
  writeUnits,
} from '#model/lead-item.ts';
import type { Principal } from '#owner-api/principal.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { webhookBody } from '#sending/compose-message.ts';
import { readableMessage } from '#sending/readable-message.ts';
import { PROVIDERS, type Provider } from '#sources/providers.ts';
import { fieldsOf } from '#sources/shapes.ts';

const BODY =
  '{"event":"booked","host":"host@calendar.example",\n "payload":{"who":"Ada Byron","mail":"ada@engines.example","id":12345678901234567890}}';
const FIELDS = '{"name":"Ada Byron","email":"ada@engines.example","id":12345678901234567890}';

const PLAIN: Lead = {
  leadId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: 'ws_1',
  formId: 'form_1',
  surface: '1b',
  receivedAt: '2026-11-15T12:00:00.000Z',
  score: 80,
  grade: 'A',
  clean: true,
  signals: [{ name: 'email_plausible', weight: 50 }],
  body: BODY,
};
const VIEWER: Principal = {
  kind: 'user',
  workspaceId: 'ws_1',
  id: 'mem_1',
  name: 'a@b.example',
  role: 'viewer',
};
const MAPPED: Lead = { ...PLAIN, fields: FIELDS };
const TRIED: Lead = { ...MAPPED, test: true };
const LONG: Lead = { ...TRIED, body: `{"filler":"${'please call me back '.repeat(100)}"}` };

describe('a lead with fields as an item', () => {
  test.each([
    ['as text', TRIED, 'body'],
    ['compressed', LONG, 'packed'],
  ])('reads back as stored, %s', (_, lead, attribute) => {
    const item = toLeadItem(lead);
    expect(item).toHaveProperty(attribute);
    expect(item).toMatchObject({ v: 1, test: true });
    expect(fromLeadItem(item)).toEqual(lead);
  });

  test('is the same item as before without them', () => {
    expect(toLeadItem(PLAIN)).toEqual({
      ...PLAIN,
      part: 'lead',
      v: 1,
      signals: '[{"name":"email_plausible","weight":50}]',
    });
    const { packed } = toLeadItem({ ...PLAIN, body: LONG.body });
    expect(unpack(packed)).toEqual([LONG.body, PLAIN.signals]);
  });

  test('has no fields if it is damaged', () => {
    expect(fromPerhapsDamagedItem({ ...toLeadItem(MAPPED), signals: '[' })).toEqual({
      ...PLAIN,
      body: '',
      signals: [],
    });
  });
});

const unpack = (packed: unknown) =>
  JSON.parse(brotliDecompressSync(packed as Uint8Array).toString()) as unknown;

/** As releases before fields read an item of version 1. Never change it: they run during every deployment. */
function formerFromLeadItem(item: LeadItem): Lead {
  const { packed, part: _part, v: _version, ...rest }: Record<string, unknown> = item;
  if (packed instanceof Uint8Array) {
    const [body, signals] = unpack(packed) as [string, Lead['signals']];
    return { ...(rest as Omit<Lead, 'body' | 'signals'>), body, signals };
  }
  return { ...rest, signals: JSON.parse(rest.signals as string) } as Lead;
}

describe('items with fields, as stored', () => {
  // Written by toLeadItem on Node 24. Never update them: stored leads are not rewritten either.
  const stored = JSON.parse(
    readFileSync(new URL('leads-with-fields.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<'text' | 'compressed', Record<string, unknown>>>;
  const compressed = {
    ...stored.compressed,
    packed: Buffer.from(stored.compressed.packed as string, 'base64'),
  };

  test.each([
    ['as text', stored.text, TRIED],
    ['compressed', compressed, LONG],
  ])('are read now and by releases before fields, %s', (_, item, lead) => {
    expect(fromLeadItem(item)).toEqual(lead);
    const { fields: _fields, ...known } = lead;
    expect(formerFromLeadItem(item)).toMatchObject(known);
  });
});

describe('samples of providers', () => {
  const samples = JSON.parse(
    readFileSync(new URL('../sources/payloads.json', import.meta.url), 'utf8'),
  ) as readonly { readonly provider: string; readonly what: string; readonly body: object }[];
  const leads = samples.flatMap(({ provider, what, body }) => {
    const sent = parseJsonObject(Buffer.from(JSON.stringify(body)));
    const mapped = fieldsOf(PROVIDERS.get(provider) as Provider, sent);
    if (!mapped || mapped === sent) return [];
    const lead = { ...PLAIN, ...scoreLead(mapped.fields), body: sent.text };
    return [{ name: `${provider}: ${what}`, lead, fields: mapped.text }];
  });

  test('are at least 15', () => expect(leads.length).toBeGreaterThanOrEqual(15));

  test.each(leads)('take no more write units with fields: $name', ({ lead, fields }) => {
    const units = (each: Lead) => writeUnits(itemBytes(toLeadItem(each)));
    expect(units({ ...lead, fields })).toBe(units(lead));
  });
});

const exported = (lead: Lead) => ({ lead, state: 'pending' as const, enrichment: undefined });

describe('what a lead says comes from its fields', () => {
  test('in columns and rows', () => {
    const { columns, rows } = toLeadTable([{ lead: TRIED, state: 'pending' }]);
    expect(columns).toEqual(['name', 'email', 'id']);
    expect(rows[0]).toMatchObject({
      test: true,
      cells: ['Ada Byron', 'ada@engines.example', '12345678901234567890'],
    });
  });

  test('in CSV, with the mark of a test', () => {
    const layout = wholeLayout(['name', 'id']);
    const column = (name: string, lead: Lead) => {
      const at = csvHeader(layout).trim().split(',').indexOf(name);
      return csvLeadLine(exported(lead), layout).trim().split(',')[at];
    };
    expect(column('id', MAPPED)).toBe('12345678901234567890');
    expect(csvLeadLine(exported(MAPPED), layout)).toContain('{""email"":""ada@engines.example""}');
    expect(csvLeadLine(exported(TRIED), layout)).toContain(
      '{""email"":""ada@engines.example"",""_test"":true}',
    );
    expect(csvLeadLine(exported(PLAIN), layout)).not.toContain('_test');
  });

  test('in NDJSON and the API, beside the body as sent', () => {
    const line = ndjsonLeadLine(exported(TRIED));
    expect(line).toContain(`"body":${BODY.replace('\n', ' ')},"fields":${FIELDS}}\n`);
    expect(JSON.parse(line)).toMatchObject({ test: true });
    expect(ndjsonLeadLine(exported(PLAIN))).toMatch(/"body":\{[^\n]*\}\}\n$/);
    expect(wholeLead({ lead: TRIED, state: 'pending', enrichment: undefined }, VIEWER)).toMatchObject({
      body: BODY,
      fields: FIELDS,
      test: true,
    });
    const plain = wholeLead({ lead: PLAIN, state: 'pending', enrichment: undefined }, VIEWER);
    expect(plain).not.toHaveProperty('fields');
    expect(plain).not.toHaveProperty('test');
  });

  test('in messages to destinations', () => {
    const content = (lead: Lead) => ({
      type: 'lead.accepted' as const,
      at: lead.receivedAt,
      submissionId: lead.leadId,
      formId: lead.formId,
      lead,
    });
    expect(webhookBody(content(TRIED))).toContain(`,"fields":${FIELDS}}}}`);
    expect(JSON.parse(webhookBody(content(TRIED))).data.lead.test).toBe(true);
    expect(webhookBody(content(PLAIN))).toContain(`,"fields":${BODY}}}}`);
    expect(webhookBody(content(PLAIN))).not.toContain('"test"');
    const context = { form: { name: 'Demo' }, consoleUrl: undefined, includeFields: true };
    const message = readableMessage(content(TRIED), context);
    expect(message.notes).toContain('Sent in the provider’s test mode');
    expect(message.fields).toContainEqual({ label: 'name', lines: ['Ada Byron'] });
    expect(JSON.stringify(message)).not.toContain('host@calendar.example');
  });

  test('about being a test', () => {
    expect(isTestLead(PLAIN, fieldsOfLead(PLAIN))).toBe(false);
    expect(isTestLead(TRIED, fieldsOfLead(TRIED))).toBe(true);
    expect(isTestLead(PLAIN, { _test: true })).toBe(true);
    expect(isTestLead(PLAIN, { _test: 'true' })).toBe(false);
  });
});
