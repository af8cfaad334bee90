import { ALERT_EVENTS, type DestinationEventType } from '#sending/destination.ts';
import type { Destination, DestinationKind, Request } from '../../api/types.ts';

/** What the owner has entered for a destination. */
export interface DestinationDraft {
  readonly kind: DestinationKind;
  readonly name: string;
  /** A URL or an email address. */
  readonly address: string;
  readonly events: readonly DestinationEventType[];
  readonly allForms: boolean;
  readonly formIds: readonly string[];
  readonly onlyClean: boolean;
  /** Of messages for people. Undefined until the owner has chosen. */
  readonly includeFields: boolean | undefined;
}

export const NEW_DRAFT: DestinationDraft = {
  kind: 'webhook',
  name: '',
  address: '',
  events: ['lead.accepted'],
  allForms: true,
  formIds: [],
  onlyClean: true,
  includeFields: undefined,
};

/**
 * A new destination of another kind. What people read suggests alerts too; a program that receives webhooks must be
 * ready for them first. Events that the owner chose stay.
 */
export function withKind(draft: DestinationDraft, kind: DestinationKind): DestinationDraft {
  const isUntouched = draft.events.join() === suggestedEvents(draft.kind).join();
  return { ...draft, kind, address: '', events: isUntouched ? suggestedEvents(kind) : draft.events };
}

const suggestedEvents = (kind: DestinationKind): readonly DestinationEventType[] =>
  kind === 'webhook' ? ['lead.accepted'] : ['lead.accepted', ...ALERT_EVENTS];

export function draftOf(destination: Destination): DestinationDraft {
  const { kind, name, url = '', email = '', events, forms, onlyClean, includeFields } = destination;
  return {
    kind,
    name,
    address: kind === 'email' ? email : url,
    events,
    allForms: forms === 'all',
    formIds: forms === 'all' ? [] : forms,
    onlyClean,
    includeFields,
  };
}

/** The fields of the API that the dialog shows errors next to. */
export type DraftField = 'name' | 'address' | 'events' | 'forms' | 'includeFields';
export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>;

/** The service checks the rest: whether a URL can be used depends on DNS. */
export function draftProblems(draft: DestinationDraft, seen?: DestinationDraft): DraftProblems {
  const { kind, name, address, events, allForms, formIds, includeFields } = draft;
  // A saved Slack URL can't be read again, so it may stay empty.
  const needsAddress = seen === undefined || kind !== 'slack';
  return {
    ...(seen !== undefined && name.trim() === '' && { name: 'Enter a name.' }),
    ...(needsAddress &&
      address.trim() === '' && { address: kind === 'email' ? 'Enter an email address.' : 'Enter a URL.' }),
    ...(kind !== 'webhook' &&
      includeFields === undefined && { includeFields: 'Choose what messages contain.' }),
    ...(events.length === 0 && { events: 'Choose at least one event.' }),
    ...(!allForms && formIds.length === 0 && { forms: 'Choose at least one form.' }),
  };
}

function bodyOf({ kind, name, address, events, allForms, formIds, ...rest }: DestinationDraft) {
  const isReadable = kind !== 'webhook';
  return {
    name: name.trim(),
    [addressField(kind)]: address.trim(),
    events,
    forms: allForms ? ('all' as const) : formIds,
    onlyClean: rest.onlyClean,
    ...(isReadable && { includeFields: rest.includeFields ?? false }),
  };
}

export const addressField = (kind: DestinationKind) => (kind === 'email' ? 'email' : 'url');

export function createBody(draft: DestinationDraft): Request<'createDestination'> {
  const { name, ...body } = bodyOf(draft);
  return { kind: draft.kind, ...(name !== '' && { name }), ...body };
}

/** Only what changed: an unchanged URL isn't checked again. */
export function changesIn(draft: DestinationDraft, seen: DestinationDraft): Request<'changeDestination'> {
  const before: Readonly<Record<string, unknown>> = bodyOf(seen);
  return Object.fromEntries(
    Object.entries(bodyOf(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  );
}
