import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { storedProgress } from '@heirloom/adapters/internal/catalogue-file'
import { isFailure } from '@heirloom/core'
import { type Config, type Environment, readConfig } from '../../../config/config.ts'
import { misspeltVariables } from '../../../config/environment.ts'
import { readKeyFile } from '../../../server/api-keys/open-api-keys.ts'
import type { AgentWallet } from '../../../server/keys/agent-wallet.ts'
import { catalogueFile } from '../../../server/open-catalogue.ts'
import { requireFreePort } from '../../../server/start/listen.ts'
import { checkServerAlone, type Known, reportOf, type ServerPlace } from './ask-server.ts'
import { checkChain } from './check-chain.ts'
import { checkBlobs, checkFolder } from './check-folder.ts'
import { checkJobs } from './check-jobs.ts'
import { checkKeys } from './check-keys.ts'
import { checkPortLaws } from './check-port-laws.ts'
import { type Finding, fail, ok, runCheck, warn } from './finding.ts'
import {
  folderInUse,
  type Installation,
  openInstallation,
  sharedCatalogue,
  skipped,
} from './installation.ts'

/**
 * Checks every part of the installation that an environment describes. Creates nothing, spends nothing
 * and shows no secret. Locks the data folder until the last finding when no server uses it, so that
 * none can start meanwhile; a server that uses it is asked about the parts that it locks. Where there
 * is no data folder, only the named server is asked.
 */
export async function* doctor(env: Environment, input: doctor.Input = {}): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node)
  const config = tryReadConfig(env)
  if ('level' in config) {
    yield config
    return
  }
  yield ok('config', 'The configuration is valid.')
  yield* checkVariables(env)
  yield* checkApiKeys(config)
  if (input.server !== undefined && !existsSync(config.dataDir)) {
    yield* checkServerAlone(input.server)
    return
  }
  const installation = openInstallation(config)
  try {
    if (input.server === undefined) yield* checkPort(installation)
    yield* checkInstallation(installation, input)
  } finally {
    installation.close()
  }
}

export declare namespace doctor {
  type Input = {
    /** The cases in which each law of the ports is checked; 10 when absent. */
    readonly casesPerLaw?: number | undefined
    /** The server to ask; when absent, the one at the address of the settings. */
    readonly server?: ServerPlace | undefined
  }
}

async function* checkInstallation(
  installation: Installation,
  { casesPerLaw = 10, server }: doctor.Input,
): AsyncGenerator<Finding> {
  let agent: AgentWallet | undefined
  try {
    yield* checkFolder(installation)
    const keys = await checkKeys(installation)
    agent = keys.agent
    yield* keys.findings
    const report = await reportOf(installation, agent, server)
    if (report.server !== undefined) yield report.server
    for await (const finding of checkParts(installation, keys)) yield answered(finding, report)
    yield* checkPortLaws(installation, keys, casesPerLaw)
  } finally {
    await agent?.service?.close()
  }
}

async function* checkParts(
  installation: Installation,
  { agent, sealing }: Awaited<ReturnType<typeof checkKeys>>,
): AsyncGenerator<Finding> {
  yield* checkChain(installation, { agent, sealing })
  yield* checkBlobs(installation)
  yield* checkJobs(installation)
  yield* checkCatalogue(installation)
}

/** Returns what the server says of a part that it locks; the finding itself for other parts. */
function answered(finding: Finding, { parts }: Known): Finding {
  if (finding.skippedBecause !== folderInUse) return finding
  return parts?.get(finding.name) ?? (parts === undefined ? { ...finding, advice } : finding)
}

const advice =
  'Pass --url with the address that the server printed, to ask it about most of them; or stop it, and run doctor again.'

function tryReadConfig(env: Environment): Config | Finding {
  try {
    return readConfig(env)
  } catch (error) {
    if (!isFailure(error)) throw error
    return fail('config', error.message, 'Correct the environment; nothing else was checked.')
  }
}

/** Checks that a version of Node is new enough. */
export function checkNode(version: string): Finding {
  const sentence = `This is Node ${version}.`
  if (Number.parseInt(version, 10) >= 24) return ok('node', sentence)
  return fail('node', sentence, 'Use Node 24 or newer.')
}

/** The most blocks that the catalogue may be behind its chain without a warning. */
const longestLag = 100

/** Checks that the catalogue is not far behind its chain. */
async function* checkCatalogue(installation: Installation): AsyncGenerator<Finding> {
  const reason = reasonToSkip(installation)
  if (reason !== undefined) {
    yield skipped('catalogue', reason)
    return
  }
  const advice = 'Remove catalogue.sqlite; a server rebuilds it from the chain.'
  yield await runCheck('catalogue', advice, () =>
    checkLag(join(installation.folder, catalogueFile)),
  )
}

function reasonToSkip({ config, unavailable, has }: Installation): string | undefined {
  if (config.databaseUrl !== undefined) return sharedCatalogue
  return unavailable ?? (has(catalogueFile) ? undefined : 'there is no catalogue yet')
}

function checkLag(path: string): Finding {
  const { block, head } = storedProgress(path)
  const lag = Math.max(0, head - block)
  const sentence = `The catalogue was ${lag} blocks behind when it was last updated.`
  if (lag <= longestLag) return ok('catalogue', sentence)
  return warn('catalogue', sentence, 'Run a server; if the lag grows, check the node.')
}

/** Finds variables that look like a setting and are none. */
function* checkVariables(env: Environment): Generator<Finding> {
  for (const sentence of misspeltVariables(env)) {
    yield warn('config', sentence, 'Correct its name, or unset it.')
  }
}

/** Checks the file of the API keys, where there is one. */
async function* checkApiKeys({ apiKeysFile }: Config): AsyncGenerator<Finding> {
  if (apiKeysFile === undefined) return
  const advice =
    'Correct the file or API_KEYS_FILE; heirloom api-key new NAME --file FILE adds a key.'
  yield await runCheck('api-keys', advice, async () => {
    const keys = await readKeyFile(apiKeysFile)
    return ok('api-keys', `API_KEYS_FILE has ${keys.length} keys.`)
  })
}

/** Checks that a server can listen at its port, unless one of this folder does. */
async function* checkPort({ config, lockError }: Installation): AsyncGenerator<Finding> {
  if (isFailure(lockError, 'folder/in-use')) return
  try {
    await requireFreePort(config)
  } catch (error) {
    if (!isFailure(error)) throw error
    yield warn('port', error.message, 'A server of this folder cannot start there meanwhile.')
  }
}
