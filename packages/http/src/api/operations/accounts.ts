import { failuresOf, type OrderAct } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { anyBody, anyCatalogueRead, anyRead, anyWrite } from '../problem.ts'
import { pageQuery, querySchema } from '../schemas/catalogue-queries.ts'
import { AccountParams } from '../schemas/catalogue-schemas.ts'
import {
  EnsAccountRecord,
  EnsNameParams,
  EnsNamesQuery,
  EnsNamesRecord,
  ProfileRecord,
  ProfilesQuery,
  ProfilesRecord,
  SetProfileBody,
} from '../schemas/lookup-schemas.ts'
import { RelayBody, Relayed } from '../schemas/relay-schemas.ts'
import { EraseHeaders, TokenParams } from '../schemas/schema-parts.ts'
import { FaucetBody, Given, HeirRecord, WalletRecord } from '../schemas/wallet-schemas.ts'
import {
  FoundResourcesRecord,
  PaidActRecord,
  paidActQueries,
  ResourceSearchQuery,
  ResourcesQuery,
  ResourcesRecord,
} from '../schemas/x402-schemas.ts'
import { anySignedCall } from './memory.ts'
import { byKey, byProof, operation, read } from './operation.ts'

const tag = 'marketplace'

const anyEnsRead = [...anyRead, 'service/busy', 'value/invalid'] as const

/** The failures of an order in dollars, besides those of any write. */
const anyOrder = [
  'lineage/too-deep',
  'listing/currency-changed',
  'listing/not-for-fork',
  'listing/not-for-rent',
  'listing/not-for-sale',
  'listing/price-changed',
  'listing/royalty-changed',
  'order/closed',
  'order/expired',
  'recipient/invalid',
  'relay/day-limit',
  'relay/too-costly',
  'relay/underpriced',
  'rental/bad-duration',
  'rental/too-long',
  'royalty/bad-share',
  'royalty/zero',
  'service/busy',
  'token/not-found',
] as const

/** Defines an act in dollars that is paid by x402. */
const paidAct = <act extends OrderAct>(act: act, summary: string) =>
  operation({
    tag,
    summary,
    description:
      'Answers 402 with `PAYMENT-REQUIRED` until it is paid: x402 version 2, scheme `exact`, to the address of this order alone. The same request with `PAYMENT-SIGNATURE` carries it out, once, however often it is paid. Charges nothing where the recipient has what it asks for. With the three headers of a proof of the recipient, an answer of `buy` and `rent` is the memory itself. docs/x402.md has the rules.',
    // Its payment is relayed, so the act of the relay opens it too.
    scope: 'write',
    openedBy: 'relay',
    security: [...byKey, ...byProof],
    params: TokenParams,
    // The answer to a probe without them names what to pay, and which of them it lacks.
    query: Type.Partial(paidActQueries[act]),
    answers: { 200: PaidActRecord },
    failures: [
      ...anyWrite,
      ...anyOrder,
      ...failuresOf.download,
      'catalogue/unavailable',
      'listing/copied',
      'memory/erased',
      'payment/incomplete',
      'payment/malformed',
      'payment/refused',
      'payment/required',
      'proof/malformed',
      'proof/missing',
    ],
  })

