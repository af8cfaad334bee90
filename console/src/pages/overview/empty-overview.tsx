import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useArchivedForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { Empty, Loading } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';

export function NoForms() {
  const archived = useArchivedForms();
  return (
    <Container>
      {archived.isPending && <Loading what="the archived forms" />}
      {/* Where they cannot be read, nothing is said of them. */}
      {!archived.isPending && (archived.data?.forms.length ? <OnlyArchived /> : <NoFormsYet />)}
    </Container>
  );
}

function NoFormsYet() {
  return (
    <Empty title="Welcome! There are no forms yet" action={<Create text="Create your first form" />}>
      Every lead belongs to a form. Create one, set its secret or make a token for it, and send the first
      lead: it shows up here within seconds.
    </Empty>
  );
}

function OnlyArchived() {
  return (
    <Empty title="All your forms are archived" action={<Create text="Create a form" />}>
      Archived forms take no leads. The leads they had are still there:{' '}
      <Link href="/forms?archived=shown">Archived forms</Link>. To take leads again, create a form.
    </Empty>
  );
}

function Create({ text }: { readonly text: string }) {
  const follow = useFollow();
  return (
    <Button variant="primary" href="/forms?create=true" onFollow={follow}>
      {text}
    </Button>
  );
}

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
