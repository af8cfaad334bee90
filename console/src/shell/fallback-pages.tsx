import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Link } from './link.tsx';
import { Page } from './page.tsx';

/** Confines a crash to one page; navigating away clears it. */
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
        header="This page couldn’t be displayed"
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        The console may have been updated. Reload the page. If the problem persists, other pages should still
        work.
      </Alert>
    );
  }
}

export function NotFound() {
  return (
    <Page title="Page not found">
      <Alert type="warning">
        Check the URL, or go to <Link href="/">Overview</Link> or <Link href="/forms">Forms</Link>.
      </Alert>
    </Page>
  );
}
