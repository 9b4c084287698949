import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Account, TokenId } from '../values/branded.ts'
import { tokenId, wei } from '../values/decimal.ts'
import { account, digest, hash } from '../values/hex.ts'
import { instant } from '../values/time.ts'
import { noPrices } from './listing.ts'
import {
  courseOf,
  type MigratingToken,
  type MigrationCourse,
  type MigrationProgress,
  type MigrationStep,
  maxMigrationBatch,
  nextStep,
  planMigration,
  rentalName,
} from './migration.ts'
import { advance, familyOf, noProgress, sourceIn } from './migration-progress.ts'

const accounts = [1, 2, 3, 4].map((it) => account(`0x${`0${it}`.repeat(20)}`))
const [agent, other, foreign, renter] = accounts as [Account, Account, Account, Account]
const signs = (it: string) => it === agent || it === other
const word = `0x${'ab'.repeat(32)}`

const shape = fc.record({
  creator: fc.constantFrom(agent, agent, agent, other, foreign),
  owner: fc.constantFrom(agent, other, foreign, renter),
  /** The place of the parent among the tokens before; none where it is too high. */
  parent: fc.nat({ max: 30 }),
  royaltyBps: fc.option(fc.nat({ max: 900 }), { nil: undefined }),
  rentals: fc.uniqueArray(fc.constantFrom(renter, foreign, other), { maxLength: 2 }),
  isCopied: fc.integer({ min: 0, max: 9 }).map((it) => it === 0),
  price: fc.nat({ max: 2 }),
})

/** Returns tokens whose parents are older, and of which only those with a parent are forks. */
const tokensOf = (shapes: readonly (typeof shape extends fc.Arbitrary<infer T> ? T : never)[]) =>
  shapes.map((it, index): MigratingToken => {
    const parent = it.parent < index ? tokenId(BigInt(it.parent + 1)) : undefined
    return {
      tokenId: tokenId(BigInt(index + 1)),
      creator: it.creator,
      owner: it.owner,
      parent,
      contentHash: hash(word),
      digest: digest(word),
      royaltyBps: parent === undefined ? undefined : it.royaltyBps,
      rentals: it.rentals.map((by) => ({ renter: by, expiresAt: instant(9) })),
      terms: { ...noPrices, price: wei(BigInt(it.price)), forkRoyaltyBps: 0 },
      obstacle: it.isCopied ? 'copied' : undefined,
    }
  })

const arbitraryTokens = fc.array(shape, { maxLength: 60 }).map(tokensOf)

type Minted = {
  readonly id: TokenId
  readonly old: TokenId
  readonly parent: TokenId | undefined
}

/** Carries out a migration in a registry of numbers; the steps whose turn is in `fails` have no effect. */
function carryOut(tokens: readonly MigratingToken[], fails: readonly boolean[]) {
  const { carried } = planMigration({ tokens, signs, moved: new Map() })
  const course = courseOf(carried)
  const minted: Minted[] = []
  const steps: MigrationStep[] = []
  let progress: MigrationProgress = noProgress
  const mint = (old: TokenId): TokenId => {
    const id = tokenId(BigInt(minted.length + 1))
    minted.push({ id, old, parent: newParentOf(old, { course, progress }) })
    return id
  }
  const next = () => nextStep(course, progress, { lists: ({ owner }) => signs(owner) })
  for (let step = next(); step !== undefined; step = next()) {
    const hasFailed = fails[steps.length] ?? false
    steps.push(step)
    const ids = hasFailed ? [] : mintedBy(step).map(mint)
    const kind = hasFailed ? 'failed' : 'done'
    progress = advance(course, progress, { kind, step, ids })
  }
  return { course, progress, minted, steps, carried }
}

const mintedBy = (step: MigrationStep): readonly TokenId[] => {
  if (step.kind === 'mint') return step.tokens
  return step.kind === 'set-up' ? step.forks : []
}

type State = { readonly course: MigrationCourse; readonly progress: MigrationProgress }

function newParentOf(old: TokenId, { course, progress }: State): TokenId | undefined {
  const parent = course.carried.get(old)?.parent
  if (parent !== undefined) expect(progress.moved.has(parent)).toBe(true)
  return parent && progress.moved.get(parent)
}

