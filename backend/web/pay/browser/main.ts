import { offerPrint } from '../../ui/browser/print.ts';
import { helpToPay } from '../../ui/browser/to-pay.ts';
import { goBackByItself } from '../../ui/browser/way-back.ts';
import { goToBank } from './bank.ts';
import { showCardFields } from './card-fields.ts';
import { followState } from './live.ts';
import { read, rememberAttempt, rememberedAttempt, show } from './pay.ts';
import { arrive } from './way-back.ts';

const page = read();
arrive(page.linkId, begin);

function begin(): void {
  const remembered = rememberedAttempt(page.linkId);
  if (page.attempt === undefined && remembered !== undefined) {
    // A reopened tab: continue with its payment.
    show(page.linkId, remembered);
    return;
  }
  if (page.attempt !== undefined && page.progress !== 'none') rememberAttempt(page.linkId, page.attempt);
  if (page.progress === 'at_bank') goToBank(page);
  showCardFields(page);
  helpToPay();
  offerPrint();
  followState(page);
  goBackByItself();
}
