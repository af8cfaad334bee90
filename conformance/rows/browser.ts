import type { Reason } from '../../lambdas/model/reasons.ts';
import {
  expectAccepted,
  expectEqual,
  expectRejected,
  expectSameResponse,
  expectStatus,
  expectThat,
} from '../checks/expectations.ts';
import { expectRecorded } from '../checks/run-row.ts';
import { type CheckedRow, DECIDED, type Section, type Trial } from '../row.ts';
import type { HttpResponse } from '../world/http.ts';
import { newNonce, ORIGIN, openPage, type Page } from '../world/page.ts';
import { jsonOf, SAMPLE, type Sender } from '../world/submission.ts';
import { listedLeads } from '../world/world.ts';

const OTHER_SITE = 'https://evil.example.org';
/** Fewer than the throttle of the smallest stack lets through at once. */
const SIMULTANEOUS = 10;

interface OwnForm extends Trial {
  readonly page: Page;
}

type Browser = 'as created' | { readonly enabled: boolean; readonly origins: readonly string[] };

/** A form of its own, which takes leads from pages of the origin. */
const onOwnForm =
  (check: (trial: OwnForm) => Promise<void>, browser: Browser = { enabled: true, origins: [ORIGIN] }) =>
  async (trial: Trial): Promise<void> => {
    const sender = await trial.world.changing.newSender();
    if (browser !== 'as created') {
      await trial.world.ownerOf(sender).must('PATCH', `/forms/${sender.formId}`, { browser });
    }
    await check({ ...trial, sender, page: openPage(trial.world.sendBeside, sender) });
  };

async function expectLeads({ world, sender }: Trial, ids: readonly string[]): Promise<void> {
  const { rows } = await listedLeads(world, sender, ids.length);
  const found = rows.map(({ submissionId }) => submissionId);
  expectEqual(found.toSorted(), ids.toSorted(), 'the leads of the form');
}

/** The page learns nothing, and the owner reads the reason. */
const rejects = (reason: Reason, submit: (trial: OwnForm) => Promise<HttpResponse>, browser?: Browser) =>
  onOwnForm(
    (trial) =>
      expectRecorded(trial, { surface: '2', reason }, async () => {
        const response = await submit(trial);
        expectRejected(response);
        return response;
      }),
    browser,
  );

async function checkAccepted(trial: OwnForm): Promise<void> {
  const response = await trial.page.submit(newNonce());
  const id = expectAccepted(response);
  const { surface, body } = await trial.world.ownerOf(trial.sender).lead(id);
  expectEqual([surface, body], ['2', SAMPLE], 'the lead');
  expectEqual(response.headers['access-control-allow-origin'], '*', 'Access-Control-Allow-Origin');
}

async function checkOneNonce(trial: OwnForm): Promise<void> {
  const nonce = newNonce();
  const original = await trial.page.submit(nonce);
  const id = expectAccepted(original);
  expectSameResponse(await trial.page.submit(nonce), original);
  expectSameResponse(await trial.page.submit(nonce, { body: '{"another":"body"}' }), original);
  await expectLeads(trial, [id]);
}

async function checkAtOnce(trial: OwnForm): Promise<void> {
  const nonce = newNonce();
  const token = await trial.page.mint(nonce);
  const submit = () => trial.page.submit(nonce, { token });
  const [first, ...others] = await Promise.all(Array.from({ length: SIMULTANEOUS }, submit));
  const id = expectAccepted(first as HttpResponse);
  for (const other of others) expectSameResponse(other, first as HttpResponse);
  await expectLeads(trial, [id]);
}

