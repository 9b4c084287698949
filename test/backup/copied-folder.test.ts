import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyFolder, snapshot, type Write } from '../harness/backup/installation.ts'
import { startAnvil } from '../harness/chain/anvil.ts'
import { buildNewServer, type NewServer } from '../harness/migration/new-server.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { type HostedServer, hostServer } from '../harness/process/server.ts'

/** Makes an installation on anvil that has written, and a copy of its folder. */
async function copiedInstallation() {
  const anvil = await startAnvil()
  onTestFinished(() => anvil.stop())
  const parent = emptyFolder('copied')
  const server = await buildNewServer(anvil, parent)
  const first = await hostServer(server.env)
  await snapshot(first, 'one')
  await first.end()
  const copy = join(parent, 'copy')
  cpSync(server.folder, copy, { recursive: true })
  return { anvil, server, copyEnv: { ...server.env, DATA_DIR: copy }, copy }
}

async function start(env: NewServer['env'], ...words: readonly string[]): Promise<HostedServer> {
  const server = await hostServer({ LOG_LEVEL: 'silent', ...env }, ...words)
  onTestFinished(async () => void (await server.end()))
  return server
}

const startOutcome = (env: NewServer['env']) =>
  hostServer(env).then(
    async (server) => {
      await server.end()
      return 'started'
    },
    (error: Error) => error.message,
  )

/** Lets a copied folder look as it would on another machine, which cannot see the original. */
function carryAway(copy: string): void {
  const path = join(copy, 'installation.json')
  const record = JSON.parse(readFileSync(path, 'utf8'))
  const place = { ...record.place, machine: 'another', host: 'another', path: '/elsewhere' }
  writeFileSync(path, JSON.stringify({ ...record, place }))
}

type Readiness = { readonly component?: string; readonly components: { readonly wallet: string } }

async function walletOf({ url }: HostedServer): Promise<string> {
  const { components } = (await (await fetch(`${url}/readyz`)).json()) as Readiness
  return components.wallet
}

const mintTransfer = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
)

/** Returns the ids of all tokens on the chain. */
async function mintedTokens({ client, pair }: NewServer): Promise<readonly string[]> {
  const from = '0x0000000000000000000000000000000000000000'
  const filter = { address: pair.registry, event: mintTransfer, args: { from } } as const
  const logs = await client.getLogs({ ...filter, fromBlock: 0n })
  return logs.map(({ args }) => String(args.tokenId))
}

/** Writes until the server refuses; returns what it acknowledged. */
async function writeUntilRefused(server: HostedServer, name: string, most: number) {
  const acknowledged: Write[] = []
  for (let turn = 0; turn < most; turn += 1) {
    try {
      acknowledged.push(await snapshot(server, `${name}-${turn}`))
    } catch (error) {
      expect(String(error)).toContain('wallet/shared')
      return { acknowledged, isRefused: true }
    }
  }
  return { acknowledged, isRefused: false }
}

