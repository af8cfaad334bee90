import type { ProviderName } from '#sources/providers.ts';
import type { SeededRandom } from '../../random.ts';
import {
  type Apply,
  change,
  type Draft,
  dropHeader,
  headerValue,
  mutations,
  setHeader,
  utf8,
} from '../draft.ts';
import { rowOf, signedHeaders } from '../source-draft.ts';
import type { World } from '../world.ts';

type Source = NonNullable<Draft['source']>;

/** For deliveries of providers. */
const signed =
  (change: (draft: Draft, source: Source, random: SeededRandom, world: World) => void): Apply =>
  (draft, random, world) => {
    if (draft.source) change(draft, draft.source, random, world);
  };

const signature = (make: (value: string, source: Source, random: SeededRandom) => string): Apply =>
  signed((draft, source, random) => {
    const { header } = rowOf(source.provider).signature;
    // Computed now, so that the same random choice is not made twice.
    const change = make(signedHeaders(draft)[header] ?? '', source, random);
    setHeader(draft, header, change);
  });

const formOf = ({ provider }: Source) => rowOf(provider).signature.form;

const wrongDigest = ({ provider }: Source) =>
  Buffer.alloc(32, 7).toString(rowOf(provider).signature.encoding);

/** More signatures, where the provider may send several. */
function amongOthers(value: string, source: Source, wrong: number): string {
  const others = Array.from({ length: wrong }, () => wrongDigest(source));
  if (formOf(source) === 'v1,') return [...others.map((each) => `v1,${each}`), 'v2,x', value].join(' ');
  const [time, own] = value.split(',');
  if (formOf(source) !== 't=,v1=') return value;
  return [time, ...others.map((each) => `v1=${each}`), 'v0=x', own].join(', ');
}

const redirect = (slug: string) => (draft: Draft) => {
  draft.target = `/sources/v1/${slug}`;
};

const DELIVERY_HARMLESS: Apply[] = [
  signature((value) => `  ${value} \t`),
  signature((value, source) =>
    rowOf(source.provider).signature.encoding === 'hex'
      ? value.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase())
      : value,
  ),
  signature((value, source, random) => amongOthers(value, source, random.between(1, 7))),
  signed((draft, _source, random) => {
    for (const name of ['X-GitHub-Delivery', 'X-Shopify-Webhook-Id', 'X-Shopify-Topic'])
      draft.headers.push({ name, value: random.text(12) });
  }),
  signed((draft) => draft.headers.push({ name: 'Authorization', value: 'Bearer nonsense' })),
  signed((draft) => draft.headers.push({ name: 'X-SVC-Idempotency-Key', value: '' })),
  signed((draft, _source, random) => {
    draft.copies = random.between(2, 5);
  }),
  (draft, random) => {
    setHeader(draft, 'Content-Type', random.pick(['text/plain', '', 'application/vnd.x+json', utf8('й')]));
  },
  (draft) => dropHeader(draft, 'Content-Type'),
  signed((draft) => {
    draft.timestamp = String(draft.madeAt - 280);
  }),
];

