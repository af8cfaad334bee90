import { type Resource, rootId, type TemplateReader } from '../template.ts';

/** A method of the REST API and where its requests go. */
export interface Route {
  readonly httpMethod: string;
  /** As in the template: `/api/v1/ingest/{slug}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly functionArn: string;
  readonly timeoutMilliseconds: number;
}

/** What a route is found by. */
export interface Place {
  readonly httpMethod: string;
  readonly resourcePath: string;
}

export interface RouteMatch<Found extends Place = Route> {
  readonly route: Found;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type MatchRoute<Found extends Place = Route> = (
  method: string,
  path: string,
) => RouteMatch<Found> | undefined;

const DEFAULT_TIMEOUT_MILLISECONDS = 29_000;

interface Integration {
  readonly Type?: string;
  readonly Uri?: string;
  readonly TimeoutInMillis?: number;
}

/** The routes of a REST API, from its tree of resources and their methods. */
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
        throw new Error(`${method.logicalId} is not integrated with a function: only that is served here`);
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

/** One segment of a path in the tree of routes. */
interface Node<Found extends Place> {
  readonly fixed: Map<string, Node<Found>>;
  parameter?: { readonly name: string; readonly node: Node<Found> };
  greedy?: { readonly name: string; readonly node: Node<Found> };
  readonly methods: Map<string, Found>;
}

/** Matches as a REST API does: slashes at the end do not count. */
export function makeMatcher(routes: readonly Route[]): MatchRoute {
  const match = makeStrictMatcher(routes);
  return (method, path) => match(method, path.replace(/\/+$/, ''));
}

/** Matches as an HTTP API does: a fixed segment before a parameter, that before `{proxy+}`; every slash counts. */
export function makeStrictMatcher<Found extends Place>(routes: readonly Found[]): MatchRoute<Found> {
  const root = makeNode<Found>();
  for (const route of routes) plant(root, route);
  return (method, path) => find(root, path.split('/').slice(1), method, {});
}

function makeNode<Found extends Place>(): Node<Found> {
  return { fixed: new Map(), methods: new Map() };
}

function plant<Found extends Place>(root: Node<Found>, route: Found): void {
  let node = root;
  for (const segment of route.resourcePath.split('/').filter((part) => part !== '')) {
    const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
    if (name === undefined) {
      const next = node.fixed.get(segment) ?? makeNode<Found>();
      node.fixed.set(segment, next);
      node = next;
    } else {
      const kind = plus === '+' ? 'greedy' : 'parameter';
      node[kind] ??= { name, node: makeNode<Found>() };
      node = node[kind].node;
    }
  }
  node.methods.set(route.httpMethod, route);
}

function find<Found extends Place>(
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
  if (fixed !== undefined) return find(fixed, rest, method, pathParameters);
  // An empty segment is no value.
  if (segment === '') return undefined;
  const { parameter, greedy } = node;
  if (parameter !== undefined) {
    const found = find(parameter.node, rest, method, {
      ...pathParameters,
      [parameter.name]: decode(segment),
    });
    if (found !== undefined) return found;
  }
  if (greedy === undefined) return undefined;
  return find(greedy.node, [], method, { ...pathParameters, [greedy.name]: decode(segments.join('/')) });
}

/** What is no valid percent-encoding stays as it came, for the function to judge. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
