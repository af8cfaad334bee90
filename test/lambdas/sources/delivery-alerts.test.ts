import { expect, test } from '@jest/globals';
import { localStack } from '../../local-stack.ts';
import { HOUR, NOW, openWatchFixture } from '../alerts/watch-fixture.ts';
import {
  IGNORED,
  openSourceFixture,
  PROVIDER_SECRET,
  REFUSED,
  sourceLeadId,
  stripeBody,
  typeformBody,
} from './source-fixture.ts';

const { alerts, announced, evaluate, rejectionCounted, signal } = openWatchFixture();
const fixture = openSourceFixture(localStack());
const { clock, configure, newEnvironment, newSource } = fixture;
const MINUTE = 60_000;
const NEW_SECRET = 'the-new-secret-of-the-provider-0123456789';

test('a delivery that can never be accepted opens an alert, though the next one is accepted', async () => {
  const source = await newSource('github');
  clock.now = NOW;
  expect(await newEnvironment().deliver(source, { body: 'nonsense' })).toEqual(IGNORED);
  clock.now = NOW + MINUTE;
  sourceLeadId(await newEnvironment().deliver(source, { body: '{"email":"a@example.com"}' }));
  await rejectionCounted(source);

  expect(await evaluate(source, NOW + 2 * MINUTE)).toMatchObject({ opened: 1 });
  expect(await evaluate(source, NOW + 7 * MINUTE)).toEqual({ opened: 0, closed: 0, hasOpen: true });
  const [open] = await alerts.open(source.workspaceId, signal);
  expect(open).toMatchObject({
    kind: 'sender_broken',
    facts: { formId: source.formId, surface: '1c', problem: 'refused', rejections: 1 },
  });
  expect(open?.facts.reason).toMatch(/^(body_invalid_json|content_type_unsupported)$/);
  expect(await evaluate(source, NOW + 25 * HOUR)).toMatchObject({ closed: 1 });
  expect(announced.map(({ type }) => type)).toEqual(['alert.opened', 'alert.closed']);
});

test('a provider that signs with the replaced secret is a broken sender, until its delivery is accepted', async () => {
  const source = await newSource('typeform');
  clock.now = NOW;
  sourceLeadId(await newEnvironment().deliver(source));
  await configure(source, undefined, {
    providerSecret: NEW_SECRET,
    previousProviderSecret: PROVIDER_SECRET,
    previousProviderSecretUntil: 0,
  });
  clock.now = NOW + 5 * MINUTE;
  const body = typeformBody({ token: 'response-2' });
  expect(await newEnvironment().deliver(source, { body })).toEqual(REFUSED);
  const detail = { provider: 'typeform', likelyMistake: 'secret_previous' };
  expect(await fixture.rejectionsOf(source.workspaceId)).toMatchObject([
    { reason: 'signature_mismatch', authenticated: false, detail },
  ]);
  await rejectionCounted(source);
  expect(await evaluate(source, NOW + 30 * MINUTE)).toMatchObject({ opened: 0 });
  expect(await evaluate(source, NOW + 65 * MINUTE)).toMatchObject({ opened: 1 });
  const [open] = await alerts.open(source.workspaceId, signal);
  expect(open?.opened.lines.join(' ')).toContain('The last lead from its provider or tool arrived on');

  clock.now = NOW + 2 * HOUR;
  sourceLeadId(await newEnvironment().deliver(source, { body, secret: NEW_SECRET }));
  expect(await evaluate(source, NOW + 2 * HOUR + MINUTE)).toMatchObject({ closed: 1 });
});

test('an old signature with the replaced secret is told apart by its secret, not by its age', async () => {
  const source = await newSource('stripe');
  clock.now = NOW;
  await configure(source, undefined, { providerSecret: NEW_SECRET, previousProviderSecret: PROVIDER_SECRET });
  const signedAtSeconds = NOW / 1000 - 1_000;
  await newEnvironment().deliver(source, { body: stripeBody(), signedAtSeconds });
  expect(await fixture.reasonsOf(source.workspaceId)).toEqual({ signature_mismatch: 1 });
});

test('a signature that is almost too old leaves no skew: nobody can set the clock of a provider', async () => {
  const source = await newSource('stripe');
  clock.now = NOW;
  const signedAtSeconds = NOW / 1000 - 290;
  sourceLeadId(await newEnvironment().deliver(source, { body: stripeBody(), signedAtSeconds }));
  expect(await evaluate(source, NOW + MINUTE)).toEqual({ opened: 0, closed: 0, hasOpen: false });
  const uses = await fixture.diagnosticsOf(source.workspaceId, 'use#');
  expect(uses.flatMap((use) => Object.keys(use)).filter((name) => name.startsWith('skew'))).toEqual([]);
});
