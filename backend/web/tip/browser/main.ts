import { helpToPay } from '../../ui/browser/to-pay.ts';

helpToPay();
