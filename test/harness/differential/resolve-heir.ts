import { nobody, wei } from '@heirloom/core'
import type { LedgerHarness } from '@heirloom/testkit'
import type { HeirCommand } from './heir-commands.ts'
import {
  accountOf,
  agentOf,
  anyToken,
  type Call,
  idOf,
  indexOf,
  ownedBy,
  type StoryState,
  walletOf,
  walletsOf,
} from './resolve-call.ts'

/** Resolves a command of heirs in the current state. */
export async function heirCall(state: StoryState, command: HeirCommand): Promise<Call> {
  const { verb } = command
  if (verb === 'nameHeir' || verb === 'heartbeat') return ownCall(state, command)
  const who = await heirIndex(state, command)
  const of = agentOf(state.world, command.of)
  if (verb === 'announceTakeover') {
    return callOf(verb, who, (world) => walletOf(world, who).heirs.announceTakeover(of))
  }
  const own = await ownedBy(state, of)
  const others = await Promise.all(command.others.map((pick) => idOf(state, pick, anyToken)))
  const taken = [...own.slice(0, command.count), ...others]
  return callOf(verb, who, (world) => walletOf(world, who).heirs.takeOver(of, taken))
}

async function ownCall(
  state: StoryState,
  command: Extract<HeirCommand, { verb: 'nameHeir' | 'heartbeat' }>,
): Promise<Call> {
  const who = await indexOf(state, command.who, undefined)
  if (command.verb === 'heartbeat') {
    return callOf('heartbeat', who, (world) => walletOf(world, who).heirs.heartbeat())
  }
  const { heir, silenceDays, noticeDays } = command
  return callOf('nameHeir', who, (world) => {
    const named = heir === undefined ? undefined : accountOf(world, who, heir)
    const plan = named === undefined ? undefined : { heir: named, silenceDays, noticeDays }
    return walletOf(world, who).heirs.nameHeir(plan)
  })
}

/** Returns the index of the heir of a party; of the party after it where it has none. */
async function heirIndex(
  { world }: StoryState,
  { of, asHeir }: Extract<HeirCommand, { verb: 'announceTakeover' | 'takeOver' }>,
): Promise<number> {
  const plan = asHeir ? await world.heirPlan(agentOf(world, of)) : undefined
  const heir = plan?.heir ?? nobody
  const index = walletsOf(world).findIndex(({ ledger }) => ledger.agent === heir)
  return index < 0 ? (of + 1) % 4 : index
}

const callOf = (
  title: string,
  who: number,
  act: (world: LedgerHarness) => Promise<unknown>,
): Call => ({
  title,
  who,
  value: wei(0n),
  run: async (world) => {
    await act(world)
    return {}
  },
})
