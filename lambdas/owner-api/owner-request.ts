import type { MiddlewareObj, Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda';
import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../aws/telemetry.ts';
import { ACTIVITY_METRICS, METRICS, OWNER_METRICS } from '../contract.ts';
import type { Activity } from './activity-store.ts';
import { AdministrationError, InvalidField, InvalidRequest, type RequestProblem } from './errors.ts';
import { type AuthorizerContext, type Principal, principalIn, refusalIn } from './principal.ts';
import { type HttpResponse, notFound, Problem, problemResponse } from './problem.ts';
import { patternOf, type Route, type ServedBy } from './route-table.ts';

const FIELD_OF_PROBLEM: Readonly<Record<RequestProblem, string>> = {
  invalid_cursor: 'cursor',
  invalid_range: 'from',
  invalid_columns: 'columns',
};

function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidRequest) {
    const field = FIELD_OF_PROBLEM[error.code];
    return new Problem('invalid-request', { errors: [{ field, problem: error.message }] });
  }
  if (error instanceof InvalidField) {
    const { field, problem } = error;
    return new Problem('invalid-request', { errors: [{ field, problem }] });
  }
  if (!(error instanceof AdministrationError)) return undefined;
  if (error.code === 'not_found') return notFound();
  if (error.code === 'conflict') return new Problem('conflict', { detail: error.message });
  if (error.code === 'limit_reached') return new Problem('limit-reached', { detail: error.message });
  return new Problem('invalid-request', { errors: [{ field: '', problem: error.message }] });
}

/** Turns a problem into a helpful response, and a defect into one that only names the request. */
export function respondToProblems({ telemetry }: { readonly telemetry: OwnerTelemetry }): Step {
  return {
    onError: async function respondToProblemsOnError(request) {
      const problem = toProblem(request.error);
      if (!problem) telemetry.defect(request.error, request.event);
      const responded = problem ?? new Problem('internal-error');
      request.event.problem = responded.problem;
      request.response = problemResponse(
        responded,
        problem ? undefined : request.event.requestContext.requestId,
      );
    },
  };
}

/** One line per owner request, plus one per defect. Never a path, query, body or response. */
export interface OwnerTelemetry {
  request(event: OwnerEvent, response: HttpResponse | undefined, tookMilliseconds: number): void;
  defect(error: unknown, event: OwnerEvent): void;
  /** The change was made, but the activity log does not have it. The line has what it should say. */
  activityLost(error: unknown, event: OwnerEvent, targets: Readonly<Record<string, string>>): void;
}

/** The line is also an EMF document, from which CloudWatch extracts the metrics. */
export function makeOwnerTelemetry(
  area: ServedBy,
  now: () => number,
  write: WriteLine = toStdout,
): OwnerTelemetry {
  const about = ({ requestContext: { requestId }, principal, route }: OwnerEvent) => ({
    requestId,
    // The pattern, since a path itself holds ids.
    route: route && patternOf(route),
    workspaceId: principal?.workspaceId,
    // An id that says nothing about a person.
    userId: principal?.id,
  });
  return {
    request(event, response, tookMilliseconds) {
      const values = {
        [OWNER_METRICS.requests]: 1,
        [OWNER_METRICS.failures]: (response?.statusCode ?? 500) >= 500 ? 1 : 0,
        [METRICS.latencyMilliseconds]: tookMilliseconds,
      };
      const line = {
        level: 'INFO',
        code: `${area}.request`,
        area,
        ...about(event),
        status: response?.statusCode,
        problem: event.problem,
        answerBytes: response?.body?.length ?? 0,
        ...values,
        // By area only. Each route would be three more metrics to pay for; the log line names the route.
        _aws: metricsEnvelope(now(), { names: Object.keys(values), dimensions: ['area'] }),
      };
      write(JSON.stringify(line));
    },
    defect(error, event) {
      const code = event.signal.aborted ? `${area}.deadline_passed` : `${area}.defect`;
      write(JSON.stringify({ level: 'ERROR', code, ...about(event), ...describeError(error) }));
    },
    activityLost(error, event, targets) {
      const values = { [ACTIVITY_METRICS.lost]: 1 };
      const _aws = metricsEnvelope(now(), { names: Object.keys(values), dimensions: [] });
      const code = `${area}.activity_lost`;
      const lost = {
        level: 'ERROR',
        code,
        ...about(event),
        targets,
        ...describeError(error),
        ...values,
        _aws,
      };
      write(JSON.stringify(lost));
    },
  };
}

