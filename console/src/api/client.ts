import { ApiProblem, type ProblemDetails } from './problem.ts';

export interface Client {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  /** PUT, POST, PATCH or DELETE. */
  change<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The raw response, for anything but JSON. */
  fetch(path: string, query?: Query, signal?: AbortSignal): Promise<Response>;
  /** The same for a POST. */
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response>;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface ClientSettings {
  readonly idToken: () => Promise<string | undefined>;
  /** The session has ended. */
  readonly onSignedOut: () => void;
}

/** The settings API, on the same origin as this page. */
export function makeClient({ idToken, onSignedOut }: ClientSettings): Client {
  async function request(path: string, init: RequestInit): Promise<Response> {
    // Fails only if Cognito is unreachable, which is no reason to sign out.
    const token = await idToken().catch(() => {
      throw ApiProblem.unreachable();
    });
    if (token === undefined) {
      onSignedOut();
      throw new ApiProblem(401, { title: 'Your session has expired' });
    }
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const response = await fetch(path, { ...init, headers, cache: 'no-store' }).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw ApiProblem.unreachable();
    });
    if (!response.ok) {
      const problem = await problemIn(response);
      if (isSessionOver(response.status, problem)) onSignedOut();
      throw new ApiProblem(response.status, problem);
    }
    return response;
  }

  const get = (path: string, query: Query = {}, signal?: AbortSignal) =>
    request(path + queryString(query), signal ? { signal } : {});

  const json = (body: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return {
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

/** A 403 of the API itself says what the user may not do. One without a type is from the authorizer: the token has expired. */
function isSessionOver(status: number, { type }: ProblemDetails): boolean {
  return status === 401 || (status === 403 && type === undefined);
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
