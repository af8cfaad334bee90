import { type Session, SessionOver } from '../session/session.ts';
import { ApiProblem, type ProblemDetails } from './problem.ts';

export interface Client {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  /** Asks for what a page will read first, while its code loads. The page's `get` takes the response, once. */
  ahead(path: string, query?: Query): void;
  /** PUT, POST, PATCH or DELETE. */
  change<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The raw response, for anything but JSON. */
  fetch(path: string, query?: Query, signal?: AbortSignal): Promise<Response>;
  /** The same for a POST. */
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response>;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface ClientSettings {
  readonly session: Session;
  readonly userId: string;
}

const AHEAD_MS = 5_000;

/** The settings API, on the same origin as this page. */
export function makeClient({ session, userId }: ClientSettings): Client {
  async function idToken(): Promise<string> {
    try {
      return (await session.tokens(userId)).idToken;
    } catch (error) {
      if (error instanceof SessionOver) throw new ApiProblem(401, { title: 'You are signed out' });
      throw ApiProblem.unreachable();
    }
  }

  async function send(path: string, init: RequestInit, token: string): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    return fetch(path, { ...init, headers, cache: 'no-store' }).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw ApiProblem.unreachable();
    });
  }

  async function request(path: string, init: RequestInit): Promise<Response> {
    const token = await idToken();
    const first = await send(path, init, token);
    if (first.ok) return first;
    const problem = await problemIn(first);
    if (first.status !== 401) throw new ApiProblem(first.status, problem);
    // Tokens can end early. A new one shows whether the session has ended, too.
    session.discard(token);
    const second = await send(path, init, await idToken());
    if (second.ok) return second;
    const last = await problemIn(second);
    if (second.status === 401) void session.end('refused');
    throw new ApiProblem(second.status, last);
  }

  const asked = new Map<string, Promise<Response>>();

  function get(path: string, query: Query = {}, signal?: AbortSignal): Promise<Response> {
    const url = path + queryString(query);
    const response = asked.get(url);
    asked.delete(url);
    return response ?? request(url, signal ? { signal } : {});
  }

  function ahead(path: string, query: Query = {}): void {
    const url = path + queryString(query);
    const response = request(url, {});
    asked.set(url, response);
    // The page gets the error too. What no page takes would be old after a while.
    const forget = () => setTimeout(() => asked.delete(url), AHEAD_MS);
    response.then(forget, forget);
  }

  const json = (body: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return {
    ahead,
    fetch: get,
    post: (path, body, signal) => request(path, { method: 'POST', ...json(body), ...(signal && { signal }) }),
    get: async <T>(path: string, query?: Query, signal?: AbortSignal) =>
      (await (await get(path, query, signal)).json()) as T,
    async change<T>(method: string, path: string, body?: unknown) {
      const response = await request(path, {
        method,
        ...(body !== undefined && json(body)),
      });
      return (response.status === 204 ? undefined : await response.json()) as T;
    },
  };
}

/** Gateways and proxies may not return problem details. */
async function problemIn(response: Response): Promise<ProblemDetails> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function queryString(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
