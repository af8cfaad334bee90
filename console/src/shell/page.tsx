import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect } from 'react';
import { useFollow } from './link.tsx';
import { tabTitle } from './navigation.ts';
import { useArrival } from './page-focus.tsx';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The breadcrumbs above this page, from the top. */
  readonly above?: readonly { readonly text: string; readonly href: string }[];
  readonly children: ReactNode;
}

/** The frame of every page: tab title, breadcrumbs and h1. */
export function Page({ title, description, actions, above = [], children }: PageProps) {
  const follow = useFollow();
  const inTab = tabTitle(title, above);
  useEffect(() => {
    document.title = inTab;
  }, [inTab]);
  useArrival();
  return (
    <ContentLayout
      breadcrumbs={
        above.length > 0 && (
          <BreadcrumbGroup
            items={[...above, { text: title, href: '#' }]}
            onFollow={follow}
            ariaLabel="Breadcrumbs"
          />
        )
      }
      header={
        <Header variant="h1" description={description} actions={actions}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="l">{children}</SpaceBetween>
    </ContentLayout>
  );
}
