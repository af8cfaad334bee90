import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

export type HttpResponse = APIGatewayProxyStructuredResultV2;

/** Every way a request can fail, by the last part of the problem's `type`. */
export const PROBLEMS = {
  'invalid-request': [400, 'The request is not valid'],
  unauthorized: [401, 'Sign in first'],
  forbidden: [403, 'Not allowed'],
  'not-found': [404, 'Not found in this workspace'],
  conflict: [409, 'Not possible in the current state'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body must be JSON'],
  'limit-reached': [429, 'Limit reached'],
  'internal-error': [500, 'Something went wrong on our side'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemName = keyof typeof PROBLEMS;

export interface FieldFault {
  /** As in `fields[2].key`; empty for the body as a whole. */
  readonly field: string;
  readonly problem: string;
}

interface ProblemOptions {
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldFault[];
}

/** Thrown for every request that cannot be carried out. Any other error is a defect. */
export class Problem extends Error {
  readonly problem: ProblemName;
  readonly options: ProblemOptions;

  constructor(problem: ProblemName, options: ProblemOptions = {}) {
    super(problem);
    this.name = 'Problem';
    this.problem = problem;
    this.options = options;
  }
}

/** The same for an unknown id and for another workspace's: it repeats no id. */
export function notFound(): Problem {
  return new Problem('not-found');
}

/** As of RFC 9457. */
export function problemResponse({ problem, options }: Problem, requestId?: string): HttpResponse {
  const [status, title] = PROBLEMS[problem];
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...ALWAYS,
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
    body: JSON.stringify({
      type: `urn:lead-ingest:problem:${problem}`,
      title,
      status,
      ...options,
      requestId,
    }),
  };
}

/** Secrets and leads must not stay in the cache of a browser or proxy. */
export const ALWAYS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export function ok(value: object): HttpResponse {
  return json(200, value);
}

export function created(value: object): HttpResponse {
  return json(201, value);
}

/** 202: the request is processed a little later. */
export function accepted(value: object): HttpResponse {
  return json(202, value);
}

export function noContent(): HttpResponse {
  return { statusCode: 204, headers: ALWAYS };
}

/** In base64, since text would grow when it is escaped as JSON, and a response may have 6 MB. */
export function download(content: Buffer, headers: Readonly<Record<string, string>>): HttpResponse {
  return {
    statusCode: 200,
    headers: { ...ALWAYS, ...headers },
    body: content.toString('base64'),
    isBase64Encoded: true,
  };
}

function json(statusCode: number, value: object): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...ALWAYS },
    body: JSON.stringify(value),
  };
}
