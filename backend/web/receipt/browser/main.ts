import { offerPrint } from '../../ui/browser/print.ts';

offerPrint();
