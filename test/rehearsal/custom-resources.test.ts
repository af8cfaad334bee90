import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import type { StageName } from '../../lib/stage.ts';
import { testUnlessMissing } from '../programs.ts';
import { asSent, customResources } from './custom-resources.ts';
import { MISSING } from './handler-process.ts';
import { Handlers } from './handlers.ts';
import { deployUpdateAndDelete, failingCreations, failingUpdates, replacedBuckets } from './scenarios.ts';
import { type Settings, VARIANTS, whatHandlersSee } from './settings.ts';
import { StandIn } from './stand-in/server.ts';
import { Versions } from './versions.ts';

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

test('every setting is among those that are rehearsed', () => {
  const rehearsed = new Set(VARIANTS.flatMap(({ settings }) => Object.keys(settings)));
  expect([...rehearsed, 'stage'].sort()).toEqual(Object.keys(SETTINGS_SCHEMA).sort());
});

describe('custom resources', () => {
  const rehearsed = new Map<string, Promise<string[]>>();
  let versions: Versions;
  let standIn: StandIn;
  let handlers: Handlers;

  beforeAll(async () => {
    versions = new Versions();
    standIn = await StandIn.start();
    handlers = new Handlers(standIn);
  });

  afterAll(async () => {
    await handlers.close();
    await standIn.close();
    versions.remove();
  });

  async function rehearse(stage: StageName, settings: Settings): Promise<string[]> {
    const theatre = { standIn, handlers };
    const current = await versions.synthesise(stage, settings);
    const earlier = versions.withEarlierAssets(current);
    expect(customResources(current)).not.toEqual([]);
    return [
      ...(await deployUpdateAndDelete(theatre, earlier, current)),
      ...(await failingCreations(theatre, current)),
      ...(await failingUpdates(theatre, earlier, current)),
      ...(await replacedBuckets(theatre, current)),
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
  );
});
