import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedChain } from '@heirloom/adapters/chain'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { serve } from './serve.ts'

const key = `0x${'11'.repeat(32)}` as const

test('a server refuses a folder whose chain an earlier version made, and leaves it as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const wallet = privateKeyToAccount(key)
  const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
  // The first transaction of earlier versions deployed the pair.
  const raw = await wallet.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    gas: 100_000n,
    data: '0x6001600155',
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
  await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await chain.close()
  const config = readConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: key,
  })
  await expect(serve(config)).rejects.toMatchObject({
    code: 'config/invalid',
    message:
      'DATA_DIR names a folder whose chain was made by a version before 0.2.0; name another folder, and make its memories anew there.',
  })
  expect(readdirSync(folder)).not.toContain('catalogue.sqlite')
})
