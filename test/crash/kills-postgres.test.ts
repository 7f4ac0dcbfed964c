import { killSuite } from './kill-suite.ts';

killSuite('postgres');
