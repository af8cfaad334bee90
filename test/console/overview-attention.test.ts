import { describe, expect, test } from '@jest/globals';
import type { Delivery, Diagnostics, ListedForm, Token, Workspace } from '../../console/src/api/types.ts';
import { findAttention } from '../../console/src/pages/overview/attention.ts';
import type { OverviewData } from '../../console/src/pages/overview/attention-secrets.ts';

const NOW = Date.parse('2026-11-15T12:20:00Z');
const HOUR_MS = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString();

const FORM: ListedForm = {
  formId: 'form_1',
  name: 'Contact us',
  slug: 'contact-us-1',
  url: 'https://ingest.example/api/v1/ingest/contact-us-1',
  active: true,
  createdAt: hoursAgo(1000),
  archivedAt: undefined,
};
const TOKEN: Token = {
  tokenId: 'tok_1',
  formId: FORM.formId,
  type: 'server',
  name: 'Web shop',
  lastFour: 'abcd',
  createdAt: hoursAgo(1000),
  lastUsedAt: undefined,
  revokedAt: undefined,
};
const SECRET = { isSet: true, setAt: hoursAgo(900), lastUsedAt: undefined };

function delivery(secrets: Partial<Delivery>): Delivery {
  return { formId: FORM.formId, url: FORM.url, secret: SECRET, ...secrets } as Delivery;
}

type Count = Diagnostics['rejected']['counts'][number];

const REJECTED = { surface: '1b', reason: 'signature_mismatch', authenticated: false, count: 1 } as const;

function diagnostics(rejected: Partial<Count>[], rateLimited: Partial<Count>[] = []): Diagnostics {
  const counts = (given: Partial<Count>[]) => ({
    total: 0,
    counts: given.map((each): Count => ({ at: hoursAgo(0), ...REJECTED, ...each })),
  });
  return {
    by: 'hour',
    from: '2026-11-14T13:00:00Z',
    to: '2026-11-15T13:00:00Z',
    rejected: counts(rejected),
    rateLimited: counts(rateLimited),
    reusedKeys: counts([]),
    newestAt: null,
    newestCountedAt: null,
    truncated: false,
    completeFrom: '2026-11-14T13:00:00Z',
  };
}

function workspace(
  used: { minute?: number; day?: number } = {},
  status: Workspace['status'] = 'active',
): Workspace {
  const surface = (name: '1a' | '1b', { minute = 0, day = 0 }) => ({
    surface: name,
    minute: { used: minute, limit: 1000, endsAt: hoursAgo(-1) },
    day: { used: day, limit: 50_000, endsAt: hoursAgo(-12) },
  });
  return { workspaceId: 'ws_1', name: 'Acme', status, surfaces: [surface('1a', {}), surface('1b', used)] };
}

const WELL: OverviewData = {
  workspace: workspace(),
  forms: [FORM],
  deliveries: [delivery({})],
  tokens: [TOKEN],
  diagnostics: diagnostics([]),
  now: NOW,
};
const found = (changes: Partial<OverviewData>) => findAttention({ ...WELL, ...changes });

describe('what needs attention', () => {
  test('nothing, if there are no issues', () => {
    expect(found({})).toEqual([]);
  });

  test('makes no claims about data that failed to load', () => {
    const unread = { workspace: undefined, forms: undefined, deliveries: undefined, tokens: undefined };
    expect(found({ ...unread, diagnostics: undefined })).toEqual([]);
  });

  test('a suspended workspace comes before all else', () => {
    const all = found({
      workspace: workspace({}, 'suspended'),
      deliveries: [delivery({ secret: { isSet: false } })],
      tokens: [],
    });
    expect(all.map(({ id, severity }) => [id, severity])).toEqual([
      ['suspended', 'error'],
      ['secret-form_1', 'warning'],
    ]);
  });
});

describe('a form without a secret', () => {
  const without = { deliveries: [delivery({ secret: { isSet: false } })] };

  test('is a warning if nothing can be sent to it, with a link to its settings', () => {
    const [only] = found({ ...without, tokens: [{ ...TOKEN, revokedAt: hoursAgo(1) }] });
    expect(only).toMatchObject({ severity: 'warning', link: { href: '/forms/form_1/delivery' } });
    expect(only?.detail).toContain('no server token');
  });

  test('is a note if it has an active token and no webhook was tried', () => {
    expect(found(without)).toMatchObject([{ severity: 'info' }]);
  });

  test('is an error if its webhooks were rejected, even with a token', () => {
    const rejected = diagnostics([{ reason: 'secret_not_configured', formId: FORM.formId, count: 4 }]);
    const [only] = found({ ...without, diagnostics: rejected });
    expect(only).toMatchObject({ severity: 'error' });
    expect(only?.detail).toContain('4 in the last 24 hours');
  });

  test('does not count rejections of last week', () => {
    const old = { reason: 'secret_not_configured', formId: FORM.formId, count: 4, at: hoursAgo(25) } as const;
    expect(found({ ...without, diagnostics: diagnostics([old]) })).toMatchObject([{ severity: 'info' }]);
  });

  test('is not reported as having no token if the tokens failed to load', () => {
    const [only] = found({ ...without, tokens: undefined });
    expect(only?.detail).not.toContain('token');
  });

  test('does not matter while the form is inactive', () => {
    expect(found({ ...without, forms: [{ ...FORM, active: false }] })).toEqual([]);
  });
});

