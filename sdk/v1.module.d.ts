/** The lead as it is stored: one flat object. */
export type Lead = Readonly<Record<string, unknown>>;

/** `unreachable`: no response after several attempts, so the lead may or may not be stored. */
export type Outcome =
  | { readonly status: 'sent'; readonly submissionId: string }
  | { readonly status: 'rejected' }
  | { readonly status: 'unreachable' };

export interface SendLeadOptions {
  /** The service's base URL, for example `https://leads.example.com`. */
  readonly endpoint: string;
  /** The form's slug. */
  readonly form: string;
  readonly lead: Lead;
  /** From `createNonce()`. All calls with the same nonce create at most one lead. Default: a new one. */
  readonly nonce?: string;
  /** Called when the browser is offline and sending waits, and again when it continues. */
  readonly onOffline?: (isOffline: boolean) => void;
}

/** Sends one lead. Never throws: failures are an outcome. */
export function sendLead(options: SendLeadOptions): Promise<Outcome>;

/** 128 random bits as 32 hex digits. */
export function createNonce(): string;

export interface Messages {
  readonly sending: string;
  readonly offline: string;
  readonly sent: string;
  readonly failed: string;
}

export interface LeadFormOptions {
  /** The service's base URL, for example `https://leads.example.com`. */
  readonly endpoint: string;
  /** The form's slug. Default: the element's `data-lead-form`. */
  readonly form?: string;
  /** Status messages. The element's `data-lead-sending`, `-offline`, `-sent` and `-failed` take precedence. */
  readonly messages?: Partial<Messages>;
}

/** Sends the form's submissions as leads. Returns a function that undoes this. */
export function enhanceForm(form: HTMLFormElement, options: LeadFormOptions): () => void;

/** Dispatched on the form; bubbles. With `preventDefault()`, the form is neither reset nor is a message shown. */
export type LeadSentEvent = CustomEvent<{ readonly submissionId: string }>;

/** Dispatched on the form; bubbles. With `preventDefault()`, no message is shown. */
export type LeadFailedEvent = CustomEvent<{ readonly reason: 'rejected' | 'unreachable' }>;

declare global {
  interface HTMLElementEventMap {
    'lead:sent': LeadSentEvent;
    'lead:failed': LeadFailedEvent;
  }
}
