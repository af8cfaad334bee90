import { makeSettings, settingsDependencies } from './handler.ts';

export const handler = makeSettings(settingsDependencies(process.env));
