import fc, { type Parameters } from 'fast-check'
import type { ServiceHarness } from '../harness.ts'
import { commands, openings } from './commands.ts'
import { assertToken, assertWealth } from './invariants.ts'
import type { Model } from './model.ts'

/** The number of times that each command had each outcome. */
export type Tally = ReadonlyMap<string, number>

/**
 * Runs random sequences of commands of four parties, and asserts after every command that the
 * harness and a small model of it agree. Returns how often each outcome occurred.
 *
 * @throws the shortest sequence found in which they disagree
 */
export async function runModel(
  openHarness: () => Promise<ServiceHarness>,
  { maxCommands = 30, replayPath, close, ...parameters }: runModel.Settings = {},
): Promise<Tally> {
  const counts = new Map<string, number>()
  const tally = (event: string) => void counts.set(event, (counts.get(event) ?? 0) + 1)
  const sequences = fc.commands([...commands], {
    maxCommands,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  const property = fc.asyncProperty(openings, sequences, async (opening, sequence) => {
    const harness = await openHarness()
    try {
      const model = await modelOf(harness, tally)
      for (const command of opening) await command.run(model, harness)
      await fc.asyncModelRun(() => ({ model, real: harness }), sequence)
      await assertWealth(model, harness)
      for (const token of model.tokens) await assertToken(model, harness, token)
    } finally {
      await close?.(harness)
    }
  })
  await fc.assert(property, parameters)
  return counts
}

export declare namespace runModel {
  /** The parameters of fast-check; absent members follow its global configuration. */
  type Settings = Pick<
    Parameters<unknown>,
    'seed' | 'numRuns' | 'path' | 'endOnFailure' | 'interruptAfterTimeLimit'
  > & {
    /** The maximum length of a sequence. */
    readonly maxCommands?: number
    /** The replay path that the report of a failure names. */
    readonly replayPath?: string
    readonly close?: (harness: ServiceHarness) => Promise<void>
  }
}

async function modelOf(
  { parties }: ServiceHarness,
  tally: (event: string) => void,
): Promise<Model> {
  const balances: bigint[] = await Promise.all(parties.map((party) => party.balance()))
  return {
    tokens: [],
    balances,
    dollars: await Promise.all(parties.map((party) => party.dollars())),
    plans: new Map(),
    signs: new Map(),
    wealth: balances.reduce((sum, balance) => sum + balance, 0n),
    names: new Map(),
    erased: new Set(),
    tally,
  }
}
