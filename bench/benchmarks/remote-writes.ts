import { randomBytes } from 'node:crypto'
import { deployContracts } from '@heirloom/adapters/contracts'
import { type Anvil, startAnvil, testClient } from '../../test/harness/chain/anvil.ts'
import type { Benchmark, Figure, Round } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import { type Load, type Measured, startLoad } from '../parts/load.ts'
import { snapshots } from '../parts/requests.ts'
import { newServerFolder, startServer } from '../parts/server.ts'

const perRound = { snapshots: 100, mints: 200 }
/** The empty blocks of the node with a history. */
const history = 5_000

const alone = {
  against: 'bare mints on that node, one at a time',
  unit: 'snapshots/s',
  better: 'higher',
} as const

const figures: readonly Figure[] = [
  {
    id: 'M11',
    what: 'snapshots one at a time, fresh anvil over HTTP',
    ...alone,
    must: 0.3,
    aim: 0.5,
  },
  {
    id: 'M11b',
    what: `the same after ${history} more blocks`,
    ...alone,
    must: 0.3,
    aim: 0.5,
  },
]

type Bare = Child<{ readonly node: string; readonly count: number }, number>

/** Measures snapshots one at a time with the chain in another process, and everything durable. */
export const remoteWrites: Benchmark = {
  figures,
  measure: async (rounds) => {
    const measured: Record<string, Round[]> = { M11: [], M11b: [] }
    const anvil = await startAnvil()
    const [{ server, folder }, load, bare]: [
      Awaited<ReturnType<typeof openServer>>,
      Child<Load, Measured>,
      Bare,
    ] = [await openServer(anvil), await startLoad(), await startChild('bare-node.ts')]
    let made = 0
    const round = async (): Promise<Round> => {
      const yardstick = await bare.ask({ node: anvil.url.href, count: perRound.mints })
      const requests = snapshots(perRound.snapshots, `alone ${made++}`)
      const { rate: value } = await load.ask({ url: server.url, connections: 1, requests })
      return { value, yardstick }
    }
    for (const id of ['M11', 'M11b']) {
      // The first round only warms up.
      await round()
      for (let done = 0; done < rounds; done++) measured[id]?.push(await round())
      if (id === 'M11') await age(anvil)
    }
    await Promise.all([load.stop(), bare.stop(), server.stop()])
    await anvil.stop()
    folder.remove()
    return measured
  },
}

/** Mines the blocks of a history, a few at a time: each takes a while. */
async function age(anvil: Anvil): Promise<void> {
  for (let mined = 0; mined < history; mined += 100) await testClient(anvil).mine({ blocks: 100 })
}

/** Starts a server on a node, with contracts of its own. */
async function openServer(anvil: Anvil) {
  const folder = newServerFolder({
    RPC_URL: anvil.url.href,
    MASTER_KEYS: randomBytes(32).toString('hex'),
  })
  const { wallet } = folder
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 24n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const environment = {
    ...folder.environment,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
  }
  return { folder, server: await startServer({ environment }) }
}
