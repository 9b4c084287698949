import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DataFolder, openDataFolder, restrictToOwner } from './data-folder.ts'

function temporaryPath(): string {
  const parent = mkdtempSync(join(tmpdir(), 'heirloom-folder-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  return join(parent, 'nested', 'data')
}

function open(path: string): DataFolder {
  const folder = openDataFolder(path)
  onTestFinished(() => folder.close())
  return folder
}

const permissions = (path: string) => statSync(path).mode & 0o777

// Opens the folder in a process of its own, reports that, and keeps the process alive.
const holderProgram = `
  const { openDataFolder } = await import(process.argv[1])
  globalThis.held = openDataFolder(process.argv[2])
  process.stdout.write('held')
  process.stdin.resume()
`

async function openInOtherProcess(path: string) {
  const module = new URL('./data-folder.ts', import.meta.url).href
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    holderProgram,
    module,
    path,
  ]
  const holder = spawn(process.execPath, args)
  const failure = once(holder.stderr, 'data').then(([text]) => Promise.reject(new Error(`${text}`)))
  await Promise.race([once(holder.stdout, 'data'), failure])
  return holder
}

test('creates the folder for its owner alone', () => {
  const path = temporaryPath()
  expect(open(path).path).toBe(path)
  expect(permissions(path)).toBe(0o700)
})

test('fails at once where no folder can be created', () => {
  expect(() => openDataFolder('/proc/x/y')).toThrow(
    expect.objectContaining({ code: 'folder/unusable' }),
  )
})

test('gives SQLite files to its owner alone, existing ones too', () => {
  const path = temporaryPath()
  open(path).close()
  const file = join(path, 'lock.sqlite')
  expect(permissions(file)).toBe(0o600)
  chmodSync(file, 0o644)
  open(path)
  expect(permissions(file)).toBe(0o600)
})

describe('a folder that others can enter', () => {
  const makeFolder = (mode: number) => {
    const path = temporaryPath()
    mkdirSync(path, { recursive: true })
    chmodSync(path, mode)
    return path
  }

  test.each([0o755, 0o750, 0o701, 0o777])('is closed to them, from mode %o', (mode) => {
    const path = makeFolder(mode)
    expect(restrictToOwner(path)).toBe('was-open')
    expect(permissions(path)).toBe(0o700)
    expect(restrictToOwner(path)).toBe('closed')
  })

  test('is closed if it is a data folder, and not touched if it holds other files', () => {
    const path = makeFolder(0o700)
    open(path).close()
    chmodSync(path, 0o755)
    expect(restrictToOwner(path)).toBe('was-open')
    const other = makeFolder(0o755)
    writeFileSync(join(other, 'letters.txt'), 'x')
    const unusable = expect.objectContaining({ code: 'folder/unusable' })
    expect(() => restrictToOwner(other)).toThrow(unusable)
    expect(permissions(other)).toBe(0o755)
    expect(() => restrictToOwner(makeFolder(0o1777))).toThrow(unusable)
  })

  test('counts as closed when it does not exist', () => {
    expect(restrictToOwner(temporaryPath())).toBe('closed')
  })
})

describe('a secret', () => {
  test('is created once and then read', () => {
    const path = temporaryPath()
    const folder = open(path)
    expect(folder.secret('key', () => 'first')).toBe('first')
    expect(folder.secret('key', () => 'second')).toBe('first')
    folder.close()
    expect(open(path).secret('key', () => 'third')).toBe('first')
  })

  test('can be read by its owner alone', () => {
    const path = temporaryPath()
    open(path).secret('key', () => 'first')
    expect(permissions(join(path, 'key'))).toBe(0o600)
  })

  test('is created again when a crash interrupted its creation', () => {
    const path = temporaryPath()
    const folder = open(path)
    writeFileSync(join(path, 'key.unfinished'), 'fir')
    expect(folder.secret('key', () => 'second')).toBe('second')
    expect(readFileSync(join(path, 'key'), 'utf8')).toBe('second')
  })

  test('is not replaced when it cannot be read', () => {
    const path = temporaryPath()
    const folder = open(path)
    openDataFolder(join(path, 'key')).close()
    expect(() => folder.secret('key', () => 'second')).toThrow(
      expect.objectContaining({ code: 'folder/unusable' }),
    )
  })
})

describe('a folder in use', () => {
  const inUse = (folder: string) =>
    expect.objectContaining({ code: 'folder/in-use', facts: { folder } })

  test('is refused in the same process until it is closed', () => {
    const path = temporaryPath()
    const first = open(path)
    expect(() => openDataFolder(path)).toThrow(inUse(path))
    expect(() => openDataFolder(path)).toThrow(inUse(path))
    first.close()
    expect(open(path).path).toBe(path)
  })

  test('stays locked for others after a second attempt in its own process', async () => {
    const path = temporaryPath()
    open(path)
    expect(() => openDataFolder(path)).toThrow(inUse(path))
    await expect(openInOtherProcess(path)).rejects.toThrow('Another server is using')
  })

  test('is free again when the process that locked it is killed', async () => {
    const path = temporaryPath()
    const holder = await openInOtherProcess(path)
    expect(() => openDataFolder(path)).toThrow(inUse(path))
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(open(path).path).toBe(path)
  })
})

test('refuses a path that is not a folder', () => {
  const path = temporaryPath()
  open(path)
  const file = join(path, 'lock.sqlite')
  expect(() => openDataFolder(file)).toThrow(
    expect.objectContaining({
      code: 'folder/unusable',
      facts: { folder: file, problem: expect.any(String) },
    }),
  )
})
