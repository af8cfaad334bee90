import { CONTENT_ID, focusPage } from './focus-page.ts';

/** The first Tab stop: past the bar and the navigation, which are the same on every page. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        // The address stays that of the page: what it names after # is the page's own.
        event.preventDefault();
        focusPage();
      }}
    >
      Skip to the content
    </a>
  );
}
