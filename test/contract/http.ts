import { type Http, openHttp, type Send } from '../../conformance/world/http.ts';
import { localStack } from '../local-stack.ts';

export type { HttpAnswer, HttpRequest } from '../../conformance/world/http.ts';

let http: Http | undefined;

/** Sends to the stack that the test run started. */
export const send: Send = (request) => {
  http ??= openHttp(localStack().ingestUrl);
  return http.send(request);
};
