import type { alertView } from '#alerts/alert.ts';
import type { debugSignature } from '#debugger/explain-signature.ts';
import type { erasureView, listedLead, listedSender, relatedView, wholeLead } from '#leads/views.ts';
import type { Role } from '#owner-api/principal.ts';
import type { RejectionSummary } from '#rejections/rejection-counts.ts';
import type { RejectionEvent } from '#rejections/rejection-record.ts';
import type { destinationView, messageView } from '#sending/views.ts';
import type { LeadSummary } from '#stats/stats-items.ts';
import type { deliveryView, listedForm, listedToken, WorkspaceUsage, wholeForm } from '#workspaces/views.ts';

// Response types of the settings API, taken from the code that makes them, so an incompatible change fails the
// console's type check. docs/api/settings.openapi.yaml documents them.

export type { AlertSettings } from '#alerts/alert.ts';
export type { LeadPage } from '#leads/lead-row.ts';
export type { AnySurface as Surface } from '#model/limits.ts';
export type { Reason, RecordedReason } from '#model/reasons.ts';
export type { EventPage, RejectionEvent } from '#rejections/rejection-record.ts';
export type { DestinationKind } from '#sending/destination.ts';
export type { Attempt, MessageStatus, MessageType } from '#sending/message.ts';
export type { WindowUse } from '#workspaces/views.ts';

/** The role is that of whoever is signed in. */
export type Workspace = WorkspaceUsage & { readonly role?: Role };

export type ListedForm = ReturnType<typeof listedForm>;
export type Form = ReturnType<typeof wholeForm>;
export type FormField = Form['fields'][number];
export type Token = ReturnType<typeof listedToken>;
export type Lead = ReturnType<typeof wholeLead>;
export type ListedSender = ReturnType<typeof listedSender>;
export type Verdict = 'good' | 'spam' | null;
/** `status` is null for a sender that was removed from the list. */
export interface ReviewedLeads {
  readonly reviewed: readonly string[];
  readonly notFound: readonly string[];
  readonly senders: {
    readonly changed: readonly { readonly sender: string; readonly status: ListedSender['status'] | null }[];
    readonly full: boolean;
  };
}
export type Related = ReturnType<typeof relatedView>;
export type RelatedLead = Related['leads'][number];
export type Erasure = ReturnType<typeof erasureView>;
export type ErasedLead = Erasure['erased'][number];
export type InboxLead = ReturnType<typeof listedLead>;
export interface LeadList {
  readonly leads: readonly InboxLead[];
  /** Set if there may be more, even after few leads or none. */
  readonly cursor?: string;
}
export type SignatureExplanation = ReturnType<typeof debugSignature>;

export type Delivery = { readonly formId: string; readonly url: string } & ReturnType<typeof deliveryView>;

export type Stats = LeadSummary & { readonly by: 'hour' | 'day'; readonly scoreBandsFrom: readonly number[] };
/** Clients can choose the request ID, so several requests may share one. */
export type FoundRequest = RejectionEvent & { readonly otherMatches: readonly RejectionEvent[] };
export type Diagnostics = RejectionSummary & { readonly by: 'minute' | 'hour' };

export type Destination = ReturnType<typeof destinationView>;
export type DestinationHealth = Destination['health'];
export interface DestinationList {
  readonly destinations: readonly Destination[];
  /** Whether the operator configured a sender for email. */
  readonly canSendEmail: boolean;
}

export type Message = ReturnType<typeof messageView>;
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly cursor?: string;
}

export type Alert = ReturnType<typeof alertView>;
export interface AlertPage {
  readonly alerts: readonly Alert[];
  readonly cursor?: string;
}
