import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../arguments/command.ts'
import { writeSourceFiles } from './source-files.ts'

const bytes = Buffer.from('a note')

/** Makes a folder to write into, and one beside it. */
function makeFolders() {
  const parent = mkdtempSync(join(tmpdir(), 'export-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const [folder, outside] = [join(parent, 'folder'), join(parent, 'outside')]
  for (const each of [folder, outside]) mkdirSync(each)
  return { folder, outside }
}

test.each(['notes/a.md', 'notes/deep/a.md', 'own/notes/a.md'])(
  'writes nothing at %s through a link that leads out of the folder',
  async (path) => {
    const { folder, outside } = makeFolders()
    mkdirSync(join(folder, 'own'))
    for (const at of ['notes', 'own/notes']) symlinkSync(outside, join(folder, at))
    const files = [
      { path: 'b.md', bytes },
      { path, bytes },
    ]
    await expect(writeSourceFiles(folder, files)).rejects.toThrow(UsageError)
    expect([readdirSync(outside), readdirSync(folder).toSorted()]).toEqual([[], ['notes', 'own']])
  },
)

test('writes into folders that are there, also where the folder itself is named by a link', async () => {
  const { folder, outside } = makeFolders()
  mkdirSync(join(outside, 'notes'))
  const named = join(folder, 'named')
  symlinkSync(outside, named)
  await writeSourceFiles(named, [{ path: 'notes/a.md', bytes }])
  expect(readFileSync(join(outside, 'notes/a.md'), 'utf8')).toBe('a note')
})
