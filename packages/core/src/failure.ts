import type { Account } from './domain/account.ts'
import type { Digest, Hash, Hex } from './domain/hash.ts'
import type { Wei } from './domain/money.ts'
import type { Instant } from './domain/time.ts'
import type { TokenId } from './domain/token.ts'

/** Every way a call can fail, and the facts each failure carries. */
export type Failures = {
  'access/copied': { chainId: number; registry: Account; creator: Account }
  'access/denied': { tokenId: TokenId; account: Account }
  'api-key/call-limit': { name: string; needed: Wei; limit: Wei }
  'api-key/day-limit': { name: string; needed: Wei; spent: Wei; limit: Wei }
  'api-key/out-of-scope': { name: string; scope: string; needed: string }
  'batch/bad-size': { size: number; limit: number }
  'blob/corrupt': { digest: Digest }
  'blob/not-found': { digest: Digest }
  'blob/unavailable': { operation: string }
  'bundle/altered': { expected: Hash; actual: Hash }
  'bundle/malformed': { problem: string }
  'bundle/unreadable': { problem: string }
  'card/malformed': { problem: string }
  'catalogue/busy': { retryAfterSeconds: number }
  'catalogue/too-costly': { milliseconds: number; retryAfterSeconds: number }
  'catalogue/unavailable': { operation: string }
  'config/invalid': { name: string; problem: string }
  'credit/none': { account: Account }
  'folder/in-use': { folder: string }
  'folder/incomplete': { missing: string; beside: string }
  'folder/unusable': { folder: string; problem: string }
  'idempotency/key-reused': Record<never, never>
  'import/malformed': { what: string; problem: string }
  'import/secrets-found': { count: number; kinds: string }
  'import/unknown-format': { known: string }
  'journal/diverged': { entry: number; expected: string; actual: string }
  'json/duplicate-member': { member: string }
  'json/malformed': { at: number }
  'json/too-deep': { limit: number }
  'keys/changed': Record<never, never>
  'keys/not-here': { memories: number; keys: number }
  'keys/unavailable': Record<never, never>
  'keys/unusable': { problem: string }
  'ledger/unavailable': { operation: string }
  'lineage/too-deep': { tokenId: TokenId; limit: number }
  'listing/copied': { tokenId: TokenId }
  'listing/not-for-fork': { tokenId: TokenId }
  'listing/not-for-rent': { tokenId: TokenId }
  'listing/not-for-sale': { tokenId: TokenId }
  'listing/not-owner': { tokenId: TokenId; owner: Account; account: Account }
  'listing/over-max-price': { tokenId: TokenId; price: Wei; maxPrice: Wei }
  'listing/price-changed': { tokenId: TokenId; price: Wei; offered: Wei }
  'listing/price-raised': { tokenId: TokenId; price: Wei; seenPrice: Wei }
  'listing/price-too-high': { price: Wei; limit: Wei }
  'listing/royalty-changed': { tokenId: TokenId; royaltyBps: number; accepted: number }
  'proof/malformed': { header: string }
  'proof/missing': { header: string }
  'proof/not-bound': { account: Account }
  'proof/not-signed': { account: Account }
  'proof/stale': { signedAt: number; now: Instant; windowSeconds: number }
  'recipient/invalid': { recipient: Account }
  'rental/bad-duration': { days: number; limit: number }
  'rental/too-long': { tokenId: TokenId; expiresAt: Instant; limit: Instant }
  'request/foreign-host': { host: string }
  'request/foreign-origin': { origin: string }
  'request/malformed': { where: string; problem: string }
  'request/not-authorized': { scheme: string }
  'request/too-large': { limit: number }
  'request/too-many': { what: string; limit: number; retryAfterSeconds: number }
  'request/wrong-type': { expected: string }
  'route/not-found': { method: string; path: string }
  'royalty/bad-share': { royaltyBps: number; limit: number }
  'royalty/zero': Record<never, never>
  'service/busy': { limit: number }
  'service/stopping': Record<never, never>
  'service/unexpected': Record<never, never>
  'token/not-found': { tokenId: TokenId }
  'transaction/cancelled': { txHash: Hex }
  'transaction/reverted': { txHash: Hex }
  'transaction/unconfirmed': { txHash: Hex }
  'transaction/unknown': Record<never, never>
  'value/invalid': { kind: string; problem: string }
  'wallet/call-limit': { needed: Wei; limit: Wei }
  'wallet/day-limit': { needed: Wei; spent: Wei; limit: Wei }
  'wallet/short': { account: Account; balance: Wei; needed: Wei }
  'webhook/not-found': { id: string }
  'webhook/too-many': { limit: number }
  'webhook/unavailable': { operation: string }
}

