import Alert from '@cloudscape-design/components/alert';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { type FormEvent, useState } from 'react';
import { ALERT_KINDS, type AlertKind } from '#alerts/alert.ts';
import { useChange, useRead } from '../../api/queries.ts';
import type { AlertSettings } from '../../api/types.ts';
import { OwnerButton } from '../../shared/role.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { ALERT_NAMES } from './alert-words.ts';
import {
  draftOf,
  QUIET_PERIOD,
  rangeText,
  refusedSettings,
  type SettingsDraft,
  settingsBody,
  settingsProblems,
  THRESHOLDS,
  type Threshold,
} from './settings-draft.ts';

const PATH = '/settings/alert-settings';

const MEANINGS: Readonly<Record<AlertKind, string>> = {
  sender_broken: 'A sender that worked is now rejected, for example because its secret changed.',
  silence: 'A webhook or server token that sends leads regularly sends none.',
  daily_limit: 'You get close to the daily limit, or reach it.',
  destination_failing: 'Leads can’t be forwarded, or the destination was disabled.',
  rotation_ending: 'After a rotation, a sender still uses the previous webhook secret.',
  clock_drift: 'If the clock of a sender is wrong by more than 300 seconds, its leads are rejected.',
};

export function AlertSettingsPage() {
  const read = useRead<AlertSettings>(PATH);
  return (
    <Page
      title="Alert settings"
      description="Choose what you want to be alerted about, and when."
      above={[{ text: 'Alerts', href: '/alerts' }]}
    >
      <QueryResult of={read} what="the alert settings">
        {(settings) => <SettingsForm settings={settings} />}
      </QueryResult>
    </Page>
  );
}

function SettingsForm({ settings }: { readonly settings: AlertSettings }) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  const notify = useNotify();
  const save = useChange<'changeAlertSettings', SettingsDraft>((given) => ({
    method: 'PUT',
    path: PATH,
    body: settingsBody(given),
  }));
  const problems = settingsProblems(draft);
  const { byField, other } = refusedSettings(save.error);

  function set(changed: SettingsDraft) {
    // What was refused is being corrected.
    save.reset();
    setDraft(changed);
  }

  function send(event: FormEvent) {
    event.preventDefault();
    if (save.isPending || Object.keys(problems).length > 0) return;
    save.mutate(draft, { onSuccess: () => notify('success', 'Alert settings saved.') });
  }

  const fieldOf = (threshold: Threshold) => (
    <ThresholdField
      threshold={threshold}
      typed={draft.typed[threshold.field] ?? ''}
      problem={problems[threshold.field] ?? byField[threshold.field]}
      onChange={(typed) => set({ ...draft, typed: { ...draft.typed, [threshold.field]: typed } })}
    />
  );

  return (
    <form onSubmit={send} noValidate>
      <SpaceBetween size="l">
        <Container>
          <ColumnLayout columns={1} borders="horizontal">
            {ALERT_KINDS.map((kind) => (
              <ColumnLayout key={kind} columns={2}>
                <Toggle
                  checked={draft.enabled[kind]}
                  description={MEANINGS[kind]}
                  onChange={({ detail }) =>
                    set({ ...draft, enabled: { ...draft.enabled, [kind]: detail.checked } })
                  }
                >
                  {ALERT_NAMES[kind]}
                </Toggle>
                {draft.enabled[kind] && fieldOf(THRESHOLDS[kind])}
              </ColumnLayout>
            ))}
          </ColumnLayout>
        </Container>
        <Container>{fieldOf(QUIET_PERIOD)}</Container>
        {other !== undefined && <Alert type="error">{other}</Alert>}
        <OwnerButton variant="primary" loading={save.isPending} disabled={Object.keys(problems).length > 0}>
          Save
        </OwnerButton>
      </SpaceBetween>
    </form>
  );
}

interface ThresholdFieldProps {
  readonly threshold: Threshold;
  readonly typed: string;
  readonly problem: string | undefined;
  readonly onChange: (typed: string) => void;
}

function ThresholdField({ threshold, typed, problem, onChange }: ThresholdFieldProps) {
  const { before, unit, description, isWhole } = threshold;
  return (
    <FormField
      label={before}
      description={description}
      constraintText={`From ${rangeText(threshold)}.`}
      errorText={problem}
    >
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Input
          value={typed}
          inputMode={isWhole ? 'numeric' : 'decimal'}
          onChange={({ detail }) => onChange(detail.value)}
        />
        {unit}
      </SpaceBetween>
    </FormField>
  );
}
