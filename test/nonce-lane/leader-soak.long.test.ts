import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { openGate, type TcpGate } from '../harness/chain/tcp-gate.ts'
import type { LaneProcess } from '../harness/nonce-lane/lane-process.ts'
import {
  audit,
  type Exchange,
  isDone,
  mineEverySecond,
  mints,
  openReplicaSet,
  type ReplicaSet,
  royalties,
  send,
  tokens,
  type Write,
} from '../harness/nonce-lane/replica-set.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

/** `LEADER_WRITES` sets the number of writes, and `FC_SEED` selects other random ones. */
const writes = Number(process.env.LEADER_WRITES ?? 120)
const seed = Number(process.env.FC_SEED ?? 23)
const isLong = writes > 120
/** The time of a lease, in milliseconds; that of the product in a long run. */
const leaseTime = isLong ? undefined : 1000
/** The writes between the end of a fault and the next one. */
const writesBetween = 28
const concurrency = 24

const faults = ['kill', 'freeze', 'stall'] as const
type Fault = (typeof faults)[number]

const postgres = sharedPostgres()
let anvil: Anvil

beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** A replica behind a gate of its own to PostgreSQL. */
type Member = { process: LaneProcess; readonly gate: TcpGate; isBroken: boolean }

type Cluster = {
  readonly members: readonly Member[]
  /** The member that reported last that it leads. */
  leader: Member | undefined
  /** Called when a member begins to lead. */
  onLeader: (member: Member) => void
  readonly start: (member: Pick<Member, 'gate'>) => Promise<LaneProcess>
}

async function openCluster(replicaSet: ReplicaSet): Promise<Cluster> {
  const start: Cluster['start'] = ({ gate: { port } }) => replicaSet.start({ port, leaseTime })
  const members = await Promise.all(
    [1, 2, 3].map(async (): Promise<Member> => {
      const gate = await openGate(Number(postgres.url.port))
      return { gate, isBroken: false, process: await start({ gate }) }
    }),
  )
  const cluster: Cluster = { members, leader: undefined, onLeader: () => undefined, start }
  for (const member of members) watch(cluster, member)
  return cluster
}

function watch(cluster: Cluster, member: Member): void {
  const onLeader = () => {
    cluster.leader = member
    cluster.onLeader(member)
  }
  void member.process.leads.then(onLeader)
  member.process.onLeads((leads) => leads && onLeader())
}

/** Breaks a member until the result is called. */
const breaking: { readonly [fault in Fault]: (member: Member) => void } = {
  kill: ({ process }) => process.process.kill('SIGKILL'),
  freeze: ({ process }) => process.process.kill('SIGSTOP'),
  stall: ({ gate }) => gate.stall(),
}

const repairing: {
  readonly [fault in Fault]: (cluster: Cluster, member: Member) => Promise<void>
} = {
  kill: async (cluster, member) => {
    await member.process.ended
    member.process = await cluster.start(member)
    watch(cluster, member)
  },
  freeze: async (_cluster, { process }) => void process.process.kill('SIGCONT'),
  stall: async (_cluster, { gate }) => gate.open(),
}

/** The time without a leader after a fault, in milliseconds. */
type Gap = { readonly fault: Fault; readonly milliseconds: number }

/** Breaks the leader, and returns how long nobody led. */
async function breakLeader(cluster: Cluster, victim: Member, fault: Fault): Promise<Gap> {
  const began = performance.now()
  const next = new Promise<void>((resolve) => {
    cluster.onLeader = (member) => member !== victim && resolve()
  })
  victim.isBroken = true
  breaking[fault](victim)
  await next
  return { fault, milliseconds: Math.round(performance.now() - began) }
}

test('writes under kills, freezes and partitions are each made once', async () => {
  const replicaSet = await openReplicaSet(anvil, postgres)
  await mineEverySecond(anvil)
  const cluster = await openCluster(replicaSet)
  const work = startWork(cluster)
  const gaps: Gap[] = []
  const plan = fc.sample(arbitraryFaults, { numRuns: 1000, seed }).flat()
  for (let at = 0; await work.reaches((at + 1) * writesBetween); at++) {
    const fault = plan[at % plan.length] ?? 'freeze'
    const victim = cluster.leader
    if (victim === undefined) continue
    gaps.push(await breakLeader(cluster, victim, fault))
    await work.makesMore(writesBetween / 4)
    await repairing[fault](cluster, victim)
    victim.isBroken = false
  }
  const all = await work.ended
  const survivor = cluster.members[0]?.process as LaneProcess
  const { lost, doubled, acknowledged } = await audit(replicaSet, survivor, all)
  for (const { gate } of cluster.members) gate.open()
  const longest = Math.max(...gaps.map(({ milliseconds }) => milliseconds))
  const by = faults.map((fault) => summary(fault, gaps)).join(', ')
  process.stdout.write(
    `${all.length} writes, ${acknowledged} acknowledged: ${lost} lost, ${doubled} doubled; without a leader for ${longest} ms at most (${by})\n`,
  )
})

function summary(fault: Fault, gaps: readonly Gap[]): string {
  const times = gaps.filter((gap) => gap.fault === fault).map(({ milliseconds }) => milliseconds)
  return `${times.length} of ${fault}, ${Math.max(0, ...times)} ms`
}

/** All faults, in any order. */
const arbitraryFaults = fc.shuffledSubarray([...faults], { minLength: faults.length })

/** Writes in the background until so many are answered. */
function startWork({ members }: Cluster) {
  const all: Exchange[] = []
  const unpaid: string[] = []
  const waits = new Set<{ readonly count: number; readonly resolve: () => void }>()
  let begun = 0
  const nextWrite = (): Write => {
    begun += 1
    const token = begun % 3 === 0 ? unpaid.pop() : undefined
    const [write] = token === undefined ? mints(1) : royalties([token])
    const { key: _, ...bare } = write as Write
    return begun % 2 === 0 ? { ...bare, key: `key ${begun}` } : bare
  }
  const record = (exchange: Exchange) => {
    all.push(exchange)
    if (exchange.write.mint !== undefined) unpaid.push(...tokens([exchange]))
    for (const wait of waits) if (all.length >= wait.count) wait.resolve()
  }
  const work = async () => {
    while (begun < writes) record(await make(members, nextWrite()))
  }
  const ended = Promise.all(Array.from({ length: concurrency }, work)).then(() => all)
  const reached = (count: number) =>
    new Promise<void>((resolve) => {
      if (all.length >= count) resolve()
      else waits.add({ count, resolve })
    })
  return {
    ended,
    /** Resolves when so many writes are answered; with false when there will not be so many. */
    reaches: async (count: number) => {
      if (count >= writes) return false
      await Promise.race([reached(count), ended])
      return all.length < writes
    },
    makesMore: (count: number) => Promise.race([reached(all.length + count), ended]),
  }
}

/** Makes a write on a member that works: repeatedly until it succeeds if it has a key. */
async function make(members: readonly Member[], write: Write): Promise<Exchange> {
  let exchange = await send(workingMember(members).process, write)
  while (write.key !== undefined && !isDone(exchange)) {
    exchange = await send(workingMember(members).process, write)
  }
  return exchange
}

let turn = 0

function workingMember(members: readonly Member[]): Member {
  const working = members.filter(({ isBroken }) => !isBroken)
  turn += 1
  return working[turn % working.length] as Member
}
