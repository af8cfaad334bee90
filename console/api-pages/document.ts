/** The parts of an OpenAPI 3.1 document that ours use. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface Body {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Content>>;
  readonly headers?: Readonly<Record<string, Referable<Omit<Parameter, 'name' | 'in'>>>>;
}

export type Referable<Value> = Value | { readonly $ref: string };

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Referable<Parameter>[];
  readonly requestBody?: Referable<Body>;
  readonly responses: Readonly<Record<string, Referable<Body>>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly summary?: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Requests that the service sends, by the name of the event. */
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly security?: Operation['security'];
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly summary?: string;
  readonly parameters?: readonly Referable<Parameter>[];
};

export const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'options', 'head'] as const;
export type Method = (typeof METHODS)[number];

/** Follows a reference within the document. A broken one fails the build. */
export function resolve<Value>(document: ApiDocument, value: Referable<Value>): Value {
  const ref = (value as { $ref?: string }).$ref;
  if (ref === undefined) return value as Value;
  let found: unknown = document;
  for (const step of ref.replace(/^#\//, '').split('/')) found = (found as Record<string, unknown>)?.[step];
  if (found === undefined) throw new Error(`The document refers to ${ref}, which it does not have.`);
  return resolve(document, found as Referable<Value>);
}
