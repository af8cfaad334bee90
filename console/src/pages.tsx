import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Loading } from './shared/states.tsx';
import { NotFound, PageBoundary } from './shell/fallback-pages.tsx';

// One chunk per page, loaded when opened.
const Overview = lazy(() => import('./pages/overview/overview-page.tsx'));
const ChooseLeads = lazy(() => import('./pages/leads/choose-form-page.tsx'));
const Leads = lazy(() => import('./pages/leads/leads-page.tsx'));
const Lead = lazy(() => import('./pages/leads/lead-page.tsx'));
const Forms = lazy(() => import('./pages/forms/forms-page.tsx'));
const Form = lazy(() => import('./pages/forms/form-page.tsx'));
const Delivery = lazy(() => import('./pages/delivery/delivery-page.tsx'));
const SendTest = lazy(() => import('./pages/send-test/send-test-page.tsx'));
const Tokens = lazy(() => import('./pages/tokens/tokens-page.tsx'));
const Diagnostics = lazy(() => import('./pages/diagnostics/diagnostics-page.tsx'));
const Destinations = lazy(() => import('./pages/destinations/destinations-page.tsx'));
const Security = lazy(() => import('./pages/security/security-page.tsx'));

/** All routes of the console. /settings is taken by the API on the same origin. */
export function Pages({ email }: { readonly email: string }) {
  return (
    <PageBoundary>
      <Suspense fallback={<Loading what="the page" />}>
        <Switch>
          <Route path="/" component={Overview} />
          <Route path="/leads" component={ChooseLeads} />
          <Route path="/forms" component={Forms} />
          <Route path="/forms/:formId">{({ formId }) => <Form formId={formId} />}</Route>
          <Route path="/forms/:formId/leads">{({ formId }) => <Leads key={formId} formId={formId} />}</Route>
          <Route path="/forms/:formId/leads/:id">
            {({ formId, id }) => <Lead key={id} formId={formId} submissionId={id} />}
          </Route>
          <Route path="/forms/:formId/delivery">
            {({ formId }) => <Delivery key={formId} formId={formId} />}
          </Route>
          <Route path="/send-test" component={SendTest} />
          <Route path="/tokens" component={Tokens} />
          <Route path="/tokens/diagnostics" component={Diagnostics} />
          <Route path="/diagnostics">
            <Redirect to="/tokens/diagnostics" replace />
          </Route>
          <Route path="/destinations/:id?">{({ id }) => <Destinations id={id} />}</Route>
          <Route path="/security">
            <Security email={email} />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}
