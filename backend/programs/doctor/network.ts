import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Settings } from '../../config/settings.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { isLoopback } from '../../gateways/address.ts';
import { mailServerProblem } from '../../messaging/notifications/smtp.ts';
import { type Finding, fine, look, reasonOf, wrong } from './finding.ts';

const answerWithinMs = 5_000;
const dayMs = 86_400_000;
const renewWithinDays = 21;
const urgentWithinDays = 7;
/** A clock that is off by less is in step: HTTP gives the time in whole seconds, and a reply takes its time. */
const inStepMs = 5_000;

/** Where customers, the gateway and the portal reach the service, and the certificate there. */
export async function publicUrlFindings(settings: Settings): Promise<readonly Finding[]> {
  const check = 'public address';
  const { publicUrl } = settings;
  if (publicUrl === undefined)
    return [
      look(check, 'PUBLIC_URL is not set', 'Set it, so that links, callbacks and the portal work from elsewhere'),
    ];
  const url = new URL(publicUrl);
  if (url.protocol === 'http:' && !isLoopback(publicUrl))
    return [
      wrong(check, `${publicUrl} is not encrypted`, 'Put the service behind TLS and set PUBLIC_URL to https://…'),
    ];
  const proxied =
    url.protocol === 'https:' && settings.trustedProxies.length === 0
      ? [
          look(
            'proxy',
            'PUBLIC_URL is https and TRUSTED_PROXIES is not set',
            'Set it to the address of the TLS proxy, or all customers share one rate limit',
          ),
        ]
      : [];
  const certificate = url.protocol === 'https:' ? await certificateFinding(url) : undefined;
  return [...(certificate ? [certificate] : []), await answerFinding(url), ...proxied];
}

async function answerFinding(url: URL): Promise<Finding> {
  const check = 'public address';
  try {
    const { status } = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(answerWithinMs) });
    if (status === 200) return fine(check, `${url.origin} answers`);
    return wrong(check, `${url.origin}/healthz answers ${status}`, 'Check the proxy, and the log of the service');
  } catch (error) {
    const todo = 'Start the service, or check name, firewall and proxy';
    return wrong(check, `${url.origin} does not answer: ${reasonOf(error)}`, todo);
  }
}

/** Undefined where nobody answers, which is a finding of the address. */
async function certificateFinding(url: URL): Promise<Finding | undefined> {
  const check = 'certificate';
  const read = await certificateEnd(url);
  if (read === undefined) return undefined;
  if ('problem' in read)
    return wrong(check, `The certificate of ${url.host} is not valid: ${read.problem}`, 'Renew or replace it');
  const days = Math.floor((read.validTo - systemClock.now()) / dayMs);
  const says = `The certificate of ${url.host} is valid for ${days} days`;
  if (days < urgentWithinDays) return wrong(check, says, 'Renew it now');
  return days < renewWithinDays ? look(check, says, 'Check that it is renewed by itself') : fine(check, says);
}

type CertificateEnd = { readonly validTo: number } | { readonly problem: string } | undefined;

function certificateEnd(url: URL): Promise<CertificateEnd> {
  const { hostname, port } = url;
  return new Promise(resolve => {
    const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
    const socket = connect({ host: hostname, port: Number(port || 443), timeout: answerWithinMs, ...servername });
    const end = (result: CertificateEnd) => {
      socket.destroy();
      resolve(result);
    };
    let isReached = false;
    socket.once('connect', () => {
      isReached = true;
    });
    socket.once('secureConnect', () => end({ validTo: Date.parse(socket.getPeerCertificate().valid_to) }));
    socket.once('timeout', () => end(isReached ? { problem: 'no answer' } : undefined));
    socket.once('error', error => end(isReached ? { problem: reasonOf(error) } : undefined));
  });
}

/** Whether the mail server takes the connection and the password. Nothing is sent. */
export async function mailFinding({ smtp }: Settings): Promise<Finding> {
  const check = 'mail server';
  if (!smtp) return look(check, 'SMTP_URL is not set: e-mails wait', 'Set it, or nobody is told of problems by e-mail');
  const problem = await mailServerProblem(smtp.url);
  if (problem === undefined) return fine(check, 'It accepts the connection and the password');
  return wrong(check, `It cannot be used: ${problem}`, 'Check SMTP_URL and the server');
}

/** Whether this machine's clock agrees with the database's and the gateway's. `databaseNow` was read at `readAt`. */
export async function clockFindings(
  settings: Settings,
  database: { readonly now: number; readonly readAt: number } | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  if (database) findings.push(aboutClock('the database', database.readAt - database.now, settings));
  const gateway = await timeAt(settings.gateway.url);
  if (gateway !== undefined) findings.push(aboutClock('the gateway', systemClock.now() - gateway, settings));
  if (findings.length > 0) return findings;
  return [look('clock', 'There is no other clock to compare with', 'Check that a time service runs on this machine')];
}

function aboutClock(other: string, aheadMs: number, { staff: { clockSkewMs } }: Settings): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (Math.abs(aheadMs) <= inStepMs) return fine('clock', `In step with ${other}`);
  const says = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${other}`;
  const todo = 'Run a time service (NTP) on this machine; past CLOCK_SKEW_SECONDS terminals are refused';
  return Math.abs(aheadMs) > clockSkewMs ? wrong('clock', says, todo) : look('clock', says, todo);
}

/** The time a server says, in milliseconds; undefined if it says none. */
async function timeAt(url: string): Promise<number | undefined> {
  try {
    const { headers } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const at = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
