import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { embeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import type { Figure, Round, Scene } from '../figure.ts'
import { mintsOf } from '../parts/mints.ts'
import { addressOf, end, newSite, type Site, spawnServer, startServer } from '../parts/server.ts'

const journaled = 10_000

const ofNode = { against: '`node -e 0`', unit: 'ms', better: 'lower' } as const

const figures: readonly Figure[] = [
  { ...{ id: 'M9', what: 'start to first answer, empty folder', ...ofNode }, must: 15, aim: 8 },
  {
    ...{ id: 'M9b', what: 'the same, 10,000 transactions in the journal', ...ofNode },
    ...{ must: 150, aim: 60 },
  },
]

/** How long a server takes to start. */
export const start: Scene = {
  figures,
  measure: async (rounds) => {
    const full = newSite()
    await fill(full)
    const measured: Record<string, Round[]> = { M9: [], M9b: [] }
    await startedEmpty()
    for (let round = 0; round < rounds; round++) {
      measured.M9?.push({ yardstick: await nothing(), value: await startedEmpty() })
      measured.M9b?.push({ yardstick: await nothing(), value: await startedIn(full) })
    }
    full.remove()
    return measured
  },
}

async function nothing(): Promise<number> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  return performance.now() - began
}

async function startedEmpty(): Promise<number> {
  const site = newSite()
  const took = await startedIn(site)
  site.remove()
  return took
}

/** Returns how long it takes until the server says that all its parts are ready, in milliseconds. */
async function startedIn(site: Site): Promise<number> {
  const began = performance.now()
  const child = spawnServer(site)
  const response = await fetch(`${await addressOf(child)}/readyz`)
  const took = performance.now() - began
  await end(child)
  if (!response.ok) throw new Error('The server is not ready.')
  return took
}

/** Fills the chain of a server that does not run with mints, each a transaction of its own. */
async function fill({ folder, wallet, environment }: Site): Promise<void> {
  const server = await startServer({ environment })
  await server.stop()
  const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
  const contracts = await embeddedContracts({ chain, wallet })
  const mints = await mintsOf({ chain, wallet, contracts })
  for (let made = 0; made < journaled; made += 1_000) {
    for (const raw of await mints.sign(1_000)) {
      await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    }
  }
  await chain.close()
}
