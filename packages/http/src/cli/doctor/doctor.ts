import { isFailure } from '@heirloom/core'
import { type Config, type Environment, readConfig } from '../../config/config.ts'
import type { AgentWallet } from '../../server/keys/agent-wallet.ts'
import { checkBlobs } from './check-blobs.ts'
import { checkCatalogue } from './check-catalogue.ts'
import { checkChain } from './check-chain.ts'
import { checkFolder } from './check-folder.ts'
import { checkJobs } from './check-jobs.ts'
import { checkKeys } from './check-keys.ts'
import { checkPortLaws } from './check-port-laws.ts'
import { checkServer } from './check-server.ts'
import { type Finding, fail, ok } from './finding.ts'
import { openInstallation } from './installation.ts'

/**
 * Checks every part of the installation that an environment describes. Creates nothing, spends nothing
 * and shows no secret. Locks the data folder until the last finding when no server uses it, so that
 * none can start meanwhile. Checks each law of the ports in `casesPerLaw` cases.
 */
export async function* doctor(env: Environment, casesPerLaw = 10): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node)
  const config = tryReadConfig(env)
  if ('level' in config) {
    yield config
    return
  }
  yield ok('config', 'The configuration is valid.')
  const installation = openInstallation(config)
  let agent: AgentWallet | undefined
  try {
    yield* checkFolder(installation)
    const keys = await checkKeys(installation)
    agent = keys.agent
    const { sealing } = keys
    yield* keys.findings
    yield* checkServer(installation, agent)
    yield* checkChain(installation, { agent, sealing })
    yield* checkBlobs(installation)
    yield* checkJobs(installation)
    yield* checkCatalogue(installation)
    yield* checkPortLaws(installation, keys, casesPerLaw)
  } finally {
    await agent?.service?.close()
    installation.close()
  }
}

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