/** The stable name of a failure; what is matched on. */
export type FailureCode = keyof Failures

const secondsOf = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`)

const sentences: { readonly [code in FailureCode]: (facts: Failures[code]) => string } = {
  'access/copied': ({ chainId, registry, creator }) =>
    `The token shows a copy: its memory was sealed for ${creator} in the registry ${registry} on chain ${chainId}. Ask the holder of the original.`,
  'access/denied': ({ tokenId, account }) =>
    `${account} is neither the owner nor an active renter of token ${tokenId}.`,
  'api-key/call-limit': ({ name, needed, limit }) =>
    `The call may cost up to ${needed} wei; the API key ${name} may spend ${limit} on one.`,
  'api-key/day-limit': ({ name, needed, spent, limit }) =>
    `The call may cost up to ${needed} wei, and the API key ${name} has spent ${spent} of the ${limit} that it may spend today (UTC).`,
  'api-key/out-of-scope': ({ name, scope, needed }) =>
    `The API key ${name} has the scope ${scope}; this call needs the scope ${needed}.`,
  'batch/bad-size': ({ size, limit }) => `A batch holds 1 to ${limit} tokens; ${size} were given.`,
  'blob/corrupt': ({ digest }) =>
    `The stored block ${digest} no longer matches its digest; restore it from a replica or a backup.`,
  'blob/not-found': ({ digest }) => `No stored block has the digest ${digest}.`,
  'blob/unavailable': ({ operation }) =>
    `The storage network could not ${operation}; check the disk and try again.`,
  'bundle/altered': ({ expected, actual }) =>
    `The opened bundle hashes to ${actual}, but the chain records ${expected}.`,
  'bundle/malformed': ({ problem }) => `The bundle cannot be taken: ${problem}.`,
  'bundle/unreadable': ({ problem }) => `The sealed bundle cannot be decrypted: ${problem}.`,
  'card/malformed': ({ problem }) => `The card cannot be taken: ${problem}.`,
  'catalogue/busy': ({ retryAfterSeconds }) =>
    `Too many others are reading the catalogue; try again in ${secondsOf(retryAfterSeconds)}.`,
  'catalogue/too-costly': ({ milliseconds }) =>
    `The catalogue takes longer than ${milliseconds} milliseconds to answer this; ask for less, by an owner, a seller or longer words, or try again later.`,
  'catalogue/unavailable': ({ operation }) =>
    `The catalogue could not ${operation}; check its store and try again.`,
  'config/invalid': ({ name, problem }) => `${name} ${problem}.`,
  'credit/none': ({ account }) => `Nothing is owed to ${account}.`,
  'folder/in-use': ({ folder }) =>
    `Another server is using ${folder}; stop it or choose another DATA_DIR.`,
  'folder/incomplete': ({ missing, beside }) =>
    `The file ${missing} is missing, and ${beside} cannot be used without it; restore it from a backup, or choose another DATA_DIR to begin anew.`,
  'folder/unusable': ({ folder, problem }) => `${folder} cannot be used: ${problem}.`,
  'idempotency/key-reused': () => 'The idempotency key was already used for another request.',
  'import/malformed': ({ what, problem }) => `${what} cannot be taken: ${problem}.`,
  'import/secrets-found': ({ count, kinds }) =>
    `It holds what looks like secrets (${count}: ${kinds}); take them out, have them redacted, or keep them on purpose.`,
  'import/unknown-format': ({ known }) =>
    `It is in none of the known formats (${known}); name the one that is meant.`,
  'journal/diverged': ({ entry, expected, actual }) =>
    `Replaying entry ${entry} of the chain's journal reached ${actual} instead of ${expected}; restore the journal from a backup.`,
  'json/duplicate-member': ({ member }) => `The member "${member}" is given twice.`,
  'json/malformed': ({ at }) => `The text stops being UTF-8 JSON at byte ${at}.`,
  'json/too-deep': ({ limit }) => `The text nests deeper than ${limit} levels.`,
  'keys/changed': () =>
    'Another process changed the sealing keys meanwhile; nothing was done, so try again.',
  'keys/not-here': ({ memories, keys }) =>
    `${memories} ${memories === 1 ? 'memory is' : 'memories are'} sealed under ${keys} ${keys === 1 ? 'key that is' : 'keys that are'} not here; heirloom keys status lists them.`,
  'keys/unavailable': () =>
    'The store of the sealing keys has not answered for a while, so nothing is sealed; try again when it is back.',
  'keys/unusable': ({ problem }) => `The sealing keys cannot be used: ${problem}.`,
  'ledger/unavailable': ({ operation }) =>
    `The chain did not answer ${operation}; try again when it is back.`,
  'lineage/too-deep': ({ tokenId, limit }) =>
    `Token ${tokenId} cannot be forked: its chain already has ${limit} licensed forks; fork a token nearer to its source.`,
  'listing/copied': ({ tokenId }) =>
    `Token ${tokenId} shows a copy of somebody else's memory, which nobody can open; nothing was paid.`,
  'listing/not-for-fork': ({ tokenId }) => `Token ${tokenId} is not offered for fork.`,
  'listing/not-for-rent': ({ tokenId }) => `Token ${tokenId} is not offered for rent.`,
  'listing/not-for-sale': ({ tokenId }) => `Token ${tokenId} is not offered for sale.`,
  'listing/not-owner': ({ tokenId, owner, account }) =>
    `Token ${tokenId} belongs to ${owner}; ${account} cannot list it.`,
  'listing/over-max-price': ({ tokenId, price, maxPrice }) =>
    `Token ${tokenId} costs ${price} wei; at most ${maxPrice} was accepted.`,
  'listing/price-changed': ({ tokenId, price, offered }) =>
    `Token ${tokenId} now costs ${price} wei, not ${offered}; read the listing again.`,
  'listing/price-raised': ({ tokenId, price, seenPrice }) =>
    `Token ${tokenId} costs ${price} wei, and ${seenPrice} within the last minute; send the most that you would pay as maxPrice.`,
  'listing/price-too-high': ({ price, limit }) =>
    `A price of ${price} wei is above the limit of ${limit}.`,
  'listing/royalty-changed': ({ tokenId, royaltyBps, accepted }) =>
    `A fork of token ${tokenId} owes royalties of ${royaltyBps} basis points in all; at most ${accepted} were accepted.`,
  'proof/malformed': ({ header }) => `The header ${header} is not of the required form.`,
  'proof/missing': ({ header }) => `The header ${header} is required.`,
  'proof/not-bound': ({ account }) =>
    `The proof of ${account} does not name this server; sign the EIP-4361 text that GET /api/deployment describes.`,
  'proof/not-signed': ({ account }) => `The challenge was not signed by ${account}.`,
  'proof/stale': ({ windowSeconds }) =>
    `The proof is dated more than ${windowSeconds} seconds from now; sign a new one.`,
  'recipient/invalid': ({ recipient }) => `${recipient} cannot hold a token.`,
  'rental/bad-duration': ({ limit }) => `A rental lasts 1 to ${limit} whole days.`,
  'rental/too-long': ({ tokenId }) =>
    `The rental of token ${tokenId} would end more than 365 days from now.`,
  'request/foreign-host': () => 'This server does not answer to the given Host.',
  'request/foreign-origin': () => 'A page of another origin may not write here.',
  'request/malformed': ({ where, problem }) => `${where} ${problem}.`,
  'request/not-authorized': ({ scheme }) => `This call needs an API key as ${scheme} credentials.`,
  'request/too-large': ({ limit }) => `The body is larger than ${limit} bytes.`,
  'request/too-many': ({ what, limit, retryAfterSeconds }) =>
    `This client has reached its limit of ${limit} ${what}; try again in ${secondsOf(retryAfterSeconds)}.`,
  'request/wrong-type': ({ expected }) => `The body must be ${expected}.`,
  'route/not-found': ({ method, path }) => `There is no ${method} ${path}.`,
  'royalty/bad-share': ({ limit }) => `A royalty is a whole number of basis points, 0 to ${limit}.`,
  'royalty/zero': () => 'A royalty payment is at least 1 wei.',
  'service/busy': ({ limit }) =>
    `The server already does this for ${limit} others; try again when some have ended.`,
  'service/stopping': () => 'The server is stopping; try again when it is back.',
  'service/unexpected': () => 'The server met an unexpected error; its log has the details.',
  'token/not-found': ({ tokenId }) => `Token ${tokenId} does not exist.`,
  'transaction/cancelled': ({ txHash }) =>
    `Transaction ${txHash} stayed unmined and was cancelled; nothing was done, so try again.`,
  'transaction/reverted': ({ txHash }) =>
    `The chain refused transaction ${txHash}; the state it relied on has changed.`,
  'transaction/unconfirmed': ({ txHash }) =>
    `Transaction ${txHash} was sent but not seen mined; look it up before trying again.`,
  'transaction/unknown': () =>
    'The job store broke before it told whether it keeps the write; only the same idempotency key is safe to use again.',
  'value/invalid': ({ kind, problem }) => `A ${kind} ${problem}.`,
  'wallet/call-limit': ({ needed, limit }) =>
    `The call may cost up to ${needed} wei; MAX_SPEND_PER_CALL allows ${limit}.`,
  'wallet/day-limit': ({ needed, spent, limit }) =>
    `The call may cost up to ${needed} wei, and ${spent} were spent in the last day; MAX_SPEND_PER_DAY allows ${limit}.`,
  'wallet/short': ({ account, balance, needed }) =>
    `The wallet ${account} holds ${balance} wei; ${needed} are needed.`,
  'webhook/not-found': ({ id }) => `There is no webhook ${id}.`,
  'webhook/too-many': ({ limit }) =>
    `There are ${limit} webhooks, as many as are kept; remove one first.`,
  'webhook/unavailable': ({ operation }) =>
    `The store of the webhooks could not ${operation}; check it and try again.`,
}

/** The only error thrown on purpose. Match on `code`; never on the message. */
export class Failure<code extends FailureCode = FailureCode> extends Error {
  override readonly name = 'Failure'
  readonly code: code
  readonly facts: Failures[code]

  constructor(code: code, facts: Failures[code], options?: { readonly cause: unknown }) {
    super(sentences[code](facts), options)
    this.code = code
    this.facts = facts
  }
}

/** Every failure code, in alphabetical order. */
export const failureCodes = Object.keys(sentences) as readonly FailureCode[]

/** Tells a failure, or a failure of one code, from any other thrown value. */
export function isFailure<code extends FailureCode = FailureCode>(
  error: unknown,
  code?: code,
): error is Failure<code> {
  return error instanceof Failure && (code === undefined || error.code === code)
}
