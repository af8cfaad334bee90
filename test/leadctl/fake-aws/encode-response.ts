import * as acm from '@aws-sdk/client-acm';
import * as apiGateway from '@aws-sdk/client-api-gateway';
import * as cloudFormation from '@aws-sdk/client-cloudformation';
import * as cloudWatch from '@aws-sdk/client-cloudwatch';
import * as codeDeploy from '@aws-sdk/client-codedeploy';
import * as dynamoDb from '@aws-sdk/client-dynamodb';
import * as lambda from '@aws-sdk/client-lambda';
import * as route53 from '@aws-sdk/client-route-53';
import * as ses from '@aws-sdk/client-sesv2';
import * as sns from '@aws-sdk/client-sns';
import * as sqs from '@aws-sdk/client-sqs';
import * as ssm from '@aws-sdk/client-ssm';
import * as sts from '@aws-sdk/client-sts';
import { NormalizedSchema } from '@smithy/core/schema';

export type Protocol = 'query' | 'json' | 'rest-json' | 'rest-xml';

/** The services by their signing names. */
const SERVICES: Readonly<Record<string, { readonly protocol: Protocol; readonly client: object }>> = {
  acm: { protocol: 'json', client: acm },
  apigateway: { protocol: 'rest-json', client: apiGateway },
  cloudformation: { protocol: 'query', client: cloudFormation },
  codedeploy: { protocol: 'json', client: codeDeploy },
  dynamodb: { protocol: 'json', client: dynamoDb },
  lambda: { protocol: 'rest-json', client: lambda },
  monitoring: { protocol: 'json', client: cloudWatch },
  route53: { protocol: 'rest-xml', client: route53 },
  ses: { protocol: 'rest-json', client: ses },
  sns: { protocol: 'query', client: sns },
  sqs: { protocol: 'json', client: sqs },
  ssm: { protocol: 'json', client: ssm },
  sts: { protocol: 'query', client: sts },
};

export interface Operation {
  readonly name: string;
  readonly output: NormalizedSchema;
  /** Of a REST protocol. */
  readonly http: readonly [method: string, path: string, status: number] | undefined;
}

export interface ServiceModel {
  readonly protocol: Protocol;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The code and status with which an error goes over the wire; undefined if the model has no such error. */
  error(name: string): { readonly code: string; readonly status: number } | undefined;
}

type Traits = Readonly<Record<string, unknown>>;

/** The SDK's clients carry the models of their services: operations are 9, and errors -3, in front of their names. */
const [OPERATION, ERROR] = [9, -3];

const models = new Map<string, ServiceModel>();

export function modelOf(service: string): ServiceModel {
  const model = models.get(service) ?? readModel(service);
  models.set(service, model);
  return model;
}

function readModel(service: string): ServiceModel {
  const known = SERVICES[service];
  if (!known) throw new Error(`no model of ${service}`);
  const shapes = Object.values(known.client).filter((each): each is unknown[] => Array.isArray(each));
  const operations = shapes
    .filter(([kind]) => kind === OPERATION)
    .map(([, , name, traits, , output]) => ({
      name: String(name),
      output: NormalizedSchema.of(output as Parameters<typeof NormalizedSchema.of>[0]),
      http: ((traits || {}) as Traits).http as Operation['http'],
    }));
  return {
    protocol: known.protocol,
    operations: new Map(operations.map((each) => [each.name, each])),
    error(name) {
      const shape = shapes.find((each) => each[0] === ERROR && each[2] === name);
      if (!shape) return undefined;
      const { awsQueryError, httpError } = (shape[3] || {}) as Traits;
      const [code, status] = (awsQueryError ?? [name, httpError ?? 400]) as [string, number];
      return { code, status };
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** As JSON, or throws: where a member is not in the model, is missing though required, or is of another kind. */
export function encodeJson(schema: NormalizedSchema, value: unknown, at = schema.getName() ?? ''): unknown {
  if (schema.isStructSchema()) {
    const members = membersOf(schema, value, at).map(([name, member, field]) => [
      (member.getMergedTraits() as Fields).jsonName ?? name,
      encodeJson(member, field, `${at}.${name}`),
    ]);
    return Object.fromEntries(members);
  }
  if (schema.isListSchema()) {
    return listOf(value, at).map((each, index) =>
      encodeJson(schema.getValueSchema(), each, `${at}[${index}]`),
    );
  }
  if (schema.isMapSchema()) {
    const entries = Object.entries(value as Fields);
    return Object.fromEntries(
      entries.map(([key, each]) => [key, encodeJson(schema.getValueSchema(), each, `${at}.${key}`)]),
    );
  }
  const simple = simpleOf(schema, value, at);
  return simple instanceof Date ? simple.getTime() / 1_000 : simple;
}

/** The members of a structure as XML, checked against the model in the same way. */
export function encodeXml(schema: NormalizedSchema, value: unknown, at = schema.getName() ?? ''): string {
  if (schema.isStructSchema()) {
    return membersOf(schema, value, at)
      .map(([name, member, field]) =>
        element(xmlNameOf(member, name), encodeXml(member, field, `${at}.${name}`)),
      )
      .join('');
  }
  if (schema.isListSchema()) {
    const each = schema.getValueSchema();
    return listOf(value, at)
      .map((item, index) => element(xmlNameOf(each, 'member'), encodeXml(each, item, `${at}[${index}]`)))
      .join('');
  }
  if (schema.isMapSchema()) {
    return Object.entries(value as Fields)
      .map(([key, item]) => {
        const inside = encodeXml(schema.getValueSchema(), item, `${at}.${key}`);
        return element('entry', element('key', escaped(key)) + element('value', inside));
      })
      .join('');
  }
  const simple = simpleOf(schema, value, at);
  return escaped(simple instanceof Date ? simple.toISOString() : String(simple));
}

export function element(name: string, inside: string): string {
  return `<${name}>${inside}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function xmlNameOf(schema: NormalizedSchema, otherwise: string): string {
  return String((schema.getMergedTraits() as Fields).xmlName ?? otherwise);
}

function membersOf(
  schema: NormalizedSchema,
  value: unknown,
  at: string,
): [string, NormalizedSchema, unknown][] {
  const fields = value as Fields;
  const members = [...schema.structIterator()];
  const unknown = Object.keys(fields).find((key) => !members.some(([name]) => name === key));
  if (unknown !== undefined) throw new Error(`the model has no ${at}.${unknown}`);
  // Required members come first, and the model says how many there are.
  const required = Number((schema.getSchema() as readonly unknown[])[6] ?? 0);
  const missing = members.slice(0, required).find(([name]) => fields[name] === undefined);
  if (missing) throw new Error(`the model requires ${at}.${missing[0]}`);
  return members.flatMap(([name, member]) =>
    fields[name] === undefined ? [] : [[name, member, fields[name]] as [string, NormalizedSchema, unknown]],
  );
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`the model has a list at ${at}`);
}

function simpleOf(schema: NormalizedSchema, value: unknown, at: string): unknown {
  const fits =
    (schema.isStringSchema() && typeof value === 'string') ||
    (schema.isBooleanSchema() && typeof value === 'boolean') ||
    (schema.isNumericSchema() && typeof value === 'number') ||
    (schema.isTimestampSchema() && value instanceof Date);
  if (fits) return value;
  throw new Error(`the model has no ${typeof value} at ${at}`);
}
