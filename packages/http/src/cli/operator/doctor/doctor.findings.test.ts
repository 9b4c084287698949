import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import type { WebhookTables } from '@heirloom/adapters/webhooks'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  blocksIn,
  elsewhere,
  flipBit,
  installation,
  namesOf,
  onlyFailure,
  runDoctor,
  secretsIn,
  startServer,
  useInstallations,
} from '../../../../test/installation.ts'
import { openWebhooks } from '../../../../test/open-webhooks.ts'
import { warnOfLongChain } from '../../../server/open-chain.ts'
import { checkBlockTime, checkChainLength } from './check-chain.ts'
import { checkWebhooks } from './check-jobs.ts'
import { checkNode } from './doctor.ts'

useInstallations()

describe('doctor fails for', () => {
  test('a changed block', async () => {
    const folder = installation()
    const [victim = ''] = blocksIn(folder)
    flipBit(victim)
    const findings = await runDoctor({ DATA_DIR: folder })
    expect(namesOf(findings, 'fail')).toEqual(['memories', 'blocks'])
    const sentence = findings.find(({ name }) => name === 'blocks')?.sentence
    expect(sentence?.match(/1220[0-9a-f]{64}/g)).toEqual([victim.slice(-68)])
  })

  test.each([
    ['folder-mode', '.', '750'],
    ['secret-mode', 'agent.key', '644'],
    ['secret-mode', 'master.keys', '604'],
    ['secret-mode', 'sealing.keys', '640'],
  ])('%s: %s with mode %s', async (name, path, mode) => {
    const folder = installation()
    chmodSync(join(folder, path), Number.parseInt(mode, 8))
    expect(await onlyFailure({ DATA_DIR: folder })).toMatchObject({
      name,
      sentence: expect.stringContaining(mode),
      advice: expect.stringMatching(/^chmod [67]00 /),
    })
  })

  test.each([
    ['agent.key', 'agent-key', 'chain.sqlite'],
    ['master.keys', 'master-keys', 'sealing.keys'],
    ['sealing.keys', 'sealing-keys', 'blobs'],
  ])('a missing %s', async (lost, name, beside) => {
    const folder = installation()
    rmSync(join(folder, lost))
    const sentence = expect.stringMatching(
      new RegExp(`${lost} is missing, and .*/${beside} needs it`),
    )
    expect(await onlyFailure({ DATA_DIR: folder })).toMatchObject({ name, sentence })
    expect(existsSync(join(folder, lost))).toBe(false)
  })

  test.each([
    ['chain', 'chain.sqlite', 'catalogue.sqlite'],
    ['blob-store', 'blobs', 'chain.sqlite'],
  ])('%s: a missing %s', async (name, lost, beside) => {
    const folder = installation()
    rmSync(join(folder, lost), { recursive: true })
    const sentence = expect.stringMatching(new RegExp(`${lost} is missing.*/${beside} needs it`))
    expect(await onlyFailure({ DATA_DIR: folder })).toMatchObject({ name, sentence })
    expect(existsSync(join(folder, lost))).toBe(false)
  })

  test('an empty chain file, and leaves it unchanged', async () => {
    const folder = installation()
    writeFileSync(join(folder, 'chain.sqlite'), '')
    expect(await onlyFailure({ DATA_DIR: folder })).toMatchObject({ name: 'chain' })
    expect(readFileSync(join(folder, 'chain.sqlite'))).toHaveLength(0)
  })

  test('all keys and blobs missing from a folder with tokens', async () => {
    const folder = installation()
    for (const lost of ['blobs', 'master.keys', 'sealing.keys']) {
      rmSync(join(folder, lost), { recursive: true })
    }
    const findings = await runDoctor({ DATA_DIR: folder })
    expect(namesOf(findings, 'fail')).toEqual(['master-keys', 'blob-store'])
  })

  test('a master key that opens no sealing key', async () => {
    const folder = installation()
    const sentence = expect.stringContaining('open none of the 1 sealing keys')
    const env = { DATA_DIR: folder, MASTER_KEYS: '77'.repeat(32) }
    expect(await onlyFailure(env)).toMatchObject({ name: 'sealing-keys', sentence })
  })

  test('a key file of another folder, with the number of affected memories', async () => {
    const [folder, other] = [installation(), installation()]
    const MASTER_KEYS = readFileSync(join(folder, 'master.keys'), 'utf8').trim()
    rmSync(join(other, 'blobs'), { recursive: true })
    for (const name of ['sealing.keys', 'chain.sqlite', 'catalogue.sqlite', 'jobs.sqlite']) {
      rmSync(join(other, name), { force: true })
    }
    await (await startServer(other)).close()
    cpSync(join(other, 'sealing.keys'), join(folder, 'sealing.keys'))
    const sentence = expect.stringContaining(
      '2 of 2 memories are sealed under keys that are missing',
    )
    expect(await onlyFailure({ DATA_DIR: folder, MASTER_KEYS })).toMatchObject({
      name: 'memory-keys',
      sentence,
    })
  })

  test('a wrong chain id, and contracts that are not ours', async () => {
    const { env } = await elsewhere()
    const wrong = await onlyFailure({ ...env, CHAIN_ID: '5' })
    expect([wrong?.name, wrong?.sentence]).toEqual([
      'chain-id',
      'CHAIN_ID is 5, but the node at RPC_URL serves chain 31337.',
    ])
    const { REGISTRY_ADDRESS, MARKETPLACE_ADDRESS, ...bare } = env
    for (const other of [
      { MARKETPLACE_ADDRESS: REGISTRY_ADDRESS },
      { REGISTRY_ADDRESS: MARKETPLACE_ADDRESS },
    ]) {
      expect((await onlyFailure({ ...env, ...other }))?.name).toBe('contracts')
    }
    expect((await onlyFailure(bare))?.sentence).toBe('MARKETPLACE_ADDRESS is not set.')
  })

  test('an unreachable node, without showing its URL', async () => {
    const folder = installation()
    const [AGENT_PRIVATE_KEY, MASTER_KEYS] = secretsIn(folder)
    const RPC_URL = 'http://user:hushed@127.0.0.1:1/hushed'
    const env = { DATA_DIR: folder, RPC_URL, AGENT_PRIVATE_KEY, MASTER_KEYS }
    expect((await onlyFailure(env))?.name).toBe('chain')
    expect(JSON.stringify(await runDoctor(env))).not.toContain('hushed')
  })

  test('a damaged job store, and an unreachable database', async () => {
    const folder = installation()
    const DATABASE_URL = 'postgres://user:hushed@127.0.0.1:1/heirloom'
    const unanswered = await runDoctor({ DATA_DIR: folder, DATABASE_URL })
    expect(namesOf(unanswered, 'fail')).toEqual(['sealing-keys', 'jobs'])
    expect(JSON.stringify(unanswered)).not.toContain('hushed')
    writeFileSync(join(folder, 'jobs.sqlite'), 'not a database'.repeat(1000))
    expect((await onlyFailure({ DATA_DIR: folder }))?.name).toBe('jobs')
  })

  test('an invalid environment', async () => {
    const findings = await runDoctor({ PORT: 'http' })
    expect(findings.map(({ level, name }) => [level, name])).toEqual([
      ['ok', 'node'],
      ['fail', 'config'],
    ])
  })

  test('a Node that is too old', () => {
    const levels = ['20.19.0', '23.11.1', '24.0.0', '100.1.0'].map((it) => checkNode(it).level)
    expect(levels).toEqual(['fail', 'fail', 'ok', 'ok'])
  })
})

