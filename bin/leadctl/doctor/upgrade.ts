import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import type { Aws } from './aws.ts';
import { asking, type Check, type Finding, NotChecked, ok, skip, warn } from './check.ts';

/** A change that a rollback does not undo. The reason is given if the release makes it on purpose. */
interface Irreversible {
  readonly change: string;
  readonly message: string;
  readonly reason?: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPARE = `${ROOT}bin/compare-upgrade.ts`;
/** The Node of the packages, since the one that runs this may not know TypeScript. */
const NODE = `${ROOT}node_modules/.bin/node`;

/** Whether an update of the deployed stack to this checkout can be rolled back. */
export function upgradeCheck(aws: Aws, stackName: string, context: Readonly<Record<string, unknown>>): Check {
  return aws.check('upgrade', async () => {
    if (!existsSync(COMPARE)) return skip('requires a checkout of the version to deploy');
    const template = await deployedTemplate(aws, stackName);
    if (template === undefined) return ok('none: this is the first deployment');
    const { region } = aws;
    return judge(await compareWithCheckout({ template: JSON.parse(template), context, region }));
  });
}

function judge(found: readonly Irreversible[]): Finding {
  if (found.length === 0) return ok('can be rolled back');
  const changes = found.map(({ message, reason }) => (reason ? `${message} On purpose: ${reason}` : message));
  return warn(
    `a rollback does not undo ${found.length === 1 ? 'this change' : `these ${found.length} changes`}: ${changes.join(' ')}`,
    'Make a backup, and read docs/upgrade.md before you deploy.',
  );
}

async function deployedTemplate(aws: Aws, StackName: string): Promise<string | undefined> {
  const client = new CloudFormationClient(aws.config());
  try {
    const call = client.send(new GetTemplateCommand({ StackName }));
    return (await asking('cloudformation:GetTemplate', call)).TemplateBody;
  } catch (error) {
    // CloudFormation has no specific name for this error.
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return undefined;
    }
    throw error;
  } finally {
    client.destroy();
  }
}

/** In a process of its own: this one must not load CDK. */
async function compareWithCheckout(input: object): Promise<Irreversible[]> {
  const child = spawn(existsSync(NODE) ? NODE : 'node', [COMPARE], { cwd: ROOT });
  const closed = once(child, 'close');
  child.stdin.end(JSON.stringify(input));
  const [found, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  if (code === 0) return JSON.parse(found);
  const cause = complaints.split('\n').find((line) => /Error: /.test(line)) ?? complaints.split('\n', 1)[0];
  throw new NotChecked(`the template of this checkout could not be made: ${cause}`);
}
