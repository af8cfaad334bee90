import SpaceBetween from '@cloudscape-design/components/space-between';
import { useForms } from '../../api/queries.ts';
import { WhenRead } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { ChooseForm } from './choose-form.tsx';
import { NoForm } from './no-form.tsx';
import { TestOfForm } from './test-of-form.tsx';

export default function SendTestPage() {
  const forms = useForms();
  const [parameters, choose] = useUrlParameters();
  return (
    <Page
      title="Send a test"
      description="Signs a lead with a form's secret and sends it to the form's address, as a webhook provider does."
    >
      <WhenRead of={forms} what="the forms">
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
      </WhenRead>
    </Page>
  );
}
