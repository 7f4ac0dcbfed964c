import { type CustomerLanguage, customerLanguages } from '@florin/shared/languages.ts';
import { Component, type ReactNode, useEffect, useMemo, useState } from 'react';
import { type Screen, type View, view as viewSchema } from '../ipc/view.ts';
import { ActionProvider, useActions } from './actions.tsx';
import type { LinkState, TerminalLink } from './bridge.ts';
import { Banners, Header } from './components/header.tsx';
import { ReceiptContext } from './components/receipt-tools.tsx';
import { Sounds } from './components/sounds.tsx';
import { AlertsContext, displayed, HeaderContext } from './formats.tsx';
import { useHeldFor } from './platform/time.ts';
import { useScanner } from './scanner.ts';
import { BitcoinScreen } from './screens/bitcoin.tsx';
import { DayReportScreen } from './screens/day-report.tsx';
import { EnrolmentScreen } from './screens/enrolment.tsx';
import { FindSaleScreen } from './screens/find-sale.tsx';
import { KeptSale, KeypadScreen, nothingKept } from './screens/keypad.tsx';
import {
  KioskBitcoinScreen,
  KioskIdleScreen,
  KioskResultScreen,
  KioskSaleScreen,
  KioskTipScreen,
} from './screens/kiosk.tsx';
import { ConnectingScreen, RefusedLinkScreen, StartingScreen, UnreadableScreen } from './screens/plain.tsx';
import { ReaderDayScreen } from './screens/reader-day.tsx';
import { ReturnReceiptScreen } from './screens/receipts-of-sale.tsx';
import {
  ConfirmReturnScreen,
  RefundAmountScreen,
  ReturnProgressScreen,
  ReturnResultScreen,
} from './screens/returning.tsx';
import { SaleResultScreen, SaleScreen } from './screens/sale.tsx';
import { RecentSalesScreen, SaleDetailScreen } from './screens/sales.tsx';
import { LockedOutScreen, NewPasswordScreen, StaffIdScreen, StaffPasswordScreen } from './screens/staff.tsx';
import { TerminalStatusScreen } from './screens/terminal-status.tsx';
import { TipScreen } from './screens/tip.tsx';
import { UnchargedSaleScreen } from './screens/uncharged-sale.tsx';
import { announcement } from './words/sentences.ts';
import { english, type ScreenWords, useText, WordsContext, type WordsOf } from './words/words.ts';

/** The customer's screens, in kiosk mode and on the customer's display; all others are for staff. */
const customerScreens: ReadonlySet<Screen['name']> = new Set([
  'kiosk_idle',
  'tip',
  'sale',
  'bitcoin_sale',
  'sale_result',
]);
/** What was typed for a sale that has not begun stays while these are shown: nothing is charged or returned on them. */
const keepsSale: ReadonlySet<Screen['name']> = new Set([
  'keypad',
  'terminal_status',
  'tip',
  'recent_sales',
  'find_sale',
  'sale_detail',
  'return_receipt',
  'uncharged_sale',
  'day_report',
  'reader_day',
]);

/** The delay before a lost connection is shown. */
const graceMs = 300;

type Received = { kind: 'nothing' } | { kind: 'view'; view: View } | { kind: 'unreadable' };

/** The latest View and the words it is drawn with, which also stay for what is said when no View can be read. */
function useLink(link: TerminalLink, wordsOf: WordsOf): { received: Received; words: ScreenWords; state: LinkState } {
  const [{ received, words }, setShown] = useState<{ received: Received; words: ScreenWords }>({
    received: { kind: 'nothing' },
    words: english,
  });
  const [state, setState] = useState<LinkState>('connecting');
  useEffect(() => link.onState(setState), [link]);
  useEffect(() => {
    let latest: unknown;
    let loaded: { language: CustomerLanguage; words: ScreenWords } = { language: 'en', words: english };
    const show = (language: CustomerLanguage, next: Received) => {
      latest = next;
      const draw = () => {
        document.documentElement.lang = loaded.language;
        setShown({ received: next, words: loaded.words });
      };
      if (language === loaded.language) return draw();
      wordsOf(language)
        .then(loadedWords => {
          loaded = { language, words: loadedWords };
        })
        // A screen in English is better than none.
        .catch((error: unknown) => reportFault(link, null, error))
        .finally(() => {
          if (latest === next) draw();
        });
    };
    show(browserLanguage(), { kind: 'nothing' });
    return link.bridge.onView(sent => {
      const parsed = viewSchema.safeParse(sent);
      if (parsed.success) return show(parsed.data.header.language, { kind: 'view', view: parsed.data });
      show(loaded.language, { kind: 'unreadable' });
      reportFault(link, null, parsed.error);
    });
  }, [link, wordsOf]);
  return { received, words, state };
}

