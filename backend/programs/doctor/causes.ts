import type { UnknownCause } from '../../bitcoin/nodes/node.ts';

/** Why something that this service depends on cannot be used: what happened, and what an operator does about it. */
export type Cause = { readonly says: string; readonly todo: string };

const gatewaySettings = 'its own settings, or the GATEWAY_* settings if it has none';
const reachGateway = `Check its address (${gatewaySettings}) and this machine’s way to it`;
const gatewaySecrets = `Correct its merchant ID and secrets (${gatewaySettings})`;
const reportingSecrets = `Correct the user and the password of its report (${gatewaySettings})`;
const gatewayAnswers = 'Check that its address is that of the gateway; otherwise ask the gateway’s support';

const gatewayCauses: Readonly<Record<string, Cause>> = {
  timeout: { says: 'it did not answer in time', todo: reachGateway },
  connection_lost: { says: 'the connection to it was lost', todo: reachGateway },
  connection_refused: { says: 'nothing listens at its address', todo: reachGateway },
  name_not_found: { says: 'the name in its address is not known', todo: reachGateway },
  no_route: { says: 'there is no route to its address', todo: reachGateway },
  gateway_error: { says: 'it refused the request or failed', todo: gatewaySecrets },
  bad_signature: { says: 'its merchant ID and its secret do not belong together', todo: gatewaySecrets },
  merchant_differs: { says: 'it answered for another merchant ID', todo: gatewaySecrets },
  malformed: { says: 'it answered in an unknown way', todo: gatewayAnswers },
  not_supported: {
    says: 'no access to its report is set up, so it lists nothing',
    todo: 'Ask the gateway for its list of operations, and compare it by hand',
  },
  account_unusable: {
    says: 'its stored settings cannot be used',
    todo: 'Create it again with gateway-account create, which says what is wrong with them; doctor says whether the secrets key fits',
  },
  'status 401': { says: 'it refused the user or the password', todo: reportingSecrets },
  'status 403': { says: 'it refused the user or the password', todo: reportingSecrets },
};

/** An account without the gateway's report. */
export const noReport = 'not_supported';

/** The cause of a gateway's failure in words; those that are no code of ours are words already. */
export function gatewayCause(cause: string): Cause {
  const status = /^status (\d+)$/.exec(cause)?.[1];
  const says = status === undefined ? cause : `it answered with the HTTP status ${status}`;
  return gatewayCauses[cause] ?? { says, todo: gatewayAnswers };
}

const reachNode = 'Check that it runs and that this machine reaches it';
const setNode = 'with bitcoin-backend set';

const nodeCauses: Readonly<Record<UnknownCause, Cause>> = {
  timeout: { says: 'it did not answer in time', todo: reachNode },
  connection_lost: { says: 'the connection to it was lost', todo: reachNode },
  connection_refused: {
    says: 'nothing listens at its address',
    todo: `Start it, or correct its address ${setNode}`,
  },
  name_not_found: { says: 'the name in its address is not known', todo: `Correct its address ${setNode}` },
  no_route: { says: 'there is no route to its address', todo: reachNode },
  address_refused: {
    says: 'its address is in a private network, where the settings permit no node',
    todo: 'If it is yours, set BITCOIN_NODE_ALLOW_PRIVATE=true',
  },
  certificate_rejected: {
    says: 'its certificate is not the one that was given, or not trusted',
    todo: `If its certificate was renewed, give the new one ${setNode}`,
  },
  not_supported: { says: 'this kind of node has nothing of this', todo: 'Nothing' },
  node_unusable: {
    says: 'its stored settings cannot be used',
    todo: `Give them again ${setNode}, which says what is wrong with them; doctor says whether the secrets key fits`,
  },
  malformed: {
    says: 'it answered in an unknown way',
    todo: 'Check that its address is that of the node, and its version',
  },
  node_error: { says: 'it reported an error', todo: 'Read its log' },
  not_ready: {
    says: 'its wallet is locked, or it is starting',
    todo: 'Unlock its wallet, or wait until it has started',
  },
  permission_denied: {
    says: 'its credentials do not permit it',
    todo: `Give credentials that permit it ${setNode}`,
  },
};

/** The cause of a node's failure in words. */
export function nodeCause(cause: UnknownCause): Cause {
  return nodeCauses[cause];
}
