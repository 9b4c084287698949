import type { Digest } from '@heirloom/core'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type PackServer, type PackWorld, type Point, points } from './pack-server.ts'

/** A save on a server, and what becomes of it. */
type Save = {
  readonly kind: 'save'
  readonly server: number
  /** One of a few, so that saves are repeated with the same bytes. */
  readonly text: string
  /** Whether it goes on from the last minted version. */
  readonly goesOn: boolean
  readonly end: 'mint' | 'fail' | 'wait' | Point
}

/** A step of a story. */
export type PackStep =
  | Save
  | { readonly kind: 'decide'; readonly server: number; readonly isMinted: boolean }
  | { readonly kind: 'pass'; readonly hours: number }
  | { readonly kind: 'sweep' | 'restart' | 'erase'; readonly server: number }
  | { readonly kind: 'race'; readonly save: Save; readonly sweeper: number }

const small = ['one', 'two', 'three', 'four']

/** Returns stories of a number of servers, which save a few texts. */
export function arbitraryStory(
  servers: number,
  texts: readonly string[] = small,
): fc.Arbitrary<readonly PackStep[]> {
  const server = fc.nat(servers - 1)
  const save: fc.Arbitrary<Save> = fc.record({
    kind: fc.constant('save' as const),
    server,
    text: fc.constantFrom(...texts),
    goesOn: fc.boolean(),
    end: fc.constantFrom('mint', 'mint', 'mint', 'fail', 'wait', 'wait', ...points),
  })
  const kind = <const name extends string>(name: name) => fc.constant(name)
  const step = fc.oneof(
    { weight: 4, arbitrary: save },
    {
      weight: 2,
      arbitrary: fc.record({ kind: kind('decide'), server, isMinted: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ kind: kind('pass'), hours: fc.constantFrom(1, 12, 30) }) },
    { weight: 3, arbitrary: fc.record({ kind: kind('sweep'), server }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('restart'), server }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('erase'), server }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('race'), save, sweeper: server }) },
  )
  return fc.array(step, { minLength: 4, maxLength: 25 })
}

const hour = 3_600_000

/**
 * Plays a story. After each step every minted version opens unless it was erased; at its end, once two days have passed
 * and every server has swept, the packs of the minted versions are stored and no others.
 */
export async function playStory(
  world: PackWorld,
  servers: readonly PackServer[],
  steps: readonly PackStep[],
): Promise<void> {
  const state: State = { world, servers, last: undefined, waiting: [] }
  for (const step of steps) {
    await play(state, step)
    for (const root of intactOf(world)) await serverOf(state, 0).open(root)
  }
  for (const root of state.waiting.splice(0)) await decide(state, { root, server: 0 }, false)
  for (const server of servers) await server.restart()
  for (let turn = 0; turn < 2; turn++) {
    world.now += 49 * hour
    for (const server of servers) expect(await server.sweep()).toEqual([])
  }
  await expectNoMore(state)
}

type State = {
  readonly world: PackWorld
  readonly servers: readonly PackServer[]
  /** The newest minted version. */
  last: Digest | undefined
  /** The roots whose mint is not decided. */
  readonly waiting: Digest[]
}

function serverOf({ servers }: State, index: number): PackServer {
  const server = servers[index]
  if (server === undefined) throw new RangeError(`There is no server ${index}.`)
  return server
}

async function play(state: State, step: PackStep): Promise<void> {
  const { world } = state
  if (step.kind === 'save') return save(state, step)
  if (step.kind === 'pass') {
    world.now += step.hours * hour
    return
  }
  if (step.kind === 'race') {
    await Promise.all([save(state, step.save), serverOf(state, step.sweeper).sweep()])
    return
  }
  const server = serverOf(state, step.server)
  if (step.kind === 'sweep') expect(await server.sweep()).toEqual([])
  if (step.kind === 'restart') await server.restart()
  if (step.kind === 'erase') await eraseNewest(state, server)
  if (step.kind !== 'decide') return
  const root = state.waiting.shift()
  if (root !== undefined) await decide(state, { root, server: step.server }, step.isMinted)
}

/** Erases the newest version; its successor begins from what is left of it, which is nothing. */
async function eraseNewest({ world, last }: State, server: PackServer): Promise<void> {
  if (last === undefined || world.erased.has(last)) return
  world.erased.add(last)
  await server.remove(last)
}

const intactOf = ({ minted, erased }: PackWorld): readonly Digest[] =>
  [...minted].filter((root) => !erased.has(root))

async function save(state: State, { server, text, goesOn, end }: Save): Promise<void> {
  const previous = goesOn ? state.last : undefined
  const killedAt = points.find((it) => it === end)
  const version = { text, previous, killedAt }
  const root = await serverOf(state, server).save(version)
  if (root === undefined) return
  if (end === 'wait') state.waiting.push(root)
  else await decide(state, { root, server }, end === 'mint')
}

async function decide(
  state: State,
  { root, server }: { readonly root: Digest; readonly server: number },
  isMinted: boolean,
): Promise<void> {
  const { world } = state
  if (isMinted) {
    world.minted.add(root)
    state.last = root
  }
  world.pending.delete(root)
  if (!isMinted) await serverOf(state, server).remove(root)
}

async function expectNoMore(state: State): Promise<void> {
  const { world } = state
  const server = serverOf(state, 0)
  const needed = new Set<Digest>()
  for (const root of intactOf(world)) for (const pack of await server.packs(root)) needed.add(pack)
  const stored = await server.stored(world.packs)
  expect([...stored].toSorted()).toEqual([...needed].toSorted())
}
