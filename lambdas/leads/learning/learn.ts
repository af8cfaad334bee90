import { type FieldConfiguration, fieldsOfLead, isTestLead } from '../../model/lead-fields.ts';
import type { Lead } from '../../model/lead-item.ts';
import type { Learned, LearnedFrom, LearnedPoints } from '../../model/learned.ts';
import { isByKey } from '../../model/senders.ts';
import { longestText } from '../../scoring/content-signals.ts';
import { readLead } from '../../scoring/lead-text.ts';
import { learnableWords } from '../../scoring/learned.ts';
import { sortEntries } from '../../scoring/roles.ts';
import { scoreLead } from '../../scoring/score-lead.ts';
import { entryFor, senderOf } from '../../scoring/sender.ts';
import { type SignalName, WEIGHTS } from '../../scoring/weights.ts';
import { cutToItem } from './cut-to-item.ts';
import { fitPoints } from './fit-points.ts';
import { personalWords, readTypedValues, type TypedValues } from './personal-words.ts';

/** A lead with the owner's verdict, and the fields of its form. */
export interface ReviewedLead {
  readonly lead: Lead;
  readonly configuration: readonly FieldConfiguration[];
}

/** How many different senders it takes: for a kind of verdict to count, and for a word to be kept. */
const SENDERS = 3;

/** What half of the good leads and half of the spam have says nothing: it would only move all leads the same way. */
const HAD_BY_ALL = 0.5;

/** The most that one word or signal is worth. */
const MAX_EACH = 8;
/** Losing a customer costs an owner more than reading an offer: what speaks against a lead counts a little less. */
const AGAINST = 0.8;

/**
 * What the verdicts of a workspace teach. Pure, and independent of their order. Without one of the leads it is as if
 * that lead had never been reviewed.
 */
export function learnFrom(reviewed: readonly ReviewedLead[]): { learned: Learned; from: LearnedFrom } {
  const lessons = reviewed
    .flatMap((each) => readLesson(each) ?? [])
    .sort((one, other) => (one.leadId < other.leadId ? -1 : 1));
  const from = { good: countOf(lessons, 'good'), spam: countOf(lessons, 'spam') };
  const learned = isEnough(lessons) ? learn(lessons) : { words: {}, signals: {}, forms: {} };
  return { learned: cutToItem(learned), from };
}

/** A verdict as learning reads it. */
interface Lesson {
  readonly leadId: string;
  readonly formId: string;
  readonly verdict: 'good' | 'spam';
  /** A company's domain, or the address of a free mail user. Leads without one count as one sender. */
  readonly sender: string;
  /** The points of the score, without what was learned before. */
  readonly base: number;
  readonly words: ReadonlySet<string>;
  readonly signals: readonly string[];
  readonly values: TypedValues;
}

/** Undefined for what teaches nothing: test leads, damaged ones, and verdicts of programs. */
function readLesson({ lead, configuration }: ReviewedLead): Lesson | undefined {
  const fields = fieldsOfLead(lead);
  if (!fields || !lead.review || isByKey(lead.review) || isTestLead(lead, fields)) return undefined;
  const sorted = sortEntries(readLead(fields, configuration), configuration);
  const sender = senderOf(fields, configuration);
  const { signals } = scoreLead(fields, configuration);
  return {
    leadId: lead.leadId,
    formId: lead.formId,
    verdict: lead.review.verdict,
    sender: sender ? entryFor(sender) : '',
    base: signals.reduce((sum, { weight }) => sum + weight, 0),
    words: learnableWords(longestText(sorted)),
    signals: signals.map(({ name }) => name).filter(isLearnable),
    values: readTypedValues(sorted),
  };
}

/**
 * No vetoes: points do not change them. Nor the signals of the text model: owners review what it got wrong, and would
 * teach it that it is wrong about everything.
 */
function isLearnable(name: string): boolean {
  return WEIGHTS[name as SignalName][1] === 'may be clean' && !name.startsWith('reads_like_');
}

function countOf(lessons: readonly Lesson[], verdict: Lesson['verdict']) {
  const those = lessons.filter((lesson) => lesson.verdict === verdict);
  return { leads: those.length, senders: new Set(those.map(({ sender }) => sender)).size };
}