describe('a copied data folder of a wallet on a chain elsewhere', () => {
  test('starts only once it is said that the original never will again', async () => {
    const { server, copyEnv, copy } = await copiedInstallation()
    expect(await startOutcome(copyEnv)).toContain(`${copy} is a copy of ${server.folder}`)
    const findings = await heirloom(copyEnv, 'doctor')
    expect(findings.code).toBe(1)
    expect(findings.output + findings.errors).toContain(`is a copy of ${server.folder}`)
    const saved = await heirloom(copyEnv, 'backup', join(copy, '../place'))
    expect(saved.errors).toContain('is a copy of')

    const original = await start(server.env)
    await expect(start(copyEnv, '--as-writer')).rejects.toThrow()
    expect(await startOutcome(copyEnv)).toContain('is a copy of')
    await original.end()
    const adopted = await start(copyEnv, '--as-writer')
    expect((await snapshot(adopted, 'two')).tokenId).toBe('2')
    await adopted.end()
    expect(await startOutcome(server.env)).toContain('two copies must never write')
    expect(await startOutcome(copyEnv)).toBe('started')
    await (await start(copyEnv, '--as-writer')).end()
    expect(await startOutcome(copyEnv)).toBe('started')
  })

  test('on another machine makes its original write no more, and goes on', async () => {
    const { server, copyEnv, copy } = await copiedInstallation()
    carryAway(copy)
    const original = await start(server.env)
    const adopted = await start(copyEnv, '--as-writer')
    expect([await walletOf(original), await walletOf(adopted)]).toEqual(['ok', 'ok'])
    const two = await snapshot(adopted, 'two')
    await expect(snapshot(original, 'lost')).rejects.toThrow('wallet/shared')
    await expect(snapshot(original, 'more')).rejects.toThrow('wallet/shared')
    expect((await snapshot(original, 'one')).tokenId).toBe('1')
    expect(await walletOf(original)).toBe('wallet/shared')
    const three = await snapshot(adopted, 'three')
    expect(await walletOf(adopted)).toBe('ok')
    expect(await mintedTokens(server)).toEqual(['1', two.tokenId, three.tokenId])

    await adopted.end()
    await original.end()
    const again = await start(server.env)
    expect((await snapshot(again, 'lost')).tokenId).toBe('4')
  })

  test('loses and doubles nothing that either of them acknowledged', async () => {
    const { server, copyEnv, copy } = await copiedInstallation()
    carryAway(copy)
    const both = [await start(server.env), await start(copyEnv, '--as-writer')]
    const results = await Promise.all(
      both.map((it, index) => writeUntilRefused(it, `server-${index}`, 12)),
    )
    expect(results.some(({ isRefused }) => isRefused)).toBe(true)
    const acknowledged = results.flatMap((it) => it.acknowledged.map(({ tokenId }) => tokenId))
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    const minted = await mintedTokens(server)
    expect(minted.toSorted()).toEqual(['1', ...acknowledged].toSorted())
  })
})

test('a copied data folder of an embedded chain starts once its original never will again', async () => {
  const parent = emptyFolder('copied')
  const [folder, copy] = [join(parent, 'original'), join(parent, 'copy')]
  const first = await hostServer({ DATA_DIR: folder })
  await snapshot(first, 'one')
  await first.end()
  cpSync(folder, copy, { recursive: true })
  expect(await startOutcome({ DATA_DIR: copy })).toContain(`${copy} is a copy of ${folder}`)
  expect(await startOutcome({ DATA_DIR: folder })).toBe('started')
  const adopted = await start({ DATA_DIR: copy }, '--as-writer')
  expect((await snapshot(adopted, 'two')).tokenId).toBe('2')
  await adopted.end()
  expect(await startOutcome({ DATA_DIR: folder })).toContain('two copies must never write')
  expect(await startOutcome({ DATA_DIR: copy })).toBe('started')
})

/** Sends money of a wallet to itself. */
async function transfer({ env, client }: NewServer): Promise<void> {
  const account = privateKeyToAccount(env.AGENT_PRIVATE_KEY as `0x${string}`)
  const nonce = await client.getTransactionCount({ address: account.address })
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 21_000n }
  const call = { nonce, to: account.address, chainId: 31337, type: 'eip1559' } as const
  const serializedTransaction = await account.signTransaction({ ...fees, ...call })
  await client.sendRawTransaction({ serializedTransaction })
}

test('a transfer of its money by another program does not stop a server', async () => {
  const anvil = await startAnvil()
  onTestFinished(() => anvil.stop())
  const server = await buildNewServer(anvil, emptyFolder('transfer'))
  const running = await start(server.env)
  // Before its first write a server reads its nonce; afterwards it only meets the transaction.
  for (const [index, key] of ['one', 'two'].entries()) {
    await transfer(server)
    expect((await snapshot(running, key)).tokenId).toBe(String(index + 1))
    expect(await walletOf(running)).toBe('ok')
  }
})
