import { makeRotateBrowserKeys, rotateBrowserKeysDependencies } from './handler.ts';

export const handler = makeRotateBrowserKeys(rotateBrowserKeysDependencies());
