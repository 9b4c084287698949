import {
  type Account,
  challenge,
  type Grant,
  type GrantId,
  type Hex,
  isFailure,
  type Name,
  type OwnedName,
  ownerOfAccount,
  type SavedVersion,
  type TokenId,
  toSeconds,
} from '@heirloom/core'
import type { MemoryChain, stoppedClock } from '@heirloom/testkit'
import { grantedText } from '../../../packages/http/src/api/signed-texts.ts'
import type { Outcome, Pair, Party, Tracked } from './model.ts'

export const origin = 'http://localhost'

export type Reading = {
  readonly by: Party
  readonly of: TokenId
  readonly at: number
  /** The grant that is used; the path of the interface without one. */
  readonly grant?: GrantId | undefined
  readonly way: Way
}

export const ways = ['whole', 'outline', 'part', 'search'] as const
export type Way = (typeof ways)[number]

export type Deposit = {
  readonly grant: Grant
  readonly signature: Hex
  readonly at: number
  readonly proof: Hex
}

/** A private name of an account. */
export type Named = { readonly owner: Party; readonly name: Name }

export type Saving = Named & {
  readonly by: Party
  /** The owner of the version; the owner of the name by a grant. */
  readonly recipient: Party
  readonly grant?: GrantId | undefined
  readonly document: object
}

/** A version as the log of its name has it. */
export type Logged = { readonly tokenId: TokenId; readonly savedBy: string }

/** A server, or the core alone, over a chain in memory. */
export type Subject = {
  readonly chain: MemoryChain
  readonly clock: ReturnType<typeof stoppedClock>
  readonly place: { readonly chainId: number; readonly registry: Account }
  /** Runs once after the next mint, before anybody learns of it. */
  readonly afterMint: { act?: () => Promise<unknown> }
  erase(of: TokenId): Promise<void>
  mint(): Promise<TokenId>
  /** Returns the token of the version that was saved, or the code of the refusal. */
  save(saving: Saving): Promise<TokenId | Outcome>
  /** Returns how many grants ended, or the code of the refusal. */
  rename(named: Named, to: Name): Promise<number | Outcome>
  forget(named: Named): Promise<number | Outcome>
  /** Loses a name and its versions, and adds them again. Returns how many grants ended. */
  recover(named: Named): Promise<number>
  /** Returns the versions of a name, the first one first, or the code of the refusal. */
  log(by: Party, named: Named, grant?: GrantId): Promise<readonly Logged[] | Outcome>
  deposit(input: Deposit): Promise<Outcome>
  revoke(of: Tracked, by: Party, signature: Hex, hasText: boolean): Promise<Outcome>
  revokeAll(by: Party, timestamp: number, signature: Hex): Promise<Outcome>
  /** Has a reader see what an owner grants it, or see it no more. */
  accept(pair: Pair): Promise<Outcome>
  ignore(pair: Pair): Promise<Outcome>
  /** Returns the grants of the list that an account sees of others. */
  received(by: Party): Promise<readonly GrantId[]>
  /** Returns how many bytes it gave, or the code of the refusal. */
  open(reading: Reading, signature: Hex): Promise<number | Outcome>
  /** Returns how many openings an account sees, or the code of the refusal. */
  openings(by: Party, of: TokenId, at: number, signature: Hex): Promise<number | Outcome>
  close(): Promise<unknown>
}

export const secondsOf = ({ clock }: Pick<Subject, 'clock'>): number => toSeconds(clock.now())

/** Returns the result of an act, or the code of its failure. */
export const resultOf = <T>(act: Promise<T>): Promise<T | Outcome> =>
  act.catch((error: unknown) => {
    if (isFailure(error)) return error.code
    throw error
  })

export const ownedName = ({ owner, name }: Named): OwnedName => ({
  owner: ownerOfAccount(owner.address),
  name,
})

export const logged = (versions: readonly Pick<SavedVersion, keyof Logged>[]): readonly Logged[] =>
  versions.map(({ tokenId, savedBy }) => ({ tokenId, savedBy })).toReversed()

type Proving = Pick<Reading, 'by' | 'of' | 'at' | 'grant'>

export function proofText(place: Subject['place'], { by, of, at, grant }: Proving): string {
  if (grant === undefined) return challenge(of, { account: by.address, timestamp: at })
  const claim = { tokenId: `${of}`, address: by.address, timestamp: at, grant }
  return grantedText({ origin, ...place }, claim)
}
