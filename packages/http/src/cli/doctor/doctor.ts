import { isFailure } from '@heirloom/core'
import { type Config, type Environment, readConfig } from '../../config/config.ts'
import { blobFindings } from './check-blobs.ts'
import { chainFindings } from './check-chain.ts'
import { catalogueFindings } from './check-catalogue.ts'
import { type Finding, fail, ok } from './finding.ts'
import { folderFindings } from './check-folder.ts'
import { jobFindings } from './check-jobs.ts'
import { keysOf } from './check-keys.ts'
import { lawFindings } from './check-port-laws.ts'
import { visit } from './installation.ts'

/**
 * Tells, part by part, whether the installation that an environment describes is sound. It makes
 * nothing, spends nothing and tells no secret. Where no server uses the data folder it takes the
 * folder until the last finding, so that none can start in between.
 */
export async function* doctor(env: Environment): AsyncGenerator<Finding> {
  yield nodeFinding(process.versions.node)
  const config = configOf(env)
  if ('level' in config) {
    yield config
    return
  }
  yield ok('config', 'The configuration can be read.')
  const site = visit(config)
  try {
    yield* folderFindings(site)
    const { wallet, sealing, findings } = await keysOf(site)
    yield* findings
    yield* chainFindings(site, { wallet, sealing })
    yield* blobFindings(site)
    yield* jobFindings(site)
    yield* catalogueFindings(site)
    yield* lawFindings(site, sealing)
  } finally {
    site.leave()
  }
}

function configOf(env: Environment): Config | Finding {
  try {
    return readConfig(env)
  } catch (error) {
    if (!isFailure(error)) throw error
    return fail('config', error.message, 'Correct the environment; nothing else was looked at.')
  }
}

/** Says whether a version of Node runs this. */
export function nodeFinding(version: string): Finding {
  const sentence = `This is Node ${version}.`
  if (Number.parseInt(version, 10) >= 24) return ok('node', sentence)
  return fail('node', sentence, 'Run it with Node 24 or newer.')
}
