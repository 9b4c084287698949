import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { serveRequests } from './child.ts'
import { mintsOf } from './mints.ts'

// The yardstick of writes: pre-signed mints, sent one after another to the embedded chain alone,
// with its journal on disk.

const folder = mkdtempSync(join(tmpdir(), 'heirloom-bare-'))
const wallet = privateKeyToAccount(generatePrivateKey())
const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
const contracts = await embeddedContracts({ chain, wallet })
const mints = await mintsOf({ chain, wallet, contracts })

serveRequests<{ readonly count: number }>(async ({ count }) => {
  const signed = await mints.sign(count)
  const [began, before] = [performance.now(), process.threadCpuUsage()]
  for (const raw of signed) await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
  const { user, system } = process.threadCpuUsage(before)
  const rate = (1000 * count) / (performance.now() - began)
  return { rate, processor: (user + system) / 1000 / count }
})

process.on('exit', () => rmSync(folder, { recursive: true }))
