import { makeConsoleFirewallApp } from '../lib/console-firewall-app.ts';
import { ContextError } from '../lib/context/kinds.ts';

try {
  makeConsoleFirewallApp().synth();
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exit(1);
}
