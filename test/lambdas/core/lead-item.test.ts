import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { itemBytes, writeUnits } from '#aws/item-size.ts';
import { fromLeadItem, type Lead, toLeadItem } from '#submission/lead-item.ts';

const lead = (body: string): Lead => ({
  leadId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: 'ws_0000000000000000000000',
  formId: 'form_0000000000000000000000',
  surface: '1b',
  receivedAt: '2026-11-15T12:00:00.000Z',
  score: 80,
  grade: 'A',
  clean: true,
  signals: [{ name: 'email_plausible', weight: 50 }],
  body,
});

describe('a lead as an item', () => {
  test('reads back exactly as stored, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), (body) => {
        expect(fromLeadItem(toLeadItem(lead(body)))).toEqual(lead(body));
      }),
    );
  });

  test('stays readable text while that costs no more', () => {
    expect(toLeadItem(lead('{"email":"a@example.com"}'))).toHaveProperty('body', '{"email":"a@example.com"}');
  });

  test('is compressed when that saves a write unit, and only then', () => {
    const repetitive = JSON.stringify({ message: 'please call me back '.repeat(200) });
    const packed = toLeadItem(lead(repetitive));
    expect(packed).not.toHaveProperty('body');
    expect(writeUnits(itemBytes(packed))).toBe(1);

    const random = JSON.stringify({
      blob: Array.from({ length: 1_200 }, (_, i) => ((i * 7919) % 9973).toString(36)).join(''),
    });
    const item = toLeadItem(lead(random));
    const plainBytes = itemBytes({ ...toLeadItem(lead('')), body: random });
    expect(writeUnits(itemBytes(item))).toBeLessThanOrEqual(writeUnits(plainBytes));
  });
});

describe('the size of an item', () => {
  test.each([
    [{ a: 'b' }, 2],
    [{ a: 'é' }, 3],
    [{ n: 1 }, 3],
    [{ n: 1234 }, 4],
    [{ n: -1234 }, 5],
    [{ flag: true }, 5],
    [{ b: new Uint8Array(10) }, 11],
  ])('of %j is %i bytes', (item, bytes) => {
    expect(itemBytes(item)).toBe(bytes);
  });
});
