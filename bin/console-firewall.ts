import { SettingsError } from '../lib/context/kinds.ts';
import { makeConsoleFirewallApp } from '../lib/lead-ingest-app.ts';

try {
  makeConsoleFirewallApp().synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
