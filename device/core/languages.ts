import type { CustomerLanguage } from '@florin/shared/languages.ts';
import type { Cancel, Timers } from '@florin/shared/ports.ts';
import type { TerminalState } from './state.ts';
import type { Store } from './store/store.ts';
import {
  type CoreWords,
  coreWords,
  type DisplaySettings,
  languageOf,
  type ScreenLanguage,
  screenLanguage,
} from './words.ts';

export type LanguagesPorts = {
  readonly store: Store;
  readonly state: TerminalState;
  readonly timers: Timers;
  readonly systemLocale: string;
  /** The language tag that software named for the sale on the screen. */
  readonly requested: () => string | null;
  readonly changed: () => void;
};

/** How long a customer's choice lasts without a sale. */
const forgottenAfterMs = 60_000;

/**
 * The language of each screen. Staff choose theirs on this terminal, for good; a customer at a kiosk chooses for one
 * sale. Without a choice it is that of the sale, then that of the business.
 */
export class Languages {
  readonly #ports: LanguagesPorts;
  #staffs: CustomerLanguage | undefined;
  #customers: CustomerLanguage | undefined;
  #hasSaleEnded = false;
  #forget: Cancel | undefined;

  constructor(ports: LanguagesPorts) {
    this.#ports = ports;
    this.#staffs = ports.store.language();
  }

  staff(): ScreenLanguage {
    const { locale } = this.#business();
    return screenLanguage(this.#staffs ?? languageOf(locale) ?? 'en', locale);
  }

  /** Of the screen that is shown. */
  current(): ScreenLanguage {
    return this.#ports.state.isForCustomers() ? this.customer() : this.staff();
  }

  /** Of what a customer reads. */
  customer(): ScreenLanguage {
    const { locale } = this.#business();
    const requested = this.#ports.requested();
    return screenLanguage(this.#customers ?? languageOf(requested, locale) ?? 'en', locale, requested);
  }

  /** The tag of the language that the customer chose, or software named for the sale; undefined if neither did. */
  ofCustomer(): string | undefined {
    return this.#customers === undefined && this.#ports.requested() === null ? undefined : this.customer().locale;
  }

  /** The same of a choice alone. */
  chosenByCustomer(): string | undefined {
    return this.#customers === undefined ? undefined : this.customer().locale;
  }

  staffWords(): CoreWords {
    return coreWords[this.staff().language];
  }

  /** What names and formats everything that staff read. */
  readonly staffDisplay = (): DisplaySettings => this.#display(this.staff());

  /** The same of what the business keeps. */
  readonly businessDisplay = (): DisplaySettings => {
    const { locale } = this.#business();
    return this.#display(screenLanguage(languageOf(locale) ?? 'en', locale));
  };

  /** What names and formats everything on the screen that is shown. */
  readonly displaySettings = (): DisplaySettings => this.#display(this.current());

  #display({ language, locale }: ScreenLanguage): DisplaySettings {
    const { business, terminal } = this.#ports.state.configured();
    const { name: businessName, timeZone } = business;
    return { businessName, terminalName: terminal.name, words: coreWords[language], locale, timeZone };
  }

  #business(): { readonly locale: string } {
    const { state, systemLocale } = this.#ports;
    return { locale: state.configuration?.business.locale ?? systemLocale };
  }

  /** Not in the middle of a refund, whose stored notice would stay in the language before. */
  #mayChoose(): boolean {
    const { state } = this.#ports;
    if (state.isForCustomers()) return true;
    const isAtStart = state.place.name === 'enrolment' || state.place.name === 'keypad';
    return isAtStart && !state.sale && !state.refund && !state.modeChange;
  }

  choose(language: CustomerLanguage): boolean {
    if (!this.#mayChoose()) return false;
    if (this.#ports.state.isForCustomers()) {
      this.#customers = language;
      this.#hasSaleEnded = false;
      this.#forget?.();
      this.#forget = this.#ports.timers.after(forgottenAfterMs, () => {
        if (this.#ports.state.sale) return;
        this.#customers = undefined;
        this.#ports.changed();
      });
    } else {
      this.#ports.store.saveLanguage(language);
      this.#staffs = language;
    }
    this.#ports.changed();
    return true;
  }

  /** The screen changed: the next customer does not get the language of the one before. */
  look(): void {
    const { sale } = this.#ports.state;
    if (sale?.isOver()) this.#hasSaleEnded = true;
    else if (this.#hasSaleEnded) {
      this.#hasSaleEnded = false;
      this.#customers = undefined;
    }
  }

  stop(): void {
    this.#forget?.();
  }
}
