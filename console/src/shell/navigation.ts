import type { SideNavigationProps } from '@cloudscape-design/components/side-navigation';

export const NAVIGATION: SideNavigationProps.Item[] = [
  { type: 'link', text: 'Overview', href: '/' },
  { type: 'link', text: 'Leads', href: '/leads' },
  { type: 'link', text: 'Forms', href: '/forms' },
  {
    type: 'link-group',
    text: 'Ingest tokens',
    href: '/tokens',
    items: [{ type: 'link', text: 'Diagnostics', href: '/tokens/diagnostics' }],
  },
  { type: 'link', text: 'Send a test', href: '/send-test' },
  { type: 'divider' },
  { type: 'link', text: 'API reference', href: '/api-reference/ingest.html', external: true },
];

/** Which item of the navigation a path belongs to. */
export function activeItem(path: string): string {
  if (path.startsWith('/tokens/diagnostics')) return '/tokens/diagnostics';
  if (/^\/forms\/[^/]+\/leads/.test(path)) return '/leads';
  const [, first = ''] = path.split('/');
  return `/${first}`;
}
