import { type JsonText, readJsonText } from '../model/json-text.ts';
import type { ParsedBody } from '../model/lead-body.ts';
import {
  addBody,
  addPlaces,
  entriesOf,
  type FlatFields,
  itemsOf,
  joined,
  MAX_FIELDS,
  makeFlatFields,
  member,
  type Places,
  textOf,
  type Value,
  valueAt,
} from './flat-fields.ts';
import type { Provider, ProviderName } from './providers.ts';

/**
 * A payload as flat fields with readable keys: their JSON, and the same parsed. Numbers keep their digits in the JSON.
 * The body itself if it is flat already. Undefined if the payload has a surprising shape; never throws, because the
 * provider would repeat the delivery for days.
 */
export function fieldsOf(provider: Provider, body: ParsedBody): ParsedBody | undefined {
  try {
    return mapFields(provider, body);
  } catch {
    return undefined;
  }
}

/** Without the safety net, for tests: a mistake in a shape must not look like a surprise. */
export function mapFields({ name }: Provider, body: ParsedBody): ParsedBody | undefined {
  const json = readJsonText(body.text);
  if (json?.kind !== 'object') return undefined;
  const shape = SHAPES[name];
  if (shape === addBody && isFlat(json)) return body;
  const fields = makeFlatFields();
  shape(fields, json);
  const text = fields.text();
  return text === undefined ? undefined : { text, fields: JSON.parse(text) as ParsedBody['fields'] };
}

type Shape = (fields: FlatFields, body: JsonText) => void;

const SHAPES: Readonly<Record<ProviderName, Shape>> = {
  typeform: addTypeform,
  tally: addTally,
  framer: addBody,
  webflow: addWebflow,
  calendly: addCalendly,
  calcom: addCalcom,
  stripe: addStripe,
  shopify: addShopify,
  'standard-webhooks': addEnvelope,
  svix: addEnvelope,
  github: addBody,
};

function isFlat(body: JsonText & { kind: 'object' }): boolean {
  return body.entries.length <= MAX_FIELDS && body.entries.every(([, { kind }]) => kind === 'scalar');
}

/** Standard Webhooks recommends `type`, `timestamp` and `data`, and does not require them. */
function addEnvelope(fields: FlatFields, body: JsonText): void {
  const data = member(body, 'data');
  addBody(fields, data?.kind === 'object' && textOf(member(body, 'type')) !== undefined ? data : body);
}

function addTypeform(fields: FlatFields, body: JsonText): void {
  const response = member(body, 'form_response');
  const titles = new Map<string, string>();
  for (const field of itemsOf(valueAt(response, 'definition.fields'))) {
    // Questions of a group are inside it.
    for (const each of [field, ...itemsOf(valueAt(field, 'properties.fields'))]) {
      const title = textOf(member(each, 'title'))?.replace(/\{\{[^{}]*\}\}/g, '…');
      if (title) titles.set(textOf(member(each, 'id')) ?? '', title);
    }
  }
  for (const answer of itemsOf(member(response, 'answers'))) {
    const id = textOf(valueAt(answer, 'field.id')) ?? '';
    const ref = textOf(valueAt(answer, 'field.ref')) ?? '';
    const type = textOf(member(answer, 'type')) ?? '';
    const key = ref !== id && isReadable(ref) ? ref : (titles.get(id) ?? (ref || id || type));
    fields.add(key, typeformAnswer(type, member(answer, type)));
  }
  addBody(fields, member(response, 'hidden'));
}

/** Typeform makes a UUID or ULID for every question whose `ref` the owner did not choose. */
function isReadable(ref: string): boolean {
  return (
    /[a-z]{2}/i.test(ref) && !/^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-z]{26})$/i.test(ref)
  );
}

function typeformAnswer(type: string, value: Value): Value | string {
  if (type === 'choice') return member(value, 'label') ?? member(value, 'other');
  if (type !== 'choices') return value;
  return joined([...itemsOf(member(value, 'labels')), member(value, 'other')].map(textOf));
}

function addTally(fields: FlatFields, body: JsonText): void {
  const repeated = new Set<string>();
  for (const field of itemsOf(valueAt(body, 'data.fields'))) {
    const key = textOf(member(field, 'key')) ?? '';
    // Each checkbox is also sent as a field of its own, true or false. The chosen texts say the same.
    if (repeated.has(key)) continue;
    const label = textOf(member(field, 'label')) || key;
    const value = member(field, 'value');
    const options = textsById(member(field, 'options'));
    for (const id of options.keys()) repeated.add(`${key}_${id}`);
    const columns = textsById(member(field, 'columns'));
    const rows = textsById(member(field, 'rows'));
    if (columns.size > 0 && value?.kind === 'object') {
      for (const [row, chosen] of entriesOf(value)) {
        fields.add(`${label}: ${rows.get(row) ?? row}`, chosenTexts(chosen, columns));
      }
    } else if (options.size > 0) fields.add(label, chosenTexts(value, options));
    else fields.add(label, uploadedFiles(value) ?? value);
  }
}