describe('doctor warns of', () => {
  test('a wallet that cannot pay for a hundred mints', async () => {
    const { env } = await elsewhere()
    const findings = await runDoctor({ ...env, AGENT_PRIVATE_KEY: '12'.repeat(32) })
    expect([namesOf(findings, 'warn'), namesOf(findings, 'fail')]).toEqual([['wallet'], []])
    const { sentence, advice } = findings.find(({ name }) => name === 'wallet') ?? {}
    const [needed = ''] = sentence?.match(/\d+(?=\.$)/) ?? []
    expect(BigInt(needed) % (100n * 104_729n)).toBe(0n)
    expect(advice).toBe(`Send it ${needed} wei more.`)
  })

  test('a job that was sent and not settled for long', async () => {
    const folder = installation()
    await sendAt(folder, 'a'.repeat(8), Date.now() - 601_000)
    await sendAt(folder, 'b'.repeat(8), Date.now() - 60_000)
    const findings = await runDoctor({ DATA_DIR: folder })
    expect([namesOf(findings, 'warn'), namesOf(findings, 'fail')]).toEqual([['stuck-jobs'], []])
    const { sentence } = findings.find(({ name }) => name === 'stuck-jobs') ?? {}
    expect(sentence).toContain(': aaaaaaaa.')
  })

  async function sendAt(folder: string, id: string, signedAt: number): Promise<void> {
    const store = await sqliteJobStore(join(folder, 'jobs.sqlite'))
    const lane = `lane of ${id}`
    const call = { to: '0x', data: '0x', value: '0' } as const
    const ended = { key: null, fingerprint: null, budget: null, txHash: null, outcome: null }
    const job = { ...call, ...ended, id, lane, operation: 'mint', nonce: 7, acceptedAt: 0 }
    await store.db
      .insertInto('job')
      .values({ ...job, state: 'sent' })
      .execute()
    const block = { blockNumber: null, blockHash: null }
    const slot = { ...call, ...block, lane, nonce: 7, jobs: '[]', gas: '0', reserved: '0', day: 0 }
    await store.db
      .insertInto('slot')
      .values({ ...slot, signedAt, state: 'open' })
      .execute()
    await store.close()
  }

  test('a webhook that has failed for more than an hour', async () => {
    const { webhooks, store, close } = await openWebhooks()
    const now = Date.now()
    const ids: string[] = []
    for (const ago of [3_599_000, 3_601_000]) {
      const request = { url: 'https://example.com', kinds: undefined, tokenId: undefined }
      const { id } = await webhooks.add(request)
      ids.push(id)
      await store.db
        .withTables<WebhookTables>()
        .updateTable('webhook')
        .set({ failingSince: now - ago })
        .where('id', '=', id)
        .execute()
    }
    const { level, sentence } = await checkWebhooks(store, now)
    expect([level, sentence]).toEqual(['warn', `Failing for more than an hour: ${ids[1]}.`])
    await close()
  })

  const level = (warns: boolean) => (warns ? 'warn' : 'ok')

  test('a long embedded chain', () => {
    const levelAt = (number: bigint, kind: 'embedded' | 'remote') =>
      checkChainLength({ chainId: 31337, number }, kind).level
    expect(levelAt(19_999n, 'embedded')).toBe('ok')
    expect(levelAt(20_000n, 'embedded')).toBe('warn')
    expect(levelAt(20_000n, 'remote')).toBe('ok')
  })

  test('a long embedded chain, also in the log of a server', async () => {
    const warnings = async (blocks: number) => {
      const logged: unknown[] = []
      const source = { request: async () => `0x${blocks.toString(16)}` } as never
      const log = { warn: (...line: unknown[]) => logged.push(line) }
      await warnOfLongChain(log as never, { source, nodes: undefined, ready: Promise.resolve() })
      return logged
    }
    expect(await warnings(19_999)).toEqual([])
    const sentence = expect.stringContaining('grown long. Each block costs about 22 KB')
    expect(await warnings(20_000)).toEqual([[{ blocks: 20_000 }, sentence]])
  })

  test('a wrong clock, and a chain without new blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 10_000 }), (age) => {
        const levelsOf = (remote: boolean) =>
          [...checkBlockTime(age, remote)].map((it) => [it.name, it.level])
        expect(levelsOf(false)).toEqual([['clock', level(age < -120)]])
        const clock = level(Math.abs(age) > 120)
        expect(levelsOf(true)).toEqual([
          ['head', level(age > 600)],
          ['clock', clock],
        ])
      }),
    )
  })
})
