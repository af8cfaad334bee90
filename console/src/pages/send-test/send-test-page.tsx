import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { TestOfForm } from './test-of-form.tsx';

export default function SendTestPage() {
  const forms = useForms();
  const [parameters, choose] = useUrlParameters();
  return (
    <Page title="Send test" description="Send a signed test lead to a form, as a webhook provider would.">
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => {
          if (listed.length === 0) return <NoForm />;
          const wanted = parameters.get('form') ?? (listed.length === 1 ? listed[0]?.formId : undefined);
          const form = listed.find(({ formId }) => formId === wanted);
          return (
            <SpaceBetween size="l">
              <ChooseForm
                forms={listed}
                chosen={form?.formId}
                unknown={wanted !== undefined && !form}
                onChoose={(formId) => choose({ form: formId })}
              />
              {form && <TestOfForm key={form.formId} formId={form.formId} />}
            </SpaceBetween>
          );
        }}
      </QueryResult>
    </Page>
  );
}

interface ChooseFormProps {
  readonly forms: readonly ListedForm[];
  readonly chosen: string | undefined;
  /** The URL names a form that doesn't exist. */
  readonly unknown: boolean;
  readonly onChoose: (formId: string) => void;
}

function ChooseForm({ forms, chosen, unknown, onChoose }: ChooseFormProps) {
  const options = [...formNames(forms)].map(([value, label]) => ({ value, label }));
  return (
    <FormField
      label="Form"
      errorText={unknown && 'This form doesn’t exist or is archived. Choose another one.'}
    >
      <Select
        selectedOption={options.find(({ value }) => value === chosen) ?? null}
        options={options}
        placeholder="Choose a form"
        filteringType={options.length > 8 ? 'auto' : 'none'}
        onChange={({ detail }) => onChoose(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}

function NoForm() {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="No forms"
        action={
          <Button variant="primary" href="/forms?create=true" onFollow={follow}>
            {' '}
            Create form{' '}
          </Button>
        }
      >
        Create a form and set its webhook secret, then send a test lead.
      </Empty>
    </Container>
  );
}
