import { join } from 'node:path'
import { storedProgress } from '@heirloom/adapters/internal/catalogue-file'
import { catalogueFile } from '../../server/open-catalogue.ts'
import { type Finding, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

/** The most blocks that the catalogue may be behind its chain without a warning. */
const longestLag = 100

/** Checks that the catalogue is not far behind its chain. */
export async function* checkCatalogue(installation: Installation): AsyncGenerator<Finding> {
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
  if (config.databaseUrl !== undefined) return 'the catalogue is in DATABASE_URL'
  return unavailable ?? (has(catalogueFile) ? undefined : 'there is no catalogue yet')
}

function checkLag(path: string): Finding {
  const { block, head } = storedProgress(path)
  const lag = Math.max(0, head - block)
  const sentence = `The catalogue was ${lag} blocks behind when it was last updated.`
  if (lag <= longestLag) return ok('catalogue', sentence)
  return warn('catalogue', sentence, 'Run a server; if the lag grows, check the node.')
}
