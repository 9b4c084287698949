import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLine } from './parts/lines.ts'
import { edits, memoryOf, notes } from './parts/notes.ts'

// Prints what four saves of one memory add, in kilobytes: the first, one with a note appended, one with
// a note before the first, and one with a hundred notes changed; here and, where they are installed,
// with restic and borg. Each save after the first is the next one of the unchanged memory.

const length = Number(process.argv[2] ?? 50_000_000)
const all = notes(length, 'long')
const steps = {
  first: memoryOf(all),
  append: memoryOf(edits.append(all)),
  insert: memoryOf(edits.insert(all)),
  change: memoryOf(edits.change(all)),
}

type Step = keyof typeof steps

/** Saves a document; returns the bytes that it added. */
type Save = (document: Uint8Array, step: Step) => Promise<number>

const password = 'measured'
const environment = {
  ...process.env,
  RESTIC_PASSWORD: password,
  BORG_PASSPHRASE: password,
  HOME: tmpdir(),
}

const isInstalled = (program: string) =>
  spawnSync(program, ['--help'], { env: environment }).status === 0

function run(program: string, words: readonly string[], folder: string): void {
  const { status, stderr } = spawnSync(program, words, { env: environment, cwd: folder })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

/** Returns the save of a program whose store is a folder. */
function saveWith(
  program: string,
  folder: string,
  { init, save }: Record<'init' | 'save', readonly string[]>,
): Save {
  run(program, init, folder)
  return async (document, step) => {
    writeFileSync(join(folder, 'memory.json'), document)
    const before = sizeOf(join(folder, 'store'))
    run(
      program,
      save.map((word) => word.replace('STEP', step)),
      folder,
    )
    return sizeOf(join(folder, 'store')) - before
  }
}

const borg = (params: string) => ({
  init: ['init', '--encryption=repokey-blake2', 'store'],
  save: [
    'create',
    `--chunker-params=${params}`,
    '--compression=zstd,1',
    'store::STEP',
    'memory.json',
  ],
})
const restic = {
  init: ['init', '--repo=store'],
  save: ['backup', '--repo=store', 'memory.json'],
}

async function measure(name: string, save: Save): Promise<void> {
  const added: string[] = []
  for (const [step, document] of Object.entries(steps)) {
    const began = performance.now()
    const bytes = await save(document, step as Step)
    const seconds = ((performance.now() - began) / 1000).toFixed(2)
    added.push(`${step} ${Math.round(bytes / 1000)} KB in ${seconds} s`)
  }
  process.stdout.write(`${name}: ${added.join(', ')}\n`)
}

async function measureProgram(
  name: string,
  program: string,
  words: Record<'init' | 'save', readonly string[]>,
): Promise<void> {
  if (!isInstalled(program)) return void process.stdout.write(`${name}: is not installed\n`)
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-versions-'))
  await measure(name, saveWith(program, folder, words))
  rmSync(folder, { recursive: true })
}

const line = await openLine()
let first: Awaited<ReturnType<typeof line.save>> | undefined
await measure('heirloom', async (document) => {
  const saved = await line.save(Uint8Array.from(document), first?.digest)
  first ??= saved
  return saved.added
})
await line.close()
await measureProgram('restic', 'restic', restic)
await measureProgram('borg', 'borg', borg('buzhash,19,23,21,4095'))
await measureProgram('borg, 8 KiB chunks', 'borg', borg('buzhash,11,15,13,4095'))
