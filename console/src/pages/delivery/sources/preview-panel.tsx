import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { useChange } from '#console/api/queries.ts';
import type { DeliveryPreview, Form } from '#console/api/types.ts';
import { OwnerButton } from '#console/shared/role.tsx';
import type { Provider } from '#sources/providers.ts';
import { fieldProblem, otherProblem } from '../../forms/field-drafts.ts';
import { Clean, Score } from '../../leads/lead-marks.tsx';
import { weightText } from '../../leads/lead-words.ts';
import { FieldList } from './field-list.tsx';
import { ignoredWords } from './source-rules.ts';

interface PreviewPanelProps {
  readonly form: Form;
  readonly row: Provider;
}

/** What a pasted payload would become. Nothing is stored. */
export function PreviewPanel({ form, row }: PreviewPanelProps) {
  const [body, setBody] = useState('');
  const preview = useChange<'previewDelivery'>((input) => ({
    method: 'POST',
    path: `/settings/forms/${encodeURIComponent(form.formId)}/provider/preview`,
    body: input,
  }));
  return (
    <Container
      header={
        <Header
          description={`Paste an example of what ${row.displayName} sends to see which lead it would make. Nothing is stored.`}
        >
          Preview
        </Header>
      }
    >
      <SpaceBetween size="m">
        <FormField
          label="Example payload"
          constraintText="JSON, as in the provider’s documentation or its list of deliveries."
          errorText={fieldProblem(preview.error, 'body') ?? otherProblem(preview.error, 'body')}
          stretch
        >
          <div className="code-input">
            <Textarea
              value={body}
              rows={6}
              spellcheck={false}
              onChange={({ detail }) => {
                setBody(detail.value);
                preview.reset();
              }}
            />
          </div>
        </FormField>
        <OwnerButton
          disabled={body.trim() === ''}
          loading={preview.isPending}
          onClick={() => preview.mutate({ body })}
        >
          Preview
        </OwnerButton>
        <LiveRegion hidden>
          {preview.data && (preview.data.outcome === 'lead' ? 'Preview ready' : 'This makes no lead')}
        </LiveRegion>
        {preview.data && <Previewed form={form} preview={preview.data} />}
      </SpaceBetween>
    </Container>
  );
}

interface PreviewedProps {
  readonly form: Form;
  readonly preview: DeliveryPreview;
}

function Previewed({ form, preview }: PreviewedProps) {
  const { outcome, test, mapped, fields, roles = {}, score, grade, clean, signals = [] } = preview;
  if (outcome === 'ignored' || fields === undefined || score === undefined || clean === undefined) {
    return (
      <Alert type="info" header="This makes no lead">
        {ignoredWords(preview)}
      </Alert>
    );
  }
  return (
    <SpaceBetween size="m">
      {mapped === false && (
        <Alert type="warning" header="Unknown shape">
          The payload doesn’t look as we know it from this provider. The lead would have its fields as they
          are, and a lower score.
        </Alert>
      )}
      {test && <Alert type="info">It was sent in a test mode. Its lead would be marked as a test.</Alert>}
      <FieldList text={fields} form={form} roles={roles} />
      <SpaceBetween direction="horizontal" size="m">
        <span>
          Score: <Score score={score} {...(grade && { grade })} />
        </span>
        <Clean clean={clean} />
      </SpaceBetween>
      <ul>
        {signals.map(({ name, weight, explanation }) => (
          <li key={name}>
            {weight === 0 ? '0' : weightText(weight)}: {explanation}
          </li>
        ))}
      </ul>
    </SpaceBetween>
  );
}