/** Whoever asks gets a token, also for a form that does not exist. */
async function checkMintAlike({ world, sender }: Trial): Promise<void> {
  const shapes = [sender, { slug: 'no-such-form' }].map(async ({ slug }: Pick<Sender, 'slug'>) => {
    const { status, body } = await openPage(world.sendBeside, { slug }).requestToken(newNonce());
    const response = JSON.parse(body) as Record<string, unknown>;
    expectThat(/^ingt_brw_/.test(String(response.token)), 'a token', body);
    return [status, Object.keys(response), response.expires_in];
  });
  for (const shape of await Promise.all(shapes)) {
    expectEqual(shape, [200, ['token', 'expires_in'], 120], 'the answer');
  }
}

const PREFLIGHT = {
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'POST',
  'access-control-allow-origin': '*',
  'access-control-max-age': '7200',
};

async function checkPreflights({ world, sender }: Trial): Promise<void> {
  for (const origin of [ORIGIN, OTHER_SITE]) {
    for (const route of ['token', 'submissions'] as const) {
      const response = await openPage(world.sendBeside, sender, origin).preflight(route);
      expectStatus(response, 204);
      const seen = Object.entries(response.headers).filter(([name]) => name.startsWith('access-control-'));
      expectEqual(Object.fromEntries(seen.toSorted()), PREFLIGHT, 'the CORS headers');
    }
  }
}

async function checkOtherTokens({ world, page, sender, submit }: OwnForm): Promise<void> {
  const token = await page.mint(newNonce());
  expectRejected(await world.submit('1a', sender, { token }));
  expectRejected(await page.submit(newNonce(), { token: sender.token }));
  expectAccepted(await submit());
}

const row = (id: string, rule: string, check: CheckedRow['check']): CheckedRow => ({
  id,
  rule,
  note: DECIDED,
  check,
});

export const BROWSER_SDK: Section = {
  id: 'browser-sdk',
  title: 'Authentication: browser SDK (Surface 2)',
  about:
    'The specification announces it and defines no interface. A preview: everything here is decided here.',
  rows: [
    row('accepted', 'A page of an allowed origin sends a lead with a token', onOwnForm(checkAccepted)),
    row('mint', 'A token is minted for any form, existing or not, and is valid for 120 s', checkMintAlike),
    row('one-nonce', 'One nonce makes one lead: a repeat gets the original answer', onOwnForm(checkOneNonce)),
    row('at-once', `Also ${SIMULTANEOUS} at the same time, with one token`, onOwnForm(checkAtOnce)),
    row(
      'off-by-default',
      'A new form rejects browsers',
      rejects('browser_inactive', ({ page }) => page.submit(newNonce()), 'as created'),
    ),
    row(
      'other-origin',
      'A page of another origin is rejected',
      rejects('origin_not_allowed', ({ world, sender }) =>
        openPage(world.sendBeside, sender, OTHER_SITE).submit(newNonce()),
      ),
    ),
    row(
      'no-origin',
      'The origin null counts as missing, and is rejected',
      rejects('origin_missing', ({ page }) => page.submit(newNonce(), { headers: { Origin: 'null' } })),
    ),
    row(
      'bound-origin',
      'A token of another allowed origin is rejected',
      rejects(
        'token_invalid',
        async ({ world, sender, page }) => {
          const other = openPage(world.sendBeside, sender, OTHER_SITE);
          return page.submit(newNonce(), { token: await other.mint(newNonce()) });
        },
        { enabled: true, origins: [ORIGIN, OTHER_SITE] },
      ),
    ),
    row(
      'body',
      'A body over 128 KB is rejected as on the other surfaces',
      rejects('body_too_large', ({ page }) => page.submit(newNonce(), { body: jsonOf(131_073) })),
    ),
    row(
      'other-surfaces',
      'Browser tokens and server tokens work only on their own surface',
      onOwnForm(checkOtherTokens),
    ),
    row('cors', 'Preflight requests of every origin get the same answer', checkPreflights),
    {
      id: 'expired',
      rule: 'A token is rejected after 120 seconds',
      note: DECIDED,
      skipped: 'takes two minutes; npm test tests it with a clock that can be set',
    },
  ],
};