function textsById(options: Value): Map<string, string> {
  return new Map(
    itemsOf(options).map((option) => {
      const id = textOf(member(option, 'id')) ?? '';
      return [id, textOf(member(option, 'text')) ?? id];
    }),
  );
}

function chosenTexts(chosen: Value, texts: ReadonlyMap<string, string>): Value | string {
  const ids = chosen?.kind === 'array' ? chosen.items : [chosen];
  if (!ids.every((id) => id?.kind === 'scalar')) return chosen;
  return joined(ids.map((id) => texts.get(textOf(id) ?? '') ?? textOf(id)));
}

function uploadedFiles(value: Value): string | undefined {
  return joined(itemsOf(value).map((file) => textOf(member(file, 'url'))));
}

function addWebflow(fields: FlatFields, body: JsonText): void {
  addBody(fields, valueAt(body, 'payload.data'));
}

const CALENDLY: Places = [
  ['name', 'name'],
  ['first_name', 'first_name'],
  ['last_name', 'last_name'],
  ['email', 'email'],
  ['phone', 'text_reminder_number'],
];
const CALENDLY_EVENT: Places = [
  ['event_name', 'scheduled_event.name'],
  ['event_start_time', 'scheduled_event.start_time'],
  ['timezone', 'timezone'],
];

function addCalendly(fields: FlatFields, body: JsonText): void {
  const invitee = member(body, 'payload');
  addPlaces(fields, invitee, CALENDLY);
  for (const answered of itemsOf(member(invitee, 'questions_and_answers'))) {
    fields.add(textOf(member(answered, 'question')) ?? '', member(answered, 'answer'));
  }
  addPlaces(fields, invitee, CALENDLY_EVENT);
  addBody(fields, member(invitee, 'tracking'));
}

const CALCOM_ATTENDEE: Places = [
  ['name', 'name'],
  ['email', 'email'],
  ['phone', 'phoneNumber'],
];
const CALCOM_EVENT: Places = [
  ['event_title', 'title'],
  ['event_start_time', 'startTime'],
];

function addCalcom(fields: FlatFields, body: JsonText): void {
  const booking = member(body, 'payload');
  const responses = entriesOf(member(booking, 'responses'));
  const answered = new Set(responses.map(([name]) => name));
  const missing = CALCOM_ATTENDEE.filter(([key]) => !answered.has(key));
  addPlaces(fields, itemsOf(member(booking, 'attendees'))[0], missing);
  for (const [name, response] of responses) {
    const label = textOf(member(response, 'label')) ?? '';
    const value = member(response, 'value');
    // Cal.com's own questions have the name of a translation instead of a label.
    const key = /^[a-z_]*$/.test(label) ? name : label;
    // A place or a choice that was typed in is an object of both.
    fields.add(key, textOf(member(value, 'optionValue')) || (member(value, 'value') ?? value));
  }
  addPlaces(fields, booking, CALCOM_EVENT);
}

const STRIPE_CUSTOMER: Places = [
  ['name', 'name'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['company', 'business_name'],
  ['address', 'address.line1'],
  ['postal_code', 'address.postal_code'],
  ['city', 'address.city'],
  ['state', 'address.state'],
  ['country', 'address.country'],
];
const STRIPE_PURCHASE: Places = [
  ['amount_total', 'amount_total'],
  ['currency', 'currency'],
  ['payment_status', 'payment_status'],
  ['client_reference_id', 'client_reference_id'],
];

function addStripe(fields: FlatFields, body: JsonText): void {
  const object = valueAt(body, 'data.object');
  const isCustomer = textOf(member(object, 'object')) === 'customer';
  addPlaces(fields, isCustomer ? object : member(object, 'customer_details'), STRIPE_CUSTOMER);
  for (const custom of itemsOf(member(object, 'custom_fields'))) {
    const key = textOf(valueAt(custom, 'label.custom')) ?? textOf(member(custom, 'key')) ?? '';
    const typed = member(custom, textOf(member(custom, 'type')) ?? '');
    const chosen = textOf(member(typed, 'value'));
    const option = itemsOf(member(typed, 'options')).find((each) => textOf(member(each, 'value')) === chosen);
    fields.add(key, member(option, 'label') ?? member(typed, 'value'));
  }
  if (!isCustomer) addPlaces(fields, object, STRIPE_PURCHASE);
  addBody(fields, member(object, 'metadata'));
}

const SHOPIFY: Places = [
  ['first_name', 'first_name'],
  ['last_name', 'last_name'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['company', 'default_address.company'],
  ['address', 'default_address.address1'],
  ['postal_code', 'default_address.zip'],
  ['city', 'default_address.city'],
  ['state', 'default_address.province'],
  ['country', 'default_address.country'],
  ['note', 'note'],
  ['tags', 'tags'],
];

function addShopify(fields: FlatFields, body: JsonText): void {
  addPlaces(fields, body, SHOPIFY);
}
