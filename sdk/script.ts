import { builtIn, enhanceForm } from './enhance-form.ts';
import { timeLimit } from './send-lead.ts';

// Known only while the script runs for the first time.
const script = builtIn(document, 'currentScript');
if (!(script instanceof HTMLScriptElement)) throw new Error('Load this file as an ordinary script.');
const { src, dataset } = script;
const endpoint = dataset.endpoint || serviceOfThisSite;

/** The site that serves this script knows the service's address. */
async function serviceOfThisSite(): Promise<string> {
  const response = await fetch(new URL('service.json', src), {
    credentials: 'omit',
    signal: timeLimit(),
  });
  return (await response.json()).endpoint;
}

function enhanceAll(): void {
  for (const element of builtIn(document, 'querySelectorAll')<HTMLFormElement>('form[data-lead-form]')) {
    const form = builtIn(element, 'dataset').leadForm || dataset.form;
    try {
      if (!form) throw new Error('This form has no slug. Set data-lead-form.');
      // The form was shown with the page, which may be long before the script has loaded.
      enhanceForm(element, { endpoint, form, shownAt: 0 });
    } catch (error) {
      // One form's mistake must not stop the others.
      console.error(error, element);
    }
  }
}

if (builtIn(document, 'readyState') === 'loading') {
  builtIn(document, 'addEventListener')('DOMContentLoaded', enhanceAll);
} else enhanceAll();
