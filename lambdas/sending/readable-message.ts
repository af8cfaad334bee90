import { type FieldConfiguration, fieldsOfLead } from '../model/lead-fields.ts';
import type { Lead } from '../model/lead-item.ts';
import { readLead } from '../scoring/lead-text.ts';
import { fullName, rolesOfLead } from '../scoring/roles.ts';
import { isMailAddress } from './check-destination.ts';
import type { AlertContent, MessageContent } from './compose-message.ts';
import type { Destination } from './destination.ts';
import type { MessageType } from './message.ts';
import { notClickable, oneLine, textLines, withoutUrls } from './safe-text.ts';

/** What a message for people needs besides the lead. */
export interface ReadableContext {
  readonly form: { readonly name: string; readonly fields?: readonly FieldConfiguration[] } | undefined;
  /** Where the owner can read the lead. */
  readonly consoleUrl: string | undefined;
  readonly includeFields: Destination['includeFields'];
}

/** What the visitor sent in one field. Nothing in it can become a link. */
export interface ReadableField {
  /** From the form's configuration, or else the key as sent. */
  readonly label: string;
  readonly lines: readonly string[];
}

/** A message for people, however it is sent. Only `title`, `fields` and `preview` contain what a visitor sent. */
export interface ReadableMessage {
  readonly subject: string;
  /** What happened, and in which form. */
  readonly event: string;
  /** Who it is about, or else the event. */
  readonly title: string;
  readonly notes: readonly string[];
  readonly fields: readonly ReadableField[];
  readonly button?: { readonly text: string; readonly url: string } | undefined;
  /** The first words, for lists of mail. */
  readonly preview?: string | undefined;
  /** The lead's address. */
  readonly replyTo?: string | undefined;
}

const MAX_SUBJECT_LENGTH = 80;
const MAX_FORM_NAME_LENGTH = 40;
const MAX_NAME_LENGTH = 60;
const MAX_FIELDS = 30;
const MAX_KEY_LENGTH = 60;
const MAX_VALUE = { longest: 1_500, most: 40 };
const MAX_LINE_LENGTH = 600;
const MAX_PREVIEW_LENGTH = 120;

const EVENTS: Readonly<Record<MessageType, string>> = {
  'lead.accepted': 'New lead',
  'lead.enriched': 'Lead enriched',
  'lead.erased': 'Lead erased',
  'alert.opened': 'Alert',
  'alert.closed': 'Alert closed',
  'destination.test': 'Test message',
};

/** It contains the lead's values, also in its subject, only if the owner chose so. */
export function readableMessage(content: MessageContent, context: ReadableContext): ReadableMessage {
  const { alert } = content;
  return alert ? aboutAlert(alert, content, context) : aboutLead(content, context);
}

function aboutAlert(
  alert: AlertContent,
  { type }: MessageContent,
  { consoleUrl }: ReadableContext,
): ReadableMessage {
  const { title, lines } = (type === 'alert.closed' && alert.closed) || alert.opened;
  const subject = oneLine(title, MAX_LINE_LENGTH);
  return {
    subject,
    event: EVENTS[type],
    title: subject,
    notes: lines.map((line) => oneLine(line, MAX_LINE_LENGTH)),
    fields: [],
    button:
      consoleUrl === undefined
        ? undefined
        : button('Open alert', consoleUrl, `/alerts?alert=${alert.alertId}`),
  };
}

function aboutLead(content: MessageContent, context: ReadableContext): ReadableMessage {
  const { type, lead, submissionId } = content;
  const { form, consoleUrl, includeFields } = context;
  const isTest = type === 'destination.test';
  const formName = oneLine(form?.name ?? '', MAX_FORM_NAME_LENGTH);
  const event = [EVENTS[type], formName].filter(Boolean).join(' · ');
  const shown = lead && includeFields ? whoAndWhat(lead, form?.fields) : undefined;
  const path = lead && !isTest ? `/forms/${lead.formId}/leads/${submissionId}` : undefined;
  const link =
    consoleUrl !== undefined && path !== undefined ? button('Open lead', consoleUrl, path) : undefined;
  const who = shown?.who;
  const prefix = isTest ? 'Test: ' : type === 'lead.enriched' ? 'Enriched: ' : '';
  return {
    subject: who === undefined ? event : subjectOf(`${prefix}${who}`, formName),
    event,
    title: who ?? event,
    notes: [
      ...(isTest ? ['This destination works. Messages about leads look like this one.'] : []),
      ...(lead ? [`Score ${lead.score}, ${lead.clean ? 'clean' : 'not clean'}`] : []),
      ...(lead?.test ? ['Sent in the provider’s test mode'] : []),
      ...(link || isTest ? [] : [`Submission ${submissionId}`]),
    ],
    fields: shown?.fields ?? [],
    button: link,
    preview: shown?.preview,
    // Nobody reads what is sent to the sample's address.
    replyTo: isTest ? undefined : shown?.replyTo,
  };
}

const button = (text: string, consoleUrl: string, path: string) => ({ text, url: `${consoleUrl}${path}` });

/** The form's name is always in it, however long the visitor's is. */
function subjectOf(who: string, formName: string): string {
  const end = formName === '' ? '' : ` · ${formName}`;
  // One character is the ellipsis.
  return `${oneLine(who, MAX_SUBJECT_LENGTH - [...end].length - 1)}${end}`;
}

/** In the order of the form's configuration, then as sent. */
function whoAndWhat(lead: Lead, configuration: readonly FieldConfiguration[] = []) {
  const sent = fieldsOfLead(lead) ?? {};
  const { email, company, message, ...found } = rolesOfLead(sent, lead.roles);
  const { name, firstName, lastName } = found;
  const person = fullName({ name: name?.value, firstName: firstName?.value, lastName: lastName?.value });
  const known = [person, company?.value].map(whoText).filter(Boolean).join(', ');
  const labels = new Map(configuration.map(({ key, label }) => [key, label]));
  const entries = readLead(sent, configuration).filter(({ value }) => value !== '');
  return {
    who: known || whoText(email?.value) || undefined,
    fields: entries
      .slice(0, MAX_FIELDS)
      .map(({ key, value }) => ({
        label: notClickable(oneLine(labels.get(key) || key, MAX_KEY_LENGTH)) || '–',
        lines: textLines(value, MAX_VALUE).map(notClickable),
      }))
      .filter(({ lines }) => lines.length > 0),
    preview: message && notClickable(oneLine(message.value, MAX_PREVIEW_LENGTH)),
    replyTo: entries.some(({ value }) => standsIn(value, email?.value)) ? email?.value : undefined,
  };
}

/** Whether the text has this address and not a longer one that ends like it. */
function standsIn(text: string, address: string | undefined): boolean {
  if (address === undefined || !isMailAddress(address)) return false;
  const start = text.indexOf(address);
  return start >= 0 && !/[^\s<(,;:]$/.test(text.slice(0, start));
}

const whoText = (text = '') => oneLine(withoutUrls(oneLine(text, 4 * MAX_NAME_LENGTH)), MAX_NAME_LENGTH);
