import type { Answer } from './owner-request.ts';
import { ALWAYS } from './problem.ts';

export function ok(value: object): Answer {
  return json(200, value);
}

export function created(value: object): Answer {
  return json(201, value);
}

export function noContent(): Answer {
  return { statusCode: 204, headers: ALWAYS };
}

/** In base64, since text would grow when it is escaped as JSON, and an answer may have 6 MB. */
export function download(content: Buffer, headers: Readonly<Record<string, string>>): Answer {
  return {
    statusCode: 200,
    headers: { ...ALWAYS, ...headers },
    body: content.toString('base64'),
    isBase64Encoded: true,
  };
}

function json(statusCode: number, value: object): Answer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...ALWAYS },
    body: JSON.stringify(value),
  };
}
