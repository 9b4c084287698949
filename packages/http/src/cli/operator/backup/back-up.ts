import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import {
  bucketObjects,
  type FileSteps,
  type Objects,
  pacedObjects,
  type SaveReport,
  saveBackup,
} from '@heirloom/adapters/internal/backup'
import { storedBlocks } from '@heirloom/adapters/internal/block-folder'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import { Failure, isFailure } from '@heirloom/core'
import { version } from '../../../api/version.ts'
import { type Config, type Environment, readConfig } from '../../../config/config.ts'
import { refuseDuplicate } from '../../../server/folder-place.ts'
import {
  type InstallationRecord,
  readInstallation,
  requireWriter,
  writeInstallation,
} from '../../../server/installation.ts'
import { masterKeyPath } from '../../../server/keys/master-keys.ts'
import { moveFiles } from '../../../server/moved-tokens.ts'
import { jobFile } from '../../../server/open-job-store.ts'
import { agentFile, blobFolder, chainFile } from '../../../server/whole-folder.ts'
import { erasedListOf, openPlace } from './backup-place.ts'
import {
  folderActivity,
  type Staged,
  stageFiles,
  stageKeys,
  stagingFolder,
  uncopied,
} from './stage-files.ts'

export declare namespace backUp {
  type Options = {
    /** A folder or an `s3://` URL. */
    readonly to: string
    /** Whether the blocks in the bucket of BLOB_URL are saved, too. */
    readonly withBucket: boolean
    readonly steps?: FileSteps
  }
}

/** A backup, and where it is. */
export type BackupReport = SaveReport & {
  readonly place: string
  readonly config: Config
  readonly folder: string
  /** The secrets that a person must keep apart from the backup, or where they are. */
  readonly keepApart: readonly string[]
}

/**
 * Saves the installation that an environment describes, while its server runs or not. The moment of
 * the backup is one between two transactions: whatever was acknowledged by then is in it, and nothing
 * that came later but blocks, which no token of the backup names.
 *
 * @throws `config/invalid`, `folder/unusable`, `folder/copied`, and the failures of `saveBackup`
 */
export async function backUp(
  env: Environment,
  { to, withBucket, steps }: backUp.Options,
): Promise<BackupReport> {
  const config = readConfig(env)
  const folder = resolve(config.dataDir)
  requireUsed(config, folder)
  requireWriter(folder)
  refuseDuplicate(config, folder)
  const opened = await openPlace(to, { forWriting: true, folder, steps })
  const objects = pacedObjects(opened, folderActivity(folder))
  try {
    const report = await whileStaging(folder, objects.place, (into) =>
      save({ config, folder, objects, withBucket }, into),
    )
    const keepApart = keysApart(config, folder)
    return { ...report, place: objects.place, config, folder, keepApart }
  } finally {
    objects.close()
  }
}

/** Returns the secrets that a person must keep apart from the backup. */
function keysApart(config: Config, folder: string): readonly string[] {
  return [
    config.masterKeys.length > 0 ? 'MASTER_KEYS' : masterKeyPath(config, folder),
    agentKeyPlace(config, folder),
    ...(config.network?.seed === undefined ? [] : ['IPFS_PEER_KEY']),
    ...(config.apiKeysFile === undefined ? [] : [config.apiKeysFile]),
  ]
}

function agentKeyPlace({ agentKey, keyService }: Config, folder: string): string {
  if (keyService !== undefined) return 'the key that AGENT_KEY_SERVICE names'
  return agentKey === undefined ? join(folder, agentFile) : 'AGENT_PRIVATE_KEY'
}

/** Runs an act with a folder for copies, which are removed afterwards. */
async function whileStaging<T>(
  folder: string,
  place: string,
  act: (into: string) => Promise<T>,
): Promise<T> {
  const staging = openStaging(folder, place)
  const into = join(staging.path, 'files')
  try {
    return await act(into)
  } finally {
    rmSync(into, { recursive: true, force: true })
    staging.close()
  }
}

