import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ListedForm } from '../../api/types.ts';
import { Empty } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';

/** Where to go for the first lead: with one form straight to its settings. */
export function NoLeads({ forms }: { readonly forms: readonly ListedForm[] }) {
  const follow = useFollow();
  const [only, ...others] = forms;
  const delivery = only && others.length === 0 ? `/forms/${only.formId}/delivery` : '/forms';
  return (
    <Empty
      title="No leads in this time"
      action={
        <Box display="inline-block">
          <SpaceBetween direction="horizontal" size="xs" alignItems="center">
            <Button href="/send-test" onFollow={follow}>
              Send a test
            </Button>
            <Button variant="link" href={delivery} onFollow={follow}>
              {delivery === '/forms' ? 'Open the forms' : 'Open its Delivery settings'}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      Send a test to see a lead arrive, or connect a sender with the code in a form’s Delivery settings.
    </Empty>
  );
}
