import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useForm } from '../../api/queries.ts';
import { WhenRead } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { DeliverySettings } from './delivery-settings.tsx';
import { useDelivery } from './use-delivery.ts';

export default function DeliveryPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  const delivery = useDelivery(formId);
  const follow = useFollow();
  const id = encodeURIComponent(formId);
  return (
    <Page
      title={form.data ? `Delivery settings of ${form.data.name}` : 'Delivery settings'}
      description="How a webhook provider sends leads to this form, and proves that they are its own."
      above={[
        { text: 'Forms', href: '/forms' },
        { text: form.data?.name ?? 'Form', href: `/forms/${id}` },
      ]}
      actions={
        form.data && (
          <SpaceBetween direction="horizontal" size="xs">
            <Button href={`/forms/${id}/leads`} onFollow={follow}>
              Leads
            </Button>
            {form.data.archivedAt === undefined && (
              <Button href={`/send-test?form=${id}`} onFollow={follow}>
                Send a test
              </Button>
            )}
          </SpaceBetween>
        )
      }
    >
      <WhenRead of={form} what="the form">
        {(readForm) => (
          <WhenRead of={delivery} what="the delivery settings">
            {(readDelivery) => <DeliverySettings form={readForm} delivery={readDelivery} />}
          </WhenRead>
        )}
      </WhenRead>
    </Page>
  );
}
