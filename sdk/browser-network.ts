import { makeSendLead } from './send-lead.ts';

export const sendLead = makeSendLead({
  fetch: (...request) => fetch(...request),
  isOnline: () => navigator.onLine,
  untilOnline: () => new Promise((resolve) => addEventListener('online', () => resolve(), { once: true })),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
});
