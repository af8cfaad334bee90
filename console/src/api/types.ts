import type { debugSignature } from '../../../lambdas/settings/debug-signature.ts';
import type { deliveryView } from '../../../lambdas/settings/delivery-view.ts';
import type { wholeLead } from '../../../lambdas/settings/lead-view.ts';
import type { listedForm, listedToken, wholeForm } from '../../../lambdas/settings/views.ts';
import type { RejectionEvent } from '../../../lambdas/stores/owner/rejection-events.ts';
import type { RejectionSummary } from '../../../lambdas/stores/owner/rejection-summary.ts';
import type { LeadSummary } from '../../../lambdas/stores/owner/stats-reader.ts';

// The answers of the settings API, by the types of the code that makes them: a change there that this console
// does not follow fails its type check. docs/api/settings.openapi.yaml says the same in words.

export type { LeadRow } from '../../../lambdas/core/owner/lead-row.ts';
export type { Reason, RecordedReason } from '../../../lambdas/core/reasons.ts';
export type { Surface } from '../../../lambdas/core/surfaces.ts';
export type { LeadPage } from '../../../lambdas/stores/owner/lead-pages.ts';
export type { EventPage, RejectionEvent } from '../../../lambdas/stores/owner/rejection-events.ts';
export type {
  WindowUse,
  WorkspaceUsage as Workspace,
} from '../../../lambdas/stores/owner/workspace-usage.ts';

export type ListedForm = ReturnType<typeof listedForm>;
export type Form = ReturnType<typeof wholeForm>;
export type FormField = Form['fields'][number];
export type Token = ReturnType<typeof listedToken>;
export type Lead = ReturnType<typeof wholeLead>;
export type SignatureExplanation = ReturnType<typeof debugSignature>;

export type Delivery = { readonly formId: string; readonly url: string } & ReturnType<typeof deliveryView>;

export type Stats = LeadSummary & { readonly by: 'hour' | 'day'; readonly scoreBandsFrom: readonly number[] };
/** A request by its id. A client can choose the id, so that there may be others with the same one. */
export type FoundRequest = RejectionEvent & { readonly otherMatches: readonly RejectionEvent[] };
export type Diagnostics = RejectionSummary & { readonly by: 'minute' | 'hour' };
