import { type HttpRequest, type HttpResponse, openHttp } from '#conformance/world/http.ts';
import { REJECTED, submissionIdOf } from '../fuzz/exchange.ts';

export interface Reply extends HttpResponse {
  readonly tookMilliseconds: number;
}

export type Post = (request: HttpRequest) => Promise<Reply>;

/** A client with keep-alive connections, like a backend under load. Rejects if a connection fails. */
export function makePost(baseUrl: string, connections: number): Post {
  const { send } = openHttp(baseUrl, connections);
  return async (request) => {
    const startedAt = performance.now();
    return { ...(await send(request)), tookMilliseconds: performance.now() - startedAt };
  };
}

/** Undefined for anything but an acceptance. */
export function acceptedId(reply: Reply): string | undefined {
  return reply.status === 202 ? submissionIdOf(reply) : undefined;
}

export const isRejected = ({ status, body }: Reply): boolean => status === 200 && body === REJECTED;
