import type { HttpAnswer, HttpRequest, Send } from './http.ts';

/** One kind of answer, and how often it came. */
export interface SeenAnswer {
  readonly retired: boolean;
  readonly status: number;
  /** Content type and body of a rejection, which must always be the same. */
  readonly rejection?: string;
  /** Without the headers that API Gateway adds to its own answers. */
  readonly headerNames: string;
  count: number;
}

export interface IngestLog {
  readonly send: Send;
  readonly seen: () => readonly SeenAnswer[];
  readonly requests: () => number;
}

/** Headers of the connection and of the network, and the mark of API Gateway's own answers, which cannot be removed. */
const PASSING = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'via',
  'x-amzn-requestid',
  'x-amz-apigw-id',
  'x-amzn-trace-id',
  'x-amzn-errortype',
]);

/** Sends, and counts the kinds of answers in the whole run, because some rules are about all of them. */
export function makeIngestLog(send: Send): IngestLog {
  const seen = new Map<string, SeenAnswer>();
  let requests = 0;
  return {
    async send(request) {
      requests += 1;
      const answer = await send(request);
      const kind = kindOf(request, answer);
      const key = JSON.stringify(kind);
      const known = seen.get(key);
      if (known) known.count += 1;
      else seen.set(key, { ...kind, count: 1 });
      return answer;
    },
    seen: () => [...seen.values()],
    requests: () => requests,
  };
}

function kindOf({ path }: HttpRequest, { status, headers, body }: HttpAnswer): Omit<SeenAnswer, 'count'> {
  const names = Object.keys(headers).filter((name) => !PASSING.has(name));
  return {
    retired: path.startsWith('/api/ingest/'),
    status,
    ...(status === 200 && { rejection: `${headers['content-type']} ${body}` }),
    headerNames: names.sort().join(', '),
  };
}
