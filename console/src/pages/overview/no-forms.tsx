import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { Empty } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';

export function NoForms() {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="Welcome! There are no forms yet"
        action={
          <Button variant="primary" href="/forms?create=true" onFollow={follow}>
            Create your first form
          </Button>
        }
      >
        Every lead belongs to a form. Create one, set its secret or make a token for it, and send the first
        lead: it shows up here within seconds.
      </Empty>
    </Container>
  );
}
