import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import type { ReactNode } from 'react';

/** The texts of Cloudscape's own controls. */
export function Translations({ children }: { readonly children: ReactNode }) {
  return (
    <I18nProvider locale="en" messages={[messages]}>
      {children}
    </I18nProvider>
  );
}
