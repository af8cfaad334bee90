import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import type { HttpResponse } from '../../local/gateway/gateway-responses.ts';
import { collectBody } from '../../local/gateway/request.ts';
import { openGateway } from '../../local/gateway/server.ts';
import { isError } from './audit.ts';
import { readCorpus } from './corpus.ts';
import { disagreementOf, fuzz, makePlan } from './fuzz.ts';
import { type Api, type Expectation, expected, GATEWAY_KIND, isAcceptance, type Kind } from './model.ts';
import { readAsServer } from './read-as-server.ts';
import { makeImaginaryWorld, type World } from './world.ts';

interface PlayedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Changes a response; undefined never responds. */
type Play = (response: PlayedResponse, due: Kind) => PlayedResponse | undefined;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const OF_GATEWAY = { 'x-amzn-ErrorType': 'BadRequestException' };
const OF_PAGES = { 'Access-Control-Allow-Origin': '*' };
const REJECTED = '{"status":"rejected"}';

function acceptance(): PlayedResponse {
  const id = makeLeadId(Date.now(), randomBytes(10));
  return { status: 202, headers: JSON_TYPE, body: `{"submission_id":"${id}"}` };
}

function rejection(): PlayedResponse {
  return { status: 200, headers: JSON_TYPE, body: REJECTED };
}

const RESPONSES: Readonly<Record<Kind, () => PlayedResponse>> = {
  accepted: acceptance,
  rejected: rejection,
  gateway: () => ({ ...rejection(), headers: { ...JSON_TYPE, ...OF_GATEWAY } }),
  gone: () => ({ status: 410, headers: JSON_TYPE, body: '{"error":"gone"}' }),
  'rejected page': () => ({ ...rejection(), headers: { ...JSON_TYPE, ...OF_PAGES } }),
  minted: () => ({
    status: 200,
    headers: { ...JSON_TYPE, ...OF_PAGES, 'Cache-Control': 'no-store' },
    body: '{"token":"ingt_brw_AA-_","expires_in":120}',
  }),
  preflight: () => ({ status: 204, headers: OF_PAGES, body: '' }),
  'source accepted': () => ({ ...acceptance(), status: 200 }),
  ignored: () => ({ ...rejection(), body: '{"status":"ignored"}' }),
  'source rejected': () => ({ ...rejection(), status: 503 }),
  'source gateway': () => ({ ...rejection(), status: 503, headers: { ...JSON_TYPE, ...OF_GATEWAY } }),
  'over 10 MB': () => ({
    status: 413,
    headers: { 'Content-Type': 'text/plain', ...OF_GATEWAY },
    body: 'HTTP content length exceeded 10485760 bytes.',
  }),
  'bad coding': () => ({ status: 415, headers: { ...JSON_TYPE, ...OF_GATEWAY }, body: '{"message":""}' }),
  'other host': () => ({ status: 403, headers: { 'Content-Type': 'text/plain' }, body: 'Forbidden' }),
};

/** Responds with what the model expects, changed by the test to check that the fuzzer notices. */
async function startModelServer(world: World, play: Play, api: Api) {
  const originals = new Map<string, PlayedResponse>();

  async function dueTo(request: IncomingMessage): Promise<Expectation> {
    const body = await collectBody(request);
    if (body === undefined) return { kinds: ['over 10 MB'] };
    const { method = '', url: target = '', httpVersion: version, rawHeaders } = request;
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
    );
    const read = { method, target, version, headers, body };
    return expected(read, world, Math.floor(Date.now() / 1000), api);
  }

  const gateway = await openGateway(0);
  gateway.serve({
    async respond(request) {
      const { kinds, tenant, key } = await dueTo(request);
      const due = kinds[0] as Kind;
      const name = `${tenant?.workspaceId}\n${key}`;
      const response = (key !== undefined && originals.get(name)) || RESPONSES[due]();
      if (key !== undefined && isAcceptance(due)) originals.set(name, response);
      const played = play(response, due);
      return played === undefined ? new Promise<never>(() => undefined) : toResponse(played);
    },
    responseFault: () => toResponse(RESPONSES[GATEWAY_KIND[api]]()),
  });
  return { url: new URL(gateway.url), close: gateway.close };
}

function toResponse({ status, headers, body }: PlayedResponse): HttpResponse {
  const ids = { 'x-amzn-RequestId': randomUUID(), 'x-amz-apigw-id': 'id' };
  return { statusCode: status, headers: Object.entries({ ...ids, ...headers }), body: Buffer.from(body) };
}

