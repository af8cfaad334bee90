import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Answer, FaultType } from '../gateway/gateway-responses.ts';
import { type FrontDoor, type Gateway, openGateway } from '../gateway/server.ts';
import { StartupError } from '../lifecycle.ts';
import { type BucketFiles, contentTypeOf } from './bucket-files.ts';
import { compress } from './compression.ts';
import type { Behaviour } from './distribution.ts';

const FAULT_STATUS: Readonly<Partial<Record<FaultType, number>>> = {
  DEFAULT_4XX: 400,
  MISSING_AUTHENTICATION_TOKEN: 403,
};

/** The distribution as the server wants it. */
export function openDistribution(behaviours: readonly Behaviour[]): FrontDoor {
  return {
    async answer(incoming, exchange) {
      const method = incoming.method ?? 'GET';
      const path = pathOf(incoming);
      const behaviour = behaviours.find((it) => path !== undefined && it.path.test(path));
      if (path === undefined || behaviour === undefined) return plain(400);
      if (!behaviour.methods.includes(method)) return plain(403);
      const { origin, headers, rewrite, encodings } = behaviour;
      // No copy of the request is made: the API gets it as it came.
      const answer =
        'answer' in origin
          ? await origin.answer(incoming, exchange)
          : fetchFile(origin, rewrite(method, path));
      const sent = await compress(answer, incoming, encodings);
      return { ...sent, headers: [...sent.headers, ...headers] };
    },
    answerFault: (type) => plain(FAULT_STATUS[type] ?? 500),
  };
}

/** With `.` and `..` worked out, as CloudFront does before it looks for a behaviour. */
function pathOf({ url = '/' }: IncomingMessage): string | undefined {
  // A client that takes us for its proxy sends the whole address.
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  return target.startsWith('/') ? URL.parse(`http://console${target}`)?.pathname : undefined;
}

function fetchFile(files: BucketFiles, uri: string): Answer {
  const key = decode(uri.slice(1));
  const file = key === undefined ? undefined : files.get(key);
  if (key === undefined || file === undefined) return plain(key === undefined ? 400 : 404);
  const headers = [
    ['content-type', contentTypeOf(key)],
    ...(file.cacheControl === undefined ? [] : [['cache-control', file.cacheControl]]),
  ] as [string, string][];
  return { statusCode: 200, headers, body: file.contents };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function plain(statusCode: number): Answer {
  return {
    statusCode,
    headers: [['content-type', 'text/plain']],
    body: Buffer.from(`${STATUS_CODES[statusCode]}\n`),
  };
}

const LAST_PORT = 65_535;

/** On the next port, where a bookmark finds the console again; on any if that one is taken. */
export async function openBeside(port: number): Promise<Gateway> {
  if (port === 0 || port === LAST_PORT) return openGateway(0);
  try {
    return await openGateway(port + 1);
  } catch (error) {
    if (error instanceof StartupError) return openGateway(0);
    throw error;
  }
}
