import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import { digest, hash } from '@heirloom/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Benchmark, Round } from '../figure.ts'

const sequentialMints = 50
const concurrentMints = 640
const inFlight = 64

const content = hash(`0x${'11'.repeat(32)}`)

/**
 * Measures the gain of mints that share transactions: a ledger in this process, with jobs on disk.
 */
export const groupCommit: Benchmark = {
  figures: [
    {
      id: 'G1',
      what: 'mints of a ledger, 64 at once',
      against: 'one after another',
      unit: 'mints/s',
      better: 'higher',
      must: 4,
      aim: 8,
    },
  ],
  measure: async (rounds) => {
    const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
    const wallet = privateKeyToAccount(generatePrivateKey())
    const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
    const contracts = await embeddedContracts({ chain, wallet })
    const store = await sqliteJobStore(join(folder, 'jobs.sqlite'))
    const ledger = await viemLedger({ chain, wallet, contracts, store })
    await rate(ledger, { mints: concurrentMints, concurrency: inFlight })
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      const yardstick = await rate(ledger, { mints: sequentialMints, concurrency: 1 })
      const value = await rate(ledger, { mints: concurrentMints, concurrency: inFlight })
      measured.push({ yardstick, value })
    }
    await ledger.close()
    await store.close()
    await chain.close()
    rmSync(folder, { recursive: true })
    return { G1: measured }
  },
}

/** Returns the mints per second at a concurrency. */
async function rate(
  ledger: ViemLedger,
  { mints, concurrency }: { readonly mints: number; readonly concurrency: number },
): Promise<number> {
  let left = mints
  const began = performance.now()
  const work = async () => {
    while (left-- > 0) await mint(ledger)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return (1000 * mints) / (performance.now() - began)
}

function mint(ledger: ViemLedger): Promise<unknown> {
  const token = { contentHash: content, digest: digest(content), parent: undefined }
  return ledger.mint({ ...token, recipient: ledger.agent })
}
