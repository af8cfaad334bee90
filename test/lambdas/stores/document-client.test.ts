import { expect, test } from '@jest/globals';
import { makeDocumentClient } from '#aws/document-client.ts';

/** By name: an SDK that renames them would bring them back unnoticed. */
test('a call passes no middleware that logs or that names the SDK, and all the others', () => {
  const client = makeDocumentClient();
  const middleware = client.middlewareStack.identify().join('\n');
  client.destroy();
  expect(middleware).not.toMatch(/logger|user-?agent/i);
  for (const needed of [/retry/, /httpSigning/, /hostHeader/, /contentLength/, /recursionDetection/]) {
    expect(middleware).toMatch(needed);
  }
});
