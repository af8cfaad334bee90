import type { TableNames } from '#aws/tables.ts';
import type { RecordedCalls } from '#local/workbench/recorded-calls.ts';

interface Input {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly RequestItems?: Record<string, unknown>;
  readonly TransactItems?: readonly Record<string, { TableName: string }>[];
}

/** Collects what a client does to which table, as IAM would ask for it: `forms/byWorkspace Query`. */
export function recordTableActions(calls: RecordedCalls, tables: TableNames): ReadonlySet<string> {
  const actions = new Set<string>();
  const nouns = Object.fromEntries(Object.entries(tables).map(([noun, name]) => [name, noun]));
  calls.injectBefore((command, input) => {
    for (const [table, action] of actionsOf(command, input as Input)) {
      const [name = '', index] = table.split('/');
      actions.add(`${nouns[name]}${index ? `/${index}` : ''} ${action}`);
    }
    return undefined;
  });
  return actions;
}

/** IAM knows a transaction by what it is made of. */
function actionsOf(command: string, input: Input): [table: string, action: string][] {
  const { TableName, IndexName, RequestItems, TransactItems } = input;
  if (RequestItems) return Object.keys(RequestItems).map((table) => [table, command]);
  if (TransactItems) {
    const items = TransactItems.flatMap((item) => Object.entries(item));
    return items.map(([kind, item]) => [item.TableName, `${kind}Item`]);
  }
  return [[IndexName ? `${TableName}/${IndexName}` : TableName, command]];
}
