import { expect, test } from '@jest/globals';
import { makeClient } from '../../console/src/api/client.ts';
import { ApiProblem, errorMessage as inWords } from '../../console/src/api/problem.ts';

const HTML = '<html><h1>502 Bad Gateway</h1></html>';

/** What the console says of an answer that the settings API has not given itself. */
async function saidOf(status: number, body: string): Promise<string> {
  const real = globalThis.fetch;
  globalThis.fetch = async () => new Response(body, { status });
  const client = makeClient({ idToken: async () => 'token', onSignedOut: () => undefined });
  try {
    return await client.get('/settings/forms').then(String, inWords);
  } finally {
    globalThis.fetch = real;
  }
}

test.each([
  [429, '{"message":"Too Many Requests"}', 'Too many requests. Wait a moment and try again.'],
  [403, '{"message":"Forbidden"}', 'Not allowed. Sign out, sign in and try again.'],
  [500, 'null', 'Service error. Something went wrong on our side. Try again in a moment (500).'],
  [502, HTML, 'Service error. Something went wrong on our side. Try again in a moment (502).'],
  [413, '"too large"', 'The request failed (413). Reload the page and try again.'],
])('%d with %p gets a plain message', async (status, body, words) => {
  expect(await saidOf(status, body)).toBe(words);
});

test.each([
  [{ title: 'The form is archived', detail: 'It takes no test.' }, 'It takes no test.'],
  [{ title: 'Not found' }, 'Not found.'],
  [{ title: 'Internal error', requestId: 'r-1' }, 'Internal error. Request ID: r-1.'],
  [{ title: 'Invalid', errors: [{ field: 'name', problem: 'is too long' }] }, 'name is too long'],
])('what the settings API itself says of %p is kept', (body, words) => {
  expect(inWords(new ApiProblem(429, body))).toBe(words);
});