/** Harmless for a request with a token, since they change only what a provider signs. */
const DELIVERY_OPEN: Apply[] = [
  signed((draft, _source, random) => dropHeader(draft, random.pick(Object.keys(signedHeaders(draft))))),
  signed((draft, _source, random) => {
    const name = random.pick(Object.keys(signedHeaders(draft)));
    draft.headers.push({ name: name.toLowerCase(), value: headerValue(draft, name) });
  }),
  signed((draft, _source, random) => {
    const values = [
      '',
      ' ',
      '0',
      'NaN',
      '9'.repeat(17),
      '9'.repeat(400),
      '__proto__',
      utf8('é'),
      'a b',
      't=,v1=',
    ];
    setHeader(draft, random.pick(Object.keys(signedHeaders(draft))), random.pick(values));
  }),
  signature((value, _source, random) => {
    const at = random.below(20);
    return `${value.slice(0, at)}${value[at] === 'x' ? 'y' : 'x'}${value.slice(at + 1)}`;
  }),
  signature((value, _source, random) =>
    random.pick([`sha256=${value}`, `${value}=`, `${value},${value}`, `v1,${value}`]),
  ),
  signature((value) => value.toUpperCase()),
  signature((value, source) => amongOthers(value, source, 8)),
  signature((value, source) => value.replace(/^(t=\d+,)?.*$/, `$1${wrongDigest(source)}`)),
  signature(() => 'no-secret-provided'),
  signed((draft) => {
    draft.signedBody = Buffer.concat([draft.body, Buffer.from('\n')]);
  }),
  signed((_draft, source) => {
    Object.assign(source, { secret: `${source.secret}x` });
  }),
  signed((_draft, source, random, { sources }) => {
    Object.assign(source, { secret: random.pick(sources).providerSecret });
  }),
  // Another provider's headers, with the right secret.
  signed((draft, source, random, { sources }) => {
    const provider: ProviderName = random.pick(sources).provider;
    for (const name of Object.keys(signedHeaders(draft))) dropHeader(draft, name);
    const own = signedHeaders({ ...draft, source: { ...source, provider } });
    for (const [name, value] of Object.entries(own)) setHeader(draft, name, value);
  }),
  signed((draft, _source, random) => {
    const ages = [-330, -301, -299, 299, 301, 330, 3590, 3620, 89_980, 90_020, 604_800, 1e9];
    draft.timestamp = String(draft.madeAt - random.pick(ages));
  }),
  signed((draft, _source, random, { tenants }) => redirect(random.pick(tenants).slug)(draft)),
  signed((draft, _source, random, { sources }) => redirect(random.pick(sources).slug)(draft)),
  signed((draft, source, random, { deadSources }) => {
    const dead = random.pick(deadSources);
    redirect(dead.slug)(draft);
    Object.assign(source, { secret: dead.providerSecret });
  }),
  signed((draft, _source, random) => redirect(random.text(20))(draft)),
  signed((draft) => redirect(draft.tenant.slug.toUpperCase())(draft)),
];

const TOKEN_OPEN: Apply[] = [
  (draft) => draft.headers.push({ name: 'X-API-Key', value: draft.tenant.token }),
  (draft) => draft.headers.push({ name: 'Authorization', value: `Bearer ${draft.tenant.token}` }),
  (draft) => draft.headers.push({ name: 'x-api-key', value: '' }),
  (draft) => setHeader(draft, 'X-API-Key', `Bearer ${draft.tenant.token}`),
  (draft) => setHeader(draft, 'X-API-Key', ` \t${draft.tenant.token} `),
  (draft) => setHeader(draft, 'X-API-Key', utf8(`${draft.tenant.token}é`)),
  (draft, random, { deadTokens }) => setHeader(draft, 'X-API-Key', random.pick(deadTokens)),
  (draft, random, { deadTokens }) => setHeader(draft, 'Authorization', `Bearer ${random.pick(deadTokens)}`),
  (draft) => {
    for (const name of ['X-API-Key', 'Authorization']) dropHeader(draft, name);
  },
  (draft) => setHeader(draft, 'Authorization', draft.tenant.token),
  (draft) => setHeader(draft, 'Authorization', `Basic ${draft.tenant.token}`),
];

const PATHS: Apply[] = [
  ...['/', '*', '/sources', '/sources/v2', '/sources/v1//', '/sources//v1', '/Sources/v1', '/sources/v1/a/b'],
  ...[
    '/sources/v1/__proto__',
    '/sources/v1/%00%ff',
    '/sources/v1/%2e%2e',
    '/sources/v1/..',
    '/sources/v1/{slug}',
  ],
  ...['/in/sources/v1', '/api/v1/ingest', '/api/ingest/x', '/sources/v1;a', `/sources/v1/${'x'.repeat(101)}`],
  ...['/sources/v1/%e0%a4%a', '/sources/v1%2fx', '/sources/v1/-', `/sources/v1/${'x'.repeat(20_000)}`],
].map((path) => change(() => ({ target: path })));

const SUFFIXES: Apply[] = ['?', '?a=1&%ff=%', '/', '///', '%', '%00', '#x', '\u00e9', '/more'].map((suffix) =>
  change((draft) => ({ target: `${draft.target}${suffix}` })),
);

export const SOURCE_DELIVERY = [
  ...mutations('delivery', 'harmless', DELIVERY_HARMLESS),
  ...mutations('delivery', 'open', DELIVERY_OPEN),
];
export const SOURCE_TOKEN = mutations('credentials', 'open', TOKEN_OPEN);
export const SOURCE_PATH = mutations('path', 'open', [...PATHS, ...SUFFIXES]);
