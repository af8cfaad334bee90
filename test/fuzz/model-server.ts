import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { makeLeadId } from '../../lambdas/submission/ids.ts';
import type { Answer } from '../../local/gateway/gateway-responses.ts';
import { collectBody } from '../../local/gateway/request.ts';
import { openGateway } from '../../local/gateway/server.ts';
import { type Expectation, expected, type Kind } from './model.ts';
import type { World } from './world.ts';

export interface PlayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Changes what is about to be answered; undefined answers nothing, ever. */
export type Play = (answer: PlayedAnswer, due: Kind) => PlayedAnswer | undefined;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const OF_GATEWAY = { 'x-amzn-ErrorType': 'BadRequestException' };
const REJECTED = '{"status":"rejected"}';

export function acceptance(): PlayedAnswer {
  const id = makeLeadId(Date.now(), randomBytes(10));
  return { status: 202, headers: JSON_TYPE, body: `{"submission_id":"${id}"}` };
}

export function rejection(): PlayedAnswer {
  return { status: 200, headers: JSON_TYPE, body: REJECTED };
}

const ANSWERS: Readonly<Record<Kind, () => PlayedAnswer>> = {
  accepted: acceptance,
  rejected: rejection,
  gateway: () => ({ ...rejection(), headers: { ...JSON_TYPE, ...OF_GATEWAY } }),
  gone: () => ({ status: 410, headers: JSON_TYPE, body: '{"error":"gone"}' }),
  'over 10 MB': () => ({
    status: 413,
    headers: { 'Content-Type': 'text/plain', ...OF_GATEWAY },
    body: 'HTTP content length exceeded 10485760 bytes.',
  }),
  'bad coding': () => ({ status: 415, headers: { ...JSON_TYPE, ...OF_GATEWAY }, body: '{"message":""}' }),
};

/** Answers what the model expects, or what a test makes of it: to see that the machine would notice. */
export async function startModelServer(world: World, play: Play) {
  const originals = new Map<string, PlayedAnswer>();

  async function dueTo(request: IncomingMessage): Promise<Expectation> {
    const body = await collectBody(request);
    if (body === undefined) return { kinds: ['over 10 MB'] };
    const { method = '', url: target = '', httpVersion: version, rawHeaders } = request;
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
    );
    const read = { method, target, version, headers, body };
    return expected(read, world, Math.floor(Date.now() / 1000));
  }

  const gateway = await openGateway(0);
  gateway.serve({
    async answer(request) {
      const { kinds, tenant, key } = await dueTo(request);
      const due = kinds[0] as Kind;
      const name = `${tenant?.workspaceId}\n${key}`;
      const answer = (key !== undefined && originals.get(name)) || ANSWERS[due]();
      if (key !== undefined && due === 'accepted') originals.set(name, answer);
      const played = play(answer, due);
      return played === undefined ? new Promise<never>(() => undefined) : toAnswer(played);
    },
    answerFault: () => toAnswer(ANSWERS.gateway()),
  });
  return { url: new URL(gateway.url), close: gateway.close };
}

function toAnswer({ status, headers, body }: PlayedAnswer): Answer {
  const ids = { 'x-amzn-RequestId': randomUUID(), 'x-amz-apigw-id': 'id' };
  return { statusCode: status, headers: Object.entries({ ...ids, ...headers }), body: Buffer.from(body) };
}
