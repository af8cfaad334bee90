import { describe, expect, test } from '@jest/globals';
import type { ProviderDelivery } from '../../console/src/api/types.ts';
import { parseCurl } from '../../console/src/pages/delivery/curl/parse-curl.ts';
import { PROVIDER_GUIDE } from '../../console/src/pages/delivery/sources/provider-guide.ts';
import {
  deactivationWarning,
  eventChoice,
  ignoredWords,
  latestOutcome,
  wayOf,
} from '../../console/src/pages/delivery/sources/source-rules.ts';
import { reasonLinks } from '../../console/src/pages/diagnostics/reason-links.ts';
import { detailFacts } from '../../console/src/pages/diagnostics/rejections.ts';
import {
  KEY_REUSED,
  REASONS,
  type RecordedReason,
  type RejectionDetail,
} from '../../lambdas/model/reasons.ts';
import { REASON_GUIDE, reasonGuide } from '../../lambdas/rejections/reason-guide.ts';
import { likelyCause } from '../../lambdas/sources/explain-rejection.ts';
import { PROVIDER_NAMES, PROVIDERS, type Provider } from '../../lambdas/sources/providers.ts';

const row = (name: string) => PROVIDERS.get(name) as Provider;
const URL_OF_FORM = "https://in.example.com/it's/sources/v1/contact-us-1";

describe('how leads arrive', () => {
  test.each([
    [null, '', false, 'code'],
    [null, '', true, 'provider'],
    // Links from Diagnostics and the overview lead to panels for your own code.
    [null, '#debugger', true, 'code'],
    ['tool', '', true, 'tool'],
    ['code', '', true, 'code'],
    ['provider', '#browser', false, 'provider'],
    ['carrier pigeon', '', false, 'code'],
  ] as const)('?via=%s%s, with a provider: %s: %s', (chosen, anchor, hasProvider, way) => {
    expect(wayOf(chosen, anchor, hasProvider)).toBe(way);
  });
});

describe('the guide', () => {
  test.each(PROVIDER_NAMES)('of %s says what to do, with the URL and the secret', (name) => {
    const { steps, commands, secretHint, tryIt, retries } = PROVIDER_GUIDE[name];
    expect(steps.length).toBeGreaterThan(1);
    if (!commands) expect(steps.join(' ')).toMatch(/the URL above/);
    expect(`${steps.join(' ')} ${secretHint}`).toMatch(/signing secret|client secret|signing_key/);
    for (const text of [...steps, secretHint, tryIt, retries]) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  test.each(['calendly', 'webflow'] as const)('the commands for %s can be pasted', (name) => {
    const commands = PROVIDER_GUIDE[name].commands?.({ url: URL_OF_FORM, secret: undefined }) ?? [];
    const { body } = parseCurl(commands.at(-1)?.text ?? '') ?? {};
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ url: URL_OF_FORM });
  });

  test('the command for Calendly has the new secret while it is shown, and chooses its event', () => {
    const commands = PROVIDER_GUIDE.calendly.commands?.({ url: URL_OF_FORM, secret: 'just-made' }) ?? [];
    expect(commands.at(-1)?.text).toContain('"signing_key":"just-made"');
    expect(commands.at(-1)?.text).toContain('"events":["invitee.created"]');
  });
});

describe('a provider', () => {
  test.each([
    ['stripe', 'some'],
    ['svix', 'any'],
    ['typeform', 'one'],
    ['framer', 'none'],
  ])('%s has events to choose from: %s', (name, choice) => {
    expect(eventChoice(row(name))).toBe(choice);
  });

  test('deactivating a form warns if the provider disables or deletes failing webhooks', () => {
    expect(deactivationWarning('typeform')).toMatch(
      /Typeform may disable .* turn it on or create it again\.$/,
    );
    expect(deactivationWarning('shopify')).toMatch(/Shopify may delete .* have to create it again\.$/);
    expect(deactivationWarning('tally')).toBeUndefined();
    expect(deactivationWarning(undefined)).toBeUndefined();
  });
});

describe('the latest delivery', () => {
  const at = (second: number) => `2026-11-15T12:00:${second}.000Z`;
  const provider = (more: Partial<ProviderDelivery>): ProviderDelivery => ({
    ...{ name: 'typeform', events: [], url: URL_OF_FORM, secretSet: true },
    ...more,
  });
  const lead = (second: number, surface: '1b' | '1c' = '1c') => ({
    ...{ submissionId: `lead-${second}`, receivedAt: at(second), surface },
  });
  const lastRejection = { at: at(30), reason: 'signature_mismatch' } as const;

  test('is waited for', () => {
    expect(latestOutcome(provider({}), [lead(10)])).toEqual({ kind: 'waiting' });
    expect(latestOutcome(provider({ lastUsedAt: at(10) }), [lead(10, '1b')])).toEqual({ kind: 'waiting' });
  });

  test('is the newest of leads, pings and rejections', () => {
    const known = provider({ lastUsedAt: at(10), lastRejection });
    const rejected = { kind: 'rejected', at: at(30), reason: 'signature_mismatch' };
    expect(latestOutcome(known, [lead(20)])).toEqual(rejected);
    // The last use is noted once a minute: only the lead tells that the secret was fixed.
    expect(latestOutcome(known, [lead(50, '1b'), lead(40), lead(20)])).toMatchObject({
      submissionId: 'lead-40',
    });
    expect(latestOutcome({ ...known, lastIgnoredAt: at(45) }, [lead(40)])).toEqual({
      kind: 'ignored',
      at: at(45),
    });
  });

  test('that makes no lead says why, with the event', () => {
    expect(ignoredWords({ because: 'event_not_chosen', event: 'invitee.canceled' })).toMatch(
      /doesn’t make leads of this event\. The event is invitee\.canceled\.$/,
    );
    expect(ignoredWords({ because: 'rescheduled', event: 'invitee.created' })).toMatch(
      /already is a lead\.$/,
    );
  });
});

