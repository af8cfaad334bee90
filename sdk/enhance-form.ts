import { sendLead } from './browser-network.ts';
import { ELAPSED_FIELD, HONEYPOT_FIELD, readLead } from './read-lead.ts';
import { createNonce, type Endpoint } from './send-lead.ts';
import type { LeadFormOptions, Messages, Outcome } from './v1.module.d.ts';

interface FormOptions extends Omit<LeadFormOptions, 'endpoint'> {
  readonly endpoint: Endpoint;
  /** On the clock of `performance.now()`. Default: now. */
  readonly shownAt?: number;
}

const MESSAGES: Messages = {
  sending: 'Sending…',
  offline: 'You are offline. This will be sent as soon as you are online again. Please keep this page open.',
  sent: 'Thank you. Your message has been sent.',
  failed: 'Your message could not be sent. Please try again later.',
};

export function enhanceForm(form: HTMLFormElement, options: FormOptions): () => void {
  const dataset = builtIn(form, 'dataset');
  const status = findStatus(form);
  const honeypot = addHoneypot(form);
  let shownAt = options.shownAt ?? performance.now();
  let nonce = createNonce();
  /** Of the first attempt: a repeat with the same nonce sends the same lead. */
  let elapsed: number | undefined;
  let isSending = false;
  /** What was sent, and the form after its reset: the second click of a double click may come that late. */
  let done: readonly string[] = [];
  let pageShowsIt = false;

  function show(state: keyof Messages): void {
    const override = dataset[`lead${state[0]?.toUpperCase()}${state.slice(1)}`];
    dataset.leadState = state;
    status.textContent = override ?? options.messages?.[state] ?? MESSAGES[state];
  }

  function onSubmit(event: SubmitEvent): void {
    const { submitter } = event;
    // The page's own validation may have refused it, or another copy of this script has taken it.
    if (event.defaultPrevented || submitter?.matches('[formmethod=dialog],[formaction]')) return;
    event.preventDefault();
    if (isSending) return;
    if (honeypot?.matches(':-webkit-autofill')) honeypot.value = '';
    if (!done.includes(contentsOf(form, submitter))) void submit(submitter);
    else if (!pageShowsIt) show('sent');
  }

  async function submit(submitter: HTMLElement | null): Promise<void> {
    const contents = contentsOf(form, submitter);
    elapsed ??= Math.round(performance.now() - shownAt);
    const lead = { ...readLead(new FormData(form, submitter)), [ELAPSED_FIELD]: elapsed };
    isSending = true;
    show('sending');
    const { enable, hadFocus } = disable(form);
    const outcome = await sendLead({
      endpoint: options.endpoint,
      form: options.form ?? dataset.leadForm ?? '',
      lead,
      nonce,
      onOffline: (isOffline) => show(isOffline ? 'offline' : 'sending'),
    });
    const focused = builtIn(document, 'activeElement');
    const isFocusFree = !focused || focused === builtIn(document, 'body') || focused === hadFocus;
    enable();
    isSending = false;
    if (outcome.status === 'sent') {
      // After a failure the nonce is kept: the service may have stored a lead whose response was lost.
      nonce = createNonce();
      elapsed = undefined;
      shownAt = performance.now();
      done = [contents];
    }
    const state = outcome.status === 'sent' ? 'sent' : 'failed';
    pageShowsIt = !announce(form, outcome);
    if (pageShowsIt) {
      dataset.leadState = state;
      status.textContent = '';
      return;
    }
    if (state === 'sent') {
      builtIn(form, 'reset')();
      done = [contents, contentsOf(form, submitter)];
    }
    show(state);
    if (isFocusFree) (state === 'sent' ? status : hadFocus)?.focus();
  }

  builtIn(form, 'addEventListener')('submit', onSubmit);
  return () => {
    builtIn(form, 'removeEventListener')('submit', onSubmit);
    honeypot?.parentElement?.remove();
    if (status.dataset.leadStatus === 'added') status.remove();
  };
}

const createElement = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag) =>
  builtIn(document, 'createElement')(tag);

const contentsOf = (form: HTMLFormElement, submitter: HTMLElement | null) =>
  JSON.stringify(readLead(new FormData(form, submitter)));

/** False if the page wants to show the outcome itself. */
function announce(form: HTMLFormElement, outcome: Outcome): boolean {
  const [type, detail] =
    outcome.status === 'sent'
      ? ['lead:sent', { submissionId: outcome.submissionId }]
      : ['lead:failed', { reason: outcome.status }];
  return builtIn(form, 'dispatchEvent')(new CustomEvent(type, { bubbles: true, cancelable: true, detail }));
}

/** The page's own element, or a new one. Screen readers announce only what changes in an element that exists. */
function findStatus(form: HTMLFormElement): HTMLElement {
  const found = builtIn(form, 'querySelector')<HTMLElement>('[data-lead-status]');
  const status = found ?? createElement('p');
  status.setAttribute('role', 'status');
  status.tabIndex = -1;
  if (found) return found;
  status.dataset.leadStatus = 'added';
  builtIn(form, 'append')(status);
  return status;
}

/** Tells password managers to leave the field alone. */
const UNFILLED = { '1pIgnore': '', bwignore: '', lpignore: 'true', formType: 'other' };

/**
 * Out of sight, out of the tab order and hidden from screen readers. A content security policy does not block styles
 * that a script sets.
 */
function addHoneypot(form: HTMLFormElement): HTMLInputElement | undefined {
  if (builtIn(form, 'elements').namedItem(HONEYPOT_FIELD)) return undefined;
  const input = createElement('input');
  input.name = HONEYPOT_FIELD;
  input.tabIndex = -1;
  input.autocomplete = 'off';
  Object.assign(input.dataset, UNFILLED);
  const box = createElement('div');
  box.style.cssText = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)';
  box.setAttribute('aria-hidden', 'true');
  box.append(input);
  builtIn(form, 'append')(box);
  return input;
}

/** Fields that were disabled before stay so. */
function disable(form: HTMLFormElement) {
  const focused = builtIn(document, 'activeElement');
  const fields = [...builtIn(form, 'elements')].filter(
    (field): field is HTMLInputElement => 'disabled' in field && !field.disabled,
  );
  const setDisabled = (disabled: boolean) => {
    for (const field of fields) field.disabled = disabled;
  };
  const enable = () => setDisabled(false);
  setDisabled(true);
  // Firefox would restore them as disabled after a reload.
  addEventListener('pagehide', enable, { once: true });
  return { enable, hadFocus: fields.find((field) => field === focused) };
}

/**
 * A property of a document or a form as the browser defines it, methods bound to it. An image or field on the page whose
 * `name` or `id` is `currentScript` or `dataset` shadows the property itself, but not the one of the prototype.
 */
export function builtIn<Thing extends Document | HTMLFormElement, Key extends keyof Thing>(
  thing: Thing,
  key: Key,
): Thing[Key] {
  const value = Reflect.get(Object.getPrototypeOf(thing), key, thing);
  return typeof value === 'function' ? value.bind(thing) : value;
}
