import { enhanceForm } from './enhance-form.ts';

// Known only while the script runs for the first time.
const script = document.currentScript as HTMLScriptElement;
const endpoint = script.dataset.endpoint ?? serviceOfThisSite;

/** The site that serves this script knows the service's address. */
async function serviceOfThisSite(): Promise<string> {
  const response = await fetch(new URL('service.json', script.src), { credentials: 'omit' });
  return (await response.json()).endpoint;
}

function enhanceAll(): void {
  for (const element of document.querySelectorAll<HTMLFormElement>('form[data-lead-form]')) {
    const form = element.dataset.leadForm || script.dataset.form;
    if (form) enhanceForm(element, { endpoint, form });
    else console.error('This form has no slug. Set data-lead-form.', element);
  }
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', enhanceAll);
else enhanceAll();
