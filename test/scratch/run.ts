import { mkdtempSync, writeFileSync, cpSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { execFileSync, spawnSync } from 'node:child_process'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildOldHouse } from '../harness/migration/old-house.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployDollar } from '../harness/chain/order-payment.ts'
import { connect } from '../../packages/adapters/src/ledger/connection.ts'
import { deployContracts } from '@heirloom/adapters/contracts'
const program = new URL('../../packages/http/src/cli.ts', import.meta.url).pathname
const home = mkdtempSync('/dev/shm/mig-')
console.log(home)
const t0 = Date.now()
const house = await buildOldHouse(home + '/old', program)
console.log('old house', Date.now() - t0)
const anvil = await startAnvil({ chainId: 8453 })
try {
const key = generatePrivateKey()
const wallet = privateKeyToAccount(key)
await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 18n })
const dollar = await deployDollar(connect(anvil.url), wallet)
const pair = await deployContracts({ chain: anvil.url, wallet, dollar })
const env = { DATA_DIR: home + '/new', RPC_URL: anvil.url.href, REGISTRY_ADDRESS: pair.registry, MARKETPLACE_ADDRESS: pair.marketplace, AGENT_PRIVATE_KEY: key, MASTER_KEYS: randomBytes(32).toString('hex') }
writeFileSync(home + '/new.env', Object.entries(env).map(([k, v]) => `${k}=${v}`).join('\n'))
const run = (...flags: string[]) => {
  const t = Date.now()
  const r = spawnSync(process.execPath, [program, 'migrate', '--to', home + '/new.env', ...flags], { encoding: 'utf8', env: { PATH: process.env.PATH, DATA_DIR: home + '/old' } })
  console.log(flags, r.status, Date.now() - t, '\n' + r.stdout + r.stderr)
}
run('--dry-run')
run('--yes')
run('--status')
run('--dry-run')
} finally { await anvil.stop() }
