import { settingsDependencies } from './dependencies.ts';
import { makeSettings } from './handler.ts';

export const handler = makeSettings(settingsDependencies(process.env));
