import { sendLead } from './browser-network.ts';
import { ELAPSED_FIELD, HONEYPOT_FIELD, readLead } from './read-lead.ts';
import { createNonce, type Endpoint } from './send-lead.ts';
import type { LeadFormOptions, Messages, Outcome } from './v1.module.d.ts';

type FormOptions = Omit<LeadFormOptions, 'endpoint'> & { readonly endpoint: Endpoint };

const MESSAGES: Messages = {
  sending: 'Sending…',
  offline: 'You are offline. This will be sent as soon as you are online again. Please keep this page open.',
  sent: 'Thank you. Your message has been sent.',
  failed: 'Your message could not be sent. Please try again later.',
};

export function enhanceForm(form: HTMLFormElement, options: FormOptions): () => void {
  const status = findStatus(form);
  const honeypot = addHoneypot(form);
  let shownAt = performance.now();
  let nonce = createNonce();
  let isSending = false;
  /** What was sent, and the form after its reset: the second click of a double click may come that late. */
  let done: readonly string[] = [];

  function show(state: keyof Messages): void {
    const override = form.dataset[`lead${state[0]?.toUpperCase()}${state.slice(1)}`];
    form.dataset.leadState = state;
    status.textContent = override ?? options.messages?.[state] ?? MESSAGES[state];
  }

  function onSubmit(event: SubmitEvent): void {
    // The page's own validation may have refused it, or another copy of this script has taken it.
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (isSending) return;
    if (done.includes(contentsOf(form))) show('sent');
    else void submit(event.submitter);
  }

  async function submit(submitter: HTMLElement | null): Promise<void> {
    const contents = contentsOf(form);
    const lead = {
      ...readLead(new FormData(form, submitter)),
      [ELAPSED_FIELD]: Math.round(performance.now() - shownAt),
    };
    isSending = true;
    show('sending');
    const enable = disable(form);
    const outcome = await sendLead({
      endpoint: options.endpoint,
      form: options.form ?? form.dataset.leadForm ?? '',
      lead,
      nonce,
      onOffline: (isOffline) => show(isOffline ? 'offline' : 'sending'),
    });
    const isFocusFree = form.contains(document.activeElement) || document.activeElement === document.body;
    const focused = enable();
    isSending = false;
    if (outcome.status === 'sent') {
      // After a failure the nonce is kept: the service may have stored a lead whose answer was lost.
      nonce = createNonce();
      shownAt = performance.now();
      done = [contents];
    }
    const state = outcome.status === 'sent' ? 'sent' : 'failed';
    if (!announce(form, outcome)) {
      form.dataset.leadState = state;
      status.textContent = '';
      return;
    }
    if (outcome.status === 'sent') {
      // A button may be named "reset".
      HTMLFormElement.prototype.reset.call(form);
      done = [contents, contentsOf(form)];
    }
    show(state);
    if (isFocusFree) (state === 'sent' ? status : focused)?.focus();
  }

  form.addEventListener('submit', onSubmit);
  return () => {
    form.removeEventListener('submit', onSubmit);
    honeypot?.remove();
    if (status.dataset.leadStatus === 'added') status.remove();
  };
}

const contentsOf = (form: HTMLFormElement) => JSON.stringify(readLead(new FormData(form)));

/** False if the page wants to show the outcome itself. */
function announce(form: HTMLFormElement, outcome: Outcome): boolean {
  const event =
    outcome.status === 'sent'
      ? { type: 'lead:sent', detail: { submissionId: outcome.submissionId } }
      : { type: 'lead:failed', detail: { reason: outcome.status } };
  return form.dispatchEvent(
    new CustomEvent(event.type, { bubbles: true, cancelable: true, detail: event.detail }),
  );
}

/** The page's own element, or a new one. Screen readers announce only what changes in an element that exists. */
function findStatus(form: HTMLFormElement): HTMLElement {
  const found = form.querySelector<HTMLElement>('[data-lead-status]');
  const status = found ?? document.createElement('p');
  status.setAttribute('role', 'status');
  status.tabIndex = -1;
  if (found) return found;
  status.dataset.leadStatus = 'added';
  form.append(status);
  return status;
}

/** Out of sight, out of the tab order and hidden from screen readers. Styles set here need no permission of a CSP. */
function addHoneypot(form: HTMLFormElement): HTMLElement | undefined {
  if (form.elements.namedItem(HONEYPOT_FIELD)) return undefined;
  const input = document.createElement('input');
  input.name = HONEYPOT_FIELD;
  input.tabIndex = -1;
  input.autocomplete = 'off';
  const box = document.createElement('div');
  box.style.cssText = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)';
  box.setAttribute('aria-hidden', 'true');
  box.append(input);
  form.append(box);
  return box;
}

/** Returns a function that enables the same fields again and returns the one that had the focus. */
function disable(form: HTMLFormElement): () => HTMLElement | undefined {
  const focused = document.activeElement;
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement => 'disabled' in field && !field.disabled,
  );
  for (const field of fields) field.disabled = true;
  return () => {
    for (const field of fields) field.disabled = false;
    return fields.find((field) => field === focused);
  };
}
