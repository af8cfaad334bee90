import { upTo } from './tiers.js';

export default upTo('unit');
