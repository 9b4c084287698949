import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { folder, here, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

const at = (...names: string[]) => join(folder, ...names)
// Assembled here, so that no scanner reports this file.
const secret = `sk-ant-${'api03-Zm9vYmFyYmF6cXV4'.repeat(3)}`

beforeEach(() => {
  rmSync(at('memories'), { recursive: true, force: true })
  mkdirSync(at('memories', 'system'), { recursive: true })
  mkdirSync(at('memories', '.git'))
  writeFileSync(
    at('memories', 'system', 'human.md'),
    '---\ndescription: who\n---\nAda likes tea.\n',
  )
  writeFileSync(at('memories', 'notes.md'), 'Short answers.\n')
  writeFileSync(at('memories', '.git', 'config.md'), 'not a memory')
  symlinkSync('/etc/passwd', at('memories', 'link.md'))
})

const files = (...names: string[]) =>
  readdirSync(at(...names), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted()

describe('a folder', () => {
  test('is described with --dry-run, imported, and exported unchanged', async () => {
    const words = ['import', at('memories'), '--category', 'research', '--agent-id', 'ada']
    const dryRun = await runJson(...words, '--dry-run')
    expect(dryRun).toMatchObject({ dryRun: true, import: { format: 'markdown' } })
    const { tokenId } = await runJson(...words)
    const { metadata } = await runJson('download', `${tokenId}`)
    expect(metadata).toMatchObject({ category: 'research', agentId: 'ada' })
    await runJson('export', `${tokenId}`, at('restored'))
    expect(files('restored')).toEqual(['human.md', 'notes.md'])
    expect(readFileSync(at('restored', 'notes.md'), 'utf8')).toBe('Short answers.\n')
    const again = await run(['export', `${tokenId}`, at('restored')], { env: here })
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')])
  })

  test('is exported without files that programs execute or read', async () => {
    const names = ['CLAUDE.md', 'node_modules/x.md', 'package.json', '.envrc', 'run.sh']
    mkdirSync(at('memories', 'node_modules'))
    for (const name of names) writeFileSync(at('memories', name), '{}')
    const { tokenId } = await runJson('import', at('memories'), '--category', 'x')
    const { left } = await runJson('export', `${tokenId}`, at('safe'))
    expect((left as { what: string }[]).map(({ what }) => what).toSorted()).toEqual(
      names.toSorted(),
    )
    expect(files('safe')).toEqual(['human.md', 'notes.md'])
    const { out } = await run(['export', `${tokenId}`, at('shown')], { env: here })
    expect(out).toMatch(/^Left out +CLAUDE\.md: agents take such a file as orders$/m)
    await runJson('export', `${tokenId}`, at('all'), '--unsafe-names')
    expect(files('all')).toEqual(files('memories').filter((name) => name !== 'config.md'))
  })

  test('is not exported when it has only such files', async () => {
    writeFileSync(at('package.json'), '{"scripts":{"postinstall":"evil"}}')
    const { tokenId } = await runJson('import', at('package.json'))
    const { code, err } = await run(['export', `${tokenId}`, at('none'), '--json'], { env: here })
    expect([code, JSON.parse(err).code]).toEqual([2, 'import/malformed'])
    await runJson('export', `${tokenId}`, at('none'), '--unsafe-names')
    expect(files('none')).toEqual(['package.json'])
  })

  test('with a secret is refused without --redact or --keep-secrets', async () => {
    writeFileSync(at('memories', 'keys.md'), `The key is ${secret}\n`)
    const importIt = (...words: string[]) =>
      run(['import', at('memories'), '--category', 'x', '--json', ...words], { env: here })
    const refused = await importIt()
    expect([refused.code, JSON.parse(refused.err).code]).toEqual([2, 'import/secrets-found'])
    expect(refused.err).not.toContain(secret)
    expect((await importIt('--redact', '--keep-secrets')).code).toBe(2)
    for (const [choice, isThere] of [
      ['--redact', false],
      ['--keep-secrets', true],
    ] as const) {
      const { out } = await importIt(choice)
      expect(out).not.toContain(secret)
      const { tokenId } = JSON.parse(out)
      const memory = await run(['download', tokenId], { env: here })
      expect(memory.out.includes(secret)).toBe(isThere)
    }
  })
})

describe('a file', () => {
  test('is imported with a report as text', async () => {
    const line = (name: string) =>
      JSON.stringify({ type: 'entity', name, entityType: 'person', observations: ['likes tea'] })
    writeFileSync(
      at('graph.jsonl'),
      `${line('Ada')}
${line('Bob')}
`,
    )
    const { code, out, err } = await run(['import', at('graph.jsonl')], { env: here })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Format +mcp-memory\n/)
    expect(out).toMatch(/^Imported +entities: 2$/m)
    expect(out).toMatch(/^Token +\d+$/m)
  })

  test('that does not exist or is no memory is refused', async () => {
    expect(await run(['import', at('nothing')], { env: here })).toMatchObject({ code: 2, out: '' })
    writeFileSync(at('picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47]))
    expect((await run(['import', at('picture.png')], { env: here })).code).toBe(2)
  })
})

test('--format accepts every format', async () => {
  const { formatNames } = await import('../../../../adapters/src/formats/format-name.ts')
  const { formats } = await import('./import.ts')
  expect(formats).toEqual(formatNames)
})
