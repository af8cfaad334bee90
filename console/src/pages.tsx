import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { CODE } from './page-code.ts';
import { Loading } from './shared/states.tsx';
import { Link } from './shell/link.tsx';
import { Page } from './shell/page.tsx';

const Overview = lazy(CODE.overview);
const Inbox = lazy(CODE.inbox);
const Lead = lazy(CODE.lead);
const Senders = lazy(CODE.senders);
const Forms = lazy(CODE.forms);
const Form = lazy(CODE.form);
const Delivery = lazy(CODE.delivery);
const SendTest = lazy(CODE.sendTest);
const Tokens = lazy(CODE.tokens);
const Diagnostics = lazy(CODE.diagnostics);
const Destinations = lazy(CODE.destinations);
const Alerts = lazy(CODE.alerts);
const Team = lazy(CODE.team);
const ApiKeys = lazy(CODE.apiKeys);
const Activity = lazy(CODE.activity);
const Security = lazy(CODE.security);

/** All routes of the console. /settings is taken by the API on the same origin. */
export function Pages() {
  return (
    <PageBoundary>
      <Suspense fallback={<Loading what="the page" />}>
        <Switch>
          <Route path="/" component={Overview} />
          <Route path="/leads" component={Inbox} />
          <Route path="/senders">
            <Senders />
          </Route>
          <Route path="/senders/learned">
            <Senders learned />
          </Route>
          <Route path="/forms" component={Forms} />
          <Route path="/forms/:formId">{({ formId }) => <Form formId={formId} />}</Route>
          <Route path="/forms/:formId/leads">{({ formId }) => <FormLeads formId={formId} />}</Route>
          <Route path="/forms/:formId/leads/:id">
            {({ formId, id }) => <Lead key={id} formId={formId} submissionId={id} />}
          </Route>
          <Route path="/forms/:formId/delivery">
            {({ formId }) => <Delivery key={formId} formId={formId} />}
          </Route>
          <Route path="/send-test" component={SendTest} />
          <Route path="/tokens" component={Tokens} />
          <Route path="/diagnostics" component={Diagnostics} />
          <Route path="/tokens/diagnostics" component={MovedDiagnostics} />
          <Route path="/destinations/:id?">{({ id }) => <Destinations id={id} />}</Route>
          <Route path="/alerts">
            <Alerts />
          </Route>
          <Route path="/alerts/settings">
            <Alerts settings />
          </Route>
          <Route path="/team" component={Team} />
          <Route path="/api-keys" component={ApiKeys} />
          <Route path="/activity" component={Activity} />
          <Route path="/security" component={Security} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

/** Where Diagnostics used to be; the filter in a bookmark still applies. */
function MovedDiagnostics() {
  const search = useSearch();
  return <Redirect to={`/diagnostics${search && `?${search}`}`} replace />;
}

/** The leads of a form are the list of all leads with a filter. */
function FormLeads({ formId }: { readonly formId: string }) {
  const search = new URLSearchParams(useSearch());
  search.set('form', formId);
  return <Redirect to={`/leads?${search}`} replace />;
}

/** Confines a crash to one page; navigating away clears it. */
function PageBoundary({ children }: { readonly children: ReactNode }) {
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
        You may be offline, or the console was updated. Check your connection and reload the page.
      </Alert>
    );
  }
}

function NotFound() {
  return (
    <Page title="Page not found">
      <Alert type="warning">
        Check the URL, or go to <Link href="/">Overview</Link> or <Link href="/forms">Forms</Link>.
      </Alert>
    </Page>
  );
}
