import {
  type ApiDocument,
  type Body,
  type Content,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type Referable,
  resolve,
} from './document.ts';
import { html, inline, type Markup, prose } from './html.ts';
import { schemaTable, typeOf } from './schema-table.ts';

export interface PlacedOperation {
  readonly path: string;
  readonly method: Method;
  readonly item: PathItem;
  readonly operation: Operation;
}

export function operationSection(document: ApiDocument, placed: PlacedOperation): Markup {
  const { path, method, item, operation } = placed;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolve(document, parameter),
  );
  return html`<section id="${operation.operationId}" class="operation">
<h3><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
${operation.deprecated && html`<p class="retired">Retired.</p>`}
<p class="summary">${inline(operation.summary ?? item.summary)}</p>
${prose(operation.description)}
${credentials(document, operation)}
${parameters.length > 0 && parameterTable(document, parameters)}
${operation.requestBody && requestBody(document, resolve(document, operation.requestBody))}
<h4>Answers</h4>
${Object.entries(operation.responses).map(([status, response]) => answer(document, status, response))}
</section>
`;
}

function credentials(document: ApiDocument, operation: Operation): Markup {
  const names = (operation.security ?? document.security ?? []).flatMap((each) => Object.keys(each));
  const said = names.flatMap((name) => document.components.securitySchemes?.[name]?.description ?? []);
  return html`${said.map((description) => html`<p><strong>Credential:</strong> ${inline(description)}</p>`)}`;
}

function parameterTable(document: ApiDocument, parameters: readonly Parameter[]): Markup {
  return html`<h4>Parameters</h4>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Where</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${parameters.map(
  ({ name, in: where, required, schema = {}, description, example }) => html`<tr>
<td><code>${name}</code>${!required && html` <small>optional</small>`}</td>
<td>${where}</td>
<td>${typeOf(document, schema)}</td>
<td>${inline(description)}${example !== undefined && html` <small>For example <code>${String(example)}</code></small>`}</td>
</tr>
`,
)}</tbody>
</table>`;
}

function requestBody(document: ApiDocument, { description, required, content = {} }: Body): Markup {
  return html`<h4>Body${!required && html` <small>optional</small>`}</h4>
${prose(description)}
${Object.entries(content).map(([type, each]) => contentOf(document, type, each))}`;
}

function answer(document: ApiDocument, status: string, response: Referable<Body>): Markup {
  const { description, content = {}, headers = {} } = resolve(document, response);
  return html`<div class="answer">
<p><strong class="status">${status}</strong> ${inline(description)}</p>
${Object.entries(headers).map(
  ([name, header]) =>
    html`<p><code>${name}</code>: ${inline(resolve(document, header).description)}</p>
`,
)}${Object.entries(content).map(([type, each]) => contentOf(document, type, each))}</div>
`;
}

function contentOf(document: ApiDocument, type: string, { schema, example, examples = {} }: Content): Markup {
  // All operations share the same errors, which their schema describes.
  const isError = type === 'application/problem+json';
  const shown = [
    ...(example === undefined || isError ? [] : [{ summary: undefined, value: example }]),
    ...Object.values(isError ? {} : examples),
  ];
  return html`<p><small>${type}</small>${schema?.$ref !== undefined && html` ${typeOf(document, schema)}`}</p>
${schema && schema.$ref === undefined && schemaTable(document, schema)}
${shown.map(
  ({ summary, value }) => html`${summary && html`<p>${inline(summary)}</p>`}<pre tabindex="0"><code>${
    typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  }</code></pre>
`,
)}`;
}
