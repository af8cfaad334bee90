import { useForm } from '../../api/queries.ts';
import { WhenRead } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { FormLinks } from './form-links.tsx';
import { FormSettings } from './form-settings.tsx';

export default function FormPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  return (
    <Page
      title={form.data?.name ?? 'Form'}
      above={[{ text: 'Forms', href: '/forms' }]}
      actions={form.data && <FormLinks form={form.data} />}
    >
      <WhenRead of={form} what="the form">
        {(read) => <FormSettings key={formId} form={read} />}
      </WhenRead>
    </Page>
  );
}
