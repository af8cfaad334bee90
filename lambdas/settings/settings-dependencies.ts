import type { AccessRouteDependencies } from '../access/access-routes.ts';
import { makeTeam } from '../access/team-store.ts';
import type { AlertRouteDependencies } from '../alerts/alert-routes.ts';
import type { StoreContext } from '../aws/dynamodb.ts';
import type { HandlingRouteDependencies } from '../leads/handling/handling-routes.ts';
import { makeLeadHandling } from '../leads/handling/handling-store.ts';
import type { LeadRouteDependencies } from '../leads/lead-routes.ts';
import { makeLearnedStore } from '../leads/learning/learned-store.ts';
import type { LearningRouteDependencies } from '../leads/learning/learning-routes.ts';
import type { ListRouteDependencies } from '../leads/list-routes.ts';
import type { PeopleRouteDependencies } from '../leads/people/people-routes.ts';
import { makePersonExport } from '../leads/people/person-export-store.ts';
import { makePersonFinder } from '../leads/people/person-store.ts';
import { makeReviewLeads } from '../leads/reviews/review-leads.ts';
import type { ReviewRouteDependencies } from '../leads/reviews/review-routes.ts';
import { makeReviews } from '../leads/reviews/reviews-store.ts';
import { makeSenders } from '../leads/reviews/senders-store.ts';
import { showLeads } from '../leads/search/shown-leads-store.ts';
import { AdministrationError } from '../owner-api/errors.ts';
import type { OwnerPipelineDependencies } from '../owner-api/owner-pipeline.ts';
import type { DestinationRouteDependencies } from '../sending/destination-routes.ts';
import { makeDestinationReader, makeDestinationStore } from '../sending/destinations-store.ts';
import { type DestinationsContext, makeDestinationAdministration } from '../sending/keep-destinations.ts';
import { makeMessageReader } from '../sending/message-reader-store.ts';
import type { StatsRouteDependencies } from '../stats/stats-routes.ts';
import { makeOwnerAdministration } from '../workspaces/administration.ts';
import { listFormSettings } from '../workspaces/form-settings-store.ts';
import type { WorkspaceRouteDependencies } from '../workspaces/workspace-routes.ts';
import { type AdministrationContext, workspaceAdministration } from '../workspaces/workspaces-store.ts';

/** What the routes of all subjects need together. */
export interface SettingsDependencies
  extends OwnerPipelineDependencies,
    WorkspaceRouteDependencies,
    LeadRouteDependencies,
    ListRouteDependencies,
    PeopleRouteDependencies,
    ReviewRouteDependencies,
    HandlingRouteDependencies,
    LearningRouteDependencies,
    DestinationRouteDependencies,
    AlertRouteDependencies,
    StatsRouteDependencies,
    AccessRouteDependencies {
  readonly administrationOf: WorkspaceRouteDependencies['administrationOf'];
  readonly leads: LeadRouteDependencies['leads'];
  readonly usage: WorkspaceRouteDependencies['usage'];
  readonly leadIndex: PeopleRouteDependencies['leadIndex'];
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
    store: makeDestinationStore(context),
    messages,
    hasForm: (workspaceId, formId) => administrationOf(workspaceId).hasForm(formId),
    now: context.now,
    random: context.randomBytes,
  });
  return { destinationsOf, messages, canSendEmail: surroundings.canSendEmail };
}

type PersonContext = StoreContext<'leads' | 'leadIndex' | 'destinations' | 'messages'> & {
  readonly now: () => number;
};

/** What finds, exports and erases the leads of one person. */
export function personDependencies(
  context: PersonContext,
): Pick<SettingsDependencies, 'personFinder' | 'personExport' | 'showLeads'> {
  const personFinder = makePersonFinder(context);
  const destinations = makeDestinationReader(context);
  const messages = makeMessageReader(context);
  const personExport = makePersonExport({ ...context, finder: personFinder, destinations, messages });
  return { personFinder, personExport, showLeads: (...asked) => showLeads(context, ...asked) };
}

/** What the routes about reviews, senders and handled leads need. */
export function reviewDependencies(
  context: AdministrationContext & StoreContext<'leads' | 'members'>,
): Pick<SettingsDependencies, 'reviewLeads' | 'senders' | 'handling'> {
  const administrationOf = makeOwnerAdministration(context);
  const senders = makeSenders(context, workspaceAdministration(context));
  const team = makeTeam(context);

  async function fieldsOf(workspaceId: string, formId: string) {
    try {
      return (await administrationOf(workspaceId).form(formId)).fields ?? [];
    } catch (error) {
      if (error instanceof AdministrationError && error.code === 'not_found') return [];
      throw error;
    }
  }

  async function ownAddressesOf(workspaceId: string) {
    const [{ members }, forms] = await Promise.all([
      team.list(workspaceId),
      listFormSettings(context, workspaceId),
    ]);
    return {
      emails: members.map(({ email }) => email),
      origins: forms.flatMap(({ browser }) => browser?.origins ?? []),
    };
  }
  const reviews = makeReviews(context);
  const reviewLeads = makeReviewLeads({ reviews, senders, fieldsOf, ownAddressesOf });
  return { senders, reviewLeads, handling: makeLeadHandling(context) };
}

/** What the routes about learning need. */
export function learningDependencies(
  context: AdministrationContext,
  queue: LearningRouteDependencies['learning']['queue'],
): LearningRouteDependencies {
  const { setLearning } = workspaceAdministration(context);
  return { learned: makeLearnedStore(context), learning: { set: setLearning, queue } };
}