/** Opens the folder for copies, for one backup of the data folder at a time. */
function openStaging(folder: string, place: string) {
  try {
    return openDataFolder(join(folder, stagingFolder))
  } catch (error) {
    if (!isFailure(error, 'folder/in-use')) throw error
    const problem = 'another backup of the same folder is being made; wait for its end'
    throw new Failure('backup/unusable', { place, problem })
  }
}

function requireUsed({ blobStore }: Config, folder: string): void {
  const missing = blobStore === undefined ? blobFolder : '.'
  if (existsSync(join(folder, missing))) return
  const problem = `it holds no ${blobFolder}, which the first start of a server makes`
  throw new Failure('folder/unusable', { folder, problem })
}

type Parts = {
  readonly config: Config
  readonly folder: string
  readonly objects: Objects
  readonly withBucket: boolean
}

/** Copies what says which tokens were carried over to this server; returns the names of the copies. */
const stageMoves = (folder: string, into: string): readonly string[] =>
  moveFiles.filter((name) => {
    const isThere = existsSync(join(folder, name))
    if (isThere) copyFileSync(join(folder, name), join(into, name))
    return isThere
  })

type AllStaged = Staged & { readonly files: readonly string[] }

/** Copies the databases at one moment, and then what may be newer than they are. */
async function stageAll({ config, folder }: Parts, into: string): Promise<AllStaged> {
  const staged = await stageFiles({ folder, names: databasesOf(config), into })
  try {
    const keys = await stageKeys({ config, folder }, staged.folder)
    return { ...staged, files: [...staged.names, ...keys, ...stageMoves(folder, staged.folder)] }
  } catch (error) {
    throw isFailure(error) ? error : uncopied(folder, error)
  }
}

async function save(parts: Parts, into: string): Promise<SaveReport> {
  const { config, folder, objects, withBucket } = parts
  const { files, ...staged } = await stageAll(parts, into)
  const own = readInstallation(folder)
  if (own === undefined) {
    const problem = 'a server of an earlier version uses it; start it again with this one'
    throw new Failure('folder/unusable', { folder, problem })
  }
  const source = blocksOf(config, { folder, withBucket })
  try {
    return await saveBackup(objects, {
      ...describe(config, { folder, own, staged }),
      blobs: source === undefined ? 'elsewhere' : 'here',
      files: files.map((name) => ({ name, path: join(staged.folder, name) })),
      blocks: source,
      erased: erasedListOf(folder),
      now: () => Date.now(),
    })
  } catch (error) {
    // Its next start is refused as well.
    if (isFailure(error, 'backup/superseded'))
      writeInstallation(folder, { ...own, state: 'superseded' })
    throw error
  } finally {
    source?.close()
  }
}

const databasesOf = ({ chain, databaseUrl }: Config): readonly string[] => [
  ...(chain.kind === 'embedded' ? [chainFile] : []),
  ...(databaseUrl === undefined ? [jobFile] : []),
]

type Described = {
  readonly folder: string
  readonly own: InstallationRecord
  readonly staged: Staged
}

const describe = ({ chain, databaseUrl }: Config, { folder, own, staged }: Described) => ({
  installation: { id: own.id, epoch: own.epoch, copy: own.copy },
  program: version(),
  takenAt: staged.takenAt,
  origin: { host: hostname(), folder },
  chain: chain.kind,
  jobs: databaseUrl === undefined ? ('here' as const) : ('database' as const),
})

/** Returns the blocks of an installation; `undefined` where the backup does not cover their store. */
function blocksOf(
  { blobStore }: Config,
  { folder, withBucket }: { readonly folder: string; readonly withBucket: boolean },
): Pick<Objects, 'list' | 'get' | 'close'> | undefined {
  if (blobStore === undefined) return storedBlocks(join(folder, blobFolder))
  return blobStore.kind === 's3' && withBucket ? bucketObjects(blobStore.place) : undefined
}
