import type { FailureCode, Failures } from './failure-facts.ts'
import type { Currency } from './values/branded.ts'
import { printTime } from './values/print-time.ts'

const secondsOf = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`)

const amountText = (amount: bigint, currency: Currency = 'native'): string =>
  currency === 'native' ? `${amount} wei` : dollarText(amount)

/** Returns millionths of a dollar as dollars. */
function dollarText(amount: bigint): string {
  const part = `${amount % 1_000_000n}`.padStart(6, '0').replace(/0+$/, '')
  return `${amount / 1_000_000n}${part === '' ? '' : `.${part}`} USD`
}

/** The form of each header of a proof, by the end of its name. */
const proofForms: readonly (readonly [string, string])[] = [
  ['address', 'an address with its checksum (EIP-55)'],
  [
    'signature',
    'a signature of 65 bytes in 130 hexadecimal digits, with the lower s and v as 27 or 28, or the longer one of a contract',
  ],
  ['timestamp', 'whole seconds since 1970, in digits'],
]

const proofForm = (header: string): string =>
  proofForms.find(([end]) => header.endsWith(end))?.[1] ?? 'of another form'

/** Returns how far one time in milliseconds is from another one. */
function distanceText(time: number, from: number): string {
  const [apart, side] = time < from ? [from - time, 'behind'] : [time - from, 'ahead of']
  // A part of a second counts as one: 120 seconds would seem to be within 120.
  const seconds = (apart - (apart % 1000)) / 1000 + (apart % 1000 === 0 ? 0 : 1)
  return `${secondsOf(seconds)} ${side}`
}

const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? 'An' : 'A')

/** The names of those whom a limit of relayed calls is for. */
const relayedFor: Readonly<Record<string, string>> = {
  account: 'one account',
  client: 'one client',
  server: 'all accounts',
}

/** The sentence of each failure, for people: it says what is wrong and what to do next. */
export const sentences: { readonly [code in FailureCode]: (facts: Failures[code]) => string } = {
  'access/copied': ({ chainId, registry, creator }) =>
    `The token is a copy: its memory was sealed for ${creator} in the registry ${registry} on chain ${chainId}; use the original token instead.`,
  'access/denied': ({ tokenId, account }) =>
    tokenId === undefined
      ? `This grant does not let ${account} do that: it is for reading alone, for one token alone or for another account, or it ended or was revoked; ask its owner.`
      : `${account} cannot open token ${tokenId} here: it is neither the owner nor an active renter of it, or names a grant that does not count; buy or rent it, ask its owner for a grant, or use the wallet that has the right.`,
  'api-key/call-limit': ({ name, needed, limit }) =>
    `The call may cost up to ${needed} wei, and the API key ${name} may spend ${limit} wei on one call; use a key with a higher limit.`,
  'api-key/day-limit': ({ name, needed, spent, limit }) =>
    `The call may cost up to ${needed} wei, and the API key ${name} has spent ${spent} of its ${limit} wei for today (UTC); ${needed > limit ? 'that needs a key with a higher limit' : 'try again tomorrow'}.`,
  'api-key/out-of-scope': ({ name, scope, needed }) =>
    `The API key ${name} has the scope ${scope}; use a key with the scope ${needed} for this call.`,
  'backup/damaged': ({ place, problem }) =>
    `The backup in ${place} is damaged: ${problem}. Nothing was restored; use another copy of it.`,
  'backup/superseded': ({ place }) =>
    `A restored copy of this installation writes to ${place} now; stop this server for good, because two copies must never write.`,
  'backup/unavailable': ({ place, operation }) =>
    `The place ${place} could not be used (${operation}); check that it is there, has room and lets this user in, then try again.`,
  'backup/unusable': ({ place, problem }) => `The place ${place} cannot be used: ${problem}.`,
  'batch/bad-size': ({ size, limit }) => `A batch must have 1 to ${limit} tokens, not ${size}.`,
  'blob/corrupt': ({ digest }) =>
    `The stored block ${digest} is damaged: it does not match its digest; restore it from a replica or a backup.`,
  'blob/not-found': ({ digest }) =>
    `There is no stored block with the digest ${digest}; restore it from a replica or a backup.`,
  'blob/unavailable': ({ operation, reason }) =>
    `The blob store could not ${operation}${reason === undefined ? '' : ` (${reason})`}; check the store and its disk, then try again.`,
  'bundle/altered': ({ expected, actual }) =>
    `The hash of the opened bundle is ${actual}, and the chain has ${expected}; do not trust it; heirloom doctor checks the stored blocks.`,
  'bundle/malformed': ({ problem }) => `The bundle is invalid: ${problem}.`,
  'bundle/unreadable': ({ problem }) =>
    `The sealed bundle cannot be decrypted: ${problem}; heirloom doctor says whether its block or a key is missing.`,
  'card/malformed': ({ problem }) => `The card is invalid: ${problem}.`,
  'catalogue/behind': ({ problem }) =>
    `The catalogue lacks a part of the chain: ${problem}. It goes on trying; see docs/nodes.md.`,
  'catalogue/busy': ({ retryAfterSeconds }) =>
    `The catalogue has too many requests; try again in ${secondsOf(retryAfterSeconds)}.`,
  'catalogue/too-costly': ({ milliseconds }) =>
    `The query takes the catalogue more than ${milliseconds} milliseconds; narrow it by owner, seller or longer words, or try again later.`,
  'catalogue/unavailable': ({ operation }) =>
    `The catalogue could not ${operation}; check its store and try again.`,
  'config/invalid': ({ name, problem }) => `${name} ${problem}.`,
  'credit/none': ({ account }) => `The account ${account} has no credit to withdraw.`,
  'dollar/missing': () => 'These contracts have no dollar; use prices in wei.',
  'dollar/refused': ({ reason }) =>
    `The dollar refuses this payment: ${reason}; nothing was paid, so look at the balance of the payer and at the token, and sign another payment.`,
  'evm/not-installed': ({ platform, part }) =>
    `The native part of the embedded chain for ${platform} (${part}) is missing or does not load; install again with Node 24 and optional packages, or @heirloom/http beside @heirloom/cli; a new server can use RPC_URL instead.`,
  'excerpt/not-in-memory': ({ pointer }) =>
    `No excerpt can be made at ${pointer === '' ? 'an empty pointer' : pointer}: give the JSON pointer of a value of the memory, such as /data/notes/0, of at most 4096 bytes and 8 levels; a memory in which an object has a member twice has no excerpts.`,
  'folder/copied': ({ folder, original }) =>
    `${folder} was restored from a backup of ${original}, and only one of the two may write; make sure that the original never starts again, then run heirloom restore once more, with --as-writer.`,
  'folder/duplicated': ({ folder, original }) =>
    `${folder} is a copy of ${original}, and only one of the two may write; make sure that the original never starts again, then start this copy once with heirloom serve --as-writer.`,
  'folder/in-use': ({ folder }) =>
    `Another server is using ${folder}; stop it or choose another DATA_DIR.`,
  'folder/incomplete': ({ missing, beside }) =>
    `The file ${missing} is missing, and ${beside} cannot be used without it; put back the copy of it that you kept, or choose another, empty DATA_DIR.`,
  'folder/superseded': ({ folder }) =>
    `A copy of ${folder} was restored to write in its place, and two copies must never write; use the copy.`,
  'folder/unusable': ({ folder, problem }) => `${folder} cannot be used: ${problem}.`,
  'grant/ended': ({ tokenId }) =>
    `The grant ended while token ${tokenId} was minted; the token belongs to the owner of the name, and is no version of it. Ask the owner for a new grant, and save again.`,
  'grant/malformed': ({ problem }) => `The grant ${problem}.`,
  'grant/not-found': ({ grant, owner, reader }) =>
    grant === undefined
      ? `${owner} has granted ${reader} nothing that counts here; ask it for a grant at this server, then accept it.`
      : `${owner} has no grant ${grant} here; the account that signed it revokes it, and sends its text where it was never deposited here.`,
  'grant/revoked': ({ grant }) =>
    `The grant ${grant} was revoked, and is never taken again; sign a new one.`,
  'grant/too-many': ({ what, limit }) =>
    `There are already ${limit} grants of ${what}, the most at once; revoke all that were signed until now, or wait until some end.`,
  'grant/unavailable': ({ operation }) =>
    `The store of grants could not ${operation}; check it and try again.`,
  'heir/already-announced': ({ account, takeoverAt }) =>
    `The takeover from ${account} is announced already; it may begin at ${printTime(takeoverAt)}.`,
  'heir/bad-delay': ({ days, least, most }) =>
    `Silence and notice must be ${least} to ${most} days each, not ${days}.`,
  'heir/invalid': ({ heir }) => `${heir} cannot be the heir; name another account.`,
  'heir/not-announced': ({ account }) =>
    `The takeover from ${account} is not announced since its last sign of life; announce it first.`,
  'heir/not-heir': ({ account, heir, caller }) =>
    /^0x0+$/.test(heir)
      ? `${account} has named no heir; only the account itself can name one.`
      : `The heir of ${account} is ${heir}, not ${caller}; act with the heir's wallet.`,
  'heir/not-silent': ({ account, silentAt }) =>
    `${account} gave a sign of life too recently; try again from ${printTime(silentAt)} on.`,
  'heir/too-early': ({ account, takeoverAt }) =>
    `The notice to ${account} has not passed; try again from ${printTime(takeoverAt)} on.`,
  'idempotency/key-reused': () =>
    'The idempotency key was already used for another request; use a new key.',
  'import/malformed': ({ what, problem }) => `${what} is invalid: ${problem}.`,
  'import/secrets-found': ({ count, kinds, places }) =>
    `The memory seems to contain secrets (${count}: ${kinds}; at ${places}); remove them, let the import redact them, or allow them explicitly.`,
  'import/unknown-format': ({ known }) =>
    `The format of the file is not recognised; name one of the known formats (${known}).`,
  'import/unreachable': ({ what, reason }) =>
    `${what} does not answer (${reason}); check its address, and try again.`,
  'journal/diverged': ({ entry, expected, actual }) =>
    `Replaying entry ${entry} of the chain's journal reached ${actual} instead of ${expected}; restore the journal from a backup.`,
  'json/duplicate-member': ({ member }) =>
    `The JSON object has the member "${member}" twice; remove one of them.`,
  'json/malformed': ({ at }) =>
    at === 0
      ? 'The text is not a JSON object in UTF-8; begin it with a brace, without a byte order mark.'
      : `The text is not valid UTF-8 JSON from byte ${at} on; correct it there; its numbers are finite, and its texts in double quotes.`,
  'json/too-deep': ({ limit }) => `The JSON text nests deeper than ${limit} levels; use fewer.`,
  'key-service/unavailable': ({ operation }) =>
    `The key service of the agent wallet did not answer ${operation}, so nothing was signed or sent; try again when it is back.`,
  'key-service/wrong-key': ({ account }) =>
    `The key service answered with a signature that is not of ${account}, the agent wallet, so nothing was sent; the operator must name the key of that account in AGENT_KEY_SERVICE.`,
  'keys/changed': () =>
    'Another process changed the sealing keys at the same time; nothing was changed here, so try again.',
  'keys/not-here': ({ memories, keys }) =>
    `${memories} ${memories === 1 ? 'memory is' : 'memories are'} sealed under ${keys} ${keys === 1 ? 'key that is' : 'keys that are'} missing here; heirloom keys status lists them.`,
  'keys/unavailable': () =>
    'The store of the sealing keys does not answer, so nothing can be sealed; try again when it is back.',
  'keys/unusable': ({ problem }) => `The sealing keys cannot be used: ${problem}.`,
  'ledger/unavailable': ({ operation, reason }) =>
    `The chain did not answer ${operation}${reason === undefined ? '' : `, because ${reason}`}; try again when it is back.`,
  'lineage/too-deep': ({ tokenId, limit }) =>
    `Token ${tokenId} cannot be forked, because its lineage already has ${limit} licensed forks; fork one of its ancestors.`,
  'listing/copied': ({ tokenId }) =>
    `Token ${tokenId} is a copy of another creator's memory, and nobody can open it; nothing was paid, so look for the original by its content hash.`,
  'listing/currency-changed': ({ tokenId }) =>
    `Token ${tokenId} is listed in another currency than the one offered; read the listing again.`,
  'listing/not-for-fork': ({ tokenId }) =>
    `Token ${tokenId} is not offered for fork; its owner can list it with a fork price.`,
  'listing/not-for-rent': ({ tokenId }) =>
    `Token ${tokenId} is not offered for rent; its owner can list it with a rent per day.`,
  'listing/not-for-sale': ({ tokenId }) =>
    `Token ${tokenId} is not offered for sale; its owner can list it with a price.`,
  'listing/not-owner': ({ tokenId, owner, account }) =>
    `Token ${tokenId} belongs to ${owner}, and only its owner can list it; list it from that wallet instead of ${account}.`,
  'listing/over-max-price': ({ tokenId, price, maxPrice, currency }) =>
    `Token ${tokenId} costs ${amountText(price, currency)}, more than the accepted ${amountText(maxPrice, currency)}; raise ${currency === 'dollar' ? 'maxDollars' : 'maxPrice'} to pay this price.`,
  'listing/price-changed': ({ tokenId, price, offered, currency }) =>
    `Token ${tokenId} now costs ${amountText(price, currency)} instead of ${amountText(offered, currency)}; read the listing again.`,
  'listing/price-raised': ({ tokenId, price, seenPrice }) =>
    `The price of token ${tokenId} rose from ${seenPrice} to ${price} wei within the last minute; send the highest price that you accept as maxPrice.`,
  'listing/price-too-high': ({ price, limit, currency }) =>
    `A price of ${amountText(price, currency)} is above the limit of ${amountText(limit, currency)}; list a lower price.`,
  'listing/royalty-changed': ({ tokenId, royaltyBps, accepted }) =>
    `A fork of token ${tokenId} owes royalties of ${royaltyBps} basis points in total, more than the accepted ${accepted}; read the listing again.`,
  'listing/two-currencies': () =>
    'The prices of a listing must be in one currency; list either in wei or in dollars.',
  'memories/lost': ({ missing, damaged }) =>
    `${missing + damaged} memories of this wallet cannot be opened: ${missing} are not stored here, and ${damaged} are damaged; restore blobs from a backup, or set the BLOB_URL that they are stored at, and start again. heirloom doctor shows details.`,
  'memory/erased': ({ erasedAt }) =>
    `The memory was erased for its owner on ${printTime(erasedAt)}; its token stays, and nothing can open it.`,
  'memory/listed': ({ tokenId }) =>
    `Token ${tokenId} is listed, so somebody could pay for what is being erased; take the listing down first.`,
  'memory/rented': ({ tokenId, renter, expiresAt }) =>
    `${renter} has rented token ${tokenId} until ${printTime(expiresAt)}; erase the memory after that.`,
  'memory/shared': ({ tokenId, owner }) =>
    `${owner} owns token ${tokenId}, which opens the same memory; only an owner of all such tokens can erase it.`,
  'migration/disturbed': ({ problem }) =>
    `The migration stopped: ${problem}. What was carried over stays; run the command again once nothing else uses these wallets.`,
  'name/held': ({ name, until }) =>
    `Another save holds the name ${name}${until === undefined ? '' : ` until its token is minted, or until ${printTime(until)}`}; try again when it has ended.`,
  'name/malformed': ({ problem }) =>
    `The name ${problem}; write it like ada or ada/trading, in lower case.`,
  'name/moved': ({ name, tokenId, version }) =>
    version === 0
      ? `The name ${name} has no versions, so nothing can be saved after one; save without a version, or after 0.`
      : `The name ${name} has moved on: its newest version is token ${tokenId}, version ${version}. Nothing was changed; open that version, take over what it has, and go on after ${tokenId}.`,
  'name/no-owner': () =>
    'This server cannot tell whose name it is; use an API key, or seal with the proof of a wallet (POST /api/memory/seal).',
  'name/not-found': ({ name }) =>
    `There is no version under the name ${name}; look for it in the list of your names.`,
  'name/taken': ({ name }) => `The name ${name} is taken; forget it first, or choose another one.`,
  'name/unavailable': ({ operation }) =>
    `The store of the names did not answer ${operation}; try again when it is back.`,
  'order/closed': ({ orderHash, state }) =>
    `The order ${orderHash} was ${state} before; make a new one.`,
  'order/expired': ({ orderHash }) =>
    `The deadline of the order ${orderHash} has passed; make a new one.`,
  'order/foreign-asset': ({ asset, dollar }) =>
    `The order is in ${asset}, and the dollar of these contracts is ${dollar}; make a new one.`,
  'order/refund-failed': ({ orderHash, asset, amount }) =>
    `${amount} of ${asset} could not be sent back from the order ${orderHash}; try again later.`,
  'order/refund-too-early': ({ orderHash, refundTo, account }) =>
    `The order ${orderHash} can still be carried out, so only ${refundTo} can ask for its refund, not ${account}.`,
  'order/short': ({ orderHash, price, paid }) =>
    `${amountText(paid, 'dollar')} arrived for the order ${orderHash}, which costs ${amountText(price, 'dollar')}; pay the rest.`,
  'part/malformed': ({ what, problem }) => `The ${what} cannot be used: ${problem}.`,
  'part/not-found': ({ pointer, problem }) =>
    `There is no part at ${pointer}: ${problem}; the outline of the memory has the pointers of its parts.`,
  'part/too-costly': ({ problem }) =>
    `The JSONPath costs too much: ${problem}; begin it with names, or with a slice such as $.data.notes[0:1000].`,
  'payment/incomplete': ({ tokenId, missing }) =>
    `The request for token ${tokenId} cannot be paid yet: its query lacks ${missing}; add what is missing, and ask again for what to pay.`,
  'payment/malformed': ({ problem }) =>
    `The header PAYMENT-SIGNATURE cannot be read: ${problem}; ask again without it for what to pay.`,
  'payment/refused': ({ problem }) =>
    `The payment was refused and nothing was charged: ${problem}; the header PAYMENT-REQUIRED says what to pay.`,
  'payment/required': ({ tokenId, price, payTo }) =>
    `Token ${tokenId} asks for ${dollarText(price)}; pay them to ${payTo} as the header PAYMENT-REQUIRED says (x402).`,
  'profile/malformed': ({ problem }) => `The profile is invalid: ${problem}.`,
  'profile/no-token': ({ account }) =>
    `${account} neither owns nor made a token here, and only such accounts have a profile; make or buy a memory first, or use the wallet that did.`,
  'profile/too-many': ({ what, limit }) =>
    `There are already ${limit} profiles of ${what}, the most that are kept; ask the operator of the server for more.`,
  'profile/unavailable': ({ operation }) =>
    `The store of profiles did not answer ${operation}; try again when it is back.`,
  'proof/malformed': ({ header }) =>
    `The header ${header} must be ${proofForm(header)}; the API reference at /docs shows all three.`,
  'proof/missing': ({ header }) =>
    `The header ${header} is missing; sign the challenge, and send all three headers of the proof.`,
  'proof/not-bound': ({ account }) =>
    `The proof of ${account} does not name this server; sign the EIP-4361 text that GET /api/deployment describes.`,
  'proof/not-signed': ({ account }) =>
    `The signature is not that of ${account} over the challenge; sign the challenge with this wallet.`,
  'proof/replaced': ({ account, signedAt }) =>
    `${account} signed another one in the second of ${printTime(signedAt)} or later, and that one counts; sign this one again.`,
  'proof/stale': ({ signedAt, now, windowSeconds }) =>
    `The proof is dated ${distanceText(signedAt, now)} the clock of the server, and ${secondsOf(windowSeconds)} are allowed; sign a new one, or set the clock that is wrong.`,
  'rating/malformed': ({ problem }) => `The rating is invalid: ${problem}.`,
  'rating/not-paid': ({ tokenId, account }) =>
    `No confirmed payment of ${account} for token ${tokenId} is known, and only accounts that paid may rate it; buy, rent or fork it first, wait until the payment is confirmed, or use the wallet that paid.`,
  'rating/unavailable': ({ operation }) =>
    `The store of the ratings did not answer ${operation}; try again when it is back.`,
  'recipient/invalid': ({ recipient }) =>
    `The account ${recipient} can hold no token, or refuses what it is paid; name another one.`,
  'relay/bad-deadline': ({ deadline, longest }) =>
    `The deadline ${deadline} must be within the next ${longest} seconds; sign the call with another one.`,
  'relay/day-limit': ({ whose, needed, spent, limit }) =>
    `The call may cost up to ${needed} wei of gas, and ${spent} of the ${limit} wei that this server relays for ${relayedFor[whose] ?? 'all'} a day (UTC) are spent; ${needed > limit ? 'send it from your own wallet' : 'try again tomorrow, or send it from your own wallet'}.`,
  'relay/failed': ({ reason }) =>
    `The call that was to be relayed fails: ${reason}; read the state, and sign another call.`,
  'relay/not-allowed': ({ problem }) =>
    `The call cannot be relayed: ${problem}; send it from your own wallet.`,
  'relay/not-signed': ({ account }) =>
    `The call was not signed by ${account} for this chain, this forwarder and its current nonce; sign it again.`,
  'relay/too-costly': ({ needed, limit }) =>
    `The call may cost up to ${needed} wei of gas, and this server relays calls of up to ${limit} wei; send it from your own wallet.`,
  'relay/too-much-gas': ({ gas, limit }) =>
    `The call asks for ${gas} gas, and this server relays calls with up to ${limit}; sign it with less.`,
  'relay/underpriced': ({ price, least }) =>
    `The order costs ${price}, and this server relays orders from ${least} on; send it from your own wallet.`,
  'rental/bad-duration': ({ days, limit }) =>
    `A rental must last 1 to ${limit} whole days, not ${days}.`,
  'rental/too-long': ({ tokenId }) =>
    `The rental of token ${tokenId} would end more than 365 days from now; rent it for fewer days.`,
  'request/foreign-host': () =>
    'This server does not answer to the given Host; use the address that it printed at its start.',
  'request/foreign-origin': () =>
    'A page of another origin may not write to this server; use the page of this server.',
  'request/malformed': ({ where, problem, given }) =>
    `${where} ${problem}${given === undefined ? '' : `; it is ${given}`}.`,
  'request/not-authorized': ({ scheme }) =>
    `This call needs an API key; send it as ${scheme} credentials in the header Authorization.`,
  'request/too-large': ({ limit }) =>
    `The request body is larger than ${limit} bytes; send a smaller one.`,
  'request/too-many': ({ what, limit, retryAfterSeconds }) =>
    `This client has reached its limit of ${limit} ${what}; try again in ${secondsOf(retryAfterSeconds)}.`,
  'request/wrong-type': ({ expected }) =>
    `The request body must have the content type ${expected}.`,
  'route/not-found': ({ method, path }) =>
    `There is no route ${method} ${path}; the API reference at /docs lists all routes.`,
  'route/wrong-method': ({ method, path, allowed }) =>
    `There is no method ${method} at ${path}; use ${allowed}.`,
  'royalty/bad-share': ({ royaltyBps, limit }) =>
    `A royalty must be a whole number of basis points from 0 to ${limit}, not ${royaltyBps}.`,
  'royalty/zero': () => 'A royalty payment must be at least 1 wei.',
  'seal/no-room': ({ limit, retryAfterSeconds }) =>
    `The server has no room for further seals beyond ${limit} bytes; try again in ${secondsOf(retryAfterSeconds)}, or use another server.`,
  'seal/not-offered': ({ setting }) =>
    `This server cannot verify that a proof is meant for it, because ${setting} is not set; ask its operator to set it.`,
  'seal/too-many': ({ what, limit }) =>
    `The seal would exceed the limit of ${limit} ${what}; mint what was sealed before, or wait until those seals expire.`,
  'seal/wrong-body': ({ signed, actual }) =>
    `The sha256 of the body is ${actual}, and the wallet signed ${signed}; sign the digest of the exact bytes that you send.`,
  'service/busy': ({ limit }) =>
    `The server already handles ${limit} calls of this kind; try again in a moment.`,
  'service/part-silent': ({ part }) =>
    `The part ${part} of the server has not answered within a second; ask again, and find out what delays it if it goes on.`,
  'service/stopping': () => 'The server is stopping; try again when it is back.',
  'service/unexpected': () => 'The server had an unexpected error; its log has the details.',
  'store/unavailable': ({ reason }) =>
    `The job store of the server cannot be used (${reason}); try again when it is back.`,
  'token/not-found': ({ tokenId }) => `Token ${tokenId} does not exist; check its number.`,
  'token/not-moved': ({ tokenId, chainId, registry }) =>
    `Token ${tokenId} of the registry ${registry} on chain ${chainId} was not carried over to this server; check the three, or ask the server of that registry.`,
  'token/not-owner': ({ tokenId, account }) =>
    `Token ${tokenId} does not belong to ${account}, and only its owner can do this; use the wallet that owns it.`,
  'transaction/cancelled': ({ txHash, needed, limit }) =>
    needed === undefined
      ? `Transaction ${txHash} was not mined and was cancelled; nothing was changed, so try again.`
      : `The chain asked ${needed} wei for a unit of gas, above the cap of ${limit} wei for this write, so transaction ${txHash} cancelled it; nothing was changed, so try again.`,
  'transaction/gas-too-low': ({ gasLeft, needed }) =>
    `A payment must leave ${needed} gas, and ${gasLeft} was left; raise the gas limit, or buy from another seller where the embedded chain bounds it and more than two of those who are paid use up their gas.`,
  'transaction/reverted': ({ txHash }) =>
    `The chain reverted transaction ${txHash}, because the state has changed; read the state again and retry.`,
  'transaction/unconfirmed': ({ txHash }) =>
    `Transaction ${txHash} was sent, but it is not confirmed; look it up before you try again.`,
  'transaction/unknown': () =>
    'The job store failed before it confirmed the write; try again only with the same idempotency key.',
  'transaction/would-fail': ({ reason }) =>
    `The transaction would fail: ${reason}; nothing was sent, so read the state before you try again.`,
  'value/invalid': ({ kind, problem }) => `${articleOf(kind)} ${kind} ${problem}.`,
  'wallet/call-limit': ({ needed, limit, currency }) =>
    `The call may cost up to ${amountText(needed, currency)}, and MAX_SPEND_PER_CALL allows ${amountText(limit, currency)}; raise it on the server to allow this call.`,
  'wallet/day-limit': ({ needed, spent, limit, currency }) =>
    `The call may cost up to ${amountText(needed, currency)}, and ${amountText(spent, currency)} were spent in the last day; MAX_SPEND_PER_DAY allows ${amountText(limit, currency)}; ${needed > limit ? '' : 'try again tomorrow, or '}raise it on the server.`,
  'wallet/shared': ({ account, txHash }) =>
    `Another program writes with the wallet ${account}, in transaction ${txHash}; stop it (it may run on a copy of the data folder), then start this server again.`,
  'wallet/short': ({ account, balance, needed, currency }) =>
    `The wallet ${account} has ${amountText(balance, currency)} and needs ${amountText(needed, currency)}; send funds to it.`,
  'webhook/not-found': ({ id }) =>
    `There is no webhook with the id ${id}; GET /api/webhooks lists those that exist.`,
  'webhook/too-many': ({ limit }) =>
    `There are already ${limit} webhooks, the maximum; remove one first.`,
  'webhook/unavailable': ({ operation }) =>
    `The webhook store could not ${operation}; check it and try again.`,
}
