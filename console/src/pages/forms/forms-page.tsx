import Button from '@cloudscape-design/components/button';
import { useSearchParams } from 'wouter';
import { useForms } from '../../api/queries.ts';
import { WhenRead } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { CreateForm } from './create-form.tsx';
import { FormsTable } from './forms-table.tsx';

export default function FormsPage() {
  const forms = useForms();
  const [address, setAddress] = useSearchParams();
  const open = () => setAddress({ create: 'true' });
  return (
    <Page
      title="Forms"
      description="What leads are sent to. Each form has a webhook address and a secret of its own."
      actions={
        <Button variant="primary" onClick={open}>
          Create a form
        </Button>
      }
    >
      <WhenRead of={forms} what="the forms">
        {({ forms: listed }) => <FormsTable forms={listed} onCreate={open} />}
      </WhenRead>
      {address.has('create') && <CreateForm onCancel={() => setAddress({}, { replace: true })} />}
    </Page>
  );
}
