import { randomBytes } from 'node:crypto'
import { deployContracts } from '@heirloom/adapters/contracts'
import { startAnvil, testClient } from '../../test/harness/chain/anvil.ts'
import type { Round, Scene } from '../figure.ts'
import { startChild } from '../parts/child.ts'
import { startLoad } from '../parts/load.ts'
import { download, now, snapshots, uniform } from '../parts/requests.ts'
import { newSite, startServer } from '../parts/server.ts'

const connections = 32
const tokens = 100
const downloads = 3_000

/** What can be read where the chain is another process. */
export const remote: Scene = {
  figures: [
    {
      ...{ id: 'M10', what: 'gated downloads, anvil over HTTP', against: 'bare Fastify hello' },
      ...{ unit: 'requests/s', better: 'higher', must: 0.05, aim: 0.1 },
    },
  ],
  measure: async (rounds) => {
    const anvil = await startAnvil()
    const site = newSite({
      RPC_URL: anvil.url.href,
      MASTER_KEYS: randomBytes(32).toString('hex'),
    })
    const { wallet } = site
    await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 24n })
    const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
    const environment = {
      ...site.environment,
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
        ...{ url: bare, connections, requests: get, seconds: 2 },
      })
      const requests = await distinct(site, round)
      const { rate: value } = await load.ask({ url, connections, requests })
      // The first round only warms up.
      if (round >= 0) measured.push({ value, yardstick })
    }
    await Promise.all([load.stop(), hello.stop(), server.stop()])
    await anvil.stop()
    site.remove()
    return { M10: measured }
  },
}

/** Returns downloads with signatures that no other round has: each token with many seconds. */
function distinct({ wallet }: ReturnType<typeof newSite>, round: number) {
  const each = downloads / tokens
  const first = now() - 110 + (round + 1) * each
  const order = uniform(downloads, 1_000_000).map((rank, place) => ({ rank, place }))
  const shuffled = order.toSorted((one, other) => one.rank - other.rank)
  return Promise.all(
    shuffled.map(({ place }) =>
      download(wallet, {
        tokenId: 1 + (place % tokens),
        timestamp: first + Math.floor(place / tokens),
      }),
    ),
  )
}
