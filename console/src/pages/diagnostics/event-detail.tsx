import Alert from '@cloudscape-design/components/alert';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { reasonGuide } from '#rejections/reason-guide.ts';
import type { RejectionEvent } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { SURFACE_NAMES } from '../../shared/display-text.ts';
import { Moment } from '../../shared/moment.tsx';
import { ReasonGuide } from './reason-help.tsx';
import { detailFacts, type KnownForms, requestFacts } from './rejections.ts';

interface EventDetailProps {
  readonly event: RejectionEvent;
  readonly forms: KnownForms;
}

export default function EventDetail({ event, forms }: EventDetailProps) {
  const { at, reason, surface, formId, requestId, detail } = event;
  const facts = [...detailFacts(event), ...requestFacts(event)];
  return (
    <SpaceBetween size="l">
      <Alert type="warning" header={reasonGuide(reason, surface).title}>
        <ReasonGuide
          reason={reason}
          surfaces={[surface]}
          forms={forms.takingLeads(formId === undefined ? [] : [formId])}
          requestId={requestId}
          detail={detail}
        />
      </Alert>
      <KeyValuePairs
        columns={2}
        minColumnWidth={220}
        items={[
          { label: 'Time', value: <Moment at={at} /> },
          { label: 'Received via', value: SURFACE_NAMES[surface] },
          { label: 'Form', value: forms.nameOf(formId) },
          ...facts.map(({ name: label, value, copy }) => ({
            label,
            value: <span className="value">{copy ? <Copyable text={value} what={label} /> : value}</span>,
          })),
        ]}
      />
    </SpaceBetween>
  );
}
