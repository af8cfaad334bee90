import middy from '@middy/core';
import type { Method } from '@middy/http-router';
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ActivityLog } from './activity-store.ts';
import {
  type OwnerEvent,
  type OwnerRequest,
  type OwnerTelemetry,
  openRequest,
  readJsonBody,
  reportRequest,
  requirePrincipal,
  respondToProblems,
} from './owner-request.ts';
import { type HttpResponse, notFound, Problem } from './problem.ts';
import { recordActivity } from './record-activity.ts';
import { refusalOf } from './route-access.ts';

type Act = (request: OwnerRequest) => Promise<HttpResponse>;

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

/** Middy's router types an event as the gateway sends it. Ours also has what earlier steps found out. */
export function router(routes: readonly OwnerRoute[]) {
  const find = httpRouter<APIGatewayProxyEventV2, HttpResponse>({
    routes: routes.map(({ method, path, act }) => ({
      method,
      path,
      handler: async function respondToRoute(gatewayEvent: APIGatewayProxyEventV2): Promise<HttpResponse> {
        const event = gatewayEvent as OwnerEvent;
        event.route = `${method} ${path}`;
        const request = toRequest(event);
        const refusal = refusalOf(request.principal, event.route);
        if (refusal !== undefined) throw new Problem('forbidden', { detail: refusal });
        return act(request);
      },
    })),
    notFoundResponse: () => {
      throw notFound();
    },
  });
  return find as (event: OwnerEvent, context: Context) => Promise<HttpResponse>;
}

function toRequest(event: OwnerEvent): OwnerRequest {
  const { principal } = event;
  if (!principal) throw new Error('requireOwner has not run');
  return {
    workspaceId: principal.workspaceId,
    principal,
    query: event.queryStringParameters ?? {},
    body: event.body,
    signal: event.signal,
    parameter(name) {
      const value = event.pathParameters?.[name];
      if (value === undefined) throw new Error(`The route has no ${name}`);
      return value;
    },
    alsoChanged(further) {
      event.alsoChanged = [...(event.alsoChanged ?? []), further];
    },
  };
}

export interface OwnerPipelineDependencies {
  readonly telemetry: OwnerTelemetry;
  /** Undefined for a function that changes nothing. */
  readonly activity?: ActivityLog;
  readonly now: () => number;
  readonly deadlineMilliseconds: number;
}

/** The life of an owner's request, in the settings and diagnostics functions. */
export function ownerPipeline(dependencies: OwnerPipelineDependencies, routes: readonly OwnerRoute[]) {
  return middy<OwnerEvent, HttpResponse>({ requestEnd: reportRequest(dependencies) })
    .use(openRequest(dependencies))
    .use(respondToProblems(dependencies))
    .use(requirePrincipal())
    .use(recordActivity(dependencies))
    .use(readJsonBody())
    .handler(router(routes));
}
