import { exponentOf } from './money.ts';

/**
 * ISO 4217 numeric codes, as used by card gateways and readers. XCG took over the number of ANG, so a number does not
 * identify one currency: compare numbers, never translate them back.
 */
const codes = `
  008ALL 012DZD 032ARS 036AUD 044BSD 048BHD 050BDT 051AMD 052BBD 060BMD 064BTN 068BOB 072BWP 084BZD 090SBD 096BND
  104MMK 108BIF 116KHR 124CAD 132CVE 136KYD 144LKR 152CLP 156CNY 170COP 174KMF 188CRC 192CUP 203CZK 208DKK 214DOP
  222SVC 230ETB 232ERN 238FKP 242FJD 262DJF 270GMD 292GIP 320GTQ 324GNF 328GYD 332HTG 340HNL 344HKD 348HUF 352ISK
  356INR 360IDR 364IRR 368IQD 376ILS 388JMD 392JPY 398KZT 400JOD 404KES 408KPW 410KRW 414KWD 417KGS 418LAK 422LBP
  426LSL 430LRD 434LYD 446MOP 454MWK 458MYR 462MVR 480MUR 484MXN 496MNT 498MDL 504MAD 512OMR 516NAD 524NPR 532ANG
  532XCG 533AWG 548VUV 554NZD 558NIO 566NGN 578NOK 586PKR 590PAB 598PGK 600PYG 604PEN 608PHP 634QAR 643RUB 646RWF
  654SHP 682SAR 690SCR 702SGD 704VND 706SOS 710ZAR 728SSP 748SZL 752SEK 756CHF 760SYP 764THB 776TOP 780TTD 784AED
  788TND 800UGX 807MKD 818EGP 826GBP 834TZS 840USD 858UYU 860UZS 882WST 886YER 901TWD 924ZWG 925SLE 926VED 927UYW
  928VES 929MRU 930STN 933BYN 934TMT 936GHS 938SDG 940UYI 941RSD 943MZN 944AZN 946RON 949TRY 950XAF 951XCD 952XOF
  953XPF 967ZMW 968SRD 969MGA 971AFN 972TJS 973AOA 975BGN 976CDF 977BAM 978EUR 980UAH 981GEL 985PLN 986BRL 990CLF
`;
const numbers = new Map(
  codes
    .trim()
    .split(/\s+/)
    .map(entry => [entry.slice(3), entry.slice(0, 3)] as const),
);
const known = new Set(numbers.values());

/** The three-digit ISO 4217 number of a currency code or number (`GBP`, `826`); undefined if invalid. */
export function currencyNumber(code: string): string | undefined {
  const letters = numbers.get(code.toUpperCase());
  if (letters !== undefined) return letters;
  const digits = /^\d{1,3}$/.test(code) ? code.padStart(3, '0') : undefined;
  return digits !== undefined && known.has(digits) ? digits : undefined;
}

/** Decimals of a currency given by number; undefined if ISO 4217 does not list it. */
export function exponentOfNumber(number: string): number | undefined {
  const code = [...numbers].find(([, candidate]) => candidate === number)?.[0];
  return code === undefined ? undefined : exponentOf(code);
}
