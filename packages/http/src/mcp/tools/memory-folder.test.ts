import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

let home: string
let root: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'memory-folder-'))
  root = join(home, 'memories')
  mkdirSync(join(root, 'old'), { recursive: true })
  mkdirSync(join(home, 'elsewhere'))
  writeFileSync(join(home, 'secret'), 'secret')
  writeFileSync(join(home, 'elsewhere/secret'), 'secret')
  symlinkSync(join(home, 'elsewhere'), join(root, 'link'))
  symlinkSync(join(home, 'secret'), join(root, 'alias'))
  symlinkSync(join(home, 'made'), join(root, 'dangling'))
})
afterAll(() => rmSync(home, { recursive: true }))

const bytes = Buffer.from('{"data":{},"metadata":{"category":"x"}}')
const refused = { code: 'request/malformed', facts: { where: 'path' } }

test('saves a file with private permissions, reads it, and never replaces one', async () => {
  const folder = memoryFolder(root)
  for (const path of ['a.json', 'old/b.json', './c.json', 'old/../d.json']) {
    await folder.save(path, bytes)
    expect(await folder.read(path)).toEqual(bytes)
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o600)
    await expect(folder.save(path, Buffer.of())).rejects.toMatchObject(refused)
    expect(readFileSync(join(root, path))).toEqual(bytes)
  }
})

test('a failed save leaves no file, so that it can be repeated', async () => {
  const folder = memoryFolder(root)
  // Writes some bytes, then fails on a value that is not bytes.
  const broken = (function* () {
    yield bytes.subarray(0, 9)
    yield {}
  })() as unknown as Uint8Array
  await expect(folder.save('half.json', broken)).rejects.toThrow(TypeError)
  expect(existsSync(join(root, 'half.json'))).toBe(false)
  await folder.save('half.json', bytes)
  expect(await folder.read('half.json')).toEqual(bytes)
})

test('neither reads nor writes outside, for any path', async () => {
  const folder = memoryFolder(root)
  const step = fc.constantFrom(
    '..',
    '.',
    '',
    'old',
    'link',
    'alias',
    'secret',
    'elsewhere',
    'memories',
    'new',
  )
  const paths = fc
    .tuple(
      fc.constantFrom('', '/', root, `${home}/`),
      fc.array(step, { minLength: 1, maxLength: 6 }),
    )
    .map(([start, steps]) => start + steps.join('/'))
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      const read = await folder.read(path).catch((error) => error)
      if (read instanceof Uint8Array) expect(Buffer.from(read).toString()).not.toBe('secret')
      else expect(read).toMatchObject(refused)
      const saved = await folder.save(path, bytes).catch((error) => error)
      if (saved !== undefined) expect(saved).toMatchObject(refused)
    }),
    {
      numRuns: 500,
      examples: [
        ['../secret'],
        ['alias'],
        ['link/secret'],
        ['link/new'],
        [join(home, 'secret')],
        ['a\0b'],
      ],
    },
  )
  expect(readFileSync(join(home, 'secret'), 'utf8')).toBe('secret')
  expect(readFileSync(join(home, 'elsewhere/secret'), 'utf8')).toBe('secret')
  for (const made of ['new', 'made', 'elsewhere/new', 'elsewhere/old']) {
    expect(() => statSync(join(home, made))).toThrow()
  }
})

test.each([
  ['/etc/hostname', 'must be relative to the folder'],
  ['nothing.json', 'must exist, or at least its folder'],
  ['no/folder.json', 'must exist, or at least its folder'],
  ['old', 'must be a file'],
  ['a.json/x', 'must lead through folders'],
  ['../secret', 'must stay inside the folder of memories'],
])('the path %s %s', async (path, problem) => {
  await expect(memoryFolder(root).read(path)).rejects.toMatchObject({
    message: `path ${problem}.`,
  })
})

test('a dangling link is not followed to create a file', async () => {
  await expect(memoryFolder(root).save('dangling', bytes)).rejects.toMatchObject(refused)
})
