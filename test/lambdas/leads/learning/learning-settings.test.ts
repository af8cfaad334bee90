import { describe, expect, test } from '@jest/globals';
import { browserConfigurations } from '#browser/browser-configuration-store.ts';
import type { Workspace } from '#model/configuration.ts';
import { hashToken } from '#model/ingest-token.ts';
import type { Learned } from '#model/learned.ts';
import { learnedKey } from '#model/learned.ts';
import { DELIVERY_ATTRIBUTES } from '#sources/judge-delivery.ts';
import {
  type ConfigurationSource,
  slugConfigurations,
  tokenConfigurations,
} from '#submission/configuration-store.ts';
import { setAttributes } from '#test/stored-items.ts';
import { NOON, openLearningFixture } from './learning-fixture.ts';

const { fixture, context, calls, at, learn, item, reviewEight, learnedSignal } = openLearningFixture();

const LEARNED: Learned = {
  words: { pergola: 6, backlinks: -8 },
  signals: { free_mail: 2 },
  forms: {
    form_b: { words: { backlinks: 7 }, signals: {} },
    form_a: { words: {}, signals: { free_mail: -3 } },
  },
};
const FROM = { good: { leads: 9, senders: 5 }, spam: { leads: 4, senders: 3 } };
const NOTHING = {
  learnedAt: null,
  from: { good: { leads: 0, senders: 0 }, spam: { leads: 0, senders: 0 } },
  words: [],
  signals: [],
};

const putLearned = () =>
  setAttributes(fixture.observer, fixture.stack.tables.workspaces, learnedKey(at.workspaceId), {
    ...{ learned: LEARNED, from: FROM, learnedAt: NOON, revision: 1, v: 1 },
  });

describe('the settings', () => {
  test('list what was learned, strongest first', async () => {
    expect((await at.owner.get('/learning')).body).toEqual({ enabled: true, ...NOTHING });
    await putLearned();
    expect((await at.owner.get('/learning')).body).toEqual({
      enabled: true,
      learnedAt: NOON,
      from: FROM,
      words: [
        { word: 'backlinks', points: -8, formId: null },
        { word: 'backlinks', points: 7, formId: 'form_b' },
        { word: 'pergola', points: 6, formId: null },
      ],
      signals: [
        { name: 'free_mail', points: -3, formId: 'form_a' },
        { name: 'free_mail', points: 2, formId: null },
      ],
    });
  });

  test('switch learning off from the next submission on, and on again', async () => {
    await reviewEight();
    await learn();
    const { configVersion: before } = await fixture.workspaceItem(at.workspaceId);
    const off = await at.owner.patch('/learning', { body: { enabled: false } });
    expect(off.body).toEqual({ enabled: false, ...NOTHING });
    expect(await fixture.workspaceItem(at.workspaceId)).toMatchObject({ configVersion: Number(before) + 1 });
    expect(await learnedSignal()).toBeUndefined();
    const asked = () => fixture.askedToLearn.filter(({ workspaceId }) => workspaceId === at.workspaceId);
    expect(asked()).toEqual([{ task: 'learn', workspaceId: at.workspaceId }]);
    await learn();
    expect(await item()).toBeUndefined();
    await learn();
    expect(await item()).toBeUndefined();

    const on = await at.owner.patch('/learning', { body: { enabled: true } });
    expect(on.body).toEqual({ enabled: true, ...NOTHING });
    expect(await fixture.workspaceItem(at.workspaceId)).not.toHaveProperty('learningOff');
    expect(asked()).toHaveLength(2);
    await learn();
    expect((await at.owner.get('/learning')).body).toMatchObject({ enabled: true, learnedAt: NOON });
    const { body } = await at.owner.get('/activity');
    expect(body.activity.map(({ action }: { action: string }) => action)).toContain(
      'PATCH /settings/learning',
    );
  });
});

describe('configuration', () => {
  const sources = () => {
    const { slug, token } = at.sender;
    const readKeys = async () => [];
    return {
      '1a': [tokenConfigurations(context), hashToken(token)],
      '1b': [slugConfigurations(context), slug],
      '1c': [slugConfigurations(context, DELIVERY_ATTRIBUTES), slug],
      '2': [browserConfigurations({ ...context, readKeys }), slug],
    } as unknown as Record<
      string,
      [ConfigurationSource<{ workspace?: Workspace; learned?: Learned }>, string]
    >;
  };

  test.each(['1a', '1b', '1c', '2'])(
    'of surface %s has what was learned, in the calls as before',
    async (surface) => {
      const [source, key] = sources()[surface] as [ConfigurationSource<{ workspace?: Workspace }>, string];
      const signal = AbortSignal.timeout(10_000);
      const found = await source.find(key, signal);
      calls.reset();
      expect(await source.readAgain(key, found, signal)).toMatchObject({
        workspace: { workspaceId: at.workspaceId },
      });
      const before = calls.commands();
      await putLearned();
      calls.reset();
      expect(await source.readAgain(key, found, signal)).toMatchObject({ learned: LEARNED });
      expect(calls.commands()).toEqual(before);
      await at.owner.patch('/learning', { body: { enabled: false } });
      const off = await source.readAgain(key, await source.find(key, signal), signal);
      expect(off).toMatchObject({ learned: undefined });
    },
  );
});
