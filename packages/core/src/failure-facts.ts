import type { OrderState } from './tokens/order.ts'
import type {
  Account,
  Currency,
  Digest,
  Dollars,
  Hash,
  Hex,
  Instant,
  TokenId,
  Wei,
} from './values/branded.ts'

/** An amount in the currency that the facts name; in wei when they name none. */
type Amount = Wei | Dollars

/** The facts of every failure, by its code. */
export type Failures = {
  'access/copied': { chainId: number; registry: Account; creator: Account }
  'access/denied': { tokenId?: TokenId; account: Account }
  'api-key/call-limit': { name: string; needed: Wei; limit: Wei }
  'api-key/day-limit': { name: string; needed: Wei; spent: Wei; limit: Wei }
  'api-key/out-of-scope': { name: string; scope: string; needed: string }
  'backup/damaged': { place: string; problem: string }
  'backup/superseded': { place: string }
  'backup/unavailable': { place: string; operation: string }
  'backup/unusable': { place: string; problem: string }
  'batch/bad-size': { size: number; limit: number }
  'blob/corrupt': { digest: Digest }
  'blob/not-found': { digest: Digest }
  'blob/unavailable': { operation: string; reason?: string | undefined }
  'bundle/altered': { expected: Hash; actual: Hash }
  'bundle/malformed': { problem: string }
  'bundle/unreadable': { problem: string }
  'card/malformed': { problem: string }
  'catalogue/behind': { problem: string }
  'catalogue/busy': { retryAfterSeconds: number }
  'catalogue/too-costly': { milliseconds: number; retryAfterSeconds: number }
  'catalogue/unavailable': { operation: string }
  'config/invalid': { name: string; problem: string }
  'credit/none': { account: Account }
  'dollar/missing': Record<never, never>
  'dollar/refused': { reason: string }
  'evm/not-installed': { platform: string; part: string }
  'excerpt/not-in-memory': { pointer: string }
  'folder/copied': { folder: string; original: string }
  'folder/duplicated': { folder: string; original: string }
  'folder/in-use': { folder: string }
  'folder/incomplete': { missing: string; beside: string }
  'folder/superseded': { folder: string }
  'folder/unusable': { folder: string; problem: string }
  'grant/ended': { tokenId: TokenId }
  'grant/malformed': { problem: string }
  'grant/not-found': { grant?: Hex; owner: Account; reader?: Account }
  'grant/revoked': { grant: Hex }
  'grant/too-many': { what: string; limit: number }
  'grant/unavailable': { operation: string }
  'heir/already-announced': { account: Account; takeoverAt: Instant }
  'heir/bad-delay': { days: number; least: number; most: number }
  'heir/invalid': { heir: Account }
  'heir/not-announced': { account: Account }
  'heir/not-heir': { account: Account; heir: Account; caller: Account }
  'heir/not-silent': { account: Account; silentAt: Instant }
  'heir/too-early': { account: Account; takeoverAt: Instant }
  'idempotency/key-reused': Record<never, never>
  'import/malformed': { what: string; problem: string }
  'import/secrets-found': { count: number; kinds: string; places: string }
  'import/unknown-format': { known: string }
  'import/unreachable': { what: string; reason: string }
  'journal/diverged': { entry: number; expected: string; actual: string }
  'json/duplicate-member': { member: string }
  'json/malformed': { at: number }
  'json/too-deep': { limit: number }
  'key-service/unavailable': { operation: string }
  'key-service/wrong-key': { account: Account }
  'keys/changed': Record<never, never>
  'keys/not-here': { memories: number; keys: number }
  'keys/unavailable': Record<never, never>
  'keys/unusable': { problem: string }
  'ledger/unavailable': { operation: string; reason?: string | undefined }
  'lineage/too-deep': { tokenId: TokenId; limit: number }
  'listing/copied': { tokenId: TokenId }
  'listing/currency-changed': { tokenId: TokenId }
  'listing/not-for-fork': { tokenId: TokenId }
  'listing/not-for-rent': { tokenId: TokenId }
  'listing/not-for-sale': { tokenId: TokenId }
  'listing/not-owner': { tokenId: TokenId; owner: Account; account: Account }
  'listing/over-max-price': {
    tokenId: TokenId
    price: Amount
    maxPrice: Amount
    currency?: Currency
  }
  'listing/price-changed': { tokenId: TokenId; price: Amount; offered: Amount; currency?: Currency }
  'listing/price-raised': { tokenId: TokenId; price: Wei; seenPrice: Wei }
  'listing/price-too-high': { price: Amount; limit: Amount; currency?: Currency }
  'listing/royalty-changed': { tokenId: TokenId; royaltyBps: number; accepted: number }
  'listing/two-currencies': Record<never, never>
  'memories/lost': { missing: number; damaged: number }
  'memory/erased': { digest: Digest; erasedAt: Instant }
  'memory/listed': { tokenId: TokenId }
  'memory/rented': { tokenId: TokenId; renter: Account; expiresAt: Instant }
  'memory/shared': { tokenId: TokenId; owner: Account }
  'migration/disturbed': { problem: string }
  'name/held': { name: string; until?: Instant }
  'name/malformed': { problem: string }
  'name/moved': { name: string; tokenId: TokenId; version: number }
  'name/no-owner': Record<never, never>
  'name/not-found': { name: string }
  'name/taken': { name: string }
  'name/unavailable': { operation: string }
  'order/closed': { orderHash: Hash; state: OrderState }
  'order/expired': { orderHash: Hash; deadline: Instant }
  'order/foreign-asset': { asset: Account; dollar: Account }
  'order/refund-failed': { orderHash: Hash; asset: Account; amount: bigint }
  'order/refund-too-early': { orderHash: Hash; refundTo: Account; account: Account }
  'order/short': { orderHash: Hash; price: Dollars; paid: Dollars }
  'part/malformed': { what: string; problem: string }
  'part/not-found': { pointer: string; problem: string }
  'part/too-costly': { problem: string }
  'payment/incomplete': { tokenId: TokenId; missing: string }
  'payment/malformed': { problem: string }
  'payment/refused': { reason: string; problem: string }
  'payment/required': { tokenId: TokenId; price: Dollars; asset: Account; payTo: Account }
  'profile/malformed': { problem: string }
  'profile/no-token': { account: Account }
  'profile/too-many': { what: string; limit: number }
  'profile/unavailable': { operation: string }
  'proof/malformed': { header: string }
  'proof/missing': { header: string }
  'proof/not-bound': { account: Account }
  'proof/not-signed': { account: Account }
  'proof/replaced': { account: Account; signedAt: Instant }
  'proof/stale': { signedAt: number; now: Instant; windowSeconds: number }
  'rating/malformed': { problem: string }
  'rating/not-paid': { tokenId: TokenId; account: Account }
  'rating/unavailable': { operation: string }
  'recipient/invalid': { recipient: Account }
  'relay/bad-deadline': { deadline: number; longest: number }
  'relay/day-limit': { whose: string; needed: Wei; spent: Wei; limit: Wei }
  'relay/failed': { reason: string }
  'relay/not-allowed': { problem: string }
  'relay/not-signed': { account: Account }
  'relay/too-costly': { needed: Wei; limit: Wei }
  'relay/too-much-gas': { gas: string; limit: string }
  'relay/underpriced': { price: string; least: string }
  'rental/bad-duration': { days: number; limit: number }
  'rental/too-long': { tokenId: TokenId; expiresAt: Instant; limit: Instant }
  'request/foreign-host': { host: string }
  'request/foreign-origin': { origin: string }
  'request/malformed': { where: string; problem: string; given?: string }
  'request/not-authorized': { scheme: string }
  'request/too-large': { limit: number }
  'request/too-many': { what: string; limit: number; retryAfterSeconds: number }
  'request/wrong-type': { expected: string }
  'route/not-found': { method: string; path: string }
  'route/wrong-method': { method: string; path: string; allowed: string }
  'royalty/bad-share': { royaltyBps: number; limit: number }
  'royalty/zero': Record<never, never>
  'seal/no-room': { limit: number; retryAfterSeconds: number }
  'seal/not-offered': { setting: string }
  'seal/too-many': { what: string; limit: number; retryAfterSeconds: number }
  'seal/wrong-body': { signed: Hex; actual: Hex }
  'service/busy': { limit: number }
  'service/part-silent': { part: string }
  'service/stopping': Record<never, never>
  'service/unexpected': Record<never, never>
  'store/unavailable': { reason: string }
  'token/not-found': { tokenId: TokenId }
  'token/not-moved': { tokenId: TokenId; chainId: number; registry: Account }
  'token/not-owner': { tokenId: TokenId; account: Account }
  'transaction/cancelled': { txHash: Hex; needed?: Wei; limit?: Wei }
  'transaction/gas-too-low': { gasLeft: number; needed: number }
  'transaction/reverted': { txHash: Hex }
  'transaction/unconfirmed': { txHash: Hex }
  'transaction/unknown': Record<never, never>
  'transaction/would-fail': { reason: string }
  'value/invalid': { kind: string; problem: string; field?: string; given?: string }
  'wallet/call-limit': { needed: Amount; limit: Amount; currency?: Currency }
  'wallet/day-limit': { needed: Amount; spent: Amount; limit: Amount; currency?: Currency }
  'wallet/shared': { account: Account; txHash: Hash }
  'wallet/short': { account: Account; balance: Amount; needed: Amount; currency?: Currency }
  'webhook/not-found': { id: string }
  'webhook/too-many': { limit: number }
  'webhook/unavailable': { operation: string }
}

/** The stable code of a failure, to match on. */
export type FailureCode = keyof Failures
