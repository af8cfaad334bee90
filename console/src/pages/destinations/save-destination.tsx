import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ApiProblem, errorMessage } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { Destination, DestinationKind } from '../../api/types.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import {
  addressField,
  changesIn,
  createBody,
  type DestinationDraft,
  type DraftField,
  draftOf,
  draftProblems,
  NEW_DRAFT,
  withKind,
} from './destination-draft.ts';
import { DestinationFields } from './destination-fields.tsx';
import { DESTINATIONS_PATH } from './destinations.ts';
import { useChangeDestination } from './use-destinations.ts';

export type MadeDestination = Destination & { readonly signingSecret?: string };

/** What the fields are called in an error of the API. */
const fieldNames = (kind: DestinationKind): Readonly<Record<DraftField, string>> => ({
  name: 'The name',
  address: kind === 'email' ? 'The email address' : 'The URL',
  events: 'The list of events',
  forms: 'The list of forms',
  includeFields: 'The choice',
});

/** The API's errors by the field that shows them, and the rest as one text. */
function apiProblems(error: unknown, kind: DestinationKind) {
  if (error == null) return { byField: {}, other: undefined };
  const found = error instanceof ApiProblem ? error.fields : [];
  const names = fieldNames(kind);
  const toField = (name: string) => (name === addressField(kind) ? 'address' : name);
  const byField = Object.fromEntries(
    found
      .map(({ field, problem }) => [toField(field), problem] as const)
      .filter(([field]) => Object.hasOwn(names, field))
      .map(([field, problem]) => [field, `${names[field as DraftField]} ${problem}.`]),
  );
  const isAllShown = found.length > 0 && found.length === Object.keys(byField).length;
  return { byField, other: isAllShown ? undefined : errorMessage(error) };
}

interface CreateDestinationProps {
  readonly canSendEmail: boolean;
  readonly onMade: (made: MadeDestination) => void;
  readonly onClose: () => void;
}

export function CreateDestination({ canSendEmail, onMade, onClose }: CreateDestinationProps) {
  const [draft, setDraft] = useState(NEW_DRAFT);
  const [asked, setAsked] = useState(false);
  const create = useChange<'createDestination', DestinationDraft>((given) => ({
    method: 'POST',
    path: DESTINATIONS_PATH,
    body: createBody(given),
  }));
  const problems = draftProblems(draft);
  const { byField, other } = apiProblems(create.error, draft.kind);

  function send() {
    setAsked(true);
    if (Object.keys(problems).length > 0) return;
    // Not a `mutate` callback: the secret must be kept even if the owner left the page.
    create.mutateAsync(draft).then(onMade, () => undefined);
  }

  return (
    <FormDialog
      title="Create destination"
      action="Create"
      busy={create.isPending}
      problem={other}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <FormField label="Kind">
          <RadioGroup
            value={draft.kind}
            onChange={({ detail }) => {
              create.reset();
              setAsked(false);
              setDraft(withKind(draft, detail.value as DestinationKind));
            }}
            items={[
              {
                value: 'webhook',
                label: 'Webhook',
                description: 'Sends leads as signed JSON to your own system.',
              },
              {
                value: 'slack',
                label: 'Slack',
                description: 'Posts a message about each lead to a channel.',
              },
              {
                value: 'email',
                label: 'Email',
                description: canSendEmail
                  ? 'Sends an email about each lead. The recipient must confirm first, unless they’re a member of this workspace.'
                  : 'Not available: the service operator must set mailFrom in the deployment first.',
                disabled: !canSendEmail,
              },
            ]}
          />
        </FormField>
        <DestinationFields
          draft={draft}
          problems={{ ...byField, ...(asked && problems) }}
          isSaved={false}
          onChange={setDraft}
        />
      </SpaceBetween>
    </FormDialog>
  );
}

interface EditDestinationProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

export function EditDestination({ destination, onClose }: EditDestinationProps) {
  const [seen] = useState(() => draftOf(destination));
  const [draft, setDraft] = useState(seen);
  const change = useChangeDestination(destination.destinationId);
  const notify = useNotify();
  const problems = draftProblems(draft, seen);
  const { byField, other } = apiProblems(change.error, draft.kind);

  function send() {
    if (Object.keys(problems).length > 0) return;
    const changes = changesIn(draft, seen);
    if (Object.keys(changes).length === 0) {
      onClose();
      return;
    }
    change.mutate(changes, {
      onSuccess: () => {
        notify('success', 'Destination saved.');
        onClose();
      },
    });
  }

  return (
    <FormDialog
      title="Edit destination"
      action="Save"
      busy={change.isPending}
      problem={other}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <DestinationFields draft={draft} problems={{ ...byField, ...problems }} isSaved onChange={setDraft} />
        {draft.kind !== 'webhook' && draft.includeFields && !seen.includeFields && (
          <Alert type="info">From now on, messages contain personal data.</Alert>
        )}
      </SpaceBetween>
    </FormDialog>
  );
}
