import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { SURFACES, type Surface } from '../../lambdas/model/limits.ts';
import {
  type HttpResponse,
  type openContract,
  requestFor,
  type Submission,
  send,
  submit,
  type Tenant,
} from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { waitFor } from '../until.ts';
import { type Canaries, guardedBody, guardedHeaders, type Place, REJECTION_PLACES } from './canaries.ts';

export type Contract = ReturnType<typeof openContract>;

/** A tenant whose own credentials are canaries. */
export async function newGuardedTenant(
  { newTenant }: Contract,
  canaries: Canaries,
  what: string,
): Promise<Tenant> {
  const tenant = await newTenant();
  canaries.track(`the token of ${what}`, tenant.token.slice('ingt_srv_'.length, -4));
  canaries.track(`the secret of ${what}`, tenant.secret.slice('whsec_'.length), ['formSecrets']);
  return tenant;
}

const QUERY = (canaries: Canaries, what: string) =>
  `?email=${canaries.create(`the query of ${what}`)}%40example.com`;

/** Everything at once: the correct signature of the body is a canary too. */
export async function sendGuarded(
  surface: Surface,
  tenant: Tenant,
  canaries: Canaries,
  { what, ofValues = [], ofKeys = [], ofUserAgent = REJECTION_PLACES, submission = {}, grow = 0 }: Guarded,
): Promise<HttpResponse> {
  const plain = guardedBody(canaries, what, ofValues, ofKeys);
  const body =
    submission.body ?? (grow > 0 ? `${plain.slice(0, -1)},"long":"${'well '.repeat(grow)}"}` : plain);
  const { timestamp = String(Math.floor(Date.now() / 1000)), secret = tenant.secret } = submission;
  const right = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  canaries.track(`the right signature of ${what}`, right);
  const headers = { ...guardedHeaders(canaries, what, ofUserAgent), ...submission.headers };
  const request = requestFor(surface, tenant, { ...submission, timestamp, body, headers });
  return send({ ...request, path: `${request.path}${QUERY(canaries, what)}` });
}

interface Guarded {
  readonly what: string;
  readonly ofValues?: readonly Place[];
  readonly ofKeys?: readonly Place[];
  readonly ofUserAgent?: readonly Place[];
  readonly submission?: Submission;
  /** How often a word is repeated: long bodies are stored compressed. */
  readonly grow?: number;
}

/** Accepted, short and long, and sent again under the same key. */
export async function sendAccepted(contract: Contract, canaries: Canaries): Promise<HttpResponse[]> {
  const tenant = await newGuardedTenant(contract, canaries, 'an accepted submission');
  const responses: HttpResponse[] = [];
  for (const surface of SURFACES) {
    for (const grow of [0, 2_000]) {
      const what = `an accepted submission on ${surface}, ${grow === 0 ? 'short' : 'long'}`;
      const type = `application/json; x=${canaries.create(`the content type of ${what}`)}`;
      const guarded = { what, grow, ofValues: ['leads'], ofKeys: ['leads'], ofUserAgent: [] } as const;
      responses.push(
        await sendGuarded(surface, tenant, canaries, {
          ...guarded,
          submission: { headers: { 'Content-Type': type } },
        }),
      );
    }
    // A replay makes no lead, and none of its body may be kept. That the body was different is recorded.
    const key = `${canaries.create('the key that is used twice')}`;
    const first = { ofValues: ['leads'], ofKeys: ['leads'], ofUserAgent: [] } as const;
    const second = { ofValues: [], ofKeys: [], ofUserAgent: REJECTION_PLACES };
    for (const [name, allowed] of Object.entries({ first, second })) {
      const what = `the ${name} of one key on ${surface}`;
      responses.push(
        await sendGuarded(surface, tenant, canaries, {
          what,
          ...allowed,
          submission: { headers: { 'X-SVC-Idempotency-Key': key } },
        }),
      );
    }
  }
  return responses;
}

type Cause = (tenant: Tenant, canaries: Canaries) => Submission | Promise<Submission | undefined> | undefined;

