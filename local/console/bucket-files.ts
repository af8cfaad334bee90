import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { SDK_SERVICE_FILE } from '../../lib/console-site/sdk-files.ts';
import { globPattern } from '../glob.ts';
import { type Addresses, toLocal } from '../local-account.ts';
import type { Assembly } from '../synthesize.ts';
import type { Resource, TemplateReader } from '../template.ts';

export interface BucketFile {
  readonly contents: Buffer;
  readonly cacheControl: string | undefined;
}

/** Files by key. Only these can be served, whatever path a request has. */
export type BucketFiles = ReadonlyMap<string, BucketFile>;

type Markers = Readonly<Record<string, string>>;

/** The files of the console's bucket, with local addresses. */
export function readBucketFiles(
  reader: TemplateReader,
  assembly: Assembly,
  addresses: Addresses,
): BucketFiles {
  const files = deployedFiles(reader, assembly);
  for (const [key, localize] of [
    ['config.json', localConfig],
    [SDK_SERVICE_FILE, localService],
  ] as const) {
    const file = files.get(key);
    if (file === undefined) continue;
    files.set(key, { ...file, contents: Buffer.from(localize(file.contents.toString(), addresses)) });
  }
  return files;
}

/** The files that the template's deployments upload. */
export function deployedFiles(
  reader: TemplateReader,
  assembly: Pick<Assembly, 'assetFolder'>,
): Map<string, BucketFile> {
  const files = new Map<string, BucketFile>();
  for (const deployment of reader.resources('Custom::CDKBucketDeployment')) {
    const cacheControl = deployment.property<Record<string, string>>('SystemMetadata')?.['cache-control'];
    const markers = deployment.property<Markers[]>('SourceMarkers') ?? [];
    const isDeployed = readFilters(deployment);
    deployment.required<string[]>('SourceObjectKeys').forEach((objectKey, index) => {
      const folder = assembly.assetFolder(objectKey);
      for (const key of filesIn(folder).filter(isDeployed)) {
        files.set(key, fileOf(join(folder, key), markers[index] ?? {}, cacheControl));
      }
    });
  }
  return files;
}

/** Reads it when somebody asks for it: a page needs few of the console's files. */
function fileOf(path: string, markers: Markers, cacheControl: string | undefined): BucketFile {
  let contents: Buffer | undefined;
  return {
    get contents() {
      contents ??= replaceMarkers(readFileSync(path), markers);
      return contents;
    },
    cacheControl,
  };
}

/** The keys that a folder's files have in a bucket. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
}

/** As in `aws s3 sync`: later filters win, and includes come after excludes. */
function readFilters(deployment: Resource): (key: string) => boolean {
  const [excludes = [], includes = []] = ['Exclude', 'Include'].map((name) =>
    deployment.property<string[]>(name)?.map(globPattern),
  );
  const matches = (patterns: readonly RegExp[], key: string) => patterns.some((it) => it.test(key));
  return (key) => !matches(excludes, key) || matches(includes, key);
}

/** Files contain markers for values that are known only after deployment. CDK's function replaces them. */
function replaceMarkers(raw: Buffer, markers: Markers): Buffer {
  const known = Object.entries(markers);
  if (known.length === 0) return raw;
  const replace = (text: string, [marker, value]: [string, string]) =>
    text.replaceAll(marker, () => JSON.stringify(value).slice(1, -1));
  return Buffer.from(known.reduce(replace, raw.toString()));
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** By extension, as uploads to S3 do. */
export function contentTypeOf(key: string): string {
  return CONTENT_TYPES[extname(key)] ?? 'binary/octet-stream';
}

// The next four are the only differences between the local console and the one on AWS.

/** Points to the local Cognito, which does not support SRP: the password itself is sent (to this machine). */
export function localConfig(json: string, addresses: Addresses): string {
  const config = JSON.parse(json);
  return JSON.stringify({
    ...config,
    cognitoEndpoint: toLocal(config.cognitoEndpoint, addresses),
    signIn: 'password',
  });
}

/** Pages send to the local API. */
export function localService(json: string, addresses: Addresses): string {
  return JSON.stringify({ endpoint: toLocal(JSON.parse(json).endpoint, addresses) });
}

/** Allows connections to the local Cognito. */
export function localContentSecurityPolicy(policy: string, addresses: Addresses): string {
  return policy
    .split(' ')
    .map((word) => toLocal(word, addresses))
    .join(' ');
}

/** Without TLS this header would lock browsers out of everything else on this host. */
export const OMITTED_HEADERS: ReadonlySet<string> = new Set(['StrictTransportSecurity']);

export type Header = readonly [name: string, value: string];

interface Policy {
  readonly SecurityHeadersConfig?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly CorsConfig?: { readonly AccessControlAllowOrigins: { readonly Items: readonly string[] } };
  readonly CustomHeadersConfig?: { readonly Items: readonly { Header: string; Value: string }[] };
}

/** How CloudFront writes each of its security headers. */
const SECURITY_HEADERS: Readonly<
  Record<string, (config: Readonly<Record<string, string>>, addresses: Addresses) => Header>
> = {
  ContentSecurityPolicy: ({ ContentSecurityPolicy = '' }, addresses) => [
    'content-security-policy',
    localContentSecurityPolicy(ContentSecurityPolicy, addresses),
  ],
  ContentTypeOptions: () => ['x-content-type-options', 'nosniff'],
  FrameOptions: ({ FrameOption = '' }) => ['x-frame-options', FrameOption],
  ReferrerPolicy: ({ ReferrerPolicy = '' }) => ['referrer-policy', ReferrerPolicy],
};

/** The headers that a response headers policy adds. */
export function readResponseHeaders(resource: Resource, addresses: Addresses): Header[] {
  const {
    SecurityHeadersConfig = {},
    CorsConfig,
    CustomHeadersConfig,
  } = resource.required<Policy>('ResponseHeadersPolicyConfig');
  const security = Object.entries(SecurityHeadersConfig)
    .filter(([kind]) => !OMITTED_HEADERS.has(kind))
    .map(([kind, config]) => {
      const write = SECURITY_HEADERS[kind];
      if (write === undefined) throw new Error(`${resource.logicalId}: ${kind} is not supported`);
      return write(config, addresses);
    });
  const custom = (CustomHeadersConfig?.Items ?? []).map(
    (item): Header => [item.Header.toLowerCase(), item.Value],
  );
  return [...security, ...corsHeaders(resource, CorsConfig), ...custom];
}

/** CloudFront sends it only to requests with an `Origin`; to others it makes no difference. */
function corsHeaders({ logicalId }: Resource, config: Policy['CorsConfig']): Header[] {
  if (config === undefined) return [];
  const origins = config.AccessControlAllowOrigins.Items.join();
  if (origins !== '*') throw new Error(`${logicalId}: CORS for ${origins} is not supported`);
  return [['access-control-allow-origin', '*']];
}
