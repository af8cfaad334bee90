import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { FrontDoor } from '../gateway/front-door.ts';
import type { Answer, FaultType } from '../gateway/gateway-responses.ts';
import type { BucketFiles } from './bucket-files.ts';
import { compress } from './compression.ts';
import { contentTypeOf } from './content-types.ts';
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
