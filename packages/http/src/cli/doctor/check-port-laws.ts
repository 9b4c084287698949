import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { naclCipher } from '@heirloom/adapters/cipher'
import { type LoadedKeys, sealingKeysIn } from '@heirloom/adapters/keys'
import { largestBody } from '../../config/config.ts'
import { type Finding, fail, found, ok } from './finding.ts'
import { type Site, skipped } from './installation.ts'

/** Few, for what is examined here is a machine and not the code. */
const casesOfEach = 10

/** Examines the laws of those ports that cost nothing, on this machine and with these keys. */
export async function* lawFindings(
  site: Site,
  sealing: LoadedKeys | undefined,
): AsyncGenerator<Finding> {
  yield* examined(site.has('.') ? undefined : 'there is no data folder yet', {
    name: 'blob-store-laws',
    advice: 'Look at the disk.',
    examine: () => examineBlobs(site.folder),
  })
  yield* examined(sealing ? undefined : 'there are no sealing keys that open', {
    name: 'cipher-laws',
    advice: 'Install again, and tell us.',
    examine: () => examineCipher(sealing),
  })
}

type Exam = {
  readonly name: string
  readonly advice: string
  /** Returns the laws that hold and those that do not. */
  readonly examine: () => Promise<{ readonly all: number; readonly broken: readonly string[] }>
}

async function* examined(
  why: string | undefined,
  { name, advice, examine }: Exam,
): AsyncGenerator<Finding> {
  if (why !== undefined) {
    yield skipped(name, why)
    return
  }
  yield await found(name, advice, async () => {
    const { all, broken } = await examine()
    if (broken.length === 0) return ok(name, `All ${all} laws hold here.`)
    return fail(name, `Broken: ${broken.join('; ')}.`, advice)
  })
}

function examineBlobs(folder: string): ReturnType<Exam['examine']> {
  return withFewCases(async ({ blobStoreLaws, checkLaws }) => {
    const beside = mkdtempSync(join(folder, 'doctor-'))
    const empty = () => rmSync(beside, { recursive: true, force: true })
    try {
      const open = () => heliaBlobStore({ folder: join(beside, 'blobs') })
      const close = (store: Store) => store.close().then(empty)
      return verdict(await checkLaws(blobStoreLaws, { open, close }))
    } finally {
      empty()
    }
  })
}

type Store = Awaited<ReturnType<typeof heliaBlobStore>>

function examineCipher(sealing: LoadedKeys | undefined): ReturnType<Exam['examine']> {
  return withFewCases(async ({ cipherLaws, checkLaws }) => {
    const open = async () =>
      naclCipher({
        keys: sealingKeysIn(sealing ?? { epoch: 0, records: [] }),
        documentLimit: largestBody,
      })
    return verdict(await checkLaws(cipherLaws, { open }))
  })
}

// Loaded only here: a server needs no laws.
async function withFewCases<T>(examine: (kit: Testkit) => Promise<T>): Promise<T> {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check')
  const usual = readConfigureGlobal()
  configureGlobal({ ...usual, numRuns: casesOfEach })
  try {
    return await examine(await import('@heirloom/testkit'))
  } finally {
    configureGlobal(usual)
  }
}

type Testkit = typeof import('@heirloom/testkit')

type Results = readonly { readonly name: string; readonly outcome: string }[]

const verdict = (results: Results) => ({
  all: results.length,
  broken: results.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name),
})
