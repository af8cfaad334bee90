import Button from '@cloudscape-design/components/button';
import { useForms } from '../../api/queries.ts';
import { QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { ArchivedForms } from './archived-forms.tsx';
import { CreateForm } from './create-form.tsx';
import { FormsTable } from './forms-table.tsx';

export default function FormsPage() {
  const forms = useForms();
  const [parameters, choose] = useUrlParameters();
  const open = () => choose({ create: 'true' });
  return (
    <Page
      title="Forms"
      description="Each form receives leads through its own webhook URL and server tokens."
      actions={
        <Button variant="primary" onClick={open}>
          {' '}
          Create form{' '}
        </Button>
      }
    >
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => <FormsTable forms={listed} onCreate={open} />}
      </QueryResult>
      <ArchivedForms
        shown={parameters.get('archived') === 'shown'}
        onShow={(show) => choose({ archived: show ? 'shown' : undefined })}
      />
      {parameters.has('create') && <CreateForm onCancel={() => choose({ create: undefined })} />}
    </Page>
  );
}
