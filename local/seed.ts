import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { OUTPUTS, type TableNoun } from '../lambdas/contract.ts';
import { makeAdministration } from '../lambdas/stores/administration/index.ts';
import { toDocumentClient } from '../lambdas/stores/document-client.ts';
import type { TableNames } from '../lambdas/stores/tables.ts';
import { StartupError } from './startup-error.ts';

/** A workspace to try things with. */
export interface Demo {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly webhookSecret: string;
  readonly serverToken: string;
  /** There are no owners yet. */
  readonly ownerEmail: string | null;
  readonly ownerPassword: string | null;
}

export interface SeedSettings {
  readonly client: DynamoDBClient;
  readonly outputs: Readonly<Record<string, string>>;
  /** Remembers token and secret for the next start: the database holds the token's hash alone. */
  readonly demoFile: string;
  readonly databaseIsNew: boolean;
}

/** The demo workspace: that of an earlier start, or a new one, made as an operator would make it. */
export async function seedDemo(settings: SeedSettings): Promise<Demo> {
  const known = settings.databaseIsNew ? undefined : await readDemo(settings.demoFile);
  if (known !== undefined) return known;
  const administration = makeAdministration({
    client: toDocumentClient(settings.client),
    tables: tableNames(settings.outputs),
    now: Date.now,
    randomBytes,
  });
  const { workspaceId } = await administration.createWorkspace({ name: 'Demo' });
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Demo form' });
  const [{ token }, { secret }] = await Promise.all([
    administration.createToken({ formId, name: 'Demo token' }),
    administration.setSecret({ formId }),
  ]);
  const demo: Demo = {
    workspaceId,
    formId,
    slug,
    webhookSecret: secret,
    serverToken: token,
    ownerEmail: null,
    ownerPassword: null,
  };
  // Whole or not at all, and for its owner's eyes.
  const draft = `${settings.demoFile}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, settings.demoFile);
  return demo;
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Found as `leadctl` finds them: by the stack's outputs. */
function tableNames(outputs: Readonly<Record<string, string>>): TableNames {
  const names = Object.entries(OUTPUTS.tables).map(([noun, output]): [TableNoun, string] => {
    const name = outputs[output];
    if (name === undefined) throw new StartupError(`The stack has no output ${output}.`);
    return [noun as TableNoun, name];
  });
  return Object.fromEntries(names) as TableNames;
}
