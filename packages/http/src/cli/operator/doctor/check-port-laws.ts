import { naclCipher } from '@heirloom/adapters/cipher'
import { type LoadedKeys, sealingKeysOf } from '@heirloom/adapters/keys'
import type { KeyService, OpenBlobStore } from '@heirloom/core'
import { largestBody } from '../../../config/config.ts'
import type { KeyPlace } from '../../../config/read-keys.ts'
import { openKeyService } from '../../../server/keys/agent-wallet.ts'
import type { Keys } from './check-keys.ts'
import { type Finding, fail, ok, runCheck } from './finding.ts'
import { type Installation, skipped } from './installation.ts'
import { scratchStorages } from './scratch-storages.ts'

/**
 * Checks the laws of the blob store, of the cipher and of a key service, on this machine and with
 * these keys.
 */
export async function* checkPortLaws(
  installation: Installation,
  { sealing, canSign }: Pick<Keys, 'sealing' | 'canSign'>,
  casesPerLaw: number,
): AsyncGenerator<Finding> {
  const reason = installation.has('.') ? installation.unwritable : 'there is no data folder yet'
  yield* examine(reason, {
    name: 'blob-store-laws',
    advice: adviceFor[installation.config.blobStore?.kind ?? 'folder'],
    run: () =>
      withCases(casesOf(installation, casesPerLaw), (kit) => examineBlobs(installation, kit)),
  })
  yield* examine(sealing ? undefined : 'no sealing key can be opened', {
    name: 'cipher-laws',
    advice: 'Install Heirloom again, and report a bug.',
    run: () => withCases(casesPerLaw, (kit) => examineCipher(sealing, kit)),
  })
  const { keyService } = installation.config
  if (keyService === undefined) return
  // A token locks after a few wrong PINs, so one that was just refused is not sent again.
  yield* examine(canSign ? undefined : 'the agent wallet did not sign', {
    name: 'key-service-laws',
    advice: 'Check the key service of AGENT_KEY_SERVICE.',
    run: () =>
      withCases(Math.min(casesElsewhere, casesPerLaw), (kit) => examineService(keyService, kit)),
  })
}

/** The most cases of a law on a bucket or a key service, where each request takes a while. */
const casesElsewhere = 3

const casesOf = ({ config }: Installation, casesPerLaw: number): number =>
  config.blobStore?.kind === 's3' ? Math.min(casesElsewhere, casesPerLaw) : casesPerLaw

const adviceFor = {
  folder: 'Check the disk.',
  module: 'Check the module BLOB_STORE.',
  s3: 'Check the bucket of BLOB_URL and the rights of its credentials.',
} as const

type Exam = {
  readonly name: string
  readonly advice: string
  /** Runs the laws; returns their number and the names of broken ones. */
  readonly run: () => Promise<{ readonly all: number; readonly broken: readonly string[] }>
}

async function* examine(
  reasonToSkip: string | undefined,
  { name, advice, run }: Exam,
): AsyncGenerator<Finding> {
  if (reasonToSkip !== undefined) {
    yield skipped(name, reasonToSkip)
    return
  }
  yield await runCheck(name, advice, async () => {
    const { all, broken } = await run()
    if (broken.length === 0) return ok(name, `All ${all} laws hold here.`)
    return fail(name, `Broken: ${broken.join('; ')}.`, advice)
  })
}

/** Checks the laws on storages of their own, beside that of the installation. */
async function examineBlobs(
  installation: Installation,
  { blobStorageLaws, blobStoreLaws, checkLaws }: Testkit,
): ReturnType<Exam['run']> {
  const scratch = scratchStorages(installation)
  // Our own storages keep the laws of storages everywhere; a module must show that it does.
  const isOwn = installation.config.blobStore?.kind !== 'module'
  try {
    if (!isOwn) await scratch.requirePrefix()
    const openStore = async () => (await scratch.open()).storage.open()
    const close = (store: OpenBlobStore) => store.close()
    const ofStore = await checkLaws(blobStoreLaws, { open: openStore, close })
    return summary(isOwn ? ofStore : [...ofStore, ...(await checkLaws(blobStorageLaws, scratch))])
  } finally {
    await scratch.remove()
  }
}

async function examineCipher(
  sealing: LoadedKeys | undefined,
  { cipherLaws, checkLaws }: Testkit,
): ReturnType<Exam['run']> {
  const keys = sealingKeysOf(sealing ?? { epoch: 0, records: [] })
  const open = async () => naclCipher({ keys, documentLimit: largestBody })
  return summary(await checkLaws(cipherLaws, { open }))
}

async function examineService(
  place: KeyPlace,
  { keyServiceLaws, checkLaws }: Testkit,
): ReturnType<Exam['run']> {
  const open = async () => openKeyService(place)
  const close = async (service: KeyService) => service.close?.()
  return summary(await checkLaws(keyServiceLaws, { open, close }))
}

// Imported lazily: a server needs no laws.
async function withCases<T>(numRuns: number, act: (kit: Testkit) => Promise<T>): Promise<T> {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check')
  const usual = readConfigureGlobal()
  configureGlobal({ ...usual, numRuns })
  try {
    return await act(await import('@heirloom/testkit'))
  } finally {
    configureGlobal(usual)
  }
}

type Testkit = typeof import('@heirloom/testkit')

type Results = readonly { readonly name: string; readonly outcome: string }[]

const summary = (results: Results) => ({
  all: results.length,
  broken: results.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name),
})
