import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { synthesizeResources } from '../../lib/upgrade/synthesize.ts';
import { Environment } from '../../local/environment.ts';
import { readRunningStack } from '../../local/fixture/running-stack.ts';
import { startLocalStack } from '../../local/start-local-stack.ts';
import { EVERY_SETTING } from '../stack/synthesize.ts';
import { until } from '../until.ts';
import { makeEverything } from './everything.ts';
import { type Contexts, FILES, packBundles, packTemplates, type Stored, toText } from './files.ts';

/** `npm run make:release`: replaces what is in this folder by what this checkout deploys and stores. */
const CONTEXTS: Contexts = {
  dev: { stage: 'dev' },
  prod: { stage: 'prod' },
  'prod with every setting': { stage: 'prod', ...EVERY_SETTING },
};

process.env.TZ = 'UTC';
const messages = recordMessages();
makeTemplates();
await makeStored();
process.exit();

function makeTemplates(): void {
  // The code is the same in all stages.
  const { code } = synthesizeResources(CONTEXTS.dev ?? {}, { withCode: true });
  writeFileSync(FILES.bundles, packBundles(code));
  const templates = Object.entries(CONTEXTS).map(([name, context]) => [
    name,
    synthesizeResources(context).resources,
  ]);
  writeFileSync(FILES.templates, packTemplates(CONTEXTS, Object.fromEntries(templates)));
}

/** The messages that functions get from queues while this process runs, by the queue's logical ID. */
function recordMessages(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const { invoke } = Environment.prototype;
  Environment.prototype.invoke = function record(event: string) {
    const { Records = [] } = JSON.parse(event) as { Records?: { eventSourceARN?: string; body?: string }[] };
    for (const { eventSourceARN = '', body } of Records) {
      const queue = /:sqs:.*-(\w+)$/.exec(eventSourceARN)?.[1];
      if (queue !== undefined && body !== undefined) {
        found.set(queue, (found.get(queue) ?? new Set()).add(body));
      }
    }
    return invoke.call(this, event);
  };
  return found;
}

async function makeStored(): Promise<void> {
  const stack = await startLocalStack({
    port: 0,
    dataDirectory: undefined,
    enforceIam: true,
    allowLoopbackDestinations: true,
    progress: { step: (_doing, _done, work) => work, clear: () => undefined },
    print: (line) => console.error(line),
  });
  const { tables, newClient } = readRunningStack(stack.outputsFile);
  const everything = await makeEverything(stack.outputsFile);
  // What is to be learned waits 25 seconds; then it is stored.
  const isLearned = () => [...messages.keys()].some((queue) => queue.startsWith('Learning'));
  await until(async () => isLearned(), Boolean);
  await sleep(5_000);
  const client: DynamoDBClient = newClient();
  const stored: Stored = { ...everything, items: {}, messages: {} };
  for (const [tableKey, TableName] of Object.entries(tables).sort()) {
    const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName }));
    if (LastEvaluatedKey) throw new Error(`${TableName} is too large for a fixture`);
    stored.items[tableKey] = Items;
  }
  for (const [queue, bodies] of [...messages].sort()) stored.messages[queue] = [...bodies];
  writeFileSync(FILES.stored, toText(stored));
  await stack.stop();
}
