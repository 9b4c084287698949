import { join } from 'node:path'
import { blobStorageLaws, blobStoreLaws } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stepsOf } from '../harness/docs/guide.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { bucketFaultsProgram, typeCheckCommands } from '../harness/packages/consumer-programs.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { type ObjectStore, startObjectStore } from '../harness/process/object-store.ts'
import { agentOf, downloadAs, post, type Snapshot } from '../harness/process/server.ts'
import { times } from '../tier.ts'
import { read } from './docs.ts'

// adapter-guide.server.test.ts follows the rest with the packages of the workspace.
const [proof = ''] = read('docs/guides/adapter.md').split('## Run a server with it')
const steps = stepsOf(proof)
const laws = [...blobStoreLaws, ...blobStorageLaws]

function fileOf(name: string): string {
  const step = steps.find((it) => it.kind === 'file' && it.name === name)
  return step?.kind === 'file' ? step.content : ''
}

/** A module that sets the runs of each law, which its reader leaves to fast-check. */
const runsProgram = (numRuns: number) =>
  `import fc from 'fast-check'\nfc.configureGlobal({ numRuns: ${numRuns} })\n`

describe('a reader of the adapter guide', () => {
  const adapter = fileOf('s3-blob-store.ts')
  const lawTest = fileOf('s3-blob-store.test.ts')
  let registry: Published
  let store: ObjectStore
  let reader: Stranger
  beforeAll(async () => {
    registry = await publish()
    reader = stranger(registry.url)
    for (const step of steps) {
      if (step.kind !== 'install') continue
      for (const command of step.commands.trim().split('\n'))
        await reader.install(command.replace(/^npm install (--save-dev )?/, ''))
    }
    await reader.install('vitest @types/node')
    store = await startObjectStore()
    reader.write('s3-blob-store.ts', adapter)
    reader.write('runs.mjs', runsProgram(times(10, 100)))
    reader.write('s3-blob-store.test.ts', lawTest)
    reader.write('s3-blob-store.spec.ts', lawTest.replace('testkit/node-test', 'testkit/vitest'))
  })
  afterAll(async () => {
    await store.close()
    reader.remove()
    await registry.close()
  })

  const runWithStore = (command: string) =>
    reader.run(command, { BUCKET: store.url, NODE_OPTIONS: '--import=./runs.mjs' })

  test('writes at most ninety lines, which compile', async () => {
    expect(adapter.split('\n').length).toBeLessThanOrEqual(90)
    const strict = '--lib es2024,dom --types node --allowImportingTsExtensions'
    const files = 's3-blob-store.ts s3-blob-store.test.ts s3-blob-store.spec.ts'
    await reader.run(`${typeCheckCommands[0]} ${strict} ${files}`)
  })

  test('passes all laws under `node --test`', async () => {
    const report = await runWithStore('node --test --test-reporter=tap s3-blob-store.test.ts')
    for (const { name } of laws) expect(report).toContain(`- ${name}\n`)
    expect(report).toContain(`# pass ${laws.length}\n`)
    expect(report).toContain('# fail 0\n')
  })

  test('runs the same laws under vitest, shown with one of them', async () => {
    const options = '--reporter=tap-flat --testTimeout=120000 -t removes.one'
    const report = await runWithStore(`npx vitest run ${options} s3-blob-store.spec.ts`)
    expect(report).toMatch(/^ok \d+ - .*removes one blob and no other(?!.*# SKIP)/m)
    expect(report.match(/# SKIP/g)).toHaveLength(laws.length - 1)
  })

  test('sees the name of the law that a mistake breaks', async () => {
    reader.write('s3-blob-store.ts', adapter.replace("method: 'DELETE'", "method: 'GET'"))
    const one = '--test-name-pattern=removes'
    const refusal = runWithStore(`node --test --test-reporter=tap ${one} s3-blob-store.test.ts`)
    await expect(refusal).rejects.toThrow(/not ok \d+ - removes one blob and no other/)
    await expect(refusal).rejects.toThrow(/# fail 1\n/)
    reader.write('s3-blob-store.ts', adapter)
  })

  test('gets failures that the laws do not test: damage and a store that does not answer', async () => {
    reader.write('bucket-faults.mjs', bucketFaultsProgram)
    expect(await runWithStore('node bucket-faults.mjs')).toBe('blob/corrupt blob/unavailable\n')
  })

  test('runs a published server with it, which understands its failures', async () => {
    await reader.install('@heirloom/http')
    const settings = `BLOB_STORE=./s3-blob-store.ts BLOB_URL=${store.url}`
    const server = await reader.serve(`env ${settings} npx heirloom serve`)
    const body = '{"data":{"mood":"calm"},"metadata":{"category":"research"}}'
    const snapshot = await post(server.url, '/api/memory/snapshot', body)
    const { tokenId } = (await snapshot.json()) as Snapshot
    const wallet = agentOf(join(reader.folder, '.heirloom'))
    expect(await (await downloadAs(wallet, server.url, tokenId)).text()).toBe(body)
    store.objects.clear()
    const integrity = await fetch(`${server.url}/api/memory/${tokenId}/integrity`)
    expect(await integrity.json()).toMatchObject({ present: false })
    await server.end()
  })
})