describe('a rotation whose grace period is about to end', () => {
  interface Rotation {
    readonly grace: number;
    readonly left: number;
    readonly oldUsed?: number;
    readonly newUsed?: number;
  }
  const rotated = ({ grace, left, oldUsed, newUsed }: Rotation) => {
    const at = (hours: number | undefined) => (hours === undefined ? undefined : hoursAgo(hours));
    return {
      deliveries: [
        delivery({
          secret: { isSet: true, setAt: hoursAgo(grace - left), lastUsedAt: at(newUsed) },
          previousSecret: { worksUntil: hoursAgo(-left), lastUsedAt: at(oldUsed) },
        } as Partial<Delivery>),
      ],
    };
  };

  test('is shown while the previous secret is in use, with its last use', () => {
    const [only] = found(rotated({ grace: 24, left: 3, oldUsed: 1, newUsed: 2 }));
    expect(only).toMatchObject({ id: 'rotation-form_1', severity: 'warning' });
    expect(only?.title).toBe('The previous webhook secret of “Contact us” expires within 3 hours');
    expect(only?.detail).toContain('still uses it');
    expect(only?.since?.at).toBe(hoursAgo(1));
  });

  test('is shown if the new secret was never used', () => {
    const [only] = found(rotated({ grace: 24, left: 3, oldUsed: 30 }));
    expect(only?.detail).toContain('The new secret hasn’t been used yet');
    expect(only?.since).toEqual({ what: expect.stringContaining('before the rotation'), at: hoursAgo(30) });
  });

  test.each([
    ['the suggested grace has just begun', { grace: 24, left: 23.9, oldUsed: 0.05 }],
    ['three quarters of it are not over', { grace: 24, left: 6.1, oldUsed: 1 }],
    ['of a week there is more than a day', { grace: 168, left: 24.1, oldUsed: 1 }],
    ['it has ended', { grace: 24, left: -1, oldUsed: 1 }],
    ['the previous secret was never used', { grace: 24, left: 3 }],
    ['only the new one was used since the rotation', { grace: 24, left: 3, oldUsed: 30, newUsed: 1 }],
  ])('is not shown if %s', (_, rotation) => {
    expect(found(rotated(rotation))).toEqual([]);
  });

  test.each([
    ['the last quarter', { grace: 24, left: 5.9, oldUsed: 1 }],
    ['the last day of a week', { grace: 168, left: 23.9, oldUsed: 1 }],
    ['an hour, however short the grace', { grace: 1, left: 0.9, oldUsed: 0.05 }],
  ])('is shown from %s on', (_, rotation) => {
    expect(found(rotated(rotation))).toHaveLength(1);
  });
});

describe('a spike of one reason', () => {
  const mismatches = (at: string, count: number) => ({ at, count });
  const eachHourBefore = (count: number) =>
    Array.from({ length: 22 }, (_, back) => mismatches(`${hoursAgo(2 + back).slice(0, 13)}:00:00Z`, count));

  test('is shown with its reason and the usual count', () => {
    const [only] = found({ diagnostics: diagnostics([mismatches(hoursAgo(0), 30), ...eachHourBefore(5)]) });
    expect(only).toMatchObject({ id: 'spike-signature_mismatch', severity: 'warning' });
    expect(only?.link.href).toBe('/tokens/diagnostics?range=24h&reason=signature_mismatch');
    expect(only?.detail).toContain('30 in one hour, up from about 5 per hour');
  });

  test('also covers the previous hour, since the current one may have just begun', () => {
    expect(found({ diagnostics: diagnostics([mismatches(hoursAgo(1), 30)]) })).toHaveLength(1);
  });

  test('counts surfaces and forms together, and rate limits as well', () => {
    const limited = { reason: 'rate_limited_minute', count: 6 } as const;
    const both = diagnostics(
      [],
      [
        { ...limited, surface: '1a' },
        { ...limited, surface: '1b' },
      ],
    );
    expect(found({ diagnostics: both })).toMatchObject([{ id: 'spike-rate_limited_minute' }]);
  });

  test.each([
    ['few of them', [mismatches(hoursAgo(0), 9)]],
    ['as many as usual', [mismatches(hoursAgo(0), 14), ...eachHourBefore(5)]],
    ['an old one', [mismatches(hoursAgo(3), 50)]],
  ])('is not %s', (_, rejected) => {
    expect(found({ diagnostics: diagnostics(rejected) })).toEqual([]);
  });

  test('is not reported if the hours before could not be counted', () => {
    const flood = { ...diagnostics([mismatches(hoursAgo(0), 500)]), completeFrom: '2026-11-15T12:05:00Z' };
    expect(found({ diagnostics: flood })).toEqual([]);
  });
});

describe('limits', () => {
  test('above 80 % are a warning, used up they are an error', () => {
    expect(found({ workspace: workspace({ minute: 801, day: 50_000 }) })).toMatchObject([
      {
        id: 'limit-1b-daily',
        severity: 'error',
        detail: '50,000 of 50,000 used. Further submissions are rejected until midnight UTC.',
      },
      { id: 'limit-1b-per-minute', severity: 'warning', link: { href: '/tokens/diagnostics?surface=1b' } },
    ]);
  });

  test('at 80 % are fine', () => {
    expect(found({ workspace: workspace({ minute: 800, day: 40_000 }) })).toEqual([]);
  });
});
