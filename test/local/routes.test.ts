import { describe, expect, test } from '@jest/globals';
import { makeMatcher, type Route, readRoutes } from '../../local/gateway/routes.ts';
import { TemplateReader } from '../../local/template.ts';
import { templateFixture } from './support/template-fixture.ts';

const reader = new TemplateReader(templateFixture(), 'LeadIngest-dev');
const routes = readRoutes(reader.ref('Api'), reader);

test('reads the routes from the tree of resources', () => {
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
    ['POST', '/api/v1/ingest/%C3%A4', '/api/v1/ingest/{slug}', { slug: 'ä' }],
    ['POST', '/api/v1/ingest/%00', '/api/v1/ingest/{slug}', { slug: '\0' }],
    ['POST', '/api/v1/ingest/..', '/api/v1/ingest/{slug}', { slug: '..' }],
    ['POST', '/api/v1/ingest/%zz', '/api/v1/ingest/{slug}', { slug: '%zz' }],
    ['POST', '/api/v1/ingest/%ff', '/api/v1/ingest/{slug}', { slug: '%ff' }],
    ['POST', `/api/v1/ingest/${'x'.repeat(2_000)}`, '/api/v1/ingest/{slug}', { slug: 'x'.repeat(2_000) }],
    ['DELETE', '/api/ingest/old', '/api/ingest/{slug}', { slug: 'old' }],
  ])('%s %s', (method, path, resourcePath, pathParameters) => {
    const found = match(method, path);
    expect(found?.route.resourcePath).toBe(resourcePath);
    expect(found?.pathParameters).toEqual(pathParameters);
  });

  test.each([
    ['GET', '/api/v1/ingest'],
    ['POST', '/'],
    ['POST', '/api'],
    ['POST', '/api/v1/ingest/a/b'],
    ['POST', '/api/v1//ingest'],
    ['POST', '/api/v1/Ingest'],
    ['POST', '/api/v1/../v1/ingest'],
    ['POST', '/api/ingest'],
  ])('finds no route for %s %s', (method, path) => {
    expect(match(method, path)).toBeUndefined();
  });

  const makeRoute = (resourcePath: string): Route => ({
    httpMethod: 'GET',
    resourcePath,
    resourceId: resourcePath,
    functionArn: '',
    timeoutMilliseconds: 0,
  });

  test('prefers a fixed segment to a parameter', () => {
    const find = makeMatcher(['/a/{b}', '/a/fixed'].map(makeRoute));
    expect(find('GET', '/a/fixed')?.route.resourcePath).toBe('/a/fixed');
    expect(find('GET', '/a/other')?.route.resourcePath).toBe('/a/{b}');
  });

  test('rejects a greedy parameter at the start', () => {
    expect(() => makeMatcher([makeRoute('/{proxy+}')])).toThrow('greedy path parameters are not supported');
  });

  test('prefers a method to ANY', () => {
    const both = ['ANY', 'PUT'].map((httpMethod) => ({ ...(routes[0] as Route), httpMethod }));
    expect(makeMatcher(both)('PUT', '/api/v1/ingest')?.route.httpMethod).toBe('PUT');
    expect(makeMatcher(both)('PATCH', '/api/v1/ingest')?.route.httpMethod).toBe('ANY');
  });
});