const maxFaultLength = 2000;

/** Sends the error to the core's log. It contains field names and source locations, never typed input. */
function reportFault(link: TerminalLink, sequence: number | null, error: unknown): void {
  const words = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  const fault = words.slice(0, maxFaultLength);
  void link.bridge.send({ name: 'report_screen_fault', sequence, fault });
}

type AppProps = { readonly link: TerminalLink; readonly wordsOf: WordsOf };

/** Draws the latest View of the core in its language, or says that there is none. */
export function App({ link, wordsOf }: AppProps) {
  const { received, words, state } = useLink(link, wordsOf);
  return (
    <WordsContext value={words}>
      <LatestScreen link={link} received={received} state={state} />
    </WordsContext>
  );
}

/** Before the first View. */
function browserLanguage(): CustomerLanguage {
  const wanted = navigator.languages.flatMap(
    tag => customerLanguages.find(each => tag.toLowerCase().startsWith(each)) ?? [],
  );
  return wanted[0] ?? 'en';
}

function LatestScreen({ link, received, state }: { link: TerminalLink; received: Received; state: LinkState }) {
  const disconnected = state !== 'connected' || received.kind === 'nothing';
  const showsConnecting = useHeldFor(disconnected, graceMs);
  if (state === 'refused') {
    return (
      <div className="terminal">
        <RefusedLinkScreen />
      </div>
    );
  }
  return (
    <>
      {received.kind === 'unreadable' && !showsConnecting ? (
        <div className="terminal">
          <UnreadableScreen />
        </div>
      ) : null}
      {received.kind === 'view' ? (
        // Stays mounted under the overlay, so that typed input survives a reconnection.
        <div
          className="terminal"
          data-sequence={received.view.sequence}
          inert={showsConnecting}
          hidden={showsConnecting}
        >
          <RenderErrorBoundary view={received.view} link={link}>
            <Terminal view={received.view} link={link} active={!showsConnecting} />
          </RenderErrorBoundary>
        </div>
      ) : null}
      {showsConnecting ? (
        <div className="terminal">
          <ConnectingScreen />
        </div>
      ) : null}
    </>
  );
}

function Terminal({ view, link, active }: { view: View; link: TerminalLink; active: boolean }) {
  const text = useText();
  const { header, screen, receipt } = view;
  const { language } = header;
  const screenKey = useMemo(() => JSON.stringify([screen, receipt, language]), [screen, receipt, language]);
  const [kept] = useState({ ...nothingKept });
  useEffect(() => {
    if (!keepsSale.has(screen.name) && !isRequested(screen)) Object.assign(kept, nothingKept);
  }, [kept, screen]);
  const isForCustomers = header.mode === 'kiosk' && customerScreens.has(screen.name);
  return (
    <HeaderContext value={displayed(header)}>
      <AlertsContext value={header.alerts}>
        <KeptSale value={kept}>
          <ActionProvider bridge={link.bridge} screenKey={screenKey} active={active}>
            {isForCustomers ? null : <Header header={header} />}
            <Progress />
            <Scanner isForCustomers={isForCustomers} isOn={screen.name !== 'enrolment' && screen.name !== 'starting'} />
            {isForCustomers ? null : <Banners header={header} />}
            <ReceiptContext value={receipt}>
              <CurrentScreen key={screen.name} screen={screen} isForCustomers={isForCustomers} />
            </ReceiptContext>
            <Toast />
            <Sounds screen={screen} />
            {isForCustomers ? null : (
              <p className="visually-hidden" role="status">
                {announcement(screen, text, header.service === 'offline')}
              </p>
            )}
          </ActionProvider>
        </KeptSale>
      </AlertsContext>
    </HeaderContext>
  );
}

