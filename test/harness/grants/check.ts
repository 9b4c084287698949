import { account, wei } from '@heirloom/core'
import { type MemoryChain, wallets } from '@heirloom/testkit'
import fc from 'fast-check'
import { concat, type Hex, type LocalAccount } from 'viem'
import { expect } from 'vitest'
import {
  counts,
  liveOf,
  type Model,
  mayRead,
  noteForgotten,
  type Outcome,
  type Party,
  type Tally,
  type Token,
  type Tracked,
} from './model.ts'
import { proofText, type Subject, secondsOf, type Way, ways } from './subject.ts'

/** Returns the four accounts, with money for the market. */
export function partiesOn(chain: MemoryChain): readonly Party[] {
  const keys = wallets.slice(0, 3).map((wallet) => ({
    address: account(wallet.address),
    wallet: wallet as LocalAccount,
  }))
  const [one, two] = keys
    .slice(0, 2)
    .toSorted((it, other) => (it.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1)) as [
    Party,
    Party,
  ]
  const both = async (sign: (it: LocalAccount) => Promise<Hex>) =>
    concat([await sign(one.wallet), await sign(two.wallet)])
  const shared = {
    signMessage: (it: never) => both((by) => by.signMessage(it)),
    signTypedData: (it: never) => both((by) => by.signTypedData(it)),
  } as unknown as LocalAccount
  const address = chain.sharedWallet([one.address, two.address])
  const all = [...keys, { address, wallet: shared }]
  for (const it of all) chain.fund(it.address, wei(10n ** 22n))
  return all
}

/** Returns whether a reader must get the memory. */
const isGood = (model: Model, { by, token, through }: Attempt, now: number): boolean =>
  through === undefined
    ? mayRead(token, by, now)
    : through.reader === by && counts(model, through, token, now)

/** Reads, and asserts that bytes came where they may, and nowhere else. */
export async function check(model: Model, subject: Subject, attempt: Attempt): Promise<void> {
  const { by, token, through, way } = attempt
  const now = secondsOf(subject)
  const reading = { by, of: token.id, at: now, grant: through?.id, way }
  const signature = await by.wallet.signMessage({ message: proofText(subject.place, reading) })
  const found = await subject.open(reading, signature)
  const isRight = isGood(model, attempt, now)
  count(model.tally, isRight, found)
  expect([typeof found, reading, through]).toEqual([
    isRight ? 'number' : 'string',
    reading,
    through,
  ])
  if (isRight) {
    const { address } = token.owner
    token.opened.set(address, (token.opened.get(address) ?? 0) + 1)
  } else if (through !== undefined && !token.isErased) expect(found).toBe('access/denied')
}

function count(tally: Tally, isRight: boolean, found: number | Outcome): void {
  if (isRight) tally.given += 1
  else tally.refused += 1
  if (isRight && typeof found === 'string') tally.wronglyRefused += 1
  if (!isRight && typeof found === 'number') tally.bytesBeyond += found
}

type Attempt = {
  readonly by: Party
  readonly token: Token
  readonly through?: Tracked | undefined
  readonly way: Way
}

/** Lists what an account sees of others: each live grant of the owners that it accepted, and no other. */
export async function checkReceived(model: Model, subject: Subject, reader: Party): Promise<void> {
  const now = secondsOf(subject)
  noteForgotten(model, now)
  const found = await subject.received(reader)
  const of = [...model.accepted.values()].filter((it) => it.of.reader === reader)
  const seen = of.flatMap(({ of: pair, isSure }) =>
    liveOf(model, pair, now).filter(({ id }) => isSure || found.includes(id)),
  )
  expect([...found].toSorted()).toEqual(seen.map(({ id }) => id).toSorted())
  model.tally.listed += found.length
}

/** Tries each grant of a token by its reader, and lists what the last one of them sees. */
export async function checkAll(model: Model, subject: Subject, token: Token): Promise<void> {
  const line = model.lines.find(({ versions }) => versions.some((it) => it.token === token))
  const first = line?.versions[0]?.token
  const of = model.grants.filter((it) => it.token === token || it.token === first)
  for (const it of of.slice(-3)) {
    await check(model, subject, { by: it.reader, token, through: it, way: 'whole' })
  }
  const last = of.at(-1)
  if (last !== undefined) await checkReceived(model, subject, last.reader)
}

type Act = (model: Model, subject: Subject) => Promise<Token | undefined>
export type Commands = fc.Arbitrary<fc.AsyncCommand<Model, Subject>>

/** Creates commands of what their parts draw. */
export const command = <Parts>(
  verb: string,
  parts: { readonly [name in keyof Parts]: fc.Arbitrary<Parts[name]> },
  act: (drawn: Parts) => Act,
): Commands =>
  (fc.record(parts as never) as fc.Arbitrary<Parts>).map((drawn) => ({
    check: () => true,
    run: async (model, subject) => {
      model.tally.commands += 1
      const token = await act(drawn)(model, subject)
      if (token !== undefined) await checkAll(model, subject, token)
    },
    toString: () => `${verb} ${JSON.stringify(drawn)}`,
  }))

export const pick = fc.nat({ max: 999 })
export const days = fc.integer({ min: 1, max: 20 })
export const mostly = fc.constantFrom(true, true, true, false)
export const way = fc.constantFrom(...ways)
export const chosen = <It>(all: readonly It[], at: number): It | undefined => all[at % all.length]
/** Returns the last one of all in every other case. */
export const recent = <It>(all: readonly It[], at: number) =>
  at % 2 === 0 ? all.at(-1) : chosen(all, at)
export const partyAt = ({ parties }: Model, at: number) => chosen(parties, at) as Party