describe('a rejection', () => {
  const typeform = { provider: 'typeform' };
  test.each<[(typeof REASONS)[number], RejectionDetail, string | undefined]>([
    [
      'signature_missing',
      { ...typeform, looksLike: 'stripe' },
      'This looks like Stripe’s signature, but the form expects Typeform’s.',
    ],
    [
      'signature_missing',
      { provider: 'github', looksLike: 'standard-webhooks' },
      'This looks like Standard Webhooks’ signature, but the form expects GitHub’s.',
    ],
    ['signature_missing', typeform, 'The request isn’t signed. Check that the secret is set at Typeform.'],
    [
      'signature_mismatch',
      { provider: 'stripe' },
      'Check that you pasted the signing secret, not the API key.',
    ],
    ['signature_mismatch', typeform, 'Check that Typeform has exactly the secret that is set here.'],
    [
      'signature_malformed',
      { provider: 'calcom', problem: 'no secret set at the provider' },
      'No secret is set at Cal.com, so it doesn’t sign. Enter the secret there.',
    ],
    [
      'timestamp_out_of_window',
      { provider: 'stripe', skewSeconds: 400 },
      'It was signed 7 minutes ago. Signatures of Stripe are accepted for 5 minutes.',
    ],
    [
      'timestamp_out_of_window',
      { provider: 'calendly', skewSeconds: -400 },
      'It was signed 7 minutes in the future.',
    ],
    ['body_too_large', { length: 200_000 }, undefined],
    ['signature_mismatch', { provider: 'someone newer' }, undefined],
  ])('%s %j: %s', (reason, detail, words) => {
    expect(likelyCause({ reason, detail })).toBe(words);
  });

  test('of a provider is not explained by headers that no provider sends', () => {
    const named = REASONS.filter((reason) => /X-SVC/.test(JSON.stringify(reasonGuide(reason, '1c'))));
    // A tool can send it.
    expect(named).toEqual(['idempotency_key_malformed']);
    for (const reason of [...REASONS, KEY_REUSED] as RecordedReason[]) {
      expect(reasonGuide(reason, '1b')).toBe(REASON_GUIDE[reason]);
      expect(reasonGuide(reason, '1c').remedy).toMatch(/\.$/);
    }
  });

  test('of a body that is not JSON says what to do about what was wrong', () => {
    const guides = ['empty', 'byte order mark', 'not UTF-8', 'not JSON'].map((problem) => [
      reasonGuide('body_invalid_json', '1b', { problem }),
      reasonGuide('body_invalid_json', '1c', { problem }),
    ]);
    expect(new Set(guides.map(([webhook]) => webhook?.remedy)).size).toBe(4);
    expect(new Set(guides.map(([, provider]) => provider?.meaning)).size).toBe(4);
    expect(new Set(guides.flat().map(({ title }) => title))).toEqual(new Set(['Body isn’t valid JSON']));
    // Other reasons have problems of their own.
    expect(reasonGuide('token_invalid', '1a', { problem: 'empty' })).toBe(REASON_GUIDE.token_invalid);
  });

  test.each(REASONS)('%s of a provider leads to no tool for signed webhooks', (reason) => {
    const form = { formId: 'f1', name: 'Contact' };
    const hrefs = reasonLinks(reason, { form, surface: '1c', requestId: 'r1' }).map(({ href }) => href);
    expect(hrefs.filter((href) => /debugger|send-test|#browser/.test(href))).toEqual([]);
    expect(new Set(hrefs).size).toBe(hrefs.length);
  });

  test('shows the likely cause first, and names of providers as people know them', () => {
    const detail = { header: 'X-Cal-Signature-256', provider: 'calcom', looksLike: 'stripe' };
    expect(detailFacts({ reason: 'signature_missing', surface: '1c', detail })).toEqual([
      { name: 'Likely cause', value: 'This looks like Stripe’s signature, but the form expects Cal.com’s.' },
      { name: 'Header', value: 'X-Cal-Signature-256' },
      { name: 'Provider', value: 'Cal.com' },
    ]);
  });
});
