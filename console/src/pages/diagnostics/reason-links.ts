import type { RecordedReason, Surface } from '../../api/types.ts';

interface PlaceToGo {
  readonly text: string;
  readonly href: string;
}

type Place = 'browser' | 'debugger' | 'delivery' | 'form' | 'tokens' | 'test' | 'limits';

const PLACES: Readonly<Record<RecordedReason, readonly Place[]>> = {
  token_missing: ['tokens'],
  token_invalid: ['tokens'],
  token_wrong_type: ['tokens'],
  token_revoked: ['tokens'],
  workspace_suspended: [],
  form_not_found: ['form', 'tokens'],
  form_inactive: ['form'],
  slug_ambiguous: ['form'],
  provider_not_chosen: ['delivery'],
  secret_not_configured: ['delivery'],
  timestamp_missing: ['delivery', 'debugger'],
  timestamp_invalid: ['debugger', 'delivery'],
  timestamp_out_of_window: ['debugger'],
  signature_missing: ['delivery'],
  signature_malformed: ['debugger', 'delivery'],
  signature_mismatch: ['debugger', 'delivery'],
  browser_inactive: ['browser'],
  origin_missing: ['browser'],
  origin_not_allowed: ['browser'],
  token_expired: ['browser'],
  rate_limited_minute: ['limits', 'tokens', 'browser'],
  rate_limited_day: ['limits', 'tokens', 'browser'],
  idempotency_key_malformed: ['delivery'],
  body_too_large: ['test'],
  content_type_unsupported: ['delivery', 'test'],
  content_encoding_unsupported: ['delivery'],
  body_invalid_json: ['test'],
  body_not_object: ['test'],
  delivery_too_old: ['delivery'],
  internal_error: ['test'],
  idempotency_key_reused: ['delivery', 'test'],
};

/** What concerns only signed webhooks and browsers. Everything about providers and tools is in Delivery settings. */
const NOT_FOR_SOURCES: ReadonlySet<Place> = new Set(['browser', 'debugger', 'test']);

function placesOf(reason: RecordedReason, surface: Surface | undefined): readonly Place[] {
  const places = PLACES[reason];
  return surface === '1c' ? places.map((place) => (NOT_FOR_SOURCES.has(place) ? 'delivery' : place)) : places;
}

interface Where {
  readonly form?: { readonly formId: string; readonly name: string } | undefined;
  readonly requestId?: string | undefined;
  readonly surface?: Surface | undefined;
}

/** Links to fix a reason. Without a form, links to find it. The debugger opens with what is known of a request. */
export function reasonLinks(reason: RecordedReason, { form, requestId, surface }: Where = {}): PlaceToGo[] {
  const path = form && `/forms/${encodeURIComponent(form.formId)}`;
  const rejection = requestId === undefined ? '' : `?rejection=${encodeURIComponent(requestId)}`;
  const of = form ? ` of “${form.name}”` : '';
  const places: Readonly<Record<Place, PlaceToGo>> = {
    browser: {
      text: path ? `Browser sending${of}` : 'Find the form to open its Delivery settings',
      href: path ? `${path}/delivery#browser` : '/forms',
    },
    debugger: {
      text: path ? `Signature debugger${of}` : 'Find the form to use its signature debugger',
      href: path ? `${path}/delivery${rejection}#debugger` : '/forms',
    },
    delivery: {
      text: path ? `Delivery settings${of}` : 'Find the form to open its Delivery settings',
      href: path ? `${path}/delivery` : '/forms',
    },
    form: { text: form ? `Form “${form.name}”` : 'Forms', href: path ?? '/forms' },
    tokens: { text: 'Ingest tokens', href: '/tokens' },
    limits: { text: 'Usage', href: '/' },
    test: {
      text: 'Send test',
      href: form ? `/send-test?form=${encodeURIComponent(form.formId)}` : '/send-test',
    },
  };
  const links = placesOf(reason, surface).map((place) => places[place]);
  return links.filter(({ href }, at) => links.findIndex((other) => other.href === href) === at);
}
