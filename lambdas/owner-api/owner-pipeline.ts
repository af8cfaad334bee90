import middy from '@middy/core';
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
import { type OperationId, ROUTES, type Route, type ServedBy } from './route-table.ts';

type Act = (request: OwnerRequest) => Promise<HttpResponse>;

export interface OwnerRoute {
  readonly operationId: OperationId;
  readonly act: Act;
}

/** What an operation of the route table does. */
export function route(operationId: OperationId, act: Act): OwnerRoute {
  return { operationId, act };
}

/** Middy's router types an event as the gateway sends it. Ours also has what earlier steps found out. */
export function router(routes: readonly OwnerRoute[]) {
  const find = httpRouter<APIGatewayProxyEventV2, HttpResponse>({
    routes: routes.map(({ operationId, act }) => {
      const declared: Route = ROUTES[operationId];
      return {
        method: declared.method,
        path: declared.path,
        handler: async function respondToRoute(gatewayEvent: APIGatewayProxyEventV2): Promise<HttpResponse> {
          const event = gatewayEvent as OwnerEvent;
          event.route = declared;
          const request = toRequest(event);
          const refusal = refusalOf(request.principal, declared);
          if (refusal !== undefined) throw new Problem('forbidden', { detail: refusal });
          return act(request);
        },
      };
    }),
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
    changed(targets) {
      event.targets = targets;
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

/** The life of an owner's request, in each function of the owners' API. */
export function ownerPipeline(
  servedBy: ServedBy,
  dependencies: OwnerPipelineDependencies,
  routes: readonly OwnerRoute[],
) {
  requireRoutesOf(servedBy, routes);
  return middy<OwnerEvent, HttpResponse>({ requestEnd: reportRequest(dependencies) })
    .use(openRequest(dependencies))
    .use(respondToProblems(dependencies))
    .use(requirePrincipal())
    .use(recordActivity(dependencies))
    .use(readJsonBody())
    .handler(router(routes));
}

/** A function that lacks a route of the table, or has one of another function, does not start. */
function requireRoutesOf(servedBy: ServedBy, routes: readonly OwnerRoute[]): void {
  const wanted = Object.entries<Route>(ROUTES).filter(([, route]) => route.servedBy === servedBy);
  const [expected, given] = [wanted.map(([id]) => id), routes.map(({ operationId }) => operationId)];
  const wrong = expected
    .filter((id) => given.filter((each) => each === id).length !== 1)
    .concat(given.filter((id) => !expected.includes(id)));
  if (wrong.length > 0)
    throw new Error(`The routes of ${servedBy} differ from the table: ${wrong.join(', ')}`);
}
