import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { useArchivedForms } from '../../api/queries.ts';
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
