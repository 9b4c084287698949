import { blobStoreLaws } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stepsOf } from '../harness/docs/guide.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { bucketFaultsProgram, typeCheckCommands } from '../harness/packages/consumer-programs.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { type ObjectStore, startObjectStore } from '../harness/process/object-store.ts'
import { read } from './docs.ts'

const steps = stepsOf(read('docs/guides/adapter.md'))

function fileOf(name: string): string {
  const step = steps.find((it) => it.kind === 'file' && it.name === name)
  return step?.kind === 'file' ? step.content : ''
}

describe('a reader of the adapter guide', () => {
  const adapter = fileOf('s3-blob-store.ts')
  const lawTest = fileOf('s3-blob-store.test.ts')
  let registry: Published
  let store: ObjectStore
  let reader: Stranger
  // An installation can take long on a slow network or disk.
  beforeAll(async () => {
    registry = await publish()
    reader = stranger(registry.url)
    for (const step of steps) {
      if (step.kind !== 'install') continue
      for (const command of step.commands.trim().split('\n')) await reader.run(command)
    }
    await reader.run('npm install vitest @types/node')
    store = await startObjectStore()
    reader.write('s3-blob-store.ts', adapter)
    reader.write('s3-blob-store.test.ts', lawTest)
    reader.write('s3-blob-store.spec.ts', lawTest.replace('testkit/node-test', 'testkit/vitest'))
  }, 300_000)
  afterAll(async () => {
    await store.close()
    reader.remove()
    await registry.close()
  })

  const runWithStore = (command: string) => reader.run(command, { BUCKET: store.url })

  test('writes at most sixty lines, which compile', async () => {
    expect(adapter.split('\n').length).toBeLessThanOrEqual(60)
    const strict = '--lib es2024,dom --types node --allowImportingTsExtensions'
    const files = 's3-blob-store.ts s3-blob-store.test.ts s3-blob-store.spec.ts'
    await reader.run(`${typeCheckCommands[0]} ${strict} ${files}`)
  })

  test('passes all laws under `node --test`', async () => {
    const report = await runWithStore('node --test --test-reporter=tap s3-blob-store.test.ts')
    for (const { name } of blobStoreLaws) expect(report).toContain(`- ${name}\n`)
    expect(report).toContain(`# pass ${blobStoreLaws.length}\n`)
    expect(report).toContain('# fail 0\n')
  })

  test('runs the same laws under vitest, shown with one of them', async () => {
    const options = '--reporter=tap-flat --testTimeout=120000 -t removes'
    const report = await runWithStore(`npx vitest run ${options} s3-blob-store.spec.ts`)
    expect(report).toMatch(/^ok \d+ - .*removes one blob and no other/m)
    expect(report.match(/# SKIP/g)).toHaveLength(blobStoreLaws.length - 1)
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
})
