import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deployContracts } from '@heirloom/adapters/contracts'
import { startAnvil, testClient } from '../test/harness/chain/anvil.ts'
import { startLoad } from './parts/load.ts'
import { snapshots } from './parts/requests.ts'
import { newServerFolder, type Server, startServer } from './parts/server.ts'

// Prints the memory that a server takes as its tokens grow, with the chain in another process: while
// it writes them, after a restart, and after it answered the info of each once.

const tokens = Number(process.argv[2] ?? 60_000)
const perStep = 2_000

/** Returns the memory of a process that is resident, in megabytes. */
function residentOf({ pid }: Server): string {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return `${Math.round(Number(kilobytes) / 1000)} MB resident`
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const anvil = await startAnvil()
const keys = { RPC_URL: anvil.url.href, MASTER_KEYS: randomBytes(32).toString('hex') }
const folder = newServerFolder(keys)
const { wallet } = folder
await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 26n })
const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
const contracts = { REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
const environment = { ...folder.environment, ...contracts }

const load = await startLoad()
let server = await startServer({ environment })
for (let made = 0; made < tokens; made += perStep) {
  const requests = snapshots(perStep, `memory ${made}`)
  const { rate } = await load.ask({ url: server.url, connections: 64, requests })
  print(`${made + perStep} tokens, ${Math.round(rate)} a second: ${residentOf(server)}`)
}
await server.stop()
server = await startServer({ environment })
while (!(await fetch(`${server.url}/readyz`)).ok);
print(`after a restart: ${residentOf(server)}`)
const infos = Array.from({ length: tokens }, (_, index) => ({
  method: 'GET' as const,
  path: `/api/memory/${index + 1}/info`,
}))
await load.ask({ url: server.url, connections: 32, requests: infos })
print(`after the info of each: ${residentOf(server)}`)

await Promise.all([load.stop(), server.stop()])
await anvil.stop()
folder.remove()
