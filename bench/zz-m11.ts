import { randomBytes } from 'node:crypto'
import { execFile, spawn } from 'node:child_process'
import { deployContracts } from '@heirloom/adapters/contracts'
import { startAnvil, testClient } from '../test/harness/chain/anvil.ts'
import { startChild } from './parts/child.ts'
import { startLoad } from './parts/load.ts'
import { snapshots } from './parts/requests.ts'
import { newServerFolder, startServer } from './parts/server.ts'
const anvil = await startAnvil()
const folder = newServerFolder({ RPC_URL: anvil.url.href, MASTER_KEYS: randomBytes(32).toString('hex') })
const { wallet } = folder
await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 24n })
const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
const environment = { ...folder.environment, REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
const server = await startServer({ environment })
const load = await startLoad()
const bare = await startChild<object, number>('bare-node.ts')
for (let i = 0; i < 4; i++) {
  const y = await bare.ask({ node: anvil.url.href, count: 100 })
  const r = await load.ask({ url: server.url, connections: 1, requests: snapshots(100, 'a' + i) })
  console.log(y.toFixed(1), r.rate.toFixed(1), (r.rate / y).toFixed(3))
}
const st = spawn('strace', ['-f', '-tt', '-s', '120', '-e', 'trace=fsync,fdatasync,sendto,write,writev,read,recvfrom,rename,renameat,unlink,openat', '-o', '/tmp/m11.strace', '-p', `${server.pid}`], { stdio: 'inherit' })
await new Promise((r) => setTimeout(r, 1500))
console.log(await load.ask({ url: server.url, connections: 1, requests: snapshots(12, 'traced') }))
st.kill('SIGINT')
await load.stop(); await bare.stop(); await server.stop(); await anvil.stop(); folder.remove()