const arbitraryFailures = fc.array(fc.boolean(), { maxLength: 12 })

describe('a migration', () => {
  test('carries over each planned token once, whatever fails in between', () =>
    fc.assert(
      fc.property(arbitraryTokens, arbitraryFailures, (tokens, fails) => {
        const { progress, minted, carried, course } = carryOut(tokens, fails)
        expect([...progress.moved.keys()].toSorted(byId)).toEqual(carried.map((it) => it.tokenId))
        expect(new Set(progress.moved.values()).size).toBe(carried.length)
        // What was abandoned is forgotten as a family, so nothing that counts hangs below it.
        const live = new Set(progress.moved.values())
        for (const { id, parent } of minted.filter((it) => live.has(it.id)))
          expect([id, parent === undefined || live.has(parent)]).toEqual([id, true])
        if (!fails.includes(true)) expect(minted.length).toBe(course.carried.size)
      }),
    ))

  test('makes every rental, hands over every token, and makes the listings that it may', () =>
    fc.assert(
      fc.property(arbitraryTokens, arbitraryFailures, (tokens, fails) => {
        const { progress, carried, steps } = carryOut(tokens, fails)
        const rentals = carried.flatMap((it) => it.rentals.map((by) => rentalName(it.tokenId, by)))
        expect(progress.rented).toEqual(new Set(rentals))
        const offered = carried.filter((it) => it.terms.price > 0n && signs(it.owner))
        expect(progress.listed).toEqual(new Set(offered.map((it) => it.tokenId)))
        for (const step of steps) expect(sizeOf(step)).toBeLessThanOrEqual(maxMigrationBatch)
        const forked = new Set(
          carried.filter((it) => it.royaltyBps !== undefined).map((it) => it.parent),
        )
        const held = carried.filter((it) => it.rentals.length > 0 || forked.has(it.tokenId))
        const given = held.filter((it) => it.owner !== it.creator).map((it) => it.tokenId)
        expect(progress.handedOver).toEqual(new Set(given))
      }),
    ))

  test('hands over no token of a family that is not set up as a whole', () =>
    fc.assert(
      fc.property(arbitraryTokens, arbitraryFailures, (tokens, fails) => {
        const { steps, course } = carryOut(tokens, fails)
        for (const [at, step] of steps.entries()) {
          if (step.kind !== 'hand-over') continue
          const families = step.tokens.flatMap((id) => familyOf(course, sourceIn(course, id)))
          const later = steps.slice(at).flatMap((it) => (it.kind === 'set-up' ? [it.tokenId] : []))
          expect(families.filter((id) => later.includes(id))).toEqual([])
        }
      }),
    ))
})

describe('a plan', () => {
  test('never carries over what a stranger made, what is no original, or what hangs below them', () =>
    fc.assert(
      fc.property(arbitraryTokens, (tokens) => {
        const { carried, staying } = planMigration({ tokens, signs, moved: new Map() })
        const going = new Set(carried.map((it) => it.tokenId))
        for (const { creator, obstacle, parent } of carried) {
          expect([signs(creator), obstacle]).toEqual([true, undefined])
          expect(parent === undefined || going.has(parent)).toBe(true)
        }
        expect(carried.length + staying.size).toBe(tokens.length)
      }),
    ))

  test('takes a declared child of a token that is there, and no licensed fork of it', () => {
    const base = { creator: foreign, owner: agent, parent: 30, royaltyBps: undefined, price: 0 }
    const child = { ...base, creator: agent, parent: 0, rentals: [], isCopied: false }
    const root = { ...base, rentals: [], isCopied: false }
    const tokens = tokensOf([root, child, { ...child, royaltyBps: 500 }])
    const moved = new Map([[tokenId(1n), tokenId(8n)]])
    const plan = planMigration({ tokens, signs, moved })
    expect(plan.carried.map((it) => it.tokenId)).toEqual([2n])
    expect([...plan.staying]).toEqual([[3n, 'parent-stays']])
  })
})

const byId = (one: bigint, two: bigint) => Number(one - two)

const sizeOf = (step: MigrationStep): number =>
  step.kind === 'set-up' ? step.forks.length + step.rentals.length : step.tokens.length
