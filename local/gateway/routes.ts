import { StartupError } from '../lifecycle.ts';
import { type Resource, rootId, type TemplateReader } from '../template.ts';

/** A method of the REST API and its function. */
export interface Route {
  readonly httpMethod: string;
  /** For example `/api/v1/ingest/{slug}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly functionArn: string;
  readonly timeoutMilliseconds: number;
}

export interface MethodAndPath {
  readonly httpMethod: string;
  readonly resourcePath: string;
}

export interface RouteMatch<Found extends MethodAndPath = Route> {
  readonly route: Found;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type MatchRoute<Found extends MethodAndPath = Route> = (
  method: string,
  path: string,
) => RouteMatch<Found> | undefined;

const DEFAULT_TIMEOUT_MILLISECONDS = 29_000;

interface Integration {
  readonly Type?: string;
  readonly Uri?: string;
  readonly TimeoutInMillis?: number;
}

/** The routes of a REST API, from its resources and methods. */
export function readRoutes(restApiId: string, reader: TemplateReader): Route[] {
  const ofThisApi = (resource: Resource) => resource.property('RestApiId') === restApiId;
  const paths = readPaths(restApiId, reader.resources('AWS::ApiGateway::Resource').filter(ofThisApi), reader);
  return reader
    .resources('AWS::ApiGateway::Method')
    .filter(ofThisApi)
    .map((method) => {
      const resourceId = method.required<string>('ResourceId');
      const integration = method.required<Integration>('Integration');
      const [, functionArn] = /\/functions\/(.*)\/invocations$/.exec(integration.Uri ?? '') ?? [];
      if (integration.Type !== 'AWS_PROXY' || functionArn === undefined) {
        throw new Error(`${method.logicalId} does not invoke a function; nothing else is supported here`);
      }
      return {
        httpMethod: method.required<string>('HttpMethod'),
        resourcePath: paths.get(resourceId) ?? '/',
        resourceId,
        functionArn,
        timeoutMilliseconds: integration.TimeoutInMillis ?? DEFAULT_TIMEOUT_MILLISECONDS,
      };
    });
}

function readPaths(
  restApiId: string,
  resources: readonly Resource[],
  reader: TemplateReader,
): Map<string, string> {
  const byId = new Map(resources.map((resource) => [reader.ref(resource.logicalId), resource]));
  const pathOf = (id: string): string => {
    const resource = byId.get(id);
    if (resource === undefined) return '';
    return `${pathOf(resource.required('ParentId'))}/${resource.required('PathPart')}`;
  };
  return new Map([
    [rootId(restApiId), '/'],
    ...[...byId.keys()].map((id): [string, string] => [id, pathOf(id)]),
  ]);
}

/** One path segment in the tree of routes. */
interface Node<Found extends MethodAndPath> {
  readonly fixed: Map<string, Node<Found>>;
  parameter?: { readonly name: string; readonly node: Node<Found> };
  readonly methods: Map<string, Found>;
}

/** Matches as a REST API does: trailing slashes don't count. */
export function makeMatcher(routes: readonly Route[]): MatchRoute {
  const match = makeStrictMatcher(routes);
  return (method, path) => match(method, path.replace(/\/+$/, ''));
}

/** Matches as an HTTP API does: a fixed segment wins over a parameter, and every slash counts. */
export function makeStrictMatcher<Found extends MethodAndPath>(routes: readonly Found[]): MatchRoute<Found> {
  const root = makeNode<Found>();
  for (const route of routes) insertRoute(root, route);
  return (method, path) => findRoute(root, path.split('/').slice(1), method, {});
}

function makeNode<Found extends MethodAndPath>(): Node<Found> {
  return { fixed: new Map(), methods: new Map() };
}

function insertRoute<Found extends MethodAndPath>(root: Node<Found>, route: Found): void {
  let node = root;
  for (const segment of route.resourcePath.split('/').filter((part) => part !== '')) {
    const [, name] = /^\{([^}]+)\}$/.exec(segment) ?? [];
    if (name?.endsWith('+'))
      throw new StartupError(`${route.resourcePath}: greedy path parameters are not supported.`);
    if (name === undefined) {
      const next = node.fixed.get(segment) ?? makeNode<Found>();
      node.fixed.set(segment, next);
      node = next;
    } else {
      node.parameter ??= { name, node: makeNode<Found>() };
      node = node.parameter.node;
    }
  }
  node.methods.set(route.httpMethod, route);
}

function findRoute<Found extends MethodAndPath>(
  node: Node<Found>,
  segments: readonly string[],
  method: string,
  pathParameters: Readonly<Record<string, string>>,
): RouteMatch<Found> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    const route = node.methods.get(method) ?? node.methods.get('ANY');
    return route && { route, pathParameters };
  }
  const fixed = node.fixed.get(segment);
  if (fixed !== undefined) return findRoute(fixed, rest, method, pathParameters);
  // An empty segment is not a value.
  if (segment === '' || node.parameter === undefined) return undefined;
  const { name, node: next } = node.parameter;
  return findRoute(next, rest, method, { ...pathParameters, [name]: decode(segment) });
}

/** Invalid percent-encoding is passed on unchanged: the function decides. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
