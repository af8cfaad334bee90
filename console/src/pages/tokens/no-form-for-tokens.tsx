import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { Empty } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';

export function NoFormForTokens() {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="No tokens"
        action={
          <Button variant="primary" href="/forms?create=true" onFollow={follow}>
            Create a form
          </Button>
        }
      >
        What is sent with a token belongs to a form, so a form comes first.
      </Empty>
    </Container>
  );
}
