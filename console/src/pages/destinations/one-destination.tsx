import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useForms, useNamedForms } from '../../api/queries.ts';
import type { Destination } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { formNames } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { Term } from '../../shared/term.tsx';
import { Page } from '../../shell/page.tsx';
import { DestinationActions, useConfirmation, useSwitch } from './destination-actions.tsx';
import {
  addressText,
  alertWords,
  eventsText,
  formsText,
  isStoppedByRecipient,
  KIND_NAMES,
  stateWords,
} from './destinations.ts';
import { MessagesPanel } from './messages/messages-panel.tsx';
import { SendNowResult, useSendNow } from './send-now-result.tsx';
import { SigningSecret, VerifyPanel } from './signing-secret.tsx';
import { useDestination, useWatch } from './use-destinations.ts';

const ABOVE = [{ text: 'Destinations', href: '/destinations' }];

export function OneDestination({ destinationId }: { readonly destinationId: string }) {
  const { watch, refetchInterval } = useWatch();
  const read = useDestination(destinationId, refetchInterval);
  const test = useSendNow(destinationId, 'test');
  const tried = useSendNow(destinationId, 'try');
  const change = useSwitch(destinationId, watch);
  const { data } = read;
  return (
    <Page
      title={data?.name ?? 'Destination'}
      above={ABOVE}
      actions={
        data && (
          <DestinationActions
            destination={data}
            isTesting={test.isPending}
            isSwitching={change.isPending}
            onTest={() => test.mutate()}
            onPause={() => change.send(data)}
          />
        )
      }
    >
      <QueryResult of={read} what="the destination">
        {(destination) => (
          <SpaceBetween size="l">
            <StateAlert
              destination={destination}
              busy={change.isPending}
              onActivate={() => change.send(destination)}
              onSending={watch}
              isTrying={tried.isPending}
              onTry={() => tried.mutate(undefined, { onSuccess: watch })}
            />
            <SendNowResult what="test" sent={test} />
            <SendNowResult what="try" sent={tried} />
            <Settings destination={destination} />
            {destination.kind === 'webhook' && <SigningSecret destination={destination} />}
            <MessagesPanel
              destinationId={destinationId}
              refetchInterval={refetchInterval}
              onSending={watch}
            />
            {destination.kind === 'webhook' && <VerifyPanel />}
          </SpaceBetween>
        )}
      </QueryResult>
    </Page>
  );
}

function Settings({ destination }: { readonly destination: Destination }) {
  const { kind, url, forms, onlyClean, includeFields, createdAt } = destination;
  const listed = useForms().data?.forms;
  const names = formNames(useNamedForms(listed, forms === 'all' ? [] : forms));
  return (
    <Container header={<Header>Settings</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Status', value: <DestinationState destination={destination} /> },
          { label: 'Kind', value: KIND_NAMES[kind] },
          {
            label: 'Address',
            value: (
              <span className="value">
                {url === undefined ? addressText(destination) : <Copyable text={url} what="URL" />}
              </span>
            ),
          },
          { label: 'Events', value: eventsText(destination) },
          {
            label: 'Forms',
            value: <span className="value">{formsText(destination, (formId) => names.get(formId))}</span>,
          },
          {
            label: 'Leads',
            info: <Term name="clean" />,
            value: onlyClean ? 'Clean leads only' : 'All leads',
          },
          ...(kind === 'webhook'
            ? []
            : [{ label: 'Lead’s fields', value: includeFields ? 'Included' : 'Not included' }]),
          { label: 'Created', value: <Moment at={createdAt} /> },
        ]}
      />
    </Container>
  );
}

export function DestinationState({ destination }: { readonly destination: Destination }) {
  const { type, text } = stateWords(destination);
  return <StatusIndicator type={type}>{text}</StatusIndicator>;
}

type WaitingMessages = NonNullable<Destination['waiting']>;

interface StateAlertProps {
  readonly destination: Destination;
  readonly busy: boolean;
  readonly onActivate: () => void;
  readonly onSending: () => void;
  readonly isTrying: boolean;
  readonly onTry: () => void;
}

/** Why messages aren't arriving, and what to do about it. */
function StateAlert({ destination, busy, onActivate, onSending, isTrying, onTry }: StateAlertProps) {
  const confirmation = useConfirmation(destination, onSending);
  const { status, health, disabledAt, waiting } = destination;
  const { text, detail } = alertWords(destination);
  if (detail === undefined) return null;
  const activeSince = status === 'active' ? (health.failingSince ?? health.slowSince) : undefined;
  const since = status === 'disabled' ? disabledAt : activeSince;
  const isWaiting = status === 'active' && destination.confirmation === 'pending';
  const canActivate = status !== 'active' && !isStoppedByRecipient(destination);
  return (
    <Alert
      type={status === 'disabled' ? 'error' : status === 'paused' || isWaiting ? 'info' : 'warning'}
      header={
        isWaiting ? (
          'Waiting for the recipient'
        ) : since === undefined ? (
          `This destination is ${text.toLowerCase()}`
        ) : (
          <>
            {text} since <Moment at={since} />
          </>
        )
      }
      action={
        isWaiting ? (
          <OwnerButton loading={confirmation.isPending} onClick={confirmation.send}>
            Send the confirmation again
          </OwnerButton>
        ) : canActivate ? (
          <OwnerButton loading={busy} onClick={onActivate}>
            {status === 'paused' ? 'Resume' : 'Activate'}
          </OwnerButton>
        ) : (
          status === 'active' &&
          waiting && (
            <OwnerButton loading={isTrying} onClick={onTry}>
              Try now
            </OwnerButton>
          )
        )
      }
    >
      <SpaceBetween size="xs">
        <div>{detail}</div>
        {waiting && <WaitingSince waiting={waiting} />}
      </SpaceBetween>
    </Alert>
  );
}

function WaitingSince({ waiting: { since, nextAttemptAt } }: { readonly waiting: WaitingMessages }) {
  return (
    <div>
      The oldest message has been waiting since <Moment at={since} />.
      {nextAttemptAt !== undefined && (
        <>
          {' '}
          Next attempt: <Moment at={nextAttemptAt} />.
        </>
      )}
    </div>
  );
}
