import { sendLead as send } from './browser-network.ts';
import { enhanceForm as enhance } from './enhance-form.ts';
import { createNonce as create } from './send-lead.ts';
import type * as Published from './v1.module.d.ts';

// Typed by the published declarations, so the two cannot differ.
export const sendLead: typeof Published.sendLead = send;
export const createNonce: typeof Published.createNonce = create;
export const enhanceForm: typeof Published.enhanceForm = enhance;
