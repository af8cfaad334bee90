import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

export type Answer = APIGatewayProxyStructuredResultV2;

/** The gateway's event, with what the steps before the router have found out. */
export interface OwnerEvent extends Omit<APIGatewayProxyEventV2WithJWTAuthorizer, 'body'> {
  /** Text until the body is read, then what it says. */
  body?: unknown;
  receivedAtMilliseconds: number;
  /** Ends every call to a store in time for an answer within the gateway's 30 seconds. */
  signal: AbortSignal;
  owner?: Owner;
  /** The pattern that the path matched, since a path itself holds ids. */
  route?: string;
  /** The type of the problem that was answered. */
  problem?: string;
}

export interface Owner {
  /** From the session's claims and from nowhere else. */
  readonly workspaceId: string;
  /** Cognito's own id of the user, which says nothing about a person. */
  readonly userId: string | undefined;
}

export type Step = MiddlewareObj<OwnerEvent, Answer>;

/** What a route gets to see of a request. */
export interface OwnerRequest {
  readonly workspaceId: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  /** A part of the path, by its name in the route. */
  parameter(name: string): string;
}
