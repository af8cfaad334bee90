import CloudscapeLink, { type LinkProps } from '@cloudscape-design/components/link';
import { useLocation } from 'wouter';

/** A link inside the console: it has an address of its own, and opens without loading the page anew. */
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

/** For components that have links inside: `onFollow={useFollow()}`. */
export function useFollow() {
  const [, go] = useLocation();
  return (event: CustomEvent<{ href?: string | undefined; external?: boolean | undefined }>) => {
    const { href, external } = event.detail;
    if (external || href === undefined || !href.startsWith('/')) return;
    event.preventDefault();
    go(href);
  };
}
