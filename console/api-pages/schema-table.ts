import { type ApiDocument, resolve, type Schema } from './document.ts';
import { html, inline, type Markup } from './html.ts';

interface Row {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** One row per property, including nested ones by path. Named schemas are linked, not repeated. */
export function schemaTable(document: ApiDocument, schema: Schema): Markup {
  const rows = rowsOf(resolve(document, schema), '');
  if (rows.length === 0) return html`<p>${typeOf(document, schema)}</p>`;
  return html`<table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.map(
  ({ name, required, schema: each }) => html`<tr>
<td><code>${name}</code>${!required && html` <small>optional</small>`}</td>
<td>${typeOf(document, each)}</td>
<td>${inline(each.description ?? describedBy(document, each))}</td>
</tr>
`,
)}</tbody>
</table>`;
}

function describedBy(document: ApiDocument, schema: Schema): string | undefined {
  return schema.$ref === undefined ? undefined : resolve(document, schema).description;
}

function rowsOf(
  { properties = {}, required = [], additionalProperties, items }: Schema,
  prefix: string,
): Row[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    { name: `${prefix}${name}`, required: required.includes(name), schema },
    ...rowsOf(schema, `${prefix}${name}.`),
  ]);
  // References are linked.
  const ofItems = items && prefix !== '' ? rowsOf(items, `${prefix.slice(0, -1)}[].`) : [];
  const others =
    typeof additionalProperties === 'object'
      ? [
          { name: `${prefix}*`, required: true, schema: additionalProperties },
          ...rowsOf(additionalProperties, `${prefix}*.`),
        ]
      : [];
  return [...own, ...ofItems, ...others];
}

export function typeOf(document: ApiDocument, schema: Schema): Markup {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) {
    return html`${schema.enum.map((value, index) => html`${index > 0 && ', '}<code>${JSON.stringify(value)}</code>`)}`;
  }
  const types = [schema.type ?? 'any'].flat();
  if (types.includes('array') && schema.items) {
    return html`array of ${typeOf(document, schema.items)}${limitsOf(schema)}`;
  }
  return html`${types.join(' or ')}${limitsOf(schema)}`;
}

const LIMITS: Readonly<Record<string, (value: unknown) => string>> = {
  format: (value) => `${value}`,
  minimum: (value) => `from ${value}`,
  maximum: (value) => `up to ${value}`,
  minLength: (value) => `${value} characters or more`,
  maxLength: (value) => `${value} characters at most`,
  minItems: (value) => `${value} or more`,
  maxItems: (value) => `${value} at most`,
  default: (value) => `${JSON.stringify(value)} by default`,
};

function limitsOf(schema: Schema): Markup {
  const said = Object.entries(LIMITS).flatMap(([keyword, say]) =>
    schema[keyword] === undefined ? [] : [say(schema[keyword])],
  );
  const { pattern } = schema;
  return html`${said.length > 0 && html` <small>(${said.join(', ')})</small>`}${
    typeof pattern === 'string' && html`<br><code>${pattern}</code>`
  }`;
}
