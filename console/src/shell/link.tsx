import CloudscapeLink, { type LinkProps } from '@cloudscape-design/components/link';
import { useLocation } from 'wouter';

/** A link within the console that navigates without reloading the page. */
export function Link({ href, ...props }: LinkProps & { readonly href: string }) {
  const [, go] = useLocation();
  return (
    <CloudscapeLink
      {...props}
      href={href}
      onFollow={(event) => {
        if (event.detail.external) return;
        event.preventDefault();
        go(href);
      }}
    />
  );
}

/** For components with built-in links: `onFollow={useFollow()}`. */
export function useFollow() {
  const [, go] = useLocation();
  return (event: CustomEvent<{ href?: string | undefined; external?: boolean | undefined }>) => {
    const { href, external } = event.detail;
    if (external || href === undefined || !href.startsWith('/')) return;
    event.preventDefault();
    go(href);
  };
}
