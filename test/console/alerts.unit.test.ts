import { describe, expect, test } from '@jest/globals';
import { ApiProblem } from '../../console/src/api/problem.ts';
import type { Alert } from '../../console/src/api/types.ts';
import { alertLink, severityOf } from '../../console/src/pages/alerts/alert-words.ts';
import {
  draftOf,
  refusedSettings,
  settingsBody,
  settingsProblems,
} from '../../console/src/pages/alerts/settings-draft.ts';
import {
  ALERT_KINDS,
  DEFAULT_SETTINGS,
  momentText,
  SETTINGS_RANGES,
  splitMoments,
} from '../../lambdas/alerts/alert.ts';
import { describeClosed, describeOpened } from '../../lambdas/alerts/describe-alert.ts';

describe('an alert', () => {
  test.each([
    ['sender_broken', { surface: '1b' }, '/diagnostics?range=7d&form=form_1&surface=1b'],
    ['silence', {}, '/leads?form=form_1'],
    ['daily_limit', { formId: undefined, surface: '1a' }, '/leads'],
    ['destination_failing', { formId: undefined, destinationId: 'dest_1' }, '/destinations/dest_1'],
    ['rotation_ending', {}, '/forms/form_1/delivery'],
    ['clock_drift', {}, '/forms/form_1/delivery'],
  ] as const)('of the kind %s links to where it can be fixed', (kind, subject, href) => {
    const alert = { kind, formId: 'form_1', ...subject } as Alert;
    expect(alertLink(alert).href).toBe(href);
  });

  test('is an error once leads are rejected or held back', () => {
    const errors = ALERT_KINDS.filter((kind) => severityOf({ kind, facts: {} }) === 'error');
    expect(errors).toEqual(['sender_broken', 'destination_failing']);
    expect(severityOf({ kind: 'daily_limit', facts: { percent: 80 } })).toBe('warning');
    expect(severityOf({ kind: 'daily_limit', facts: { percent: 100 } })).toBe('error');
  });
});

describe('alert settings', () => {
  const draft = draftOf(DEFAULT_SETTINGS);
  const typing = (field: string, typed: string) => ({ ...draft, typed: { ...draft.typed, [field]: typed } });

  test('are saved as they were read', () => {
    expect(settingsBody(draft)).toEqual(DEFAULT_SETTINGS);
    expect(settingsProblems(draft)).toEqual({});
  });

  test('have a field for every number of the API', () => {
    const numbers = Object.entries(SETTINGS_RANGES).flatMap(([name, range]) =>
      Array.isArray(range) ? [name] : Object.keys(range).map((inner) => `${name}.${inner}`),
    );
    expect(Object.keys(draft.typed).sort()).toEqual(numbers.sort());
  });

  test.each([
    ['destinationFailing.afterMinutes', '4', 'Enter a whole number from 5 to 10,080.'],
    ['destinationFailing.afterMinutes', '60.5', 'Enter a whole number from 5 to 10,080.'],
    ['silence.factor', '11', 'Enter a number from 0.5 to 10.'],
    ['quietMinutes', '', 'Enter a whole number from 0 to 10,080.'],
    ['clockDrift.seconds', 'soon', 'Enter a whole number from 30 to 290.'],
  ])('refuse %s %p', (field, typed, problem) => {
    expect(settingsProblems(typing(field, typed))).toEqual({ [field]: problem });
  });

  test('take a decimal point or comma, and spaces', () => {
    for (const typed of ['1.5', ' 1,5 ']) {
      expect(settingsProblems(typing('silence.factor', typed))).toEqual({});
      expect(settingsBody(typing('silence.factor', typed))).toMatchObject({ silence: { factor: 1.5 } });
    }
  });

  test('leave the number of an alert that is off as it was', () => {
    const off = { ...typing('clockDrift.seconds', '9'), enabled: { ...draft.enabled, clock_drift: false } };
    expect(settingsProblems(off)).toEqual({});
    expect(settingsBody(off)).toMatchObject({ clockDrift: { enabled: false } });
    expect(settingsBody(off).clockDrift).not.toHaveProperty('seconds');
  });

  test('show an error of the API next to its field, and any other above the button', () => {
    const errors = [{ field: 'silence.factor', problem: 'must be a number from 0.5 to 10' }];
    expect(refusedSettings(new ApiProblem(400, { title: 'Invalid', errors }))).toEqual({
      byField: { 'silence.factor': 'It must be a number from 0.5 to 10.' },
      other: undefined,
    });
    expect(refusedSettings(new ApiProblem(429, { title: 'Busy', detail: 'Wait.' }))).toEqual({
      byField: {},
      other: 'Wait.',
    });
    expect(refusedSettings(null)).toEqual({ byField: {}, other: undefined });
  });
});

describe('the times in the text of an alert', () => {
  const at = Date.parse('2026-11-05T09:12:00Z');
  const iso = new Date(at).toISOString();
  const facts = { formName: 'Contact', lastAcceptedAt: iso, endsAt: iso, percent: 100, problem: 'failing' };

  test.each(ALERT_KINDS)(
    'name the time zone in messages, and are the reader’s own in the console: %s',
    (kind) => {
      const state = { alertId: 'a', kind, subject: 's', since: iso, openedAt: iso, facts };
      const texts = [
        describeOpened({ kind, subject: 's', since: at, facts }),
        describeClosed({ state, outcome: 'recovered', cause: 'other' }, at),
      ].map(({ lines }) => lines.join('\n'));
      for (const text of texts) {
        expect(text.match(/\d\d:\d\d(?! UTC)/)).toBeNull();
        const parts = splitMoments(text);
        expect(parts.map((part) => ('at' in part ? '' : part.text)).join('')).not.toContain('UTC');
        expect(
          parts.map((part) => ('at' in part ? momentText(Date.parse(part.at)) : part.text)).join(''),
        ).toBe(text);
      }
      const moments = texts.flatMap(splitMoments).filter((part) => 'at' in part);
      if (kind !== 'clock_drift') expect(moments.map((part) => part.at)).toContain(iso);
    },
  );
});
