import assert from 'node:assert/strict'
import { type LedgerHarness, memoryHarness } from '@heirloom/testkit'
import fc from 'fast-check'
import { longestWait } from '../../tier.ts'
import { arbitraryStory, type Command } from './arbitrary-story.ts'
import { type Observation, type Outcome, observe, runCall } from './observe.ts'
import { type Call, type StoryState, walletsOf } from './resolve-call.ts'
import { resolveCommand } from './resolve-command.ts'

type Open = LedgerHarness & { readonly close?: () => Promise<void> }

/** A ledger to compare with the one in memory. */
export type Subject = {
  readonly name: string
  readonly open: () => Promise<Open>
  /** The tolerated difference between its clock and that of its world, in milliseconds. */
  readonly tolerance: number
}

/** The number of times that each command had each outcome. */
export type Tally = Map<string, number>

/**
 * Runs random stories on the ledger in memory and on each subject, and asserts after every command
 * that all have the same state. Returns the tally of outcomes.
 *
 * @throws the shortest story found that leads to different states
 */
export async function compareLedgers(
  subjects: readonly Subject[],
  settings: compareLedgers.Settings,
): Promise<Tally> {
  const { length, reference = async () => memoryHarness(), isSparing, ...parameters } = settings
  const tally: Tally = new Map()
  const note = (ending: string) => tally.set(ending, (tally.get(ending) ?? 0) + 1)
  /** Returns the beginning of a story, up to its last ending that no story before had. */
  const newPartOf = async (story: readonly Command[]) => {
    const known = new Set(tally.keys())
    let end = 0
    await play(startRun(await reference()), [], story, (ending, turn) => {
      if (!known.has(ending)) end = turn + 1
      known.add(ending)
    })
    return story.slice(0, end)
  }
  const hasOwnTime = subjects.some(({ tolerance }) => tolerance > 0)
  const property = fc.asyncProperty(arbitraryStory({ hasOwnTime, length }), async (whole) => {
    const story = isSparing === true ? await newPartOf(whole) : whole
    if (story.length === 0) return
    const worlds = await Promise.all(subjects.map(({ open }) => open()))
    try {
      const runs = worlds.map((world, index) => startRun(world, subjects[index]))
      await play(startRun(await reference()), runs, story, note)
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
    /** The maximum length of a story, in commands. */
    readonly length: number
    readonly seed?: number
    /** Whether each story is compared up to its last ending that no story before had, if it has one. */
    readonly isSparing?: boolean
    /** The time limit in milliseconds. */
    readonly interruptAfterTimeLimit?: number
    /** The world to compare with. */
    readonly reference?: () => Promise<LedgerHarness>
  }
}

/** The time limit for shrinking. A run that is interrupted without a result counts as failed. */
const patience = { interruptAfterTimeLimit: longestWait, markInterruptAsFailure: true }

/** A run of a story on one ledger. */
type Run = {
  readonly world: LedgerHarness
  readonly name: string
  readonly tolerance: number
  readonly startedAt: number
  writtenAt: number
}

const exact = { name: 'memory', tolerance: 0 }

function startRun(world: LedgerHarness, { name, tolerance }: Omit<Subject, 'open'> = exact): Run {
  return { world, name, tolerance, startedAt: world.now(), writtenAt: 0 }
}

async function play(
  reference: Run,
  subjects: readonly Run[],
  story: readonly Command[],
  note: (ending: string, turn: number) => void,
): Promise<void> {
  const state: StoryState = { world: reference.world, minted: 0, orders: 0, lastOrder: undefined }
  for (const [turn, command] of story.entries()) {
    const call = await resolveCommand(state, command)
    if (await isCloseCall(reference.world, call)) continue
    const expected = await runOn(reference, call)
    if (expected.result.tokenId !== undefined) state.minted += 1
    const view = await observeRun(reference, state)
    for (const subject of subjects) {
      const where = `${subject.name}, command ${turn + 1}, ${call.title}`
      assertSame(reference, subject, expected, await runOn(subject, call), where)
      assertSame(reference, subject, view, await observeRun(subject, state), where)
    }
    note(`${call.title}: ${expected.code}`, turn)
  }
}

/** Returns true when the cost of gas, which only some ledgers charge, decides if the payer can pay. */
async function isCloseCall(world: LedgerHarness, { who, value }: Call): Promise<boolean> {
  const party = walletsOf(world)[who]
  if (party === undefined || party === world.pauper) return false
  const left = (await party.balance()) - value
  return left >= 0n && left < 10n ** 18n
}

async function runOn(run: Run, call: Call): Promise<Outcome> {
  const outcome = await runCall(run.world, call)
  if (outcome.code === 'success' && call.title !== 'wait') run.writtenAt = run.world.now()
  return outcome
}

function observeRun(
  { world, writtenAt: at, tolerance }: Run,
  { minted, lastOrder }: StoryState,
): Promise<Observation> {
  return observe(world, { minted, order: lastOrder?.in(world), written: { at, tolerance } })
}

function assertSame(
  reference: Run,
  subject: Run,
  expected: Observation & { readonly code?: string },
  actual: Observation & { readonly code?: string },
  where: string,
): void {
  assert.equal(actual.code, expected.code, where)
  assert.deepEqual(actual.seen, expected.seen, where)
  assert.equal(actual.moments.length, expected.moments.length, where)
  for (const [index, moment] of expected.moments.entries()) {
    const since = (actual.moments[index] ?? 0) - subject.startedAt
    const difference = Math.abs(since - (moment - reference.startedAt))
    assert.ok(difference <= subject.tolerance, `${where}: a time differs by ${difference} ms`)
  }
}
