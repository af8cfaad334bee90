import httpRouter, { type Method, type Route } from '@middy/http-router';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Answer, OwnerEvent, OwnerRequest } from './owner-request.ts';
import { notFound } from './problem.ts';

type Act = (request: OwnerRequest) => Promise<Answer>;

export interface OwnerRoute {
  readonly method: Method;
  readonly path: string;
  readonly act: Act;
}

/** Written as in the OpenAPI document: `GET /settings/forms/{formId}`. */
export function route(pattern: `${Method} /settings/${string}`, act: Act): OwnerRoute {
  const [method, path] = pattern.split(' ') as [Method, string];
  return { method, path, act };
}

export function router(routes: readonly OwnerRoute[]) {
  const table = routes.map(({ method, path, act }) => ({
    method,
    path,
    handler: async function answerRoute(event: OwnerEvent): Promise<Answer> {
      event.route = `${method} ${path}`;
      return act(toRequest(event));
    },
  }));
  const find = httpRouter<APIGatewayProxyEventV2, Answer>({
    routes: table as unknown as Route<APIGatewayProxyEventV2, Answer>[],
    notFoundResponse: () => {
      throw notFound();
    },
  });
  return find as unknown as (event: OwnerEvent) => Promise<Answer>;
}

function toRequest(event: OwnerEvent): OwnerRequest {
  if (!event.owner) throw new Error('requireOwner has not run');
  return {
    workspaceId: event.owner.workspaceId,
    query: event.queryStringParameters ?? {},
    body: event.body,
    signal: event.signal,
    parameter(name) {
      const value = event.pathParameters?.[name];
      if (value === undefined) throw new Error(`The route has no ${name}`);
      return value;
    },
  };
}
