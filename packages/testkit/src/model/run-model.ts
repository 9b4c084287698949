import fc, { type Parameters } from 'fast-check'
import type { World } from '../harness.ts'
import { commands, openings } from './commands.ts'
import { assertToken, assertWealth } from './invariants.ts'
import type { Model } from './model.ts'

/** How often each command ended in each way. */
export type Tally = ReadonlyMap<string, number>

/**
 * Lets four parties do anything to each other for a while, many times, and asserts at every step
 * that the world and a small model of it agree. Returns what happened.
 *
 * @throws the shortest story found in which they do not
 */
export async function runModel(
  openWorld: () => Promise<World>,
  { maxCommands = 30, replayPath, close, ...parameters }: runModel.Settings = {},
): Promise<Tally> {
  const happened = new Map<string, number>()
  const tally = (event: string) => void happened.set(event, (happened.get(event) ?? 0) + 1)
  const stories = fc.commands([...commands], {
    maxCommands,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  const property = fc.asyncProperty(openings, stories, async (opening, story) => {
    const world = await openWorld()
    try {
      const model = await modelOf(world, tally)
      for (const command of opening) await command.run(model, world)
      await fc.asyncModelRun(() => ({ model, real: world }), story)
      await assertWealth(model, world)
      for (const token of model.tokens) await assertToken(model, world, token)
    } finally {
      await close?.(world)
    }
  })
  await fc.assert(property, parameters)
  return happened
}

export declare namespace runModel {
  /** What fast-check lets a caller choose; absent members follow its global configuration. */
  type Settings = Pick<
    Parameters<unknown>,
    'seed' | 'numRuns' | 'path' | 'endOnFailure' | 'interruptAfterTimeLimit'
  > & {
    /** The longest story. */
    readonly maxCommands?: number
    /** Where in a story that failed to begin, as the failure told. */
    readonly replayPath?: string
    readonly close?: (world: World) => Promise<void>
  }
}

async function modelOf({ parties }: World, tally: (event: string) => void): Promise<Model> {
  const balances: bigint[] = await Promise.all(parties.map((party) => party.balance()))
  return {
    tokens: [],
    balances,
    wealth: balances.reduce((sum, balance) => sum + balance, 0n),
    tally,
  }
}
