import type { StoreContext } from '../aws/dynamodb.ts';
import { makeDestinationKeeper, makeDestinationReader } from '../sending/destinations-store.ts';
import { type DestinationsContext, makeDestinationAdministration } from '../sending/keep-destinations.ts';
import { makeMessageReader } from '../sending/message-reader-store.ts';
import { type AdministrationContext, makeOwnerAdministration } from './administration/administration.ts';
import type { SettingsDependencies } from './settings-dependencies.ts';

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
