import type { TableNames } from '#aws/dynamodb.ts';
import type { RecordedCalls } from '#local/fixture/recorded-calls.ts';
import { iamCalls } from '../../recorded-calls/iam-actions.ts';

/** Collects the actions of a client on each table, as IAM names them: `forms/byWorkspace Query`. */
export function recordTableActions(calls: RecordedCalls, tables: TableNames): ReadonlySet<string> {
  const actions = new Set<string>();
  const nouns = new Map(Object.entries(tables).map(([noun, name]) => [name, noun]));
  const arnOf = Object.assign((name: string) => nouns.get(name) ?? name, { sourcesOf: () => [] });
  calls.injectBefore((command, input) => {
    for (const { action, resource } of iamCalls(`DynamoDB_.${command}`, Object(input), arnOf)) {
      actions.add(`${resource.replace('/index', '')} ${action.replace('dynamodb:', '')}`);
    }
    return undefined;
  });
  return actions;
}
