import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { history, receiptOf, send } from './test/requests.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { openTestChain, threeTransfers } from './test/test-chain.ts'
import { signTransaction } from './test/transactions.ts'

const quiet = '--disable-warning=ExperimentalWarning'
const script = (name: string) => fileURLToPath(new URL(`./test/${name}.ts`, import.meta.url))

function spawnSender(folder: string): ChildProcess {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return spawn(process.execPath, [quiet, script('steady-sender'), folder], { stdio: [...stdio] })
}

/** Kills the process once it has acknowledged `count` transactions; returns all acknowledged ones. */
async function killAfter(sending: ChildProcess, count: number): Promise<readonly string[]> {
  const acknowledged: string[] = []
  if (!sending.stdout) throw new Error('The process has no output to read.')
  for await (const line of createInterface({ input: sending.stdout })) {
    acknowledged.push(line)
    if (acknowledged.length === count) sending.kill('SIGKILL')
  }
  if (sending.signalCode === null) await once(sending, 'exit')
  expect(sending.signalCode).toBe('SIGKILL')
  return acknowledged.filter((line) => line.length === 66 + 1 + 66)
}

test('a killed process loses nothing it acknowledged', async () => {
  const folder = temporaryFolder()
  const counts = fc.sample(fc.integer({ min: 1, max: 60 }), { seed: 9, numRuns: 5 })
  const acknowledged: string[] = []
  for (const count of counts) {
    acknowledged.push(...(await killAfter(spawnSender(folder), count)))
    const chain = await openTestChain(folder)
    for (const line of acknowledged) {
      const [hash, blockHash] = line.split(' ')
      expect(await receiptOf(chain, hash as Hex)).toMatchObject({ status: '0x1', blockHash })
    }
    await chain.close()
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(counts.reduce((sum, count) => sum + count, 0))
})

test('a transaction on a full disk fails and changes nothing', async () => {
  const folder = temporaryFolder()
  const limited = ['-c', 'ulimit -f 900 && exec "$0" "$@"', process.execPath, quiet]
  const child = spawnSync('sh', [...limited, script('full-disk'), folder], { encoding: 'utf8' })
  expect(child.stderr).toBe('')
  const { failure, reason, before, during, after } = JSON.parse(child.stdout)
  // SQLite tells a limit of the length of files as an error of the disk.
  expect([failure, reason]).toEqual(['ledger/unavailable', 'its disk does not work'])
  expect(during).toEqual(before)
  expect(after).toHaveLength(3)
  expect(await history(await openTestChain(folder))).toEqual(after)
})

test('a transaction whose file was removed or replaced fails and changes nothing', async () => {
  const folder = temporaryFolder()
  const before = await threeTransfers(folder)
  const chain = await openTestChain(folder)
  const [path, aside] = [join(folder, 'chain.sqlite'), join(folder, 'aside')]
  const raw = await signTransaction({ nonce: 3 })
  renameSync(path, aside)
  await expect(send(chain, raw)).rejects.toThrow('eth_sendRawTransaction')
  copyFileSync(aside, path)
  await expect(send(chain, raw)).rejects.toThrow('eth_sendRawTransaction')
  renameSync(aside, path)
  expect(await history(chain)).toEqual(before)
  await send(chain, raw)
  expect(await history(chain)).toHaveLength(before.length + 1)
})