// Tests of the fuzzer itself: it notices wrong responses, and a seed repeats.
const world = makeImaginaryWorld();
const corpus = readCorpus();
const nowSeconds = Math.floor(Date.now() / 1000);

async function faultsOf(play: Play, patienceMilliseconds?: number): Promise<string> {
  const ingest = await startModelServer(world, play, 'ingest');
  const sources = await startModelServer(world, play, 'sources');
  const faults: string[] = [];
  try {
    await fuzz({
      urls: { ingest: ingest.url, sources: sources.url },
      world,
      corpus,
      seed: 1,
      requests: 400,
      connections: 8,
      ...(patienceMilliseconds && { patienceMilliseconds }),
      onFault: ({ faults: found }) => faults.push(...found),
      stopped: () => faults.length > 20,
    });
  } finally {
    await Promise.all([ingest.close(), sources.close()]);
  }
  return faults.join('\n');
}

test('finds nothing in a service that matches the model', async () => {
  expect(await faultsOf((response) => response)).toBe('');
});

/** Changes the responses of one kind. */
const instead =
  (kind: Kind, change: (response: PlayedResponse) => Partial<PlayedResponse> | undefined): Play =>
  (response, due) => {
    if (due !== kind) return response;
    const changed = change(response);
    return changed && { ...response, ...changed };
  };
const withReason = ({ headers }: PlayedResponse) => ({ headers: { ...headers, 'X-Reason': 'token' } });

test.each<[string, Play, RegExp]>([
  ['an unknown status', (response) => ({ ...response, status: 500 }), /not allowed: 500/],
  ['a status that reveals a cause', instead('rejected', () => ({ status: 401 })), /not allowed: 401/],
  ['a changed body', (response) => ({ ...response, body: `${response.body} ` }), /not allowed: 20[02]/],
  ['an extra header', instead('rejected', withReason), /not allowed: 200 .*x-reason/],
  ['a 202 on Surface 1c', instead('source accepted', acceptance), /^accepted, expected source accepted/m],
  [
    'a 200 for what a provider should send again',
    (response, due) => (due.startsWith('source') ? { ...response, status: 200 } : response),
    /^(rejected|gateway), expected source (rejected|gateway)/m,
  ],
  [
    'a 404, for which some providers disable the webhook',
    instead('source rejected', () => ({ status: 404 })),
    /not allowed: 404/,
  ],
  [
    'a lead where a delivery should be ignored',
    instead('ignored', RESPONSES['source accepted']),
    /source accepted, expected ignored/,
  ],
  [
    'a second lead for a delivery',
    instead('source accepted', RESPONSES['source accepted']),
    /two leads for one key: /,
  ],
  ['a wrong acceptance', instead('rejected', acceptance), /accepted, expected rejected/],
  ['a wrong rejection', instead('accepted', rejection), /rejected, expected accepted/],
  ['a second lead for a key', instead('accepted', acceptance), /two leads for one key/],
])('finds %s', async (_, play, fault) => {
  expect(await faultsOf(play)).toMatch(fault);
});

test('finds a request without a response', async () => {
  const silence = instead('rejected', () => undefined);
  expect(await faultsOf(silence, 500)).toMatch(/timed out/);
});

test('mutations and model agree', async () => {
  const disagreements: string[] = [];
  for (let number = 0; number < 1_500; number += 1) {
    const plan = await makePlan({ world, corpus, seed: 7 }, number, nowSeconds);
    const found = disagreementOf(plan, await readAsServer(plan.delivery.bytes), world, nowSeconds);
    if (found !== undefined) disagreements.push(`${number}: ${found}`);
  }
  expect(disagreements).toEqual([]);
});

test('the same seed makes the same requests, another seed others', async () => {
  const bytesOf = async (seed: number) => {
    const plans = Array.from({ length: 200 }, (_, number) =>
      makePlan({ world, corpus, seed }, number, nowSeconds),
    );
    return Buffer.concat((await Promise.all(plans)).map(({ delivery }) => delivery.bytes)).toString('base64');
  };
  const first = await bytesOf(1);
  expect(await bytesOf(1)).toBe(first);
  expect(await bytesOf(2)).not.toBe(first);
});

test.each([
  ['{"level":"ERROR","code":"submission.defect"}', true],
  ['{"level":"INFO","code":"submission.rejected","reason":"internal_error"}', true],
  ['2026-01-01T00:00:00.000Z\t-\tERROR\tThe environment crashed', true],
  ['{"level":"INFO","code":"submission.rejected","reason":"token_invalid"}', false],
  ['{"level":"WARN","message":"slow"}', false],
])('log line %s is an error: %s', (line, error) => {
  expect(isError(line)).toBe(error);
});
