import { type Apply, change, type Draft, mutations, setHeader, utf8 } from '../draft.ts';

const METHODS = [
  'GET HEAD PUT DELETE OPTIONS PATCH TRACE CONNECT PROPFIND SEARCH QUERY PURGE M-SEARCH SOURCE'.split(' '),
  [
    'post',
    'Post',
    'POSTT',
    'PO ST',
    ' POST',
    'POST\t',
    '',
    '\0POST',
    'P\u00d6ST',
    'PRI',
    'POST'.repeat(5000),
  ],
].flat();

export const METHOD = mutations(
  'method',
  'fatal',
  METHODS.map((method) => change(() => ({ method }))),
);

const target = (make: (target: string, draft: Draft) => string) =>
  change((draft) => ({ target: make(draft.target, draft) }));

const percentEncoded = (text: string) =>
  text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

const HARMLESS = [
  target((path) => `${path}?`),
  target((path) => `${path}?a=1&a=2&__proto__=3&%ff=%`),
  target((path) => `${path}?${'q'.repeat(6000)}`),
  target((path) => `${path}?../../etc/passwd`),
  target((path) => `${path}/`),
  target((path) => `${path}///`),
  target((path) => `/${path}`),
  target((path) => `////${path}?`),
  target((path) => `http://leads.example.com${path}`),
  target((path) => `HTTPS://[::1]:8443${path}`),
];

const SLUG_HARMLESS = [
  target((_, { tenant }) => `/api/v1/ingest/${percentEncoded(tenant.slug)}`),
  target((_, { tenant }) => `/api/v1/ingest/${percentEncoded(tenant.slug[0] ?? '')}${tenant.slug.slice(1)}`),
];

const FATAL = [
  ...['/', '*', '', '//', '/api', '/api/v1', '/api/v2/ingest', '/api/v1/leads', '/favicon.ico'].map((path) =>
    target(() => path),
  ),
  target((path) => path.toUpperCase()),
  target((path) => path.replace('v1', 'V1')),
  target((path) => path.replace('/v1', '//v1')),
  target((path) => path.replace('/v1', '/./v1')),
  target((path) => path.replace('/v1', '/../v1')),
  target((path) => path.replaceAll('/', '\\')),
  target((path) => path.replaceAll('/', '%2f')),
  target((path) => path.replace('ingest', 'inges%74')),
  target((path) => `${path}/more/and/more`),
  target((path) => `${path};v=1`),
  target((path) => `${path}#fragment`),
  target((path) => `${path}%00`),
  target((path) => `${path}%`),
  target((path) => `${path}/%e0%a4%a`),
  target((path) => `${path}\0`),
  target((path) => `${path}\u00e9`),
  target((path) => `${path}${utf8('é漢😀')}`),
  target((path) => `${path} x`),
  target((path) => `${path}\t`),
  target((path) => path.slice(1)),
  target((path) => `${path}/${'x'.repeat(9000)}`),
  target((path) => `${path}/${'x'.repeat(20_000)}`),
  target((path) => `${path}/${'x'.repeat(70_000)}`),
  target((path) => `${path}/${'../'.repeat(1000)}`),
  target((path) => `ftp:${path}`),
  ...['x'.repeat(101), ...'__proto__ constructor toString .. . %2e%2e %2F - _x {slug}'.split(' ')].map(
    (slug) => target(() => `/api/v1/ingest/${slug}`),
  ),
];

const RETIRED: Apply[] = [
  target((_, { tenant }) => `/api/ingest/${tenant.slug}`),
  target(() => '/api/ingest/anything?x=1'),
  target(() => '/api/ingest/%00%ff/'),
  target(() => '/api/ingest'),
  target(() => '/api/ingest/a/b'),
  (draft, random) => {
    draft.target = `/api/ingest/${random.text(random.between(1, 300))}`;
    draft.method = random.pick(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']);
  },
];

const BROWSER_TOKENS = [
  'ingt_brw_',
  'ingt_brw_AAAA',
  `ingt_brw_${'A'.repeat(400)}`,
  `ingt_brw_${Buffer.alloc(120, 0xff).toString('base64url')}`,
  `ingt_brw_${Buffer.alloc(120).toString('base64url')}=`,
];
const ORIGINS = [
  'https://shop.example.com',
  'null',
  'https://',
  '*',
  'https://[::1]',
  `https://${'a.'.repeat(500)}b`,
];

/** Surface 2, without a token that the service has signed. */
const TO_PAGES: Apply[] = [
  (draft, random) => {
    draft.target = '/api/v1/browser/submissions';
    setHeader(draft, 'Origin', random.pick(ORIGINS));
    if (random.chance(0.7)) setHeader(draft, 'Authorization', `Bearer ${random.pick(BROWSER_TOKENS)}`);
  },
  (draft, random) => {
    draft.target = '/api/v1/browser/submissions';
    const bytes = random.bytes(random.between(60, 250));
    setHeader(draft, 'Authorization', `Bearer ingt_brw_${Buffer.from(bytes).toString('base64url')}`);
    setHeader(draft, 'Origin', random.pick(ORIGINS));
  },
  (draft, random) => {
    draft.target = '/api/v1/browser/token';
    setHeader(draft, 'Origin', random.pick(ORIGINS));
    const nonce = random.pick(['0'.repeat(32), 'F'.repeat(32), '', 'x', null, 7, ['a'], { a: 1 }]);
    const form = random.pick([
      draft.tenant.slug,
      '__proto__',
      '',
      null,
      'x'.repeat(101),
      `${random.text(9)}`,
    ]);
    draft.body = Buffer.from(JSON.stringify(random.chance(0.9) ? { form, nonce } : [form, nonce]));
  },
  (draft, random) => {
    draft.method = random.pick(['OPTIONS', 'GET', 'PUT', 'DELETE', 'PATCH']);
    draft.target = `/api/v1/browser/${random.pick(['token', 'submissions', '', 'tokens', 'token/x'])}`;
    setHeader(draft, 'Origin', random.pick(ORIGINS));
  },
];

export const PATH = [
  ...mutations('path', 'harmless', HARMLESS),
  ...mutations('path', 'harmless', SLUG_HARMLESS, '1b'),
  ...mutations('path', 'fatal', [...FATAL, ...RETIRED]),
];

export const PAGES = mutations('path', 'fatal', TO_PAGES);
