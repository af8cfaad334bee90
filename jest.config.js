import { upTo } from './test/jest/tiers.js';

export default upTo('stack');
