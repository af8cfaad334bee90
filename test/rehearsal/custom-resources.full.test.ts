import { describe, expect, test } from '@jest/globals';
import type { StageName } from '../../lib/stage.ts';
import type { Template } from '../../local/template.ts';
import { documentedRights } from '../docs/deployment-rights.ts';
import { testUnlessMissing } from '../programs.ts';
import { EVERY_SETTING, GRAPHS_AND_FIREWALL, LEAST, synthesize } from '../stack/synthesize.ts';
import { asSent, customResources, type Version } from './custom-resources.ts';
import { MISSING } from './handlers.ts';
import {
  deployUpdateAndDelete,
  failingCreations,
  failingUpdates,
  placeForTests,
  replacedBuckets,
} from './scenarios.ts';
import { Versions } from './versions.ts';

type Settings = Readonly<Record<string, string>>;

/**
 * Both stages as they are, with every setting, and with others switched. No setting takes back what another one changes,
 * so that one which matters to a handler does so among all of them too.
 */
const VARIANTS: readonly { stage: StageName; named: string; settings: Settings }[] = [
  { stage: 'dev', named: 'no setting', settings: {} },
  { stage: 'dev', named: 'every setting', settings: EVERY_SETTING },
  { stage: 'dev', named: 'a firewall of the console', settings: GRAPHS_AND_FIREWALL },
  { stage: 'prod', named: 'no setting', settings: {} },
  { stage: 'prod', named: 'every setting', settings: EVERY_SETTING },
  { stage: 'prod', named: 'no firewall', settings: LEAST },
];

/**
 * All of a template that a handler of a custom resource gets or is allowed. Variants that do not differ in it need
 * not be rehearsed twice.
 */
function whatHandlersSee(stage: StageName, settings: Settings): string {
  const template = synthesize(stage, settings).toJSON() as Template;
  const version: Version = { stackName: `LeadIngest-${stage}`, template, assetFolder: (key) => key };
  const buckets = Object.values(template.Resources)
    .filter(({ Type }) => Type.startsWith('AWS::S3::'))
    .map(({ Properties = {} }) => ({ ...Properties, Tags: tagsForHandlers(Properties.Tags) }));
  return JSON.stringify([customResources(version), buckets]);
}

/** CDK's handlers read their own tags alone. */
function tagsForHandlers(tags: unknown): unknown[] {
  return Array.isArray(tags) ? tags.filter(({ Key }) => String(Key).startsWith('aws-cdk:')) : [];
}

const { here, title } = testUnlessMissing(MISSING);

test('properties reach a handler as text', () => {
  const properties = { Wait: false, Prune: true, Count: 3, Names: ['a', 1.5], Deep: { On: true } };
  expect(asSent(properties)).toEqual({
    Wait: 'false',
    Prune: 'true',
    Count: '3',
    Names: ['a', '1.5'],
    Deep: { On: 'true' },
  });
});

describe('custom resources', () => {
  const rehearsed = new Map<string, Promise<string[]>>();
  const versions = new Versions();
  const place = placeForTests();

  async function rehearse(stage: StageName, settings: Settings): Promise<string[]> {
    const rehearsal = { ...place(), rights: documentedRights() };
    const current = await versions.synthesize(stage, settings);
    const earlier = versions.withEarlierAssets(current);
    expect(customResources(current)).not.toEqual([]);
    return [
      ...(await deployUpdateAndDelete(rehearsal, earlier, current)),
      ...(await failingCreations(rehearsal, current)),
      ...(await failingUpdates(rehearsal, earlier, current)),
      ...(await replacedBuckets(rehearsal, current)),
    ];
  }

  here.each(VARIANTS)(
    title('of $stage with $named are created, updated, rolled back and deleted'),
    async ({ stage, settings }) => {
      const seen = whatHandlersSee(stage, settings);
      const problems = rehearsed.get(seen) ?? rehearse(stage, settings);
      rehearsed.set(seen, problems);
      expect(await problems).toEqual([]);
    },
    600_000, // Only a bound on hanging.
  );
});