/** One cause per entry, each with a canary in what is wrong. */
function causes({ administration, exhaust }: Contract): Record<string, [readonly Surface[], Cause]> {
  const headers = (name: string, make: (canary: string) => string, allowed?: readonly Place[]): Cause => {
    return (_, canaries) => ({
      headers: { [name]: make(canaries.create(`a wrong ${name}`, allowed)) },
    });
  };
  return {
    'an unknown token': [['1a'], headers('Authorization', (canary) => `Bearer ingt_srv_${canary}`)],
    'another scheme': [['1a'], headers('Authorization', (canary) => `Basic ${canary}`)],
    'a nearly right token': [['1a'], ({ token }) => ({ token: `${token}x` })],
    'a token of another type': [
      ['1a'],
      async ({ formId }, canaries) => {
        const { token } = await administration.createToken({ formId, type: 'browser' });
        canaries.track('a browser token', token.slice(9, -4));
        return { token };
      },
    ],
    'a revoked token': [['1a'], ({ tokenId }) => administration.revokeToken(tokenId).then(() => undefined)],
    'a wrong signature': [
      ['1b'],
      headers('X-SVC-Signature', (canary) => createHmac('sha256', canary).digest('hex')),
    ],
    'a signature of another shape': [['1b'], headers('X-SVC-Signature', (canary) => `sha256=${canary}`)],
    'a wrong secret': [['1b'], (_, canaries) => ({ secret: canaries.create('a wrong secret') })],
    'a timestamp of another shape': [['1b'], headers('X-SVC-Timestamp', (canary) => canary)],
    'an old timestamp': [['1b'], () => ({ timestamp: '1700000000' })],
    'an unknown slug': [['1b'], (_, canaries) => ({ slug: canaries.create('an unknown slug') })],
    'what is no slug': [['1b'], (_, canaries) => ({ slug: `%00${canaries.create('what is no slug')}` })],
    'a suspended workspace': [
      SURFACES,
      ({ workspaceId }) => administration.suspendWorkspace(workspaceId).then(() => undefined),
    ],
    'an inactive form': [
      SURFACES,
      ({ formId }) => administration.setFormActive({ formId, active: false }).then(() => undefined),
    ],
    'a key that is too long': [SURFACES, headers('X-SVC-Idempotency-Key', (canary) => canary.repeat(20))],
    'another content type': [
      SURFACES,
      headers('Content-Type', (canary) => `text/${canary}`, REJECTION_PLACES),
    ],
    'another coding': [SURFACES, headers('Content-Encoding', (canary) => canary, REJECTION_PLACES)],
    'a corrupt coding': [SURFACES, () => ({ headers: { 'Content-Encoding': 'gzip' } })],
    'a body that is too large': [
      SURFACES,
      (_, canaries) => ({ body: `{"a":"${canaries.create('a large body').repeat(8_000)}"}` }),
    ],
    'a body that is no JSON': [
      SURFACES,
      (_, canaries) => ({ body: `{"a":${canaries.create('a body that is no JSON')}` }),
    ],
    'a body that is no UTF-8': [
      SURFACES,
      (_, canaries) => ({
        body: Buffer.from(`{"a":"\u00ff${canaries.create('a body that is no UTF-8')}"}`, 'latin1'),
      }),
    ],
    'a body that is no object': [
      SURFACES,
      (_, canaries) => ({ body: `["${canaries.create('a body that is no object')}"]` }),
    ],
    'a full minute': [
      SURFACES,
      (tenant) =>
        Promise.all(SURFACES.map((surface) => exhaust(tenant, surface, 'minute'))).then(() => undefined),
    ],
  };
}

/** Rejected for every cause, on every surface that has it. */
export async function sendRejected(
  contract: Contract,
  canaries: Canaries,
): Promise<[string, HttpResponse][]> {
  const responses: [string, HttpResponse][] = [];
  for (const [cause, [surfaces, arrange]] of Object.entries(causes(contract))) {
    for (const surface of surfaces) {
      const what = `${cause} on ${surface}`;
      const tenant = await newGuardedTenant(contract, canaries, what);
      const submission = (await arrange(tenant, canaries)) ?? {};
      // Only the limit is checked after the body was read.
      const ofKeys: readonly Place[] = cause === 'a full minute' ? REJECTION_PLACES : [];
      responses.push([what, await sendGuarded(surface, tenant, canaries, { what, ofKeys, submission })]);
    }
  }
  return responses;
}

/** The retired path, and requests that the gateway itself responds to. */
export async function sendElsewhere(canaries: Canaries): Promise<[string, HttpResponse][]> {
  const requests: [what: string, method: string, path: (canary: string) => string][] = [
    ['the retired path', 'POST', (canary) => `/api/ingest/${canary}`],
    ['the retired path, read', 'GET', (canary) => `/api/ingest/${canary}`],
    ['a path that does not exist', 'POST', (canary) => `/api/v1/${canary}`],
    ['a method that does not exist', 'PUT', () => '/api/v1/ingest'],
    ['a head that is too long', 'POST', (canary) => `/api/v1/ingest?${canary.repeat(600)}`],
  ];
  return Promise.all(
    requests.map(async ([what, method, path]): Promise<[string, HttpResponse]> => {
      const headers = {
        ...guardedHeaders(canaries, what, []),
        Authorization: `Bearer ingt_srv_${canaries.create(`the token of ${what}`)}`,
        'X-SVC-Signature': canaries.create(`the signature of ${what}`),
      };
      const body = guardedBody(canaries, what, [], []);
      return [
        what,
        await send({ method, path: path(canaries.create(`the path of ${what}`)), headers, body }),
      ];
    }),
  );
}

/** Rejected once authenticated and once unauthenticated, and seen in Diagnostics. */
export async function sendUntilRecorded({ newTenant, diagnostics }: Contract, userAgent: string) {
  const tenant = await newTenant();
  const headers = { 'User-Agent': userAgent };
  await submit('1a', tenant, { headers: { ...headers, 'Content-Type': 'text/plain' } });
  await waitFor(async () => {
    // Recording those gives up after 300 ms on a busy machine.
    await submit('1b', tenant, { headers, secret: 'whsec_not_the_right_one' });
    const kept = await diagnostics(tenant.workspaceId, 'event#');
    return new Set(kept.map(({ authenticated }) => authenticated)).size === 2;
  });
}

/** Once accepted and once rejected, on both surfaces, from this address of the machine. */
export async function sendFrom(localAddress: string, { newTenant }: Contract): Promise<number[]> {
  const tenant = await newTenant();
  const statuses: number[] = [];
  for (const surface of SURFACES) {
    for (const type of ['application/json', 'text/plain']) {
      const { path, headers, body } = requestFor(surface, tenant, { headers: { 'Content-Type': type } });
      const url = new URL(path, localStack().ingestUrl);
      const request = httpRequest(url, { method: 'POST', headers, localAddress });
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      statuses.push(response.statusCode ?? 0);
    }
  }
  return statuses;
}
