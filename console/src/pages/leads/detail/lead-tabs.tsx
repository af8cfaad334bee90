import Tabs from '@cloudscape-design/components/tabs';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Lead } from '#console/api/types.ts';
import { Loading } from '#console/shared/states.tsx';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import type { SteppedForm } from '../lead-words.ts';
import { TAB } from '../leads-navigation.ts';
import type { LeadContent } from './contact.ts';

const DetailsTab = lazy(() => import('./details-tab.tsx'));
const TimelinePanel = lazy(() => import('./timeline-panel.tsx'));
const EnrichmentPanel = lazy(() => import('./enrichment-panel.tsx'));
const PersonPanel = lazy(() => import('../person/person-panel.tsx'));
const ForwardingPanel = lazy(() => import('#console/pages/destinations/messages/forwarding-panel.tsx'));
// With highlighting.
const BodyPanel = lazy(() => import('./body-panel.tsx'));

interface LeadTabsProps {
  readonly lead: Lead;
  readonly content: LeadContent;
  readonly form: SteppedForm;
}

/** What is read less often. The open tab is in the URL. */
export function LeadTabs({ lead, content, form }: LeadTabsProps) {
  const [parameters, choose] = useUrlParameters();
  const panels: readonly (readonly [id: string, label: string, panel: ReactNode])[] = [
    ['details', 'Details', <DetailsTab key="details" lead={lead} content={content} form={form} />],
    ['timeline', 'Timeline', <TimelinePanel key="timeline" lead={lead} />],
    ['enrichment', 'Enrichment', <EnrichmentPanel key="enrichment" enrichment={lead.enrichment} />],
    ['person', 'Other leads', <PersonPanel key="person" lead={lead} />],
    ['messages', 'Messages', <ForwardingPanel key="messages" submissionId={lead.submissionId} />],
    ['body', 'Body', <BodyPanel key="body" body={lead.body} isMapped={lead.fields !== undefined} />],
  ];
  const [first] = panels;
  const active = panels.find(([id]) => id === parameters.get(TAB)) ?? first;
  return (
    <Tabs
      ariaLabel="More about this lead"
      activeTabId={active?.[0] ?? ''}
      onChange={({ detail }) =>
        choose({ [TAB]: detail.activeTabId === first?.[0] ? undefined : detail.activeTabId })
      }
      tabs={panels.map(([id, label, panel]) => ({
        id,
        label,
        content: id === active?.[0] && (
          <Suspense fallback={<Loading what={label.toLowerCase()} />}>{panel}</Suspense>
        ),
      }))}
    />
  );
}
