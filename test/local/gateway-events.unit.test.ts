import { describe, expect, test } from '@jest/globals';
import { buildEvent, type GatewayRequest } from '../../local/gateway/rest-event.ts';
import { makeMatcher, type RouteMatch, readRoutes } from '../../local/gateway/routes.ts';
import { TemplateReader } from '../../local/template.ts';
import { templateFixture } from './support/template-fixture.ts';

describe('gateway events', () => {
  const MATCH: RouteMatch = {
    route: {
      httpMethod: 'ANY',
      resourcePath: '/api/v1/ingest/{slug}',
      resourceId: 'abc123',
      functionArn: 'arn',
      timeoutMilliseconds: 29_000,
    },
    pathParameters: { slug: 'a b' },
  };

  const IDENTITY = { apiId: 'api1234567', stage: 'dev', stageVariables: null };

  function build(request: Partial<GatewayRequest> = {}) {
    const full: GatewayRequest = {
      requestId: '3f8a',
      extendedRequestId: 'x=',
      receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      method: 'POST',
      path: '/api/v1/ingest/a%20b',
      query: '',
      protocol: 'HTTP/1.1',
      rawHeaders: ['Host', 'localhost:8787'],
      sourceIp: '127.0.0.1',
      port: 8787,
      body: Buffer.alloc(0),
      ...request,
    };
    // As it reaches the function.
    return JSON.parse(JSON.stringify(buildEvent(full, MATCH, IDENTITY)));
  }

  describe('headers', () => {
    test('sent twice keep both values in order; the single value is the last', () => {
      const event = build({ rawHeaders: ['X-Key', 'first', 'Other', 'o', 'x-key', 'second'] });
      expect(event.multiValueHeaders['X-Key']).toEqual(['first', 'second']);
      expect(event.headers['X-Key']).toBe('second');
      expect(event.headers['x-key']).toBeUndefined();
    });

    test('may be named like the members of an object', () => {
      const event = build({ rawHeaders: ['constructor', 'a', '__proto__', 'b', 'toString', 'c'] });
      expect(JSON.stringify(event.headers)).toMatch('"constructor":"a","__proto__":"b","toString":"c"');
    });

    test('of the connection end at the gateway', () => {
      const names = ['Connection', 'Content-Length', 'Transfer-Encoding', 'Expect'];
      const event = build({ rawHeaders: names.flatMap((name) => [name, 'x']) });
      expect(Object.keys(event.headers).sort()).toEqual([
        'X-Amzn-Trace-Id',
        'X-Forwarded-For',
        'X-Forwarded-Port',
        'X-Forwarded-Proto',
      ]);
    });

    test('cannot forge the sender: the gateway adds its own to what came', () => {
      const event = build({ rawHeaders: ['x-forwarded-for', '10.0.0.1'], sourceIp: '192.0.2.7' });
      expect(event.headers['X-Forwarded-For']).toBe('10.0.0.1, 192.0.2.7');
      expect(event.requestContext.identity.sourceIp).toBe('192.0.2.7');
    });
  });

  test('the path stays encoded, its parameters are decoded, and a missing body is null', () => {
    expect(build()).toMatchObject({
      resource: '/api/v1/ingest/{slug}',
      path: '/api/v1/ingest/a%20b',
      pathParameters: { slug: 'a b' },
      body: null,
      isBase64Encoded: false,
    });
  });

  test('the context names request and sender', () => {
    const event = build({ rawHeaders: ['Host', 'localhost:8787', 'user-agent', 'curl/8'] });
    expect(event.requestContext).toMatchObject({
      extendedRequestId: 'x=',
      identity: { sourceIp: '127.0.0.1', userAgent: 'curl/8' },
      requestId: '3f8a',
    });
  });
});

describe('routes', () => {
  const reader = new TemplateReader(templateFixture(), 'LeadIngest-dev');
  const routes = readRoutes(reader.ref('Api'), reader);

  test('reads the routes from the resource tree', () => {
    const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:LeadIngest-dev-Function';
    expect(routes.map(({ resourceId: _, timeoutMilliseconds: __, ...route }) => route)).toEqual([
      { httpMethod: 'POST', resourcePath: '/api/v1/ingest', functionArn },
      { httpMethod: 'POST', resourcePath: '/api/v1/ingest/{slug}', functionArn },
      { httpMethod: 'ANY', resourcePath: '/api/ingest/{slug}', functionArn: `${functionArn}:live` },
    ]);
  });

  describe('matching', () => {
    const match = makeMatcher(routes);

    test.each([
      ['POST', '/api/v1/ingest', '/api/v1/ingest', {}],
      ['POST', '/api/v1/ingest/', '/api/v1/ingest', {}],
      ['POST', '/api/v1/ingest/contact-1', '/api/v1/ingest/{slug}', { slug: 'contact-1' }],
      ['POST', '/api/v1/ingest/a%2Fb%20c+d', '/api/v1/ingest/{slug}', { slug: 'a/b c+d' }],
      ['POST', '/api/v1/ingest/..', '/api/v1/ingest/{slug}', { slug: '..' }],
      ['POST', '/api/v1/ingest/%ff', '/api/v1/ingest/{slug}', { slug: '%ff' }],
      ['DELETE', '/api/ingest/old', '/api/ingest/{slug}', { slug: 'old' }],
    ])('%s %s', (method, path, resourcePath, pathParameters) => {
      const found = match(method, path);
      expect(found?.route.resourcePath).toBe(resourcePath);
      expect(found?.pathParameters).toEqual(pathParameters);
    });

    test.each([
      ['GET', '/api/v1/ingest'],
      ['POST', '/'],
      ['POST', '/api/v1/ingest/a/b'],
      ['POST', '/api/v1//ingest'],
      ['POST', '/api/v1/Ingest'],
      ['POST', '/api/ingest'],
    ])('finds no route for %s %s', (method, path) => {
      expect(match(method, path)).toBeUndefined();
    });
  });
});