/** The operations that accounts use. */
export const accountOperations = {
  heir: read({
    tag,
    summary: 'Read who takes over the tokens of an account, and whose heir it is',
    description:
      'An account names an heir by itself, with its own wallet: docs/guides/heirs.md. Read from the chain; only `heirOf` is read from the catalogue, page by page.',
    params: AccountParams,
    query: querySchema(pageQuery),
    answers: { 200: HeirRecord },
    failures: [...anyCatalogueRead, ...anyRead, 'value/invalid'],
  }),
  profiles: read({
    tag,
    summary: 'Read how accounts describe themselves, or find accounts by their names',
    description:
      'Takes either `accounts` or `name`. A name is no proof of who somebody is: show it with the address, and with the account that it resembles where there is one.',
    query: ProfilesQuery,
    answers: { 200: ProfilesRecord },
    failures: [...anyRead, 'profile/unavailable', 'service/busy', 'value/invalid'],
  }),
  // The account signs it.
  setProfile: read({
    tag,
    summary: 'Describe an account: a name, a sentence and a link',
    description: [
      'An account that owns or made a token here signs (EIP-191) four lines:',
      '`heirloom:profile:<host>:<chainId>:<registry>:<address>:<timestamp>`, `Name: <name>`, `Sentence: <sentence>`',
      'and `Link: <link>`, with the host of this server. A later profile replaces an earlier one; one with',
      'an empty name takes it back.',
    ].join(' '),
    security: [{}],
    params: AccountParams,
    headers: EraseHeaders,
    body: SetProfileBody,
    answers: { 200: ProfileRecord },
    failures: [
      ...anyCatalogueRead,
      ...anyBody,
      ...failuresOf.setProfile,
      ...anySignedCall,
      'value/invalid',
    ],
  }),
  ensNames: read({
    tag,
    summary: 'Read the ENS names of accounts',
    description:
      'Only where the chain has ENS (`hasEns` of the deployment). A name may be five minutes old. Names that are resolved outside of the chain (ERC-3668) are not read.',
    query: EnsNamesQuery,
    answers: { 200: EnsNamesRecord },
    failures: anyEnsRead,
  }),
  ensAccount: read({
    tag,
    summary: 'Read which account an ENS name leads to',
    description: 'Only where the chain has ENS. The answer is that of the chain now.',
    params: EnsNameParams,
    answers: { 200: EnsAccountRecord },
    failures: anyEnsRead,
  }),
  relay: operation({
    tag,
    summary: 'Send what a wallet signed; the agent wallet pays the gas',
    description:
      'Takes exactly one of: `request`, a call that an account signed for the forwarder (ERC-2771); `payOrder`, an act in dollars with the authorization that pays it; `settle`, an act in dollars that was paid at its own address; `refund`, one whose money is there in vain. The account acts by itself: the agent wallet signs nothing but the transaction. Each call is sent once, and the same call gets the same answer again. docs/relay.md has the acts and the limits.',
    scope: 'write',
    openedBy: 'relay',
    security: byKey,
    body: RelayBody,
    answers: { 201: Relayed },
    failures: [
      ...anyWrite,
      ...anyOrder,
      'batch/bad-size',
      'credit/none',
      'dollar/missing',
      'dollar/refused',
      'listing/not-owner',
      'listing/price-too-high',
      'order/foreign-asset',
      'order/refund-failed',
      'order/refund-too-early',
      'order/short',
      'relay/bad-deadline',
      'relay/failed',
      'relay/not-allowed',
      'relay/not-signed',
      'relay/too-much-gas',
    ],
  }),
  buyByX402: paidAct('buy', 'Buy a token for dollars (x402)'),
  rentByX402: paidAct('rent', 'Rent a memory for dollars and open it (x402)'),
  forkByX402: paidAct('fork', 'Fork a token for dollars (x402)'),
  royaltyByX402: paidAct('royalty', 'Pay a royalty in dollars (x402)'),
  x402Resources: read({
    tag,
    summary: 'List what is paid for by x402',
    description:
      'The discovery list of x402 (`bazaar`): each rental, purchase and fork that is on offer in dollars, in this order, the newest listing first. `offset` reaches as far as 1,000; `cursor` goes on from any page.',
    query: ResourcesQuery,
    answers: { 200: ResourcesRecord },
    failures: [...anyCatalogueRead, 'value/invalid'],
  }),
  x402Search: read({
    tag,
    summary: 'Search what is paid for by x402',
    description:
      'The offers whose cards have all words of `query`, as the search for listings finds them.',
    query: ResourceSearchQuery,
    answers: { 200: FoundResourcesRecord },
    failures: [...anyCatalogueRead, 'value/invalid'],
  }),
  faucet: operation({
    tag: 'server',
    summary: 'Get test dollars of the embedded chain: play money, worth nothing',
    description:
      'Only the embedded chain has a faucet, where only this machine reaches the server, or FAUCET_OPEN is true. The agent wallet pays the gas, so an account without any money can use it. A client and an account may use it FAUCET_PER_DAY times a day.',
    scope: 'anyone',
    security: [{}],
    body: FaucetBody,
    answers: { 201: Given },
    failures: [...anyWrite, 'recipient/invalid'],
  }),
  wallet: operation({
    tag: 'server',
    summary: 'Read the balance, the spending of today and the limits of the agent wallet',
    description:
      'Requires an API key if the server has any, because it shows what the agent owns and does.',
    scope: 'read',
    security: byKey,
    answers: { 200: WalletRecord },
    failures: [...anyRead, 'api-key/out-of-scope', 'request/not-authorized', 'store/unavailable'],
  }),
}
