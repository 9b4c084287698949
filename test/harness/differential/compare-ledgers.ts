import assert from 'node:assert/strict'
import { type LedgerHarness, memoryHarness } from '@heirloom/testkit'
import fc from 'fast-check'
import { type Call, settled, walletsOf } from './calls.ts'
import { type Ending, endingOf, type Look, lookAt } from './looks.ts'
import { arbitraryStory, type Move } from './moves.ts'

type Open = LedgerHarness & { readonly close?: () => Promise<void> }

/** A ledger that is compared with the one in memory. */
export type Subject = {
  readonly name: string
  readonly open: () => Promise<Open>
  /** How far its time may be from the time of its world's clock, in milliseconds. */
  readonly tolerance: number
}

/** How often each command ended in each way. */
export type Tally = Map<string, number>

/**
 * Runs random stories on the ledger in memory and on each subject, and asserts after every command
 * that all of them show the same. Returns what happened.
 *
 * @throws the shortest story found in which they do not
 */
export async function compareLedgers(
  subjects: readonly Subject[],
  { length, reference = async () => memoryHarness(), ...parameters }: compareLedgers.Settings,
): Promise<Tally> {
  const tally: Tally = new Map()
  const ownTime = subjects.some(({ tolerance }) => tolerance > 0)
  const property = fc.asyncProperty(arbitraryStory({ ownTime, length }), async (story) => {
    const worlds = await Promise.all(subjects.map(({ open }) => open()))
    try {
      const stands = worlds.map((world, index) => stand(world, subjects[index]))
      await play(stand(await reference()), stands, story, tally)
    } finally {
      for (const { close } of worlds) await close?.()
    }
  })
  await fc.assert(property, { ...patience, ...parameters })
  return tally
}

export declare namespace compareLedgers {
  type Settings = {
    readonly numRuns: number
    /** The longest story, in commands. */
    readonly length: number
    readonly seed?: number
    /** In milliseconds, when to stop looking. */
    readonly interruptAfterTimeLimit?: number
    /** The world to compare with. */
    readonly reference?: () => Promise<LedgerHarness>
  }
}

/** When no shorter story is looked for any more; a run that is stopped before it fails has no result. */
const patience = { interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true }

/** A world in the middle of a story. */
type Stand = {
  readonly world: LedgerHarness
  readonly name: string
  readonly tolerance: number
  readonly begun: number
  written: number
}

const exact = { name: 'memory', tolerance: 0 }

function stand(world: LedgerHarness, { name, tolerance }: Omit<Subject, 'open'> = exact): Stand {
  return { world, name, tolerance, begun: world.now(), written: 0 }
}

async function play(
  reference: Stand,
  subjects: readonly Stand[],
  story: readonly Move[],
  tally: Tally,
): Promise<void> {
  let minted = 0
  for (const [turn, move] of story.entries()) {
    const call = await settled({ world: reference.world, minted }, move)
    if (await isCloseCall(reference.world, call)) continue
    const expected = await endingOn(reference, call)
    if (expected.gain.tokenId !== undefined) minted += 1
    const view = await viewOf(reference, minted)
    for (const subject of subjects) {
      const where = `${subject.name}, command ${turn + 1}, ${call.title}`
      assertSame(reference, subject, expected, await endingOn(subject, call), where)
      assertSame(reference, subject, view, await viewOf(subject, minted), where)
    }
    const event = `${call.title}: ${expected.code}`
    tally.set(event, (tally.get(event) ?? 0) + 1)
  }
}

/** Whether gas, which only some ledgers ask, would decide if the payer can pay. */
async function isCloseCall(world: LedgerHarness, { who, value }: Call): Promise<boolean> {
  const party = walletsOf(world)[who]
  if (party === undefined || party === world.pauper) return false
  const left = (await party.balance()) - value
  return left >= 0n && left < 10n ** 18n
}

async function endingOn(at: Stand, call: Call): Promise<Ending> {
  const ending = await endingOf(at.world, call)
  if (ending.code === 'success' && call.title !== 'wait') at.written = at.world.now()
  return ending
}

function viewOf({ world, written: at, tolerance }: Stand, minted: number): Promise<Look> {
  return lookAt(world, { minted, written: { at, tolerance } })
}

function assertSame(
  reference: Stand,
  subject: Stand,
  expected: Look & { readonly code?: string },
  actual: Look & { readonly code?: string },
  where: string,
): void {
  assert.equal(actual.code, expected.code, where)
  assert.deepEqual(actual.seen, expected.seen, where)
  assert.equal(actual.moments.length, expected.moments.length, where)
  for (const [index, moment] of expected.moments.entries()) {
    const since = (actual.moments[index] ?? 0) - subject.begun
    const apart = Math.abs(since - (moment - reference.begun))
    assert.ok(apart <= subject.tolerance, `${where}: a moment is ${apart} ms off`)
  }
}
