import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { formless, wrongAnswers } from '../harness/chain/wrong-answers.ts'
import { auditFleet } from '../harness/machines/audit-fleet.ts'
import { type Fleet, startFleet } from '../harness/machines/fleet.ts'
import {
  canMakeNamespaces,
  loopbackNetwork,
  namespaceNetwork,
} from '../harness/machines/network.ts'
import { type StoryLoad, startStoryLoad } from '../harness/machines/story-load.ts'
import { serverProgram } from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { earlierProgram, programNames } from '../harness/upgrade/earlier-programs.ts'

/** `STORY_WRITES` sets the least number of writes; everything happens once at least, and `FC_SEED` selects other random faults. */
const writes = Number(process.env.STORY_WRITES ?? 1)
const seed = Number(process.env.FC_SEED ?? 19)
const isLong = writes > 1
/** The writes that are acknowledged while a machine is broken, and before the next one breaks. */
const between = isLong ? 30 : 8

const postgres = sharedPostgres()
const bucket = sharedBucket()
let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

const [latest = ''] = programNames.slice(-1)

/** A fleet, the program that each machine runs, and its clients. */
type Story = {
  readonly fleet: Fleet
  readonly programs: string[]
  readonly load: StoryLoad
  /** The preferred of the two nodes of each machine. */
  readonly liars: readonly LyingProxy[]
}

/** The lies of a node, in turn: only what the programs of before see through, too. */
const lies = [formless, ...['a head that is far too low', 'no events', 'late answers'].map(lieOf)]
let lied = 0

function lieOf(name: string) {
  return wrongAnswers[name] ?? formless
}

/** The faults of a machine; each ends when it is sound again. */
const events: {
  readonly [name: string]: (story: Story, machine: number) => Promise<void>
} = {
  kill: async ({ fleet, load, programs }, machine) => {
    await fleet.kill(machine)
    await load.makes(between)
    await fleet.start(machine, programs[machine] ?? '')
  },
  wipe: async ({ fleet, load, programs }, machine) => {
    await fleet.kill(machine)
    fleet.wipe(machine)
    await load.makes(between)
    await fleet.start(machine, programs[machine] ?? '')
  },
  freeze: async ({ fleet, load }, machine) => {
    fleet.servers[machine]?.process.kill('SIGSTOP')
    await load.makes(between)
    fleet.servers[machine]?.process.kill('SIGCONT')
  },
  partition: async ({ fleet, load }, machine) => {
    fleet.networks[machine]?.cut()
    await load.makes(between)
    fleet.networks[machine]?.heal()
  },
  lie: async ({ liars, load }, machine) => {
    liars[machine]?.lie(lies[lied++ % lies.length]?.())
    await load.makes(between)
    liars[machine]?.lie()
  },
  upgrade: async ({ fleet, programs }, machine) => {
    const older = earlierProgram(latest)
    programs[machine] = programs[machine] === older ? serverProgram : older
    await fleet.replace(machine, programs[machine])
  },
}

/** Every event in any order, again and again, each at the leader or at any machine. */
const plan = fc
  .sample(
    fc
      .shuffledSubarray(Object.keys(events), { minLength: Object.keys(events).length })
      .chain((names) =>
        fc.tuple(
          ...names.map((name) => fc.tuple(fc.constant(name), fc.integer({ min: -2, max: 2 }))),
        ),
      ),
    { numRuns: 200, seed },
  )
  .flat()

/** Returns the machine of a number, or that of the leader for those below 0. */
async function machineOf({ servers }: Fleet, number: number): Promise<number> {
  if (number >= 0) return number
  const leads = await Promise.all(
    servers.map(async ({ url }) => {
      const metrics = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5000) })
      return /^heirloom_lane_leads 1$/m.test(await metrics.text())
    }),
  )
  return Math.max(0, leads.indexOf(true))
}

test('three machines that fail in every way lose and double nothing', async () => {
  const isApart = canMakeNamespaces()
  // Another run on this host has other places.
  const places = [0, 1, 2].map((at) => (process.pid * 3 + at) % 16_384)
  const networks = places.map((it) => (isApart ? namespaceNetwork(it) : loopbackNetwork()))
  await postgres.run('CREATE DATABASE story')
  const database = new URL('/story', postgres.url)
  const liars = await Promise.all(places.map(() => startLyingProxy(anvil.url)))
  const nodesOf = (machine: number) => [...(liars[machine] ? [liars[machine].url] : []), anvil.url]
  const parts = { anvil, nodesOf, database, bucket: bucket.environment, networks, checkEvery: 500 }
  const program = earlierProgram(latest)
  const fleet = await startFleet({ ...parts, program }).catch(async (error: unknown) => {
    await Promise.all(networks.map((network) => network.remove()))
    throw error
  })
  onTestFinished(async () => {
    await fleet.stop()
    await Promise.all(liars.map((liar) => liar.close()))
  })
  const load = startStoryLoad(fleet, 8)
  const story = { fleet, load, liars, programs: [program, program, program] }
  const pauses: (readonly [name: string, milliseconds: number])[] = []
  await load.makes(between)
  for (let at = 0; at < Object.keys(events).length || load.memories.length < writes; at++) {
    const [name, number] = plan[at % plan.length] ?? ['kill', 0]
    const machine = await machineOf(fleet, number)
    const began = performance.now()
    await events[name]?.(story, machine)
    await load.makes(between)
    pauses.push([name, load.pauseAfter(began)])
  }
  await load.end()
  const { memories, unanswered } = load
  const audit = await auditFleet(fleet, anvil, { memories, unanswered, royalties: [] })
  const by = Object.entries(Object.groupBy(pauses, ([name]) => name)).map(([name, all = []]) => {
    const longest = Math.max(...all.map(([, milliseconds]) => milliseconds))
    return `${all.length} of ${name} ${longest} ms`
  })
  const count = Object.entries(audit).map(([name, all]) => `${all.length} ${name}`)
  process.stdout.write(
    `${memories.length} writes acknowledged and ${unanswered.length} without an answer, on ${isApart ? 'three network namespaces' : 'loopback'}: ${count.join(', ')}; the longest wait for a write after ${by.join(', ')}\n`,
  )
  expect(audit).toEqual({ lost: [], doubled: [], unreadable: [], changed: [] })
})