const isEnough = (lessons: readonly Lesson[]) =>
  (['good', 'spam'] as const).every((verdict) => countOf(lessons, verdict).senders >= SENDERS);

function learn(lessons: readonly Lesson[]): Learned {
  const isPersonal = personalWords(lessons, SENDERS);
  const words = namesToLearn(lessons, 'words').filter((word) => !isPersonal(word));
  const signals = namesToLearn(lessons, 'signals');
  const indexOf = {
    words: new Map(words.map((word, index) => [word, index])),
    signals: new Map(signals.map((name, index) => [name, words.length + index])),
  };
  const examples = lessons.map((lesson) => ({
    formId: lesson.formId,
    good: lesson.verdict === 'good',
    base: lesson.base,
    features: KINDS.flatMap((kind) => [...lesson[kind]].flatMap((name) => indexOf[kind].get(name) ?? [])),
  }));
  const pointsFor = (ownForm?: string): LearnedPoints => {
    const points = fitPoints(examples, words.length + signals.length, ownForm);
    return {
      words: toPoints(words, points.slice(0, words.length)),
      signals: toPoints(signals, points.slice(words.length)),
    };
  };
  const all = pointsFor();
  const formIds = [...new Set(lessons.map(({ formId }) => formId))].sort();
  const forms = formIds.flatMap((formId) => {
    const isOwn = isEnough(lessons.filter((lesson) => lesson.formId === formId));
    return formIds.length > 1 && isOwn ? [[formId, differences(pointsFor(formId), all)] as const] : [];
  });
  return { ...all, forms: Object.fromEntries(forms) };
}

const KINDS = ['words', 'signals'] as const;

/** In a fixed order: what leads of several senders have, unless most leads have it. */
function namesToLearn(lessons: readonly Lesson[], kind: 'words' | 'signals'): string[] {
  const senders = new Map<string, Set<string>>();
  for (const lesson of lessons) {
    for (const name of lesson[kind]) senders.set(name, (senders.get(name) ?? new Set()).add(lesson.sender));
  }
  const shared = sharedBy(lessons, kind);
  return [...senders]
    .filter(([name, { size }]) => size >= SENDERS && (shared.get(name) ?? 0) < HAD_BY_ALL)
    .map(([name]) => name)
    .sort();
}

/** Which part of both good leads and spam has it: form by form, because what is good in one may be spam in another. */
function sharedBy(lessons: readonly Lesson[], kind: 'words' | 'signals'): Map<string, number> {
  const shared = new Map<string, number>();
  let pairs = 0;
  for (const own of Map.groupBy(lessons, ({ formId }) => formId).values()) {
    const total = { good: countOf(own, 'good').leads, spam: countOf(own, 'spam').leads };
    const inPairs = Math.min(total.good, total.spam);
    pairs += inPairs;
    const counts = new Map<string, { good: number; spam: number }>();
    for (const { [kind]: names, verdict } of own) {
      for (const name of names) {
        const count = counts.get(name) ?? { good: 0, spam: 0 };
        counts.set(name, count);
        count[verdict] += 1;
      }
    }
    for (const [name, { good, spam }] of counts) {
      const part = inPairs && Math.min(good / total.good, spam / total.spam);
      shared.set(name, (shared.get(name) ?? 0) + inPairs * part);
    }
  }
  return new Map([...shared].map(([name, sum]) => [name, sum / pairs]));
}

function toPoints(names: readonly string[], points: readonly number[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const exact = points[index] as number;
      const rounded = Math.round(exact < 0 ? AGAINST * exact : exact);
      return rounded === 0 ? [] : [[name, Math.min(MAX_EACH, Math.max(-MAX_EACH, rounded))]];
    }),
  );
}

/** A form's points where they differ. What is worth nothing there is listed as 0 if the workspace has points for it. */
function differences(own: LearnedPoints, all: LearnedPoints): LearnedPoints {
  const differing = (kind: 'words' | 'signals') => {
    const names = Object.keys({ ...all[kind], ...own[kind] }).sort();
    const changed = names.filter((name) => own[kind][name] !== all[kind][name]);
    return Object.fromEntries(changed.map((name) => [name, own[kind][name] ?? 0]));
  };
  return { words: differing('words'), signals: differing('signals') };
}
