import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { Empty } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';

export function NoForm() {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="No forms"
        action={
          <Button variant="primary" href="/forms?create=true" onFollow={follow}>
            Create a form
          </Button>
        }
      >
        A test goes to a form. Create one, set its secret, and then send a test to see a lead come in.
      </Empty>
    </Container>
  );
}
