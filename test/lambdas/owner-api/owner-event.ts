import { randomUUID } from 'node:crypto';
import type { OwnerEvent } from '#owner-api/owner-request.ts';
import { memberIdOf } from '#owner-api/principal.ts';

export interface Call {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of the body as JSON. */
  readonly rawBody?: string | undefined;
  readonly contentType?: string;
  /** Changes to what the authorizer says about the sender. */
  readonly authorized?: Readonly<Record<string, unknown>>;
  /** The document allows the request, but the service rejects it for a reason that no schema can express. */
  readonly beyondSchema?: boolean;
}

/** A request as an HTTP API passes it in payload format 2.0, after its authorizer. */
export function eventOf(workspaceId: string, method: string, path: string, call: Call = {}): OwnerEvent {
  const actor = `user:${memberIdOf(workspaceId, randomUUID())}`;
  const lambda = { workspaceId, actor, actorName: 'ada@example.com', role: 'owner', ...call.authorized };
  const body = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const rawQueryString = new URLSearchParams(call.query).toString();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString,
    headers: body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' },
    ...(rawQueryString !== '' && { queryStringParameters: { ...call.query } }),
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.7', userAgent: 'owner workbench' },
      authorizer: { lambda },
    },
  } as unknown as OwnerEvent;
}
