import { type Http, openHttp, type Send } from '../../conformance/world/http.ts';
import { localStack } from '../local-stack.ts';

export type { HttpAnswer, HttpRequest } from '../../conformance/world/http.ts';

/** One client per stack: some tests start their own, in a worker that also runs tests on the shared one. */
const clients = new Map<string, Http>();

/** Sends to the stack that the test run started. */
export const send: Send = (request) => {
  const { ingestUrl } = localStack();
  const http = clients.get(ingestUrl) ?? openHttp(ingestUrl);
  clients.set(ingestUrl, http);
  return http.send(request);
};
