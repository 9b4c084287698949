import { randomBytes } from 'node:crypto'
import { deployContracts } from '@heirloom/adapters/contracts'
import { startAnvil, testClient } from '../../test/harness/chain/anvil.ts'
import type { Benchmark, Round } from '../figure.ts'
import { startChild } from '../parts/child.ts'
import { startLoad } from '../parts/load.ts'
import { download, now, snapshots, uniform } from '../parts/requests.ts'
import { newServerFolder, startServer } from '../parts/server.ts'

const connections = 32
const tokens = 100
const downloads = 3_000

/** Measures downloads with the chain in another process. */
export const remote: Benchmark = {
  figures: [
    {
      id: 'M10',
      what: 'gated downloads, anvil over HTTP',
      against: 'bare Fastify hello',
      unit: 'requests/s',
      better: 'higher',
      must: 0.05,
      aim: 0.1,
    },
  ],
  measure: async (rounds) => {
    const anvil = await startAnvil()
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
    const server = await startServer({ environment })
    const [load, hello] = [await startLoad(), await startChild<object, string>('hello.ts')]
    const [url, bare] = [server.url, await hello.ask({})]
    await load.ask({ url, connections, requests: snapshots(tokens, 'remote') })
    const measured: Round[] = []
    for (let round = -1; round < rounds; round++) {
      const get = Array(connections).fill({ method: 'GET', path: '/' })
      const { rate: yardstick } = await load.ask({
        url: bare,
        connections,
        requests: get,
        seconds: 2,
      })
      const requests = await distinct(folder, round)
      const { rate: value } = await load.ask({ url, connections, requests })
      // The first round only warms up.
      if (round >= 0) measured.push({ value, yardstick })
    }
    await Promise.all([load.stop(), hello.stop(), server.stop()])
    await anvil.stop()
    folder.remove()
    return { M10: measured }
  },
}

/** Returns downloads with signatures of no other round: each token with many timestamps. */
function distinct({ wallet }: ReturnType<typeof newServerFolder>, round: number) {
  const each = downloads / tokens
  const first = now() - 110 + (round + 1) * each
  const order = uniform(downloads, 1_000_000).map((rank, index) => ({ rank, index }))
  const shuffled = order.toSorted((one, other) => one.rank - other.rank)
  return Promise.all(
    shuffled.map(({ index }) =>
      download(wallet, {
        tokenId: 1 + (index % tokens),
        timestamp: first + Math.floor(index / tokens),
      }),
    ),
  )
}
