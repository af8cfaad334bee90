import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '#local/lifecycle.ts';
import { LOCAL_ACCOUNT } from '#local/local-account.ts';
import { AwsError, responseS3, StandInAccount } from './account.ts';

/** Invalidations, which are complete at once. */
function respondAsCloudFront(account: StandInAccount, { method, path }: AwsRequest): AwsResponse {
  const [, id, invalidation] =
    /^\/[\d-]+\/distribution\/([^/]+)\/invalidation(?:\/([^/]+))?$/.exec(path) ?? [];
  const action = { POST: 'cloudfront:CreateInvalidation', GET: 'cloudfront:GetInvalidation' }[method];
  if (id === undefined || action === undefined || (method === 'GET') !== (invalidation !== undefined)) {
    return account.refuseUnknown(`cloudfront ${method} ${path}`);
  }
  account.authorise(action, `arn:aws:cloudfront::${LOCAL_ACCOUNT}:distribution/${id}`, {});
  return { root: 'Invalidation', fields: { Id: 'I0', Status: 'Completed' } };
}

export interface AwsRequest {
  readonly method: string;
  /** Decoded, without the service's name at its beginning. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cacheControl: string | undefined;
  readonly body: Buffer;
}

/** What a stand-in returns: bytes as they are, anything else as XML, or as JSON to those who ask for it. */
export type AwsResponse = { readonly root: string; readonly fields: object } | Buffer | undefined;

/** Objects become elements, and a list repeats its element. */
function toXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => toXml(name, item)).join('');
  if (typeof value === 'object' && value !== null) {
    const children = Object.entries(value).map(([child, its]) => toXml(child, its));
    return `<${name}>${children.join('')}</${name}>`;
  }
  const text = String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${text}</${name}>`;
}

const SERVICES: Readonly<Record<string, (account: StandInAccount, request: AwsRequest) => AwsResponse>> = {
  s3: responseS3,
  cloudfront: respondAsCloudFront,
};

/** What a handler told CloudFormation, by the id of the request. */
const RESPONSES = 'cloudformation-responses';

/** S3, CloudFront and the end of CloudFormation that takes a handler's response, on a port of this machine. */
export class StandIn {
  #account = new StandInAccount();
  readonly #server: Server;
  readonly #responses = new Map<string, Buffer>();
  #failure: unknown;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        this.#failure = error;
        response.destroy();
      });
    });
  }

  static async start(): Promise<StandIn> {
    const standIn = new StandIn();
    await listen(standIn.#server);
    return standIn;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  get account(): StandInAccount {
    return this.#account;
  }

  /** Forgets every bucket. */
  openNewAccount(): void {
    this.#account = new StandInAccount();
  }

  /** An address per service lies below it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  responseUrl(requestId: string): string {
    return `${this.url}/${RESPONSES}/${requestId}`;
  }

  /** The response to a request, or undefined if the handler sent none. Throws if a stand-in itself failed. */
  takeResponse(requestId: string): Buffer | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#responses.get(requestId);
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(message.url ?? '/', this.url);
    const [, service = '', path = ''] = /^\/([^/]*)(.*)$/s.exec(pathname) ?? [];
    const body = await buffer(message);
    if (service === RESPONSES) {
      this.#responses.set(path.slice(1), body);
      response.end();
      return;
    }
    const asJson = message.headers.accept === 'application/json';
    try {
      const request: AwsRequest = {
        method: message.method ?? '',
        path: decodeURIComponent(path),
        query,
        cacheControl: message.headers['cache-control'],
        body,
      };
      const answer = SERVICES[service]?.(this.account, request) ?? this.#withoutResponse(service, request);
      send(response, 200, answer, asJson);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const fields = { Code: error.code, Message: error.message };
      send(response, error.status, { root: 'Error', fields }, asJson);
    }
  }

  #withoutResponse(service: string, { method, path }: AwsRequest): AwsResponse {
    return service in SERVICES ? undefined : this.account.refuseUnknown(`${service} ${method} ${path}`);
  }
}

function send(response: ServerResponse, status: number, answer: AwsResponse, asJson: boolean): void {
  response.statusCode = status;
  if (answer === undefined) response.end();
  else if (Buffer.isBuffer(answer)) response.end(answer);
  else response.end(asJson ? JSON.stringify(answer.fields) : toXml(answer.root, answer.fields));
}
