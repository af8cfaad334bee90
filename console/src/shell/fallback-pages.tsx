import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Link } from './link.tsx';
import { Page } from './page.tsx';

/** A defect in one page leaves the others usable: going elsewhere clears it. */
export function PageBoundary({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  return <Boundary key={path}>{children}</Boundary>;
}

class Boundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Alert
        type="error"
        header="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        Reload it: after an update of the console the page may need its new parts. If it fails again, the
        other pages still work.
      </Alert>
    );
  }
}

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
