import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { compare } from '../lib/upgrade/compare.ts';
import { INTENDED_CHANGES } from '../lib/upgrade/intended-changes.ts';
import { normalize, type Resources } from '../lib/upgrade/normalize.ts';
import { synthesizeResources } from '../lib/upgrade/synthesize.ts';

/**
 * For `leadctl doctor`, which is bundled and has neither CDK nor this checkout: takes a deployed template and the settings
 * of the command line, and writes what an update to this checkout would do that a rollback does not undo.
 */
const { template, context, region } = JSON.parse(await text(process.stdin)) as {
  readonly template: object;
  readonly context: object;
  readonly region: string;
};
// As CDK's command line does.
process.env.CDK_DEFAULT_REGION = region;
const { context: ofFile } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
const { resources } = synthesizeResources({ ...ofFile, ...context });
const found = compare(normalize(template), withoutNested(resources)).map((finding) => ({
  ...finding,
  reason: INTENDED_CHANGES.find(({ change }) => change === finding.change)?.reason,
}));
process.stdout.write(`${JSON.stringify(found)}\n`);

/** CloudFormation was asked for the stack's own template alone. What is nested in it holds no data. */
function withoutNested(all: Resources): Resources {
  return Object.fromEntries(Object.entries(all).filter(([id]) => !id.includes('/')));
}
