import { createContext, runInContext } from 'node:vm';
import type { ApiHandler } from '../gateway/server.ts';
import { globPattern } from '../glob.ts';
import { StartupError } from '../lifecycle.ts';
import { type Addresses, LOCAL_REGION } from '../local-account.ts';
import type { Assembly } from '../synthesize.ts';
import type { Resource, TemplateReader } from '../template.ts';
import { type BucketFiles, type Header, readBucketFiles, readResponseHeaders } from './bucket-files.ts';

/** How requests for some paths are handled. */
export interface Behavior {
  readonly path: RegExp;
  readonly methods: readonly string[];
  readonly rewrite: Rewrite;
  readonly headers: readonly Header[];
  /** Whether files are sent compressed. CloudFront does not compress what it does not cache: the API's responses. */
  readonly compresses: boolean;
  /** The names of the cookies that the origin gets. */
  readonly cookies: ReadonlySet<string>;
  /** The files of a bucket, or a local API. */
  readonly origin: BucketFiles | ApiHandler;
}

interface BehaviorConfig {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly AllowedMethods?: readonly string[];
  readonly Compress?: boolean;
  readonly ResponseHeadersPolicyId?: string;
  readonly OriginRequestPolicyId?: string;
  readonly FunctionAssociations?: readonly { EventType: string; FunctionARN: string }[];
}

interface DistributionConfig {
  readonly DefaultCacheBehavior: BehaviorConfig;
  readonly CacheBehaviors?: readonly BehaviorConfig[];
  readonly Origins: readonly { Id: string; DomainName: string; S3OriginConfig?: object }[];
}

export interface DistributionSettings {
  readonly reader: TemplateReader;
  readonly assembly: Assembly;
  readonly addresses: Addresses;
  /** The local APIs by their addresses on AWS. */
  readonly apis: ReadonlyMap<string, ApiHandler>;
}

/** The console's address on AWS. */
export function consoleOnAws(reader: TemplateReader): string {
  return `https://${domainOf(findDistribution(reader))}`;
}

/** The behaviors of the template's distribution, in the order they are tried. */
export function readDistribution(settings: DistributionSettings): Behavior[] {
  const { reader } = settings;
  setAttributes(reader);
  const {
    CacheBehaviors = [],
    DefaultCacheBehavior,
    Origins,
  } = findDistribution(reader).required<DistributionConfig>('DistributionConfig');
  const files = readBucketFiles(reader, settings.assembly, settings.addresses);
  return [...CacheBehaviors, DefaultCacheBehavior].map((config) => ({
    path: globPattern(config.PathPattern ?? '*'),
    methods: config.AllowedMethods ?? ['GET', 'HEAD'],
    rewrite: findRewrite(config, reader),
    headers: findHeaders(config, settings),
    compresses: config.Compress ?? false,
    cookies: findCookies(config, reader),
    origin: findOrigin(config, Origins, settings.apis, files),
  }));
}

function findDistribution(reader: TemplateReader): Resource {
  const [distribution, second] = reader.resources('AWS::CloudFront::Distribution');
  if (distribution === undefined || second !== undefined) {
    throw new StartupError('The stack must have exactly one CloudFront distribution.');
  }
  return distribution;
}

const domainOf = ({ logicalId }: Resource) => `${logicalId.toLowerCase()}.cloudfront.net`;

/** Sets the attributes by which the distribution refers to its origins and functions. */
function setAttributes(reader: TemplateReader): void {
  const distribution = findDistribution(reader);
  reader.setAttribute(distribution.logicalId, 'DomainName', domainOf(distribution));
  for (const { logicalId } of reader.resources('AWS::S3::Bucket')) {
    reader.setAttribute(
      logicalId,
      'RegionalDomainName',
      `${logicalId.toLowerCase()}.s3.${LOCAL_REGION}.amazonaws.com`,
    );
  }
  for (const { logicalId } of reader.resources('AWS::CloudFront::OriginAccessControl')) {
    reader.setAttribute(logicalId, 'Id', logicalId);
  }
  for (const { logicalId } of reader.resources('AWS::CloudFront::Function')) {
    reader.setAttribute(logicalId, 'FunctionARN', logicalId);
  }
}

function findRewrite({ FunctionAssociations = [] }: BehaviorConfig, reader: TemplateReader): Rewrite {
  const [association, second] = FunctionAssociations;
  if (association === undefined) return (_, uri) => uri;
  const resource = reader
    .resources('AWS::CloudFront::Function')
    .find(({ logicalId }) => logicalId === association.FunctionARN);
  if (resource === undefined || second !== undefined || association.EventType !== 'viewer-request') {
    throw new Error('only one viewer-request function per behavior is supported');
  }
  return readEdgeFunction(resource);
}

function findHeaders({ ResponseHeadersPolicyId }: BehaviorConfig, settings: DistributionSettings): Header[] {
  if (ResponseHeadersPolicyId === undefined) return [];
  const { reader, addresses } = settings;
  const policy = findPolicy('AWS::CloudFront::ResponseHeadersPolicy', ResponseHeadersPolicyId, reader);
  return readResponseHeaders(policy, addresses);
}

interface OriginRequests {
  readonly CookiesConfig: { readonly CookieBehavior: string; readonly Cookies?: readonly string[] };
}

/** Without a policy, CloudFront forwards no cookie. */
function findCookies({ OriginRequestPolicyId }: BehaviorConfig, reader: TemplateReader): ReadonlySet<string> {
  if (OriginRequestPolicyId === undefined) return new Set();
  const { CookiesConfig } = findPolicy(
    'AWS::CloudFront::OriginRequestPolicy',
    OriginRequestPolicyId,
    reader,
  ).required<OriginRequests>('OriginRequestPolicyConfig');
  if (!['none', 'whitelist'].includes(CookiesConfig.CookieBehavior)) {
    throw new Error(`forwarding ${CookiesConfig.CookieBehavior} cookies is not supported`);
  }
  return new Set(CookiesConfig.Cookies);
}

function findPolicy(type: string, id: string, reader: TemplateReader): Resource {
  const policy = reader.resources(type).find(({ logicalId }) => reader.ref(logicalId) === id);
  if (policy === undefined) throw new Error(`the template has no ${type} ${id}`);
  return policy;
}

function findOrigin(
  { TargetOriginId }: BehaviorConfig,
  origins: DistributionConfig['Origins'],
  apis: DistributionSettings['apis'],
  files: BucketFiles,
): BucketFiles | ApiHandler {
  const origin = origins.find(({ Id }) => Id === TargetOriginId);
  const found = origin?.S3OriginConfig === undefined ? apis.get(`https://${origin?.DomainName}`) : files;
  if (found === undefined) throw new Error(`the origin ${origin?.DomainName} is not supported`);
  return found;
}

/** Returns the path that CloudFront requests from its origin. */
export type Rewrite = (method: string, uri: string) => string;

/** Runs the code of a CloudFront function: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html */
export function readEdgeFunction(resource: Resource): Rewrite {
  const code = resource.required<string>('FunctionCode');
  const handler = runInContext(`${code}\nhandler`, createContext(Object.create(null)));
  return (method, uri) => {
    const request = { method, uri, querystring: {}, headers: {}, cookies: {} };
    const result = handler({ version: '1.0', context: {}, viewer: { ip: '127.0.0.1' }, request });
    if (typeof result.uri !== 'string') throw new Error(`${resource.logicalId} did not return a request`);
    return result.uri;
  };
}
