import assert from 'node:assert/strict'
import { type Failure, type FailureCode, isFailure, type TokenId, tokenId } from '@heirloom/core'
import type { LedgerHarness } from '@heirloom/testkit'
import { type Abi, decodeErrorResult, type Hex, isHash, isHex } from 'viem'
import { causes } from '../../../packages/adapters/src/ledger/causes.ts'
import { memoryRegistryAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Call, type Gain, walletsOf } from './calls.ts'

/** What was seen; the moments apart, because a chain may keep its own time. */
export type Look = { readonly seen: unknown; readonly moments: readonly number[] }

/** How a command ended. */
export type Ending = Look & { readonly code: FailureCode | 'success'; readonly gain: Gain }

/** Makes a call in a world and returns how it ended; an error that no failure names is thrown. */
export async function endingOf(world: LedgerHarness, call: Call): Promise<Ending> {
  return call.run(world).then(
    ({ txHash, ...gain }) => ({
      code: 'success',
      seen: { hashed: txHash === undefined ? undefined : isHash(txHash), tokenId: gain.tokenId },
      moments: gain.expiresAt === undefined ? [] : [gain.expiresAt],
      gain,
    }),
    (error: unknown) => failed(world, call, error),
  )
}

async function failed(world: LedgerHarness, call: Call, error: unknown): Promise<Ending> {
  const nothing = { seen: {}, moments: [], gain: {} }
  const refusal = transferRefusal(error)
  if (refusal !== undefined) return { ...nothing, code: refusal }
  if (!isFailure(error) || unnamed.has(error.code)) throw error
  const { code } = error
  if (call.title.startsWith('transfer')) return { ...nothing, code }
  return { ...nothing, code, ...(await factsOf(world, call, error)) }
}

async function factsOf(world: LedgerHarness, { who, value }: Call, error: Failure): Promise<Look> {
  if (isFailure(error, 'rental/too-long')) {
    const { expiresAt, limit, ...seen } = error.facts
    return { seen, moments: [expiresAt, limit] }
  }
  if (!isFailure(error, 'wallet/short')) return { seen: error.facts, moments: [] }
  const { account, balance, needed } = error.facts
  assert.ok(needed > balance && balance <= (await balanceOf(world, who)))
  // What gas costs is each chain's own affair; what a call pays is not.
  return { seen: { account, needed: value > 0n ? needed : 'gas' }, moments: [] }
}

/** What a ledger says when a chain did not name its reason; nothing here may end so. */
const unnamed: ReadonlySet<FailureCode> = new Set([
  'ledger/unavailable',
  'transaction/reverted',
  'transaction/unconfirmed',
])

/** A plain transfer is no write of a ledger, so its refusals have only the names of ERC-721. */
const transferCodes: Readonly<Record<string, FailureCode>> = {
  ERC721InvalidReceiver: 'recipient/invalid',
  ERC721NonexistentToken: 'token/not-found',
  ERC721InsufficientApproval: 'listing/not-owner',
}

function transferRefusal(error: unknown): FailureCode | undefined {
  for (const cause of causes(error)) {
    const data = hexIn((cause as { data?: unknown }).data)
    if (data === undefined) continue
    const { errorName } = decodeErrorResult({ abi: memoryRegistryAbi as Abi, data })
    return transferCodes[errorName]
  }
  return undefined
}

function hexIn(data: unknown): Hex | undefined {
  if (isHex(data)) return data === '0x' ? undefined : data
  return typeof data === 'object' && data !== null
    ? hexIn((data as { data?: unknown }).data)
    : undefined
}

/** Looks at everything a world shows: every token and one that is not, every right, all money. */
export async function lookAt(
  world: LedgerHarness,
  { minted, written }: { readonly minted: number; readonly written: Span },
): Promise<Look> {
  const ids = Array.from({ length: minted + 1 }, (_, index) => tokenId(BigInt(index + 1)))
  const tokens = await Promise.all(ids.map((id) => lookAtToken(world, id, written)))
  const balances: bigint[] = []
  for (const { balance } of walletsOf(world)) balances.push(await balance())
  const wealth = balances.reduce((sum, balance) => sum + balance, 0n)
  return {
    seen: { tokens: tokens.map(({ seen }) => seen), balances, wealth },
    moments: tokens.flatMap(({ moments }) => moments),
  }
}

/** The time of the last write as the world's clock had it, and how far the chain's may be from it. */
export type Span = { readonly at: number; readonly tolerance: number }

async function lookAtToken(
  world: LedgerHarness,
  id: TokenId,
  { at, tolerance }: Span,
): Promise<Look> {
  const [{ ledger }] = walletsOf(world) as readonly [LedgerHarness['pauper']]
  const looks = [ledger.provenance(id), ledger.listing(id), world.cardOf(id)] as const
  const [record, listing, card] = await Promise.all(looks)
  const agents = walletsOf(world).map((party) => party.ledger.agent)
  const rights = await Promise.all(agents.map((agent) => ledger.access(id, agent)))
  const moments = rights.flatMap((right) => right?.expiresAt ?? [])
  for (const right of rights) {
    if (right === undefined) continue
    assert.ok(right.asOf >= at - (at % 1000) - tolerance, 'access is as of the last write or later')
    assert.ok(right.asOf <= world.now() + tolerance, 'access is as of no later than now')
  }
  const { mintedAt, ...origin } = record ?? {}
  return {
    seen: {
      origin,
      listing,
      card,
      rights: rights.map((right) => right && { ...right, asOf: 0, expiresAt: !!right.expiresAt }),
    },
    moments: mintedAt === undefined ? moments : [mintedAt, ...moments],
  }
}

async function balanceOf(world: LedgerHarness, who: number): Promise<bigint> {
  return (await walletsOf(world)[who]?.balance()) ?? 0n
}