/** The gateway's event, with what the steps before the router have found out. */
export interface OwnerEvent
  extends Omit<APIGatewayProxyEventV2WithLambdaAuthorizer<AuthorizerContext>, 'body'> {
  /** Text until it is parsed, then the parsed value. */
  body?: unknown;
  receivedAtMilliseconds: number;
  /** Aborts every call to a store in time for a response within the gateway's 30 seconds. */
  signal: AbortSignal;
  principal?: Principal;
  /** What the path matched. */
  route?: Route;
  /** The type of the problem that was returned. */
  problem?: string;
  /** What else the request has changed, for the activity log. */
  alsoChanged?: Further[];
  /** What a route says about its own change, where neither its path nor its response has the ids. */
  targets?: Activity['targets'];
}

/** A change that belongs to another route, with the ids of what was changed. */
export type Further = Pick<Activity, 'action' | 'targets'>;

export type Step = MiddlewareObj<OwnerEvent, HttpResponse>;

/** What a route gets to see of a request. */
export interface OwnerRequest {
  readonly workspaceId: string;
  readonly principal: Principal;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  /** A part of the path, by its name in the route. */
  parameter(name: string): string;
  /** Puts another change in the activity log, beside the one of the route. */
  alsoChanged(further: Further): void;
  /** Says what the route has changed, for the activity log: ids and flags, never content. */
  changed(targets: Activity['targets']): void;
}

interface Options {
  readonly now: () => number;
  readonly deadlineMilliseconds: number;
}

/** Starts the request's clock and deadline. */
export function openRequest({ now, deadlineMilliseconds }: Options): Step {
  return {
    before: function openRequestBefore({ event }) {
      event.receivedAtMilliseconds = now();
      event.signal = AbortSignal.timeout(deadlineMilliseconds);
    },
  };
}

/** Who sends the request: what the authorizer found out, and nothing that the sender says. */
export function requirePrincipal(): Step {
  return {
    before: function requirePrincipalBefore({ event }) {
      const context = event.requestContext.authorizer?.lambda;
      const principal = principalIn(context);
      if (principal === undefined) throw new Problem('unauthorized', { detail: refusalIn(context) });
      event.principal = principal;
    },
  };
}

const MAX_BODY_BYTES = 256 * 1024;

/**
 * Reads the body, if any. The parser's errors contain the body, so they end here and are replaced by errors that do
 * not.
 */
export function readJsonBody(): Step {
  const parse = httpJsonBodyParser().before as (request: Request<OwnerEvent>) => void;
  return {
    before: function readJsonBodyBefore(request) {
      const { body, isBase64Encoded, requestContext } = request.event;
      // A body has no meaning for GET and DELETE. Requests that have one are accepted anyway.
      const isReadable = !['GET', 'DELETE'].includes(requestContext.http.method);
      if (!isReadable || typeof body !== 'string' || body === '') {
        request.event.body = undefined;
        return;
      }
      if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > MAX_BODY_BYTES) {
        throw new Problem('body-too-large', { detail: `The maximum is ${MAX_BODY_BYTES} bytes.` });
      }
      try {
        parse(request);
      } catch (error) {
        const { statusCode } = error as { statusCode?: number };
        if (statusCode === 415) throw new Problem('unsupported-media-type');
        throw new Problem('invalid-request', { errors: [{ field: '', problem: 'is not valid JSON' }] });
      }
    },
  };
}

interface ReportOptions {
  readonly telemetry: OwnerTelemetry;
  readonly now: () => number;
}

/** Runs once the response is known, also after an error. */
export function reportRequest({ telemetry, now }: ReportOptions) {
  return function reportRequestAtEnd(request: Request) {
    const event = request.event as OwnerEvent;
    const response = request.response as HttpResponse | undefined;
    telemetry.request(event, response, now() - event.receivedAtMilliseconds);
  };
}
