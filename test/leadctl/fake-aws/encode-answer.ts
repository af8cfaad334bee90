import type { NormalizedSchema } from '@smithy/core/schema';

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

/** The members of a structure as XML, held to the model in the same way. */
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
