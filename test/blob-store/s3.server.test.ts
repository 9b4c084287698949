import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../packages/http/src/cli/operator/doctor/finding.ts'
import { runDoctor } from '../../packages/http/test/installation.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import {
  agentOf,
  downloadAs,
  hostServer,
  post,
  type Snapshot,
  startServer,
} from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'

const bucket = sharedBucket()

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bucket-server-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
})

const environment = () => ({ ...bucket.environment, DATA_DIR: join(home, 'data') })

const absentBucket = () => `${bucket.environment.BLOB_URL?.replace('memories', 'absent')}`

async function serverAt(env: Readonly<Record<string, string>> = environment()) {
  const server = await hostServer(env)
  onTestFinished(async () => void (await server.end()))
  return server
}

const document = '{"data":{"mood":"calm"},"metadata":{"category":"research"}}'

async function snapshotAt(url: string): Promise<string> {
  const response = await post(url, '/api/memory/snapshot', document)
  expect(response.status).toBe(201)
  return ((await response.json()) as Snapshot).tokenId
}

/** Starts a server, and returns what it says of itself. */
async function readinessWith(env: Readonly<Record<string, string>>) {
  const server = await serverAt(env)
  const reply = await fetch(`${server.url}/readyz`)
  const { code } = (await reply.json()) as { readonly code?: string }
  await server.end()
  return [reply.status, code]
}

/** Runs `heirloom doctor`, and returns the level of each finding by its name. */
async function diagnose(env: Readonly<Record<string, string>>) {
  const { output } = await heirloom(env, 'doctor', '--json')
  const findings: readonly Finding[] = JSON.parse(output)
  return new Map(findings.map(({ name, level, sentence }) => [name, [level, sentence]]))
}

/** Returns the level of what a doctor finds about memories, who checks the laws of the bucket once. */
const levelOfMemories = async (env: Readonly<Record<string, string>>) =>
  (await runDoctor(env)).find(({ name }) => name === 'memories')?.level

describe('a server with a bucket', () => {
  test('opens after a kill what it stored, and a doctor finds nothing wrong', async () => {
    const first = await startServer(environment())
    const id = await snapshotAt(first.url)
    await first.end('SIGKILL')
    const second = await serverAt()
    const opened = await downloadAs(agentOf(join(home, 'data')), second.url, id)
    expect([opened.status, await opened.text()]).toEqual([200, document])
    await second.end()
    const before = await bucket.list('')
    const findings = await diagnose(environment())
    expect(findings.get('blob-store')).toEqual(['ok', expect.stringContaining('probe')])
    expect(findings.get('blocks')).toEqual(['ok', expect.stringContaining('match')])
    expect(findings.get('blob-store-laws')).toEqual(['ok', expect.stringMatching(/^All \d+ laws/)])
    expect(await bucket.list('')).toEqual(before)
  })

  test('on a chain elsewhere is not ready with a bucket that has none of its memories, and a doctor fails', async () => {
    const anvil = await startAnvil()
    onTestFinished(() => anvil.stop())
    const key = generatePrivateKey()
    const wallet = privateKeyToAccount(key)
    await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
    const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
    const env = {
      ...environment(),
      RPC_URL: anvil.url.href,
      AGENT_PRIVATE_KEY: key,
      MASTER_KEYS: 'ab'.repeat(32),
      REGISTRY_ADDRESS: registry,
      MARKETPLACE_ADDRESS: marketplace,
    }
    const other = { ...env, BLOB_URL: env.BLOB_URL.replace('memories?', 'memories/other?') }
    const first = await serverAt(env)
    await snapshotAt(first.url)
    await first.end()
    expect(await readinessWith(other)).toEqual([503, 'memories/lost'])
    expect(await levelOfMemories(other)).toBe('fail')
    expect(await levelOfMemories(env)).toBe('ok')
    // One memory that is there tells that the bucket is the right one; a doctor still finds the loss.
    const second = await serverAt(other)
    await snapshotAt(second.url)
    await second.end()
    expect(await readinessWith(env)).toEqual([200, undefined])
    expect(await levelOfMemories(env)).toBe('fail')
  })

  test.each([
    ['a bucket that does not exist', () => ({ BLOB_URL: absentBucket() }), 'does not exist'],
    ['an unknown key', () => ({ AWS_ACCESS_KEY_ID: 'unknown' }), 'access key'],
    ['a wrong secret', () => ({ AWS_SECRET_ACCESS_KEY: 'wrong' }), 'secret'],
  ])('does not start with %s, and says so', async (_, change, problem) => {
    const error = await startServer({ ...environment(), ...change() }).catch((it: Error) => it)
    expect(String(error)).toContain(problem)
    expect(String(error)).not.toContain(bucket.credentials.secretAccessKey)
  })
})