/** Sends the codes of a scanner to the core, which decides what they are used for; those of customers are ignored. */
function Scanner({ isForCustomers, isOn }: { isForCustomers: boolean; isOn: boolean }) {
  const { send } = useActions();
  useScanner({ isOn, onCode: code => void (isForCustomers ? undefined : send({ name: 'scan_code', code })) });
  return null;
}

/** Whether software started the sale or refund on the screen. */
function isRequested(screen: Screen): boolean {
  const about = 'returning' in screen ? screen.returning : 'authorised' in screen ? screen.authorised : screen;
  return 'requestedBy' in about && about.requestedBy !== null;
}

/** An action that takes longer than this shows an indicator. */
function Progress() {
  const text = useText();
  return (
    <div className="progress" role="status" data-on={useActions().slow}>
      {useActions().slow ? <span className="visually-hidden">{text.working}</span> : null}
    </div>
  );
}

function Toast() {
  const { toast } = useActions();
  return (
    <div className="toast" role="status">
      {toast === null ? null : <p>{toast}</p>}
    </div>
  );
}

function CurrentScreen({ screen, isForCustomers }: { screen: Screen; isForCustomers: boolean }): ReactNode {
  switch (screen.name) {
    case 'starting':
      return <StartingScreen />;
    case 'enrolment':
      return <EnrolmentScreen screen={screen} />;
    case 'keypad':
      return <KeypadScreen screen={screen} />;
    case 'tip':
      return isForCustomers ? <KioskTipScreen screen={screen} /> : <TipScreen screen={screen} />;
    case 'sale':
      return isForCustomers ? <KioskSaleScreen screen={screen} /> : <SaleScreen screen={screen} />;
    case 'bitcoin_sale':
      return isForCustomers ? <KioskBitcoinScreen screen={screen} /> : <BitcoinScreen screen={screen} />;
    case 'sale_result':
      return isForCustomers ? <KioskResultScreen screen={screen} /> : <SaleResultScreen screen={screen} />;
    case 'kiosk_idle':
      return <KioskIdleScreen />;
    case 'recent_sales':
      return <RecentSalesScreen screen={screen} />;
    case 'find_sale':
      return <FindSaleScreen screen={screen} />;
    case 'day_report':
      return <DayReportScreen screen={screen} />;
    case 'reader_day':
      return <ReaderDayScreen screen={screen} />;
    case 'sale_detail':
      return <SaleDetailScreen screen={screen} />;
    case 'return_receipt':
      return <ReturnReceiptScreen screen={screen} />;
    case 'uncharged_sale':
      return <UnchargedSaleScreen screen={screen} />;
    case 'refund_amount':
      return <RefundAmountScreen screen={screen} />;
    case 'confirm_return':
      return <ConfirmReturnScreen screen={screen} />;
    case 'staff_id':
      return <StaffIdScreen key={purposeOf(screen)} screen={screen} />;
    case 'staff_password':
      return <StaffPasswordScreen key={purposeOf(screen)} screen={screen} />;
    case 'new_password':
      return <NewPasswordScreen key={purposeOf(screen)} screen={screen} />;
    case 'locked_out':
      return <LockedOutScreen screen={screen} />;
    case 'terminal_status':
      return <TerminalStatusScreen screen={screen} />;
    case 'return_progress':
      return <ReturnProgressScreen screen={screen} />;
    case 'return_result':
      return <ReturnResultScreen screen={screen} />;
  }
}

/** What is authorised here: nothing typed for one purpose may remain in the form of another. */
function purposeOf({ authorised }: Extract<Screen, { name: 'staff_id' | 'staff_password' | 'new_password' }>): string {
  return 'sale' in authorised ? `${authorised.kind} ${authorised.sale.saleId}` : authorised.kind;
}

/** A View that parses but cannot be drawn shows the same message as one that does not parse; the next View is tried. */
class RenderErrorBoundary extends Component<
  { view: View; link: TerminalLink; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    reportFault(this.props.link, this.props.view.sequence, error);
  }
  override componentDidUpdate(before: { view: View }) {
    if (this.state.failed && before.view !== this.props.view) this.setState({ failed: false });
  }
  override render() {
    return this.state.failed ? <UnreadableScreen /> : this.props.children;
  }
}
