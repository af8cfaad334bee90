import Alert from '@cloudscape-design/components/alert';
import { Link } from './link.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Alert type="warning">
        The address may be mistyped. Go to the <Link href="/">overview</Link> or to the{' '}
        <Link href="/forms">forms</Link>.
      </Alert>
    </Page>
  );
}
