import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordPlace, refuseDuplicate } from './folder-place.ts'
import { ensureInstallation, readInstallation, writeInstallation } from './installation.ts'

type Settings = Parameters<typeof refuseDuplicate>[0]
const embedded = { chain: { kind: 'embedded' }, databaseUrl: undefined } as Settings
const elsewhere = { ...embedded, chain: { kind: 'remote' } } as Settings
const shared = { ...elsewhere, databaseUrl: new URL('postgres://here') } as unknown as Settings

function emptyFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'place-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return parent
}

/** Makes a data folder that has written on a machine. */
function usedFolder(parent: string, machine = 'here'): string {
  const folder = join(parent, 'original')
  openDataFolder(folder).close()
  ensureInstallation(folder)
  recordPlace(folder, machine)
  return folder
}

function copyOf(folder: string, to: string): string {
  cpSync(folder, to, { recursive: true, preserveTimestamps: true })
  return to
}

/** Opens a folder as a start does, and returns its end. */
function openOn(folder: string, machine = 'here', settings = embedded): string {
  try {
    refuseDuplicate(settings, folder, machine)
  } catch (error) {
    return (error as { readonly code: string }).code
  }
  recordPlace(folder, machine)
  return 'may write'
}

type Life = { folder: string; machine: string; moves: number }

/** The events in the life of the only folder of an installation. */
const events: Readonly<Record<string, (life: Life) => void>> = {
  'starts again': () => undefined,
  'is renamed': (life) => moveTo(life, renameSync),
  'is moved to another disk': (life) => moveTo(life, moveAcross),
  'has another name as well': ({ folder, machine }) => {
    symlinkSync(folder, `${folder}-link`)
    expect(openOn(`${folder}-link`, machine)).toBe('may write')
    rmSync(`${folder}-link`)
  },
  'is restored in its place': ({ folder }) => {
    moveAcross(folder, `${folder}-saved`)
    moveAcross(`${folder}-saved`, folder)
  },
  'comes to another machine with its disk': (life) => {
    life.machine = `machine ${life.moves++}`
  },
}

function moveTo(life: Life, move: (from: string, to: string) => void): void {
  const to = `${life.folder}-${life.moves++}`
  move(life.folder, to)
  life.folder = to
}

function moveAcross(from: string, to: string): void {
  mkdirSync(to)
  cpSync(from, to, { recursive: true })
  rmSync(from, { recursive: true })
}

/** The ways to copy the folder. */
const copies: Readonly<Record<string, (life: Life) => Life>> = {
  'beside it': (life) => ({ ...life, folder: copyOf(life.folder, `${life.folder}-copy`) }),
  'to another machine': ({ folder, moves }) => {
    const copy = copyOf(folder, `${folder}-copy`)
    return { folder: copy, machine: 'another', moves }
  },
}

describe('a data folder', () => {
  test('may always write while it is the only one, and its copy never may', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Object.keys(events)), { maxLength: 5 }),
        fc.constantFrom('beside it', 'to another machine'),
        fc.constantFrom(embedded, elsewhere),
        (names, copied, settings) => {
          const life = { folder: '', machine: 'here', moves: 0 }
          life.folder = usedFolder(emptyFolder())
          for (const name of names) {
            events[name]?.(life)
            expect([name, openOn(life.folder, life.machine, settings)]).toEqual([name, 'may write'])
          }
          const copy = copies[copied]?.(life) ?? life
          expect(openOn(copy.folder, copy.machine, settings)).toBe('folder/duplicated')
          expect(openOn(life.folder, life.machine, settings)).toBe('may write')
          // A copy beside servers that share their jobs is one more of them.
          expect(openOn(copy.folder, copy.machine, shared)).toBe('may write')
        },
      ),
      { numRuns: 60 },
    )
  })

  test('in a container, whose machine has no id, is told from its copy by the original', () => {
    const parent = emptyFolder()
    const folder = usedFolder(parent)
    const { place, ...record } = ensureInstallation(folder)
    const { machine: _, ...nameless } = place ?? expect.fail()
    writeInstallation(folder, { ...record, place: nameless })
    const copy = copyOf(folder, join(parent, 'copy'))
    expect(openOn(copy)).toBe('folder/duplicated')
    renameSync(folder, join(parent, 'away'))
    expect(openOn(copy)).toBe('may write')
  })

  test('on a disk whose file system does not say when a file was made may write', () => {
    const folder = usedFolder(emptyFolder())
    const { place = expect.fail(), ...record } = ensureInstallation(folder)
    writeInstallation(folder, { ...record, place: { ...place, born: '0' } })
    expect(openOn(folder, 'another')).toBe('may write')
    writeInstallation(folder, { ...record, place: { ...place, born: '1' } })
    expect(openOn(folder, 'another')).toBe('folder/duplicated')
  })

  test('of an earlier version may write, and what takes the place of the original is none', () => {
    const parent = emptyFolder()
    const folder = usedFolder(parent)
    const { place, ...earlier } = ensureInstallation(folder)
    writeInstallation(folder, earlier)
    expect(openOn(folder)).toBe('may write')
    expect(readInstallation(folder)?.place).toEqual(place)
    const moved = join(parent, 'moved')
    renameSync(folder, moved)
    openDataFolder(folder).close()
    ensureInstallation(folder)
    expect(openOn(moved)).toBe('may write')
  })
})
