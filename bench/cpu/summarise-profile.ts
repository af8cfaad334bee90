/** The parts of a .cpuprofile that are read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export type Share = readonly [part: string, share: number];

/** The first match names the part. */
const PARTS: readonly (readonly [part: string, fits: RegExp])[] = [
  ['AWS SDK', /node_modules\/(?:@aws-sdk|@smithy|@aws)\//],
  ['Middy', /node_modules\/@middy\//],
  ['scoring', /\/lambdas\/scoring\/|node_modules\/(?:libphonenumber-js|tldts)/],
  ['our own code', /\/lambdas\//],
  ['JSON', /^native:(?:parse|stringify)$/],
  [
    'crypto',
    /^node:(?:internal\/)?crypto|^native:(?:update|digest|Hash|Hmac|randomBytes|randomFillSync|timingSafeEqual)/,
  ],
  [
    'HTTP and sockets',
    /^node:(?:_?http|https|net|_?stream|internal\/(?:http|net|streams?|stream_base|dns|socket)|internal\/streams|url|internal\/url|internal\/js_stream|timers|internal\/timers)|^native:(?:writev?|writeUtf8String|writeLatin1String|writeBuffer|shutdown|execute|consume|onread)/,
  ],
  ['other Node.js', /^node:/],
  ['garbage collection', /^native:\(garbage collector\)$/],
  ['the bench itself', /\/bench\//],
];

/** Processor time by part. A built-in counts for its caller. */
export function summariseProfile({ nodes, samples, timeDeltas }: Profile): Share[] {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));

  function partOf(id: number): string | undefined {
    const node = byId.get(id);
    if (node === undefined) return undefined;
    const { functionName, url } = node.callFrame;
    if (functionName === '(idle)') return undefined;
    const name = url === '' ? `native:${functionName}` : url;
    const part = PARTS.find(([, fits]) => fits.test(name))?.[0];
    if (part !== undefined) return part;
    const parent = parents.get(id);
    return url === '' && parent !== undefined && functionName !== '(program)'
      ? partOf(parent)
      : 'native code';
  }

  const times = new Map<string, number>();
  let whole = 0;
  for (const [index, id] of samples.entries()) {
    const part = partOf(id);
    // The bench's own loop is not the function's.
    if (part === undefined || part === 'the bench itself') continue;
    const time = timeDeltas[index] ?? 0;
    whole += time;
    times.set(part, (times.get(part) ?? 0) + time);
  }
  return [...times].map(([part, time]): Share => [part, time / whole]).sort(([, a], [, b]) => b - a);
}
