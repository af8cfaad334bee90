import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { useChange, useChangeForm, useRead } from '../../api/queries.ts';
import type { Delivery, Form, ListedForm, Stats } from '../../api/types.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { countLeadsByForm, weekAgo } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { previousOf } from '../delivery/delivery-rules.ts';
import { deactivationWarning } from '../delivery/sources/source-rules.ts';

/** Activates or deactivates a form after a confirmation. */
export function SwitchForm({ form }: { readonly form: Form }) {
  const [asking, setAsking] = useState(false);
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const verb = form.active ? 'Deactivate' : 'Activate';
  const warning = form.active ? deactivationWarning(form.provider?.name) : undefined;

  function send() {
    const active = !form.active;
    change.mutate(
      { active },
      {
        onSuccess: () => {
          setAsking(false);
          notify('success', `Form “${form.name}” ${active ? 'activated' : 'deactivated'}.`);
        },
      },
    );
  }

  return (
    <>
      <OwnerButton onClick={() => setAsking(true)}>{verb}</OwnerButton>
      {asking && (
        <Confirm
          title={`${verb} ${form.name}?`}
          confirm={verb}
          busy={change.isPending}
          error={change.error}
          onConfirm={send}
          onCancel={() => setAsking(false)}
        >
          <Box variant="p">
            {form.active
              ? 'All submissions to this form will be rejected and not stored, from providers, tools, webhooks, server tokens and browsers alike. You can activate the form again at any time.'
              : 'Submissions to this form will be accepted again.'}
          </Box>
          {warning !== undefined && <Alert type="warning">{warning}</Alert>}
        </Confirm>
      )}
    </>
  );
}

interface ArchiveFormProps {
  readonly form: Pick<ListedForm, 'formId' | 'name'>;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function ArchiveForm({ form: { formId, name }, onDone, onCancel }: ArchiveFormProps) {
  const notify = useNotify();
  const archive = useChange<'archiveForm', void>(() => ({
    method: 'POST',
    path: `/settings/forms/${encodeURIComponent(formId)}/archive`,
  }));

  function confirm() {
    const done = () => {
      notify('success', `Form “${name}” archived. To see its leads, open Archived forms on the Forms page.`);
      onDone();
    };
    // Not a `mutate` callback: the archived form unmounts this component first.
    archive.mutateAsync().then(done, () => undefined);
  }

  return (
    <Confirm
      title={`Archive ${name}?`}
      confirm="Archive"
      busy={archive.isPending}
      error={archive.error}
      onCancel={onCancel}
      onConfirm={confirm}
    >
      <Box variant="p">All further submissions to this form will be rejected. You can’t undo this.</Box>
      <Box variant="p">
        You can still view, export and delete its leads under Archived forms on the Forms page. To pause the
        form instead, deactivate it.
      </Box>
    </Confirm>
  );
}

export function ActiveState({ form }: { readonly form: Pick<ListedForm, 'active' | 'archivedAt'> }) {
  if (form.archivedAt !== undefined) return <StatusIndicator type="stopped">Archived</StatusIndicator>;
  return form.active ? (
    <StatusIndicator type="success">Active</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">Inactive</StatusIndicator>
  );
}

/** Whether a form has a webhook secret. All forms share one request. */
export function SecretState({ formId }: { readonly formId: string }) {
  const { data, isPending } = useRead<{ deliveries: Delivery[] }>('/settings/deliveries');
  const delivery = data?.deliveries.find((one) => one.formId === formId);
  if (!delivery) return isPending ? '…' : 'Couldn’t load';
  if (!delivery.secret.isSet) return <StatusIndicator type="warning">Not set</StatusIndicator>;
  const previous = previousOf(delivery);
  return previous ? (
    <StatusIndicator type="in-progress">
      Set. The previous secret works until <Moment at={previous.worksUntil} />
    </StatusIndicator>
  ) : (
    <StatusIndicator type="success">Set</StatusIndicator>
  );
}

/** A form's leads of the last 7 days. All forms share one request. */
export function LastWeek({ formId }: { readonly formId: string }) {
  const [from] = useState(() => weekAgo(Date.now()));
  const stats = useRead<Stats>('/settings/stats', { by: 'day', from });
  if (stats.data) {
    const count = (countLeadsByForm(stats.data).get(formId) ?? 0).toLocaleString();
    return stats.data.truncated ? `${count}+` : count;
  }
  return stats.isPending ? '…' : 'Couldn’t load';
}
