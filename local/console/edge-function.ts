import { createContext, runInContext } from 'node:vm';
import type { Resource } from '../template.ts';

/** What CloudFront asks its origin for in place of a path. */
export type Rewrite = (method: string, uri: string) => string;

/** Runs the very code of a CloudFront function, as CloudFront does: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html */
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
