import type { ActivityReader } from '../access/activity-store.ts';
import type { ApiKeys } from '../access/api-keys-store.ts';
import type { AlertReader } from '../alerts/alert-reader-store.ts';
import type { StoreContext } from '../aws/dynamodb.ts';
import type { LeadIndex } from '../search/lead-index-store.ts';
import type { LeadSearcher } from '../search/lead-search-store.ts';
import { makePersonFinder, type PersonFinder } from '../search/person-store.ts';
import { makeDestinationKeeper, makeDestinationReader } from '../sending/destinations-store.ts';
import {
  type DestinationAdministration,
  type DestinationsContext,
  makeDestinationAdministration,
} from '../sending/keep-destinations.ts';
import { type MessageReader, makeMessageReader } from '../sending/message-reader-store.ts';
import type { StatsReader } from '../stats/stats-store.ts';
import {
  type AdministrationContext,
  AdministrationError,
  makeOwnerAdministration,
  type OwnerAdministration,
} from './administration/administration.ts';
import { workspaceAdministration } from './administration/workspaces-store.ts';
import type { LeadExport } from './leads/lead-export-store.ts';
import type { LeadPages } from './leads/lead-pages-store.ts';
import type { OwnerPipelineDependencies } from './owner-pipeline.ts';
import { makePersonExport, type PersonExport } from './people/person-export-store.ts';
import { makeReviewLeads, type ReviewLeads } from './reviews/review-leads.ts';
import { makeReviews } from './reviews/reviews-store.ts';
import { makeSenders, type Senders } from './reviews/senders-store.ts';
import type { LastUseReader, SecretDatesReader, WorkspaceUsageReader } from './usage-store.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface SettingsDependencies extends OwnerPipelineDependencies {
  readonly administrationOf: (workspaceId: string) => OwnerAdministration;
  readonly usage: WorkspaceUsageReader;
  readonly secretDates: SecretDatesReader;
  readonly lastUses: LastUseReader;
  readonly leads: LeadPages;
  readonly leadExport: LeadExport;
  readonly leadSearch: LeadSearcher;
  readonly leadIndex: Pick<LeadIndex, 'remove'>;
  readonly personFinder: PersonFinder;
  readonly personExport: PersonExport;
  readonly reviewLeads: ReviewLeads;
  readonly senders: Senders;
  readonly stats: StatsReader;
  readonly webhooks: WebhookSender;
  readonly destinationsOf: (workspaceId: string, seesMembers?: boolean) => DestinationAdministration;
  readonly messages: MessageReader;
  readonly alerts: AlertReader;
  readonly apiKeysOf: (workspaceId: string) => ApiKeys;
  readonly activityReader: ActivityReader;
  /** Whether the deployment has a sender of mail. */
  readonly canSendEmail: boolean;
  /** Where senders reach the service, without a slash at the end. */
  readonly ingestUrl: string;
}

type Context = AdministrationContext & StoreContext<'destinations' | 'destinationSecrets' | 'messages'>;

/** What is not in the tables: the queue, the internet and what the deployer configured. */
type Surroundings = Pick<DestinationsContext, 'queue' | 'resolve' | 'allowLoopback' | 'canSendEmail'>;

/** What the routes about destinations and messages need. */
export function destinationDependencies(
  context: Context,
  surroundings: Surroundings,
): Pick<SettingsDependencies, 'destinationsOf' | 'messages' | 'canSendEmail'> {
  const administrationOf = makeOwnerAdministration(context);
  const messages = makeMessageReader(context);
  const destinationsOf = makeDestinationAdministration({
    ...surroundings,
    reader: makeDestinationReader(context),
    keeper: makeDestinationKeeper(context),
    messages,
    hasForm: (workspaceId, formId) => administrationOf(workspaceId).hasForm(formId),
    now: context.now,
    random: context.randomBytes,
  });
  return { destinationsOf, messages, canSendEmail: surroundings.canSendEmail };
}

type PersonContext = StoreContext<'leads' | 'leadIndex' | 'destinations' | 'messages'> & {
  readonly now: () => number;
  readonly withWords: boolean;
};

/** What finds, exports and erases the leads of one person. */
export function personDependencies(
  context: PersonContext,
): Pick<SettingsDependencies, 'personFinder' | 'personExport'> {
  const personFinder = makePersonFinder(context);
  const destinations = makeDestinationReader(context);
  const messages = makeMessageReader(context);
  const personExport = makePersonExport({ ...context, finder: personFinder, destinations, messages });
  return { personFinder, personExport };
}

/** What the routes about reviews and senders need. */
export function reviewDependencies(
  context: AdministrationContext & StoreContext<'leads'>,
): Pick<SettingsDependencies, 'reviewLeads' | 'senders'> {
  const administrationOf = makeOwnerAdministration(context);
  const senders = makeSenders(context, workspaceAdministration(context));

  async function fieldsOf(workspaceId: string, formId: string) {
    try {
      return (await administrationOf(workspaceId).form(formId)).fields ?? [];
    } catch (error) {
      if (error instanceof AdministrationError && error.code === 'not_found') return [];
      throw error;
    }
  }
  return { senders, reviewLeads: makeReviewLeads({ reviews: makeReviews(context), senders, fieldsOf }) };
}
